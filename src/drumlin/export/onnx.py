"""ONNX target: plain operations in float64, gaps and categories inside the graph.

Probabilities are a Softmax over (0, f): onnxruntime's Sigmoid in double loses its tails.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from drumlin._version import __version__
from drumlin.export.building import describe
from drumlin.export.computation import (
    B_SPLINE,
    GAP,
    GAUSSIAN,
    LOOKUP,
    MEMBER,
    MULTIQUADRIC,
    NUMBER,
    SCORES,
    SHARES,
    VALUE,
    Computation,
    Feature,
    Scaling,
)
from drumlin.export.onnx_graph import Graph, onnx_module
from drumlin.export.text import check_flag, utf8

OPSET, ML_OPSET, IR_VERSION = 18, 3, 9
"""Versions of the operations that are written, and of the file."""

LARGEST = float(np.finfo(np.float64).max)
ALL = "X"
"""The input of models without texts: all columns at once."""

OUTPUTS = ("scores", "label", "probabilities", "value", "novelty")
"""Names of all outputs that there can be."""


def to_onnx(model: Any, *, novelty: bool = True) -> Any:
    """Write a fitted model as an ONNX graph (opset 18, ai.onnx.ml 3) in float64.

    Parameters
    ----------
    model : estimator
        As for ``drumlin.export.describe``.
    novelty : bool, default=True
        Whether there is an output for it, where the model knows novelty.

    Returns
    -------
    onnx.ModelProto
        Inputs: ``X`` (n_rows, n_columns) where all columns are numbers, else one input
        (n_rows, 1) per column under its name; NaN and "" are missing. Outputs: ``scores``;
        ``label`` and ``probabilities``, or ``value``; ``novelty`` where the model knows it. A
        number that is missing and that nothing fills makes scores of NaN.

    See Also
    --------
    to_c
    to_sql
    to_javascript
    to_python

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import DrumlinClassifier, export
    >>> model = DrumlinClassifier(max_nodes=3).fit(*load_iris(return_X_y=True))
    >>> [output.name for output in export.to_onnx(model).graph.output]
    ['scores', 'label', 'probabilities', 'novelty']
    """
    check_flag("novelty", novelty)
    c = describe(model)
    c = c if novelty else replace(c, novelty=None)
    onnx = onnx_module()
    helper, types = onnx.helper, onnx.TensorProto
    names = input_names(c)
    graph = Graph({*names, *OUTPUTS})
    outputs = build(c, graph, names)
    kinds = {NUMBER: types.DOUBLE}
    inputs = [helper.make_tensor_value_info(ALL, types.DOUBLE, [None, len(c.columns)])]
    if not _takes_all(c):
        inputs = [
            helper.make_tensor_value_info(name, kinds.get(column.kind, types.STRING), [None, 1])
            for name, column in zip(names, c.columns, strict=True)
        ]
    made = helper.make_graph(
        graph.nodes,
        "drumlin",
        inputs,
        [helper.make_tensor_value_info(name, *_kind(c, name, types)) for name in outputs],
        graph.constants,
    )
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
    proto = helper.make_model(
        made,
        opset_imports=opsets,
        ir_version=IR_VERSION,
        producer_name="drumlin",
        producer_version=__version__,
    )
    helper.set_model_props(proto, {"estimator": c.estimator, "model": c.fingerprint()})
    onnx.checker.check_model(proto, full_check=True)
    return proto


def input_names(c: Computation) -> list[str]:
    """Names of the inputs: all at once, or those of the columns, which no output may have."""
    if _takes_all(c):
        return [ALL]
    taken = {"", *OUTPUTS, *(column.name for column in c.columns)}
    names: list[str] = []
    for column in c.columns:
        utf8(column.name)
        name = column.name
        if name in ("", *OUTPUTS, *names):
            while name in taken:
                name += "_"
        taken.add(name)
        names.append(name)
    return names


def _takes_all(c: Computation) -> bool:
    """Whether all columns come as one input."""
    return all(column.kind == NUMBER for column in c.columns)


def _kind(c: Computation, name: str, types: Any) -> tuple[Any, list[Any]]:
    """Type and shape of an output."""
    if name == "label":
        first = c.classes[0]
        kind = {str: types.STRING, bool: types.BOOL, int: types.INT64, float: types.DOUBLE}
        return kind[type(first)], [None]
    widths = {"probabilities": len(c.classes), "novelty": 1}
    return types.DOUBLE, [None, widths.get(name, c.n_outputs)]


def build(c: Computation, graph: Graph, inputs: list[str]) -> list[str]:
    """Add all steps; return the names of the outputs."""
    x = _features(c, graph, inputs)
    scores = _scores(c, graph, _mapped(c, graph, x, clip=True))
    lacks = _lacks(c, graph, inputs)
    if lacks is not None:
        scores = graph("Where", lacks, graph.constant(np.nan), scores)
    graph("Identity", scores, out="scores")
    outputs = ["scores"]
    if c.outcome.kind == SCORES:
        graph("Identity", scores, out="value")
        outputs.append("value")
    else:
        outputs += _classes(c, graph, scores)
    if c.novelty is not None:
        _novelty(c, graph, _mapped(c, graph, x, clip=False), lacks)
        outputs.append("novelty")
    return outputs


# --------------------------------------------------------------------------------------- features
def _column(c: Computation, graph: Graph, inputs: list[str], i: int) -> str:
    """One raw column (n_rows, 1)."""
    if not _takes_all(c):
        return inputs[i]
    return graph("Gather", ALL, graph.constant([i], np.int64), axis=1)


def _features(c: Computation, graph: Graph, inputs: list[str]) -> str:
    plain = [Feature(VALUE, i) for i in range(len(c.columns))]
    if _takes_all(c) and list(c.features) == plain:
        return graph.limited(ALL, -LARGEST, LARGEST)
    columns = {i: _column(c, graph, inputs, i) for i in range(len(c.columns))}
    codes = [_code(c, graph, columns, i) for i in range(len(c.codings))]
    rows: dict[int, str] = {}
    made = []
    for feature in c.features:
        value = columns[feature.column]
        if feature.kind == VALUE:
            made.append(_number(graph, value, feature.fill))
        elif feature.kind == GAP:
            made.append(graph.cast(graph("IsNaN", value), "DOUBLE"))
        elif feature.kind == MEMBER:
            wanted = graph.constant(feature.code, np.int64)
            made.append(graph.cast(graph("Equal", codes[feature.coding], wanted), "DOUBLE"))
        elif feature.kind == LOOKUP:
            made.append(graph("Gather", graph.constant(feature.values), codes[feature.coding]))
        else:
            rows.setdefault(0, _zeros(graph, columns))
            made.append(rows[0])
    return graph("Concat", *made, axis=1)


def _number(graph: Graph, value: str, fill: float | None) -> str:
    if fill is not None:
        value = graph("Where", graph("IsNaN", value), graph.constant(fill), value)
    return graph.limited(value, -LARGEST, LARGEST)


def _zeros(graph: Graph, columns: dict[int, str]) -> str:
    """Zeros (n_rows, 1)."""
    shape = graph("Shape", columns[0])
    return graph("Expand", graph.constant([[0.0]]), shape)


def _code(c: Computation, graph: Graph, columns: dict[int, str], i: int) -> str:
    coding = c.codings[i]
    known = dict(zip(coding.texts, coding.codes, strict=True))
    known.setdefault("", coding.missing)
    return graph(
        "LabelEncoder",
        columns[coding.column],
        domain="ai.onnx.ml",
        keys_strings=[utf8(text) for text in known],
        values_int64s=list(known.values()),
        default_int64=coding.unknown,
    )


def _lacks(c: Computation, graph: Graph, inputs: list[str]) -> str | None:
    """Rows (n_rows, 1) in which a number is missing that nothing fills."""
    wanted = sorted({f.column for f in c.features if f.kind == VALUE and f.fill is None})
    if not wanted:
        return None
    if _takes_all(c) and len(wanted) == len(c.columns):
        together = ALL
    else:
        parts = [_column(c, graph, inputs, i) for i in wanted]
        together = parts[0] if len(parts) == 1 else graph("Concat", *parts, axis=1)
    count = graph.sum_over(graph.cast(graph("IsNaN", together), "INT64"), 1)
    return graph("Greater", count, graph.constant(0, np.int64))


# ------------------------------------------------------------------------------------ the network
def _mapped(c: Computation, graph: Graph, x: str, *, clip: bool) -> str:
    for scaling in c.mapping.scalings:
        x = graph("Sub", x, graph.constant(scaling.shift))
        x = graph("Div", x, graph.constant(scaling.scale))
        if scaling.limit is not None:
            x = graph.limited(x, -scaling.limit, scaling.limit)
        if scaling.power is not None:
            x = _bent(graph, x, scaling)
    if c.mapping.inv_clip is not None and clip:
        part = graph("Mul", x, graph.constant(c.mapping.inv_clip))
        square = graph("Add", graph("Mul", part, part), graph.constant(1.0))
        x = graph("Div", x, graph("Sqrt", square))
    if c.mapping.matrix is not None:
        x = graph("MatMul", x, graph.constant(c.mapping.matrix))
    return x


def _bent(graph: Graph, t: str, scaling: Scaling) -> str:
    """Yeo and Johnson's powers; exp(a) - 1 as tanh(a/2) (exp(a) + 1), which cancels nothing."""
    power = np.asarray(scaling.power)
    one, half = graph.constant(1.0), graph.constant(0.5)
    below = graph("Less", t, graph.constant(0.0))
    exponent = graph("Where", below, graph.constant(2.0 - power), graph.constant(power))
    log = graph("Log", graph("Add", graph("Abs", t), one))
    a = graph("Mul", exponent, log)
    grown = graph("Mul", graph("Tanh", graph("Mul", a, half)), graph("Add", graph("Exp", a), one))
    is_log = graph("Equal", exponent, graph.constant(0.0))
    size = graph("Where", is_log, log, graph("Div", grown, graph("Where", is_log, one, exponent)))
    bent = graph("Where", below, graph("Neg", size), size)
    return (
        bent if scaling.bent.all() else graph("Where", graph.constant(scaling.bent, bool), bent, t)
    )


