"""Python target: one module without dependencies, the readable reference of all others."""

from __future__ import annotations

from collections.abc import Callable
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
from drumlin.export.steps import activation_steps, map_steps
from drumlin.export.tables import answer_keys, feature_text, tables
from drumlin.export.text import number, python_label, python_string, wrapped

STEPS = {
    "scale": "    x = [(v - a) / b for v, a, b in zip(x, SHIFT{i}, SCALE{i})]",
    "limit": "    x = [min(max(v, -{limit}), {limit}) for v in x]",
    "power": "    x = [_bent(v, p) for v, p in zip(x, POWER{i})]",
    "clip": """    if clip:
        x = [t / sqrt(1.0 + (t * p) * (t * p)) for t, p in zip(x, INV_CLIP)]""",
    "cap": "    distances = [min(r2, 1e300) for r2 in distances]",
    "nearest": """    nearest = min(distances)
    distances = [r2 - nearest for r2 in distances]""",
    "activate": "    phi = [{radial} for r2 in distances]",
    "share": """    phi = [p * share for p, share in zip(phi, SHARES)]
    total = sum(phi)
    phi = [p / total for p in phi]""",
    GAUSSIAN: "exp(max(-0.5 * r2, -700.0))",
    MULTIQUADRIC: "sqrt(1.0 + min(r2, 1e300))",
    INVERSE_MULTIQUADRIC: "1.0 / sqrt(1.0 + r2)",
    B_SPLINE: "0.25 * max(2.0 - sqrt(r2 / 3.0), 0.0) ** 3 - max(1.0 - sqrt(r2 / 3.0), 0.0) ** 3",
}

BENT = '''
def _bent(t, power):
    """A power that draws in one tail (Yeo and Johnson); 1 leaves t as it is."""
    if power == 1.0:
        return t
    exponent = 2.0 - power if t < 0.0 else power
    size = log1p(abs(t))
    if exponent > 0.0:
        size = expm1(exponent * size) / exponent
    return -size if t < 0.0 else size

'''

FEATURES = {
    VALUE: "_number({value}, {fill})",
    GAP: "float(_is_missing({value}))",
    MEMBER: "float(_code({value}, CODES{coding}, {missing}, {unknown}) == {code})",
    LOOKUP: "({numbers},)[_code({value}, CODES{coding}, {missing}, {unknown})]",
    ZERO: "0.0",
}


def to_python(model: Any) -> str:
    """Write a fitted model as a Python module that needs nothing but ``math``.

    Parameters
    ----------
    model : estimator
        As for ``drumlin.export.describe``.

    Returns
    -------
    str
        Source with a function ``predict(row)``; a row is a dict, or a sequence in the order of
        ``COLUMNS``, with None or NaN for what is missing. It returns a dict: scores, and label
        and probabilities or value, and novelty where the model knows it.

    See Also
    --------
    to_c
    to_onnx
    to_sql
    to_javascript

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import DrumlinClassifier, export
    >>> X, y = load_iris(return_X_y=True)
    >>> names = {}
    >>> exec(export.to_python(DrumlinClassifier(max_nodes=3).fit(X, y)), names)
    >>> names["predict"]([5.1, 3.5, 1.4, 0.2])["label"]
    0
    """
    c = describe(model)
    parts = [_head(c), _tables(c), _features(c), _map(c), _scores(c)]
    if c.novelty is not None:
        parts.append(_novelty(c))
    return "\n\n".join([*parts, _predict(c)]) + "\n"


def reference(computation: Computation) -> Callable[[Any], dict[str, Any]]:
    """Return the function that ``to_python`` writes."""
    names: dict[str, Any] = {}
    exec(compile(to_python(computation), "<drumlin.export>", "exec"), names)
    return names["predict"]


def _head(c: Computation) -> str:
    return (
        f'"""{c.estimator}, written by drumlin {__version__}; model {c.fingerprint()}.\n\n'
        f'{len(c.columns)} columns, {len(c.nodes)} nodes, {c.n_outputs} scores."""\n\n'
        f"from math import {'exp, expm1, log1p, sqrt' if c.bent.any() else 'exp, sqrt'}"
    )


def _table(name: str, values: Any) -> str:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 1:
        return f"{name} = (\n{wrapped(number(v) for v in array)}\n)"
    rows = (f"    (\n{wrapped((number(v) for v in row), ' ' * 8)}\n    )," for row in array)
    return f"{name} = (\n" + "\n".join(rows) + "\n)"


