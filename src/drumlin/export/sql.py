"""SQL target: one SELECT whose common table expressions are the steps of the computation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from drumlin._version import __version__
from drumlin.export.building import describe
from drumlin.export.computation import (
    SCORES,
    SHARES,
    VALUE,
    Computation,
    NotExportable,
)
from drumlin.export.dialects import DIALECTS, Dialect, real
from drumlin.export.sql_steps import (
    activated,
    features,
    least,
    mapped,
    nodes,
    numbered,
    raw,
    sum_of,
)
from drumlin.export.text import sql_name

MOST_COLUMNS = 1500
"""Of one step; databases have limits."""


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
    steps = [("raw_", raw(c, words, table, keep)), ("features_", features(c, words))]
    steps += mapped(c, words, "z", clip=True)
    steps.append(("nodes_", nodes(c, words, c.nodes, "z", "r")))
    steps += [*activated(c, words), ("scores_", _scores(c))]
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


# ---------------------------------------------------------------------------------------- answers
def _scores(c: Computation) -> list[str]:
    columns = zip(c.weights.intercept, c.weights.coef.T, strict=True)
    # A gap that nothing fills must reach a score even where there is no node.
    gaps = [f"0e0 * x{i}" for i, f in enumerate(c.features) if f.kind == VALUE and f.fill is None]
    extra = gaps if not len(c.nodes) else []
    return numbered(
        [
            sum_of([real(b), *extra, *(f"p{j} * {real(w)}" for j, w in enumerate(coef))])
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
        ("logits_", numbered(logits, "g")),
        ("largest_", [f"{largest} AS largest"]),
        ("differences_", numbered(differences, "d")),
        ("powers_", numbered(powers, "e")),
        ("sum_", [f"{sum_of([f'e{k}' for k in range(n)])} AS sum_of_powers"]),
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
    places, seen = c.novelty.nodes, c.novelty.quantiles
    listed = ", ".join(f"q{j}" for j in range(len(places)))
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
        *mapped(c, words, "w", clip=False),
        ("places_", nodes(c, words, places, "w", "q")),
        ("distance_", [f"SQRT({least(words, listed, len(places))}) AS distance"]),
        ("novelty_", [f"CASE {' '.join(cases)} END AS novelty_value"]),
    ]