def _scores(c: Computation, graph: Graph, z: str) -> str:
    intercept = graph.constant(c.weights.intercept)
    if not len(c.nodes):
        zeros = graph("MatMul", z, graph.constant(np.zeros((c.n_mapped, c.n_outputs))))
        return graph("Add", zeros, intercept)
    r2 = graph.squared_distances(z, c.nodes.centers, c.nodes.inv_widths)
    if c.nodes.shares is not None:
        r2 = graph.limited(r2, None, 1e300)
        if c.nodes.radial == GAUSSIAN:
            r2 = graph("Sub", r2, graph.least_over(r2, 1))
    phi = _radial(c, graph, r2)
    if c.nodes.shares is not None:
        phi = graph("Mul", phi, graph.constant(c.nodes.shares))
        phi = graph("Div", phi, graph.sum_over(phi, 1))
    return graph("Add", graph("MatMul", phi, graph.constant(c.weights.coef)), intercept)


def _radial(c: Computation, graph: Graph, r2: str) -> str:
    if c.nodes.radial == GAUSSIAN:
        exponent = graph("Mul", r2, graph.constant(-0.5))
        return graph("Exp", graph.limited(exponent, -700.0, None))
    if c.nodes.radial == B_SPLINE:
        return _b_spline(graph, r2)
    if c.nodes.radial == MULTIQUADRIC:
        r2 = graph.limited(r2, None, 1e300)
    root = graph("Sqrt", graph("Add", r2, graph.constant(1.0)))
    return root if c.nodes.radial == MULTIQUADRIC else graph("Reciprocal", root)