def _tables(c: Computation) -> str:
    names = [python_string(column.name) for column in c.columns]
    lines = [f"COLUMNS = (\n{wrapped(names)}\n)"]
    if c.outcome.classes is not None:
        labels = (python_label(label) for label in c.outcome.classes)
        lines.append(f"CLASSES = (\n{wrapped(labels)}\n)")
    for i, coding in enumerate(c.codings):
        pairs = [
            f"{python_string(text)}: {code}"
            for text, code in zip(coding.texts, coding.codes, strict=True)
        ]
        lines.append(f"CODES{i} = {{\n{wrapped(pairs)}\n}}")
    lines += [_table(table.name.upper(), table.values) for table in tables(c)]
    return "\n".join(lines)


def _features(c: Computation) -> str:
    entries = "\n".join(f"        {feature_text(f, c, FEATURES, 'None')}," for f in c.features)
    return f'''
def _is_missing(value):
    return value is None or value != value


def _number(value, fill):
    """A finite number; None for a gap that nothing fills."""
    if _is_missing(value):
        return fill
    largest = 1.7976931348623157e308
    return min(max(float(value), -largest), largest)


def _code(text, codes, missing, unknown):
    return missing if _is_missing(text) else codes.get(str(text), unknown)


def _features(row):
    return [
{entries}
    ]'''


def _map(c: Computation) -> str:
    lines = ["", "def _map(x, clip=True):", *map_steps(c, STEPS)]
    if c.mapping.matrix is not None:
        lines.append("    x = [sum(v * a for v, a in zip(x, column)) for column in MATRIX]")
    return (BENT if c.bent.any() else "") + "\n".join([*lines, "    return x"])


def _scores(c: Computation) -> str:
    steps = "\n".join(activation_steps(c, STEPS))
    return f"""
def _squared_distances(z, centers, inv_widths):
    scaled = (
        [(v - m) * p for v, m, p in zip(z, center, inv_width)]
        for center, inv_width in zip(centers, inv_widths)
    )
    return [sum(d * d for d in differences) for differences in scaled]


def _scores(z):
    distances = _squared_distances(z, CENTERS, INV_WIDTHS)
{steps}
    return [
        b + sum(p * row[k] for p, row in zip(phi, WEIGHTS))
        for k, b in enumerate(INTERCEPT)
    ]"""


def _novelty(c: Computation) -> str:
    assert c.novelty is not None
    last = len(c.novelty.quantiles) - 1
    return f'''
def _novelty(z):
    """Part of the training rows that are nearer to a node."""
    distance = sqrt(min(_squared_distances(z, PLACE_CENTERS, PLACE_INV_WIDTHS)))
    i = 0
    while i <= {last} and SEEN[i] < distance:
        i += 1
    if i > {last}:
        return 1.0
    if i == 0 or SEEN[i] == distance:
        return i / {last}
    return (i - 1 + (distance - SEEN[i - 1]) / (SEEN[i] - SEEN[i - 1])) / {last}'''


def _predict(c: Computation) -> str:
    lines = [
        "",
        "def predict(row):",
        '    """Answer for one row: a dict by column, or a sequence in the order of COLUMNS."""',
        "    if isinstance(row, dict):",
        "        row = [row[name] for name in COLUMNS]",
        "    x = _features(row)",
        "    if any(v is None for v in x):",
        "        return {" + ", ".join(f'"{key}": None' for key in answer_keys(c)) + "}",
        "    scores = _scores(_map(x))",
    ]
    answer = ['"scores": scores']
    if c.outcome.kind == SCORES:
        answer.append('"value": scores[0] if len(scores) == 1 else scores')
    else:
        if c.n_outputs == 1:
            lines += ["    winner = int(scores[0] > 0.0)", "    logits = [0.0, scores[0]]"]
        else:
            lines += ["    winner = scores.index(max(scores))", "    logits = scores"]
        if c.outcome.kind == SHARES:
            lines.append("    probabilities = scores")
        else:
            beta = number(c.outcome.temperature)
            lines += [
                f"    largest = {beta} * max(logits)",
                f"    powers = [exp({beta} * f - largest) for f in logits]",
                "    probabilities = [p / sum(powers) for p in powers]",
            ]
        answer += ['"label": CLASSES[winner]', '"probabilities": probabilities']
    if c.novelty is not None:
        answer.append('"novelty": _novelty(_map(x, clip=False))')
    return "\n".join([*lines, f"    return {{{', '.join(answer)}}}"])
