"""SQL target: one SELECT whose common table expressions are the steps of the computation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from drumlin._version import __version__
from drumlin.export.building import describe
from drumlin.export.computation import (
    GAP,
    GAUSSIAN,
    INVERSE_MULTIQUADRIC,
    MEMBER,
    MULTIQUADRIC,
    NUMBER,
    SCORES,
    SHARES,
    VALUE,
    Computation,
    Feature,
    NodeTable,
    NotExportable,
)
from drumlin.export.dialects import DIALECTS, Dialect, real
from drumlin.export.text import sql_name

MOST_COLUMNS = 1500
"""Of one step; databases have limits."""

_GROUP = 50  # terms of a sum: parsers have limits of depth
_LARGEST = 1e300


def to_sql(
    model: Any,
    *,
    table: str = "rows",
    dialect: str = "sqlite",
    keep: Sequence[str] = (),
    scores: bool = False,
) -> str:
    """Write a fitted model as one SELECT over a table of raw columns.

    Parameters
    ----------
    model : estimator
        As for ``drumlin.export.describe``.
    table : str, default="rows"
        The table that is read.
    dialect : {"sqlite", "duckdb", "postgresql"}, default="sqlite"
    keep : sequence of str, default=()
        Columns of the table to be returned too, such as a key.
    scores : bool, default=False
        Whether to return the scores too, as score_0, score_1, ...

    Returns
    -------
    str
        A SELECT of the kept columns, ``prediction``, ``probability_*`` of every class, and
        ``novelty`` where the model knows it. NULL (and NaN) is a missing value, as in training;
        where nothing fills it, answers are NULL.
    """
    if dialect not in DIALECTS:
        raise ValueError(
            f"The 'dialect' parameter must be one of {tuple(DIALECTS)}. Got {dialect!r}."
        )
    c, words = describe(model), DIALECTS[dialect]
    if len(c.nodes) + 3 * len(c.features) > MOST_COLUMNS:
        raise NotExportable(
            f"SQL needs networks of less than {MOST_COLUMNS} nodes and features. "
            f"Got {len(c.nodes)} nodes of {len(c.features)} inputs."
        )
    steps = [("raw_", _raw(c, words, table, keep)), ("features_", _features(c, words))]
    steps += _mapped(c, words, "z", clip=True)
    steps.append(("nodes_", _nodes(c, words, c.nodes, "z", "r")))
    steps += [*_activated(c, words), ("scores_", _scores(c))]
    if c.outcome.kind not in (SCORES, SHARES):
        steps += _softmax(c, words)
    if c.novelty is not None:
        steps += _novelty_steps(c, words)
    return _select(c, words, steps, keep, scores=scores)


def _select(
    c: Computation,
    words: Dialect,
    steps: list[tuple[str, list[str]]],
    keep: Sequence[str],
    *,
    scores: bool,
) -> str:
    texts, before = [], ""
    for name, columns in steps:
        head = "SELECT" if not before else "SELECT *,"
        tail = f"\n  FROM {before}" if before else ""
        listed = ",\n    ".join(columns)
        texts.append(f"{name} AS MATERIALIZED (\n  {head}\n    {listed}{tail}\n)")
        before = name
    answers = [f"k{i} AS {sql_name(name)}" for i, name in enumerate(keep)]
    answers += _answers(c, words, scores=scores)
    names = [*keep, *(answer.rsplit(" AS ", 1)[1].strip('"') for answer in answers[len(keep) :])]
    if len(set(names)) < len(names):
        raise ValueError(f"The 'keep' parameter must name columns once, and no answer. Got {keep}.")
    listed = ",\n  ".join(answers)
    return (
        f"-- {c.estimator}, written by drumlin {__version__}; model {c.fingerprint()}.\n"
        f"WITH {', '.join(texts)}\nSELECT\n  {listed}\nFROM {before}\n"
    )


# ---------------------------------------------------------------------------------------- columns
def _raw(c: Computation, words: Dialect, table: str, keep: Sequence[str]) -> list[str]:
    """Columns under names of our own; qualified, since SQLite takes unknown names for texts."""
    lines = [f"given_.{sql_name(name)} AS k{i}" for i, name in enumerate(keep)]
    for i, column in enumerate(c.columns):
        name = f"given_.{sql_name(column.name)}"
        if column.kind == NUMBER:
            lines.append(f"{_finite(f'CAST({name} AS {words.real})', words)} AS c{i}")
        else:
            lines.append(f"CAST({name} AS {words.text}){words.collate} AS c{i}")
    lines[-1] += f"\n  FROM {sql_name(table)} AS given_"
    return lines


def _finite(value: str, words: Dialect) -> str:
    largest = real(_LARGEST)
    least = real(-_LARGEST)
    gap = f"WHEN {words.is_nan.format(value)} THEN NULL " if words.is_nan else ""
    tiny = f"WHEN ABS({value}) < 1e-290 THEN 0e0 " if words.is_strict else ""
    return (
        f"CASE {gap}{tiny}WHEN {value} > {largest} THEN {largest} "
        f"WHEN {value} < {least} THEN {least} ELSE {value} END"
    )


def _features(c: Computation, words: Dialect) -> list[str]:
    return [f"{_feature(feature, c, words)} AS x{i}" for i, feature in enumerate(c.features)]


def _feature(feature: Feature, c: Computation, words: Dialect) -> str:
    value = f"c{feature.column}"
    if feature.kind == VALUE:
        return value if feature.fill is None else f"COALESCE({value}, {real(feature.fill)})"
    if feature.kind == GAP:
        return f"CASE WHEN {value} IS NULL THEN 1e0 ELSE 0e0 END"
    if feature.kind == MEMBER:
        return _member(feature, c, words, value)
    return "0e0"


def _member(feature: Feature, c: Computation, words: Dialect, value: str) -> str:
    """1 for the texts of a category."""
    coding = c.codings[feature.coding]
    missing, unknown = (float(code == feature.code) for code in (coding.missing, coding.unknown))
    # Only texts whose answer differs from that of unknown ones need to be listed.
    other = [
        words.string(text)
        for text, code in zip(coding.texts, coding.codes, strict=True)
        if float(code == feature.code) != unknown
    ]
    listed = f"WHEN {value} IN ({', '.join(other)}) THEN {real(1.0 - unknown)} " if other else ""
    return f"CASE WHEN {value} IS NULL THEN {real(missing)} {listed}ELSE {real(unknown)} END"


# ---------------------------------------------------------------------------------------- mapping
def _mapped(c: Computation, words: Dialect, out: str, *, clip: bool) -> list[tuple[str, list[str]]]:
    """Steps from features to the space of the nodes; the last makes ``out``0, ``out``1, ..."""
    steps, name = [], "x"
    for layer, scaling in enumerate(c.mapping.scalings):
        terms = [
            f"({name}{i} - {real(shift)}) / {real(scale)}"
            for i, (shift, scale) in enumerate(zip(scaling.shift, scaling.scale, strict=True))
        ]
        steps.append((f"{out}scaled{layer}_", _numbered(terms, f"{out}s{layer}_")))
        name = f"{out}s{layer}_"
        if scaling.limit is not None:
            limited = [_limited(f"{name}{i}", scaling.limit) for i in range(len(terms))]
            steps.append((f"{out}limited{layer}_", _numbered(limited, f"{out}l{layer}_")))
            name = f"{out}l{layer}_"
    if c.mapping.inv_clip is not None and clip:
        terms = [
            f"{name}{i} / SQRT(1e0 + {words.square(f'{name}{i} * {real(p)}')})"
            if p
            else f"{name}{i}"
            for i, p in enumerate(c.mapping.inv_clip)
        ]
        steps.append((f"{out}clipped_", _numbered(terms, f"{out}u")))
        name = f"{out}u"
    if c.mapping.matrix is not None:
        terms = [
            _sum([f"{name}{i} * {real(a)}" for i, a in enumerate(column)])
            for column in c.mapping.matrix.T
        ]
    elif _are_told_apart(c):
        terms = [f"{name}{i}" for i in range(c.n_mapped)]
    else:
        terms = [_limited(f"{name}{i}", _reach(c, i)) for i in range(c.n_mapped)]
    return [*steps, (f"{out}mapped_", _numbered(terms, out))]


def _are_told_apart(c: Computation) -> bool:
    """Whether distances matter however far a row is: nodes compete, or never fade."""
    return c.nodes.shares is not None or c.nodes.radial != GAUSSIAN


def _reach(c: Computation, i: int) -> float:
    """Number beyond which squares would overflow."""
    tables = [c.nodes] if c.novelty is None else [c.nodes, c.novelty.nodes]
    sharpest = max((nodes.inv_widths[:, i].max() for nodes in tables if len(nodes)), default=0.0)
    return float(min(1e140 / max(sharpest, 1e-150), _LARGEST))


def _limited(value: str, limit: float) -> str:
    above, below = real(limit), real(-limit)
    return (
        f"CASE WHEN {value} > {above} THEN {above} WHEN {value} < {below} THEN {below} "
        f"ELSE {value} END"
    )


def _nodes(c: Computation, words: Dialect, nodes: NodeTable, z: str, out: str) -> list[str]:
    """Squared distances; what a node does not look at is left out."""
    if not len(nodes):
        return ["0e0 AS none_"]
    limit = 1e150 if _are_told_apart(c) else None
    sums = []
    for centers, inverse in zip(nodes.centers, nodes.inv_widths, strict=True):
        pairs = enumerate(zip(centers, inverse, strict=True))
        terms = [f"({z}{k} - {real(center)}) * {real(p)}" for k, (center, p) in pairs if p]
        terms = terms if limit is None else [_limited(term, limit) for term in terms]
        sums.append(_sum([words.square(term) for term in terms]))
    return _numbered(sums, out)


def _activated(c: Computation, words: Dialect) -> list[tuple[str, list[str]]]:
    """Steps from squared distances r* to activations p*."""
    m, steps, name = len(c.nodes), [], "r"
    if c.nodes.shares is not None:
        name = "f"
        far = [_limited(f"r{j}", 1e300) for j in range(m)]
        steps.append(("far_", _numbered(far, "f")))
        if c.nodes.radial == GAUSSIAN:
            listed = ", ".join(f"f{j}" for j in range(m))
            steps.append(("nearest_", [f"{_least(words, listed, m)} AS nearest"]))
            steps.append(("nearer_", _numbered([f"f{j} - nearest" for j in range(m)], "n")))
            name = "n"
    terms = [_radial(c, f"{name}{j}", words) for j in range(m)]
    if c.nodes.shares is None:
        return [*steps, ("activated_", _numbered(terms, "p") if m else ["0e0 AS none2_"])]
    terms = [f"{term} * {real(s)}" for term, s in zip(terms, c.nodes.shares, strict=True)]
    total = _sum([f"a{j}" for j in range(m)])
    return [
        *steps,
        ("activated_", _numbered(terms, "a")),
        ("total_", [f"{total} AS total"]),
        ("normalized_", _numbered([f"a{j} / total" for j in range(m)], "p")),
    ]


def _least(words: Dialect, listed: str, n: int) -> str:
    return f"{words.least}({listed})" if n > 1 else listed


def _radial(c: Computation, r2: str, words: Dialect) -> str:
    limit = -2.0 * words.floor
    return {
        GAUSSIAN: f"EXP(-0.5e0 * CASE WHEN {r2} > {real(limit)} THEN {real(limit)} ELSE {r2} END)",
        MULTIQUADRIC: f"SQRT(1e0 + CASE WHEN {r2} > 1e300 THEN 1e300 ELSE {r2} END)",
        INVERSE_MULTIQUADRIC: f"1e0 / SQRT(1e0 + {r2})",
    }[c.nodes.radial]


# ---------------------------------------------------------------------------------------- answers
def _scores(c: Computation) -> list[str]:
    columns = zip(c.weights.intercept, c.weights.coef.T, strict=True)
    # A gap that nothing fills must reach a score even where there is no node.
    gaps = [f"0e0 * x{i}" for i, f in enumerate(c.features) if f.kind == VALUE and f.fill is None]
    extra = gaps if not len(c.nodes) else []
    return _numbered(
        [
            _sum([real(b), *extra, *(f"p{j} * {real(w)}" for j, w in enumerate(coef))])
            for b, coef in columns
        ],
        "score",
    )


def _softmax(c: Computation, words: Dialect) -> list[tuple[str, list[str]]]:
    n, beta, floor = len(c.classes), real(c.outcome.temperature), real(words.floor)
    logits = ["score0 * 0e0", "score0"] if c.n_outputs == 1 else [f"score{k}" for k in range(n)]
    largest = _largest([f"g{k}" for k in range(n)])
    differences = [f"{beta} * (g{k} - largest)" for k in range(n)]
    powers = [f"EXP(CASE WHEN d{k} < {floor} THEN {floor} ELSE d{k} END)" for k in range(n)]
    return [
        ("logits_", _numbered(logits, "g")),
        ("largest_", [f"{largest} AS largest"]),
        ("differences_", _numbered(differences, "d")),
        ("powers_", _numbered(powers, "e")),
        ("sum_", [f"{_sum([f'e{k}' for k in range(n)])} AS sum_of_powers"]),
    ]


def _largest(values: list[str]) -> str:
    """Largest of some columns; NULL where they are."""
    cases = [
        f"WHEN {' AND '.join(f'{value} >= {other}' for other in values if other != value)} "
        f"THEN {value}"
        for value in values
    ]
    return f"CASE {' '.join(cases)} END"


def _answers(c: Computation, words: Dialect, *, scores: bool) -> list[str]:
    answers = []
    if c.outcome.kind == SCORES:
        names = (
            ["prediction"] if c.n_outputs == 1 else [f"prediction_{k}" for k in range(c.n_outputs)]
        )
        answers += [f'score{k} AS "{name}"' for k, name in enumerate(names)]
    else:
        answers.append(f'{_label(c, words)} AS "prediction"')
        for k, label in enumerate(c.classes):
            share = f"score{k}" if c.outcome.kind == SHARES else f"e{k} / sum_of_powers"
            answers.append(f"{share} AS {sql_name(f'probability_{label}')}")
    if c.novelty is not None:
        answers.append('novelty_value AS "novelty"')
    if scores:
        answers += [f'score{k} AS "score_{k}"' for k in range(c.n_outputs)]
    return answers


def _label(c: Computation, words: Dialect) -> str:
    labels = [words.label(label) for label in c.classes]
    if c.n_outputs == 1:
        return f"CASE WHEN score0 > 0e0 THEN {labels[1]} WHEN score0 <= 0e0 THEN {labels[0]} END"
    columns = [f"score{k}" for k in range(c.n_outputs)]
    cases = [
        f"WHEN {' AND '.join(f'{value} >= {other}' for other in columns if other != value)} "
        f"THEN {label}"
        for value, label in zip(columns, labels, strict=True)
    ]
    return f"CASE {' '.join(cases)} END"


def _novelty_steps(c: Computation, words: Dialect) -> list[tuple[str, list[str]]]:
    """Distance to the nearest place without the clip, and its place among those of training."""
    assert c.novelty is not None
    nodes, seen = c.novelty.nodes, c.novelty.quantiles
    listed = ", ".join(f"q{j}" for j in range(len(nodes)))
    last = len(seen) - 1
    cases = [f"WHEN distance <= {real(seen[0])} THEN 0e0"]
    cases += [
        f"WHEN distance <= {real(b)} THEN "
        f"({real(i)} + (distance - {real(a)}) / {real(b - a)}) / {real(last)}"
        for i, (a, b) in enumerate(pairwise(seen.tolist()))
        if b > a
    ]
    cases.append(f"WHEN distance > {real(seen[-1])} THEN 1e0")
    return [
        *_mapped(c, words, "w", clip=False),
        ("places_", _nodes(c, words, nodes, "w", "q")),
        ("distance_", [f"SQRT({_least(words, listed, len(nodes))}) AS distance"]),
        ("novelty_", [f"CASE {' '.join(cases)} END AS novelty_value"]),
    ]


# ---------------------------------------------------------------------------------------- helpers
def _numbered(terms: list[str], name: str) -> list[str]:
    return [f"{term} AS {name}{i}" for i, term in enumerate(terms)]


def _sum(terms: list[str]) -> str:
    """A sum of bounded depth."""
    if not terms:
        return "0e0"
    while len(terms) > _GROUP:
        terms = [
            f"({' + '.join(terms[start : start + _GROUP])})"
            for start in range(0, len(terms), _GROUP)
        ]
    return " + ".join(terms)
