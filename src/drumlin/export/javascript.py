"""JavaScript target: one ES module without dependencies, tables in typed arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from drumlin._version import __version__
from drumlin.export.building import describe
from drumlin.export.computation import (
    B_SPLINE,
    GAP,
    GAUSSIAN,
    INVERSE_MULTIQUADRIC,
    LOOKUP,
    MEMBER,
    MULTIQUADRIC,
    SCORES,
    SHARES,
    VALUE,
    ZERO,
    Computation,
)
from drumlin.export.tables import answer_keys, feature_text, tables
from drumlin.export.text import javascript_label, javascript_string, number, wrapped

RADIAL = {
    GAUSSIAN: "Math.exp(Math.max(-0.5 * r2, -700))",
    MULTIQUADRIC: "Math.sqrt(1 + Math.min(r2, 1e300))",
    INVERSE_MULTIQUADRIC: "1 / Math.sqrt(1 + r2)",
    B_SPLINE: "0.25 * Math.max(2 - Math.sqrt(r2 / 3), 0) ** 3"
    " - Math.max(1 - Math.sqrt(r2 / 3), 0) ** 3",
}

FEATURES = {
    VALUE: "toNumber({value}, {fill})",
    GAP: "isMissing({value}) ? 1 : 0",
    MEMBER: "codeOf({value}, codes{coding}, {missing}, {unknown}) === {code} ? 1 : 0",
    LOOKUP: "[{numbers}][codeOf({value}, codes{coding}, {missing}, {unknown})]",
    ZERO: "0",
}


def to_javascript(model: Any) -> str:
    """Write a fitted model as an ES module that needs nothing.

    Parameters
    ----------
    model : estimator
        As for ``drumlin.export.describe``.

    Returns
    -------
    str
        Source that exports ``columns``, ``classes`` and ``predict(row)``. A row is an object by
        column, or an array in their order; null, undefined or NaN is missing.
    """
    c = describe(model)
    parts = [_head(c), _tables(c), _features(c), _map(c), _scores(c)]
    if c.novelty is not None:
        parts.append(_novelty(c))
    return "\n\n".join([*parts, _predict(c)]) + "\n"


def _head(c: Computation) -> str:
    names = wrapped((javascript_string(column.name) for column in c.columns), "  ")
    labels = wrapped(map(javascript_label, c.classes), "  ")
    return (
        f"// {c.estimator}, written by drumlin {__version__}; model {c.fingerprint()}.\n"
        f"/** Raw columns, in order. @type {{string[]}} */\n"
        f"export const columns = [\n{names}\n];\n"
        f"/** Classes; none where a number is predicted. */\n"
        f"export const classes = [\n{labels}\n];"
    )


def _table(name: str, values: Any) -> str:
    entries = wrapped((number(v) for v in np.ravel(values)), "  ")
    return f"const {name} = new Float64Array([\n{entries}\n]);"


def _tables(c: Computation) -> str:
    lines = []
    for i, coding in enumerate(c.codings):
        pairs = [
            f"[{javascript_string(text)}, {code}]"
            for text, code in zip(coding.texts, coding.codes, strict=True)
        ]
        lines.append(f"const codes{i} = new Map([\n{wrapped(pairs, '  ')}\n]);")
    lines += [_table(_camel(table.name), table.values) for table in tables(c)]
    return "\n".join(lines)


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _features(c: Computation) -> str:
    entries = "\n".join(f"    {feature_text(f, c, FEATURES, 'null')}," for f in c.features)
    return f"""function isMissing(value) {{
  return value === null || value === undefined || Number.isNaN(value);
}}

/** A finite number; null for a gap that nothing fills. */
function toNumber(value, fill) {{
  const x = isMissing(value) ? NaN : Number(value);
  return Number.isNaN(x) ? fill : Math.min(Math.max(x, -Number.MAX_VALUE), Number.MAX_VALUE);
}}

function codeOf(value, codes, missing, unknown) {{
  if (isMissing(value)) return missing;
  const code = codes.get(String(value));
  return code === undefined ? unknown : code;
}}

