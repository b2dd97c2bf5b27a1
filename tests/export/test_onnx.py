"""Generated ONNX, run by onnxruntime."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import onnx
import onnxruntime
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from drumlin import DrumlinClassifier, export
from drumlin.export.computation import Weights
from drumlin.export.python import reference
from tests.export.agreement import assert_agrees
from tests.export.models import NAMES, hostile, model_named
from tests.helpers import EXACT


def session(proto):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(
        proto.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def feed(computation, rows):
    """Rows as inputs: all numbers at once, or column by column."""
    if not isinstance(rows, pd.DataFrame):
        return {"X": np.asarray(rows, dtype=np.float64)}
    return {
        column.name: (
            rows[column.name].to_numpy(np.float64)
            if column.kind == "number"
            else rows[column.name].fillna("").to_numpy(object)
        )[:, None]
        for column in computation.columns
    }


def ask(model, rows):
    made = session(export.to_onnx(model))
    names = [output.name for output in made.get_outputs()]
    answers = dict(zip(names, made.run(None, feed(export.describe(model), rows)), strict=True))
    if "novelty" in answers:
        answers["novelty"] = answers["novelty"][:, 0]
    return answers


@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_the_model(name):
    model, rows_of = model_named(name)
    rows = rows_of(400)
    assert_agrees(model, rows, ask(model, rows), EXACT)


def test_says_its_opset_and_has_plain_operations_only():
    proto = export.to_onnx(model_named("command line")[0])
    assert {entry.domain: entry.version for entry in proto.opset_import} == {
        "": 18, "ai.onnx.ml": 3,
    }  # fmt: skip
    assert "Sigmoid" not in {node.op_type for node in proto.graph.node}
    assert "ZipMap" not in {node.op_type for node in proto.graph.node}
    onnx.checker.check_model(proto, full_check=True)


def test_tails_of_probabilities_are_exact():
    computation = export.describe(model_named("parts")[0])
    for score in (-20.0, -40.0, -300.0):
        weights = Weights(0.0 * computation.weights.coef, np.array([score]))
        tail = replace(
            computation, weights=weights, outcome=replace(computation.outcome, temperature=1.0)
        )
        (p,) = session(export.to_onnx(tail)).run(["probabilities"], {"X": np.zeros((1, 2))})
        np.testing.assert_allclose(p[0, 1], np.exp(score) / (1.0 + np.exp(score)), rtol=EXACT)


def test_a_gap_that_training_never_had_is_nan():
    answers = ask(model_named("constant column")[0], np.array([[0.0, 7.0, np.nan]]))
    assert all(np.isnan(answer).all() for answer in answers.values())


@pytest.mark.parametrize(
    "names",
    [
        ("label", "label_"),
        ("label_", "label"),
        ("scores", "X"),
        ("", "_"),
        ("n0", "n_"),
        ("a", "a"),
    ],
)
def test_inputs_named_as_outputs(names):
    """Non-regression: two inputs, or an input and an output, of one name."""
    computation = hostile(names, ("a", "b", "c"), ("f", "g"))
    made = session(export.to_onnx(computation))
    given = [entry.name for entry in made.get_inputs()]
    assert len({*given, *(entry.name for entry in made.get_outputs())}) == 2 + 3
    feeds = {given[0]: np.array([[0.1]]), given[1]: np.array([["b"]], dtype=object)}
    (scores,) = made.run(["scores"], feeds)
    assert scores[0].tolist() == pytest.approx(reference(computation)((0.1, "b"))["scores"])


def test_a_lone_text_named_like_the_input_of_all_columns():
    """Non-regression: a text column "X" was taken for a matrix of numbers."""
    table = pd.DataFrame({"X": ["a", "b", "c"] * 30})
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    model = make_pipeline(encoder, DrumlinClassifier(max_nodes=2)).fit(table, table["X"] == "a")
    (labels,) = session(export.to_onnx(model)).run(["label"], {"X": table.to_numpy(object)})
    assert (labels == model.predict(table)).all()


@pytest.mark.parametrize("size", [1e-12, 1e-30, 1e-60])
def test_a_tiny_intercept_is_kept_or_refused(size):
    """Non-regression: onnxruntime leaves out what is added where a float of it is zero."""
    computation = export.describe(model_named("DrumlinRegressor")[0])
    weights = Weights(0.0 * computation.weights.coef, np.array([size]))
    tiny = replace(computation, weights=weights)
    if size < 1e-38:
        with pytest.raises(export.NotExportable, match="other units"):
            export.to_onnx(tiny)
        return
    (scores,) = session(export.to_onnx(tiny)).run(["scores"], {"X": np.zeros((1, 2))})
    assert scores[0, 0] == size
