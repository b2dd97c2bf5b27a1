"""SQL target: one SELECT whose common table expressions are the steps of the computation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from drumlin._version import __version__
from drumlin.export.building import describe
from drumlin.export.computation import SCORES, SHARES, Computation, NotExportable
from drumlin.export.dialects import DIALECTS, Dialect, real
from drumlin.export.sql_select import select
from drumlin.export.sql_steps import (
    Named,
    Step,
    activated,
    features,
    knowing,
    known,
    mapped,
    nodes,
    numbered,
    raw,
    sum_of,
)
from drumlin.export.text import check_choice, check_flag, check_text, check_texts, sql_name

_PROBABILITY = "probability_"


def to_sql(
    model: Any,
    *,
    table: str = "rows",
    dialect: str = "sqlite",
    keep: str | Sequence[str] = (),
    scores: bool = False,
) -> str:
    """Write a fitted model as one SELECT over a table of raw columns.

    Parameters
    ----------
    model : estimator
        As for ``drumlin.export.describe``.
    table : str, default="rows"
        The table that is read; its name is quoted as a whole.
    dialect : {"sqlite", "duckdb", "postgresql"}, default="sqlite"
    keep : str or sequence of str, default=()
        Columns of the table to be returned too, such as a key.
    scores : bool, default=False
        Whether to return the scores too, as score_0, score_1, ...

    Returns
    -------
    str
        A SELECT of the kept columns, ``prediction``, ``probability_*`` of every class (with a
        number behind it where the database would not tell two names apart), and ``novelty``
        where the model knows it. NULL (and NaN) is a missing value, as in training; where nothing
        fills it, answers are NULL.

    See Also
    --------
    to_c
    to_onnx
    to_javascript
    to_python

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import DrumlinClassifier, export
    >>> model = DrumlinClassifier(max_nodes=3).fit(*load_iris(as_frame=True, return_X_y=True))
    >>> 'FROM "flowers"' in export.to_sql(model, table="flowers")
    True
    """
    check_choice("dialect", dialect, tuple(DIALECTS))
    check_text("table", table)
    check_flag("scores", scores)
    keep = check_texts("keep", keep)
    c, words = describe(model), DIALECTS[dialect]
    _check_names(c, words)
    steps = [("raw_", raw(c, words, keep)), ("features_", features(c, words)), *knowing(c)]
    steps += mapped(c, words, "z", clip=True)
    steps.append(("nodes_", nodes(c, words, c.nodes, "z", "r")))
    steps += [*activated(c, words), ("scores_", _scores(c))]
    steps += _choice(c, words)
    if c.novelty is not None:
        steps += _novelty_steps(c, words)
    answers = _named(_answers(c, words, scores=scores), words, keep)
    head = f"-- {c.estimator}, written by drumlin {__version__}; model {c.fingerprint()}.\n"
    return head + select(steps, answers, table, words)


def _check_names(c: Computation, words: Dialect) -> None:
    seen: dict[str, str] = {}
    for column in c.columns:
        known_by = words.folded(column.name)
        if known_by in seen:
            raise NotExportable(
                f"{words.name} does not tell the columns {seen[known_by]!r} and {column.name!r} "
                "apart."
            )
        seen[known_by] = column.name


def _named(answers: list[tuple[str, str]], words: Dialect, keep: Sequence[str]) -> Named:
    """Answers by quoted names, the kept columns first; probabilities give way to all others."""
    taken = [words.folded(name) for name in keep]
    fixed = [words.folded(name) for name, _ in answers if not name.startswith(_PROBABILITY)]
    if len({*taken, *fixed}) < len(taken) + len(fixed):
        raise ValueError(
            "The 'keep' parameter must name columns once, and no answer. Got "
            f"{list(keep)}; answers are {[name for name, _ in answers]}."
        )
    used, made = {*taken, *fixed}, {sql_name(name): f"k{i}" for i, name in enumerate(keep)}
    for name, expression in answers:
        made[sql_name(_distinct(name, used, words))] = expression
    return made


def _distinct(name: str, used: set[str], words: Dialect) -> str:
    """A name of its own for a probability, with a number behind it where it needs one."""
    if not name.startswith(_PROBABILITY):
        return name
    result, i = name, 1
    while words.folded(result) in used:
        i += 1
        result = f"{name[:40]}_{i}"
    used.add(words.folded(result))
    return result


# ---------------------------------------------------------------------------------------- answers
def _scores(c: Computation) -> Named:
    columns = zip(c.weights.intercept, c.weights.coef.T, strict=True)
    return numbered(
        [
            sum_of([real(b), *known(c), *(f"p{j} * {real(w)}" for j, w in enumerate(coef))])
            for b, coef in columns
        ],
        "score",
    )


def _choice(c: Computation, words: Dialect) -> list[Step]:
    """Steps from scores to the largest, and to the powers that probabilities are made of."""
    if c.outcome.kind == SCORES:
        return []
    n, beta, floor = len(c.classes), real(c.outcome.temperature), real(words.floor)
    logits = ["score0 * 0e0", "score0"] if c.n_outputs == 1 else [f"score{k}" for k in range(n)]
    steps: list[Step] = [
        ("logits_", numbered(logits, "g")),
        ("largest_", {"largest": words.extreme(words.most, [f"g{k}" for k in range(n)])}),
    ]
    if c.outcome.kind == SHARES:
        return steps
    differences = [f"{beta} * (g{k} - largest)" for k in range(n)]
    powers = [f"EXP(CASE WHEN d{k} < {floor} THEN {floor} ELSE d{k} END)" for k in range(n)]
    return [
        *steps,
        ("differences_", numbered(differences, "d")),
        ("powers_", numbered(powers, "e")),
        ("sum_", {"sum_of_powers": sum_of([f"e{k}" for k in range(n)])}),
    ]


def _answers(c: Computation, words: Dialect, *, scores: bool) -> list[tuple[str, str]]:
    """Names and expressions."""
    n = c.n_outputs
    if c.outcome.kind == SCORES:
        names = ["prediction"] if n == 1 else [f"prediction_{k}" for k in range(n)]
        answers = [(name, f"score{k}") for k, name in enumerate(names)]
    else:
        answers = [("prediction", _label(c, words))]
        for k, label in enumerate(c.classes):
            share = f"score{k}" if c.outcome.kind == SHARES else f"e{k} / sum_of_powers"
            answers.append((f"{_PROBABILITY}{label}", share))
    if c.novelty is not None:
        answers.append(("novelty", "novelty_value"))
    return answers + ([(f"score_{k}", f"score{k}") for k in range(n)] if scores else [])


def _label(c: Computation, words: Dialect) -> str:
    labels = [words.label(label) for label in c.classes]
    if c.n_outputs == 1:
        return f"CASE WHEN score0 > 0e0 THEN {labels[1]} WHEN score0 <= 0e0 THEN {labels[0]} END"
    cases = [f"WHEN g{k} >= largest THEN {label}" for k, label in enumerate(labels)]
    return f"CASE {' '.join(cases)} END"


def _novelty_steps(c: Computation, words: Dialect) -> list[Step]:
    """Distance to the nearest place without the clip, and its place among those of training."""
    assert c.novelty is not None
    places, seen = c.novelty.nodes, c.novelty.quantiles
    nearest = words.extreme(words.least, [f"q{j}" for j in range(len(places))])
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
        ("distance_", {"distance": sum_of([f"SQRT({nearest})", *known(c)])}),
        ("novelty_", {"novelty_value": f"CASE {' '.join(cases)} END"}),
    ]
