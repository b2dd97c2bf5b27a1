"""Our estimators as skl2onnx knows estimators: ``convert_sklearn(pipeline)`` then works.

from drumlin.export.skl2onnx import register
register()
"""

from __future__ import annotations

from typing import Any

from sklearn.base import ClassifierMixin, is_classifier

from drumlin import estimators
from drumlin.export.building import describe
from drumlin.export.computation import SCORES
from drumlin.export.onnx import ALL, OPSET, build
from drumlin.export.onnx_graph import Graph


def register() -> None:
    """Tell skl2onnx of all estimators of drumlin.

    Raises
    ------
    ImportError
        Where skl2onnx is not installed.
    """
    from skl2onnx import update_registered_converter

    for name in estimators.__all__:
        cls = getattr(estimators, name)
        # What skl2onnx asks of every classifier.
        options = {"zipmap": [True, False], "nocl": [True, False]}
        options = options if issubclass(cls, ClassifierMixin) else {}
        update_registered_converter(cls, f"Drumlin{name}", _shapes, _convert, options=options)


def _shapes(operator: Any) -> None:
    """Types of the outputs: labels and probabilities, or numbers."""
    from skl2onnx.common.data_types import (
        BooleanTensorType,
        DoubleTensorType,
        Int64TensorType,
        StringTensorType,
    )

    model = operator.raw_operator
    n_rows = operator.inputs[0].get_first_dimension()
    if is_classifier(model):
        kinds = {
            str: StringTensorType,
            bool: BooleanTensorType,
            int: Int64TensorType,
            float: DoubleTensorType,
        }
        operator.outputs[0].type = kinds[type(describe(model).classes[0])]([n_rows])
        operator.outputs[1].type = DoubleTensorType([n_rows, len(model.classes_)])
    else:
        operator.outputs[0].type = DoubleTensorType([n_rows, len(model.network_.intercept)])


def _convert(scope: Any, operator: Any, container: Any) -> None:
    """Add the nodes of our graph, renamed, between the operator's inputs and outputs."""
    c = describe(operator.raw_operator)
    graph = Graph({ALL})
    build(c, graph, [ALL])
    wanted = ["value"] if c.outcome.kind == SCORES else ["label", "probabilities"]
    outputs = dict(zip(wanted, (output.full_name for output in operator.outputs), strict=True))
    onnx = graph.onnx
    given = scope.get_unique_variable_name("drumlin_x")
    container.add_node(
        "Cast", operator.inputs[0].full_name, given, to=onnx.TensorProto.DOUBLE, op_version=13
    )
    names = {ALL: given, "": "", **outputs}

    def renamed(name: str) -> str:
        if name not in names:
            names[name] = scope.get_unique_variable_name(f"drumlin_{name}")
        return names[name]

    nodes = _needed(graph, wanted)
    used = {name for node in nodes for name in node.input}
    for constant in graph.constants:
        if constant.name in used:
            _add_constant(container, constant, renamed(constant.name), onnx)
    for node in nodes:
        attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        container.add_node(
            node.op_type,
            [renamed(name) for name in node.input],
            [renamed(name) for name in node.output],
            op_domain=node.domain,
            op_version=OPSET,
            name=scope.get_unique_operator_name(f"drumlin_{node.op_type}"),
            **attributes,
        )


def _add_constant(container: Any, constant: Any, name: str, onnx: Any) -> None:
    if constant.data_type == onnx.TensorProto.STRING:
        texts = list(constant.string_data)
        container.add_initializer(name, onnx.TensorProto.STRING, list(constant.dims), texts)
        return
    kept = onnx.TensorProto()
    kept.CopyFrom(constant)
    kept.name = name
    container.add_initializer(name, None, None, kept)


def _needed(graph: Graph, wanted: list[str]) -> list[Any]:
    """Nodes that lead to the outputs."""
    names, kept = set(wanted), []
    for node in reversed(graph.nodes):
        if set(node.output) & names:
            kept.append(node)
            names |= set(node.input)
    return kept[::-1]