function features(row) {{
  return [
{entries}
  ];
}}"""


def _map(c: Computation) -> str:
    lines = ["function map(x, clip) {", "  let z = Float64Array.from(x);"]
    for i, scaling in enumerate(c.mapping.scalings):
        lines.append(f"  z = z.map((v, i) => (v - shift{i}[i]) / scale{i}[i]);")
        if scaling.limit is not None:
            limit = number(scaling.limit)
            lines.append(f"  z = z.map((v) => Math.min(Math.max(v, -{limit}), {limit}));")
    if c.mapping.inv_clip is not None:
        lines.append("  if (clip) z = z.map((t, i) => t / Math.sqrt(1 + (t * invClip[i]) ** 2));")
    if c.mapping.matrix is None:
        return "\n".join([*lines, "  return z;", "}"])
    return "\n".join(
        [
            *lines,
            f"  const mixed = new Float64Array({c.n_mapped});",
            f"  for (let k = 0; k < {c.n_mapped}; k++) {{",
            f"    for (let i = 0; i < {len(c.features)}; i++) "
            f"mixed[k] += z[i] * matrix[k * {len(c.features)} + i];",
            "  }",
            "  return mixed;",
            "}",
        ]
    )


def _scores(c: Computation) -> str:
    k, m, n = c.n_mapped, len(c.nodes), c.n_outputs
    body = [f"  let phi = squaredDistances(z, centers, invWidths, {m});"]
    if c.nodes.shares is not None:
        body.append("  phi = phi.map((r2) => Math.min(r2, 1e300));")
        if c.nodes.radial == GAUSSIAN:
            body += ["  const nearest = phi.reduce((a, b) => Math.min(a, b));"]
            body += ["  phi = phi.map((r2) => r2 - nearest);"]
    body.append(f"  phi = phi.map((r2) => {RADIAL[c.nodes.radial]});")
    if c.nodes.shares is not None:
        body += [
            "  phi = phi.map((p, j) => p * shares[j]);",
            "  const total = phi.reduce((a, b) => a + b);",
            "  phi = phi.map((p) => p / total);",
        ]
    lines = "\n".join(body)
    return f"""function squaredDistances(z, centers, invWidths, n) {{
  const distances = new Float64Array(n);
  for (let j = 0; j < n; j++) {{
    for (let k = 0; k < {k}; k++) {{
      const d = (z[k] - centers[j * {k} + k]) * invWidths[j * {k} + k];
      distances[j] += d * d;
    }}
  }}
  return distances;
}}

function scoresOf(z) {{
{lines}
  const scores = Array.from(intercept);
  for (let j = 0; j < {m}; j++) {{
    for (let k = 0; k < {n}; k++) scores[k] += phi[j] * weights[j * {n} + k];
  }}
  return scores;
}}"""


def _novelty(c: Computation) -> str:
    assert c.novelty is not None
    last, m = len(c.novelty.quantiles) - 1, len(c.novelty.nodes)
    return f"""/** Part of the training rows that are nearer to a node. */
function noveltyOf(z) {{
  const distances = squaredDistances(z, placeCenters, placeInvWidths, {m});
  const d = Math.sqrt(distances.reduce((a, b) => Math.min(a, b)));
  let i = 0;
  while (i <= {last} && seen[i] < d) i++;
  if (i > {last}) return 1;
  if (i === 0 || seen[i] === d) return i / {last};
  return (i - 1 + (d - seen[i - 1]) / (seen[i] - seen[i - 1])) / {last};
}}"""


def _predict(c: Computation) -> str:
    nothing = ", ".join(f"{key}: null" for key in answer_keys(c))
    lines = ["  const scores = scoresOf(map(x, true));"]
    answer = ["scores"]
    if c.outcome.kind == SCORES:
        answer.append("value: scores.length === 1 ? scores[0] : scores")
    else:
        logits, winner = "scores", "scores.indexOf(Math.max(...scores))"
        if c.n_outputs == 1:
            logits, winner = "[0, scores[0]]", "scores[0] > 0 ? 1 : 0"
        lines += [f"  const logits = {logits};", f"  const label = classes[{winner}];"]
        if c.outcome.kind == SHARES:
            lines.append("  const probabilities = scores;")
        else:
            beta = number(c.outcome.temperature)
            lines += [
                "  const largest = Math.max(...logits);",
                f"  const powers = logits.map((f) => Math.exp({beta} * (f - largest)));",
                "  const sum = powers.reduce((a, b) => a + b);",
                "  const probabilities = powers.map((p) => p / sum);",
            ]
        answer += ["label", "probabilities"]
    if c.novelty is not None:
        answer.append("novelty: noveltyOf(map(x, false))")
    body = "\n".join(lines)
    value = "value: number" if c.outcome.kind == SCORES else "label: *, probabilities: number[]"
    return f"""/**
 * Answer for one row.
 * @param {{Object<string, *>|Array}} given by column, or in the order of `columns`
 * @returns {{{{scores: number[], {value}}}}} all null where a number is missing
 */
export function predict(given) {{
  const row = Array.isArray(given) ? given : columns.map((name) => given[name]);
  const x = features(row);
  if (x.includes(null)) return {{ {nothing} }};
{body}
  return {{ {", ".join(answer)} }};
}}"""
