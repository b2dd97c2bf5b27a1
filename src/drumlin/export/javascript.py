"""JavaScript target: one ES module without dependencies, tables in typed arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from drumlin._version import __version__
from drumlin.export.building import describe
from drumlin.export.computation import GAP, LOOKUP, MEMBER, SCORES, SHARES, VALUE, ZERO, Computation
from drumlin.export.javascript_network import activations, mapping, networks, novelty
from drumlin.export.tables import answer_keys, feature_text, tables
from drumlin.export.text import javascript_label, javascript_string, number, wrapped

FEATURES = {
    VALUE: "toNumber({value}, {fill})",
    GAP: "isMissing({value}) ? 1 : 0",
    MEMBER: "codeOf({value}, codes{coding}, {missing}, {unknown}) === {code} ? 1 : 0",
    LOOKUP: "[{numbers}][codeOf({value}, codes{coding}, {missing}, {unknown})]",
    ZERO: "0",
}


CONTRIBUTIONS = """/**
 * What every node of a network adds to every score of one row, and last its constants.
 * @param {Object<string, *>|Array} given as for `predict`
 * @param {number} [size] one of `sizes`; all nodes if left out
 * @returns {{nodes: number[], parts: number[][]}|null} nodes by their place; null as for `predict`
 */
export function contributions(given, size = sizes[sizes.length - 1]) {
  const x = features(rowOf(given));
  if (x.includes(null)) return null;
  const network = networks.get(size);
  return { nodes: network.nodes, parts: partsOf(activationsOf(map(x, true)), network) };
}"""


def to_javascript(model: Any, *, smaller: Sequence[Any] = ()) -> str:
    """Write a fitted model as an ES module that needs nothing.

    Parameters
    ----------
    model : estimator
        As for ``drumlin.export.describe``.
    smaller : sequence of estimator, default=()
        The same model with fewer nodes, as ``truncate`` makes it; each adds its weights only.

    Returns
    -------
    str
        Source that exports ``columns``, ``classes``, ``sizes``, ``predict(row, size)`` and
        ``contributions(row, size)``. A row is an object by column, or an array in their order;
        null, undefined or NaN is missing. The size is one of ``sizes``, all nodes if left out.

    See Also
    --------
    to_c
    to_onnx
    to_sql
    to_python

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import DrumlinClassifier, export
    >>> model = DrumlinClassifier(max_nodes=3).fit(*load_iris(return_X_y=True))
    >>> "export function predict" in export.to_javascript(model)
    True
    """
    c = describe(model)
    cut = [describe(part) for part in smaller]
    parts = [_head(c), _tables(c), _features(c), mapping(c), activations(c), networks(c, cut)]
    if c.novelty is not None:
        parts.append(novelty(c))
    return "\n\n".join([*parts, _predict(c), CONTRIBUTIONS]) + "\n"


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

function rowOf(given) {{
  return Array.isArray(given) ? given : columns.map((name) => given[name]);
}}

function features(row) {{
  return [
{entries}
  ];
}}"""


def _predict(c: Computation) -> str:
    nothing = ", ".join(f"{key}: null" for key in answer_keys(c))
    lines = [
        "  const network = networks.get(size);",
        "  const scores = scoresOf(activationsOf(map(x, true)), network);",
    ]
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
            lines += [
                "  const largest = Math.max(...logits);",
                "  const powers = logits.map((f) => Math.exp(network.beta * (f - largest)));",
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
 * @param {{number}} [size] one of `sizes`; all nodes if left out
 * @returns {{{{scores: number[], {value}}}}} all null where a number is missing
 */
export function predict(given, size = sizes[sizes.length - 1]) {{
  const x = features(rowOf(given));
  if (x.includes(null)) return {{ {nothing} }};
{body}
  return {{ {", ".join(answer)} }};
}}"""