def _b_spline(graph: Graph, r2: str) -> str:
    """Two cubics, each where it is above zero."""
    q = graph("Sqrt", graph("Mul", r2, graph.constant(1.0 / 3.0)))
    near, far = (
        graph.limited(graph("Sub", graph.constant(knot), q), 0.0, None) for knot in (1.0, 2.0)
    )
    inner, outer = (graph("Mul", graph("Mul", u, u), u) for u in (near, far))
    return graph("Sub", graph("Mul", outer, graph.constant(0.25)), inner)


def _classes(c: Computation, graph: Graph, scores: str) -> list[str]:
    if c.n_outputs == 1:
        wins = graph.cast(graph("Greater", scores, graph.constant(0.0)), "INT64")
        winner = graph("Squeeze", wins, graph.constant([1], np.int64))
        logits = graph("Concat", graph("Sub", scores, scores), scores, axis=1)
    else:
        winner, logits = graph("ArgMax", scores, axis=1, keepdims=0), scores
    first = c.classes[0]
    kind = {str: object, bool: bool, int: np.int64, float: np.float64}[type(first)]
    for label in c.classes:
        if isinstance(label, str):
            utf8(label)
    graph("Gather", graph.constant(c.classes, kind), winner, axis=0, out="label")
    if c.outcome.kind == SHARES:
        graph("Identity", scores, out="probabilities")
    else:
        heated = graph("Mul", logits, graph.constant(c.outcome.temperature))
        graph("Softmax", heated, axis=1, out="probabilities")
    return ["label", "probabilities"]


def _novelty(c: Computation, graph: Graph, z: str, lacks: str | None) -> None:
    """Place of the distance among those of the training rows, by counting and a straight line."""
    assert c.novelty is not None
    nodes, seen = c.novelty.nodes, c.novelty.quantiles
    r2 = graph.squared_distances(z, nodes.centers, nodes.inv_widths)
    distance = graph("Sqrt", graph.least_over(r2, 1))
    table, last = graph.constant(seen), graph.constant(len(seen) - 1, np.int64)
    count = graph.sum_over(graph.cast(graph("Less", table, distance), "INT64"), 1)
    zero, one = graph.constant(0, np.int64), graph.constant(1, np.int64)
    low = graph("Max", graph("Sub", count, one), zero)
    a = graph("Gather", table, low, axis=0)
    b = graph("Gather", table, graph("Min", count, last), axis=0)
    line = graph("Div", graph("Sub", distance, a), graph("Sub", b, a))
    part = graph("Where", graph("Greater", b, a), line, graph.constant(0.0))
    place = graph("Add", graph.cast(low, "DOUBLE"), part)
    novelty = graph("Div", place, graph.constant(float(len(seen) - 1)))
    if lacks is not None:
        novelty = graph("Where", lacks, graph.constant(np.nan), novelty)
    graph("Identity", novelty, out="novelty")
