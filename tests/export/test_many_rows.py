"""Agreement over 100000 random and extreme rows, as the issue asks; minutes, so marked slow."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from drumlin import export
from tests.export import test_javascript, test_onnx, test_python, test_sql
from tests.export.agreement import assert_agrees
from tests.export.compiling import ask, compilers, library
from tests.export.models import BENT, as_lists, model_named
from tests.helpers import EXACT, IDENTITY

pytestmark = pytest.mark.slow

N_ROWS = 100_000
MODELS = ["command line", "DrumlinClassifier", "DrumlinRegressor", "ForwardRBFClassifier", *BENT]


def in_c(model, rows, folder):
    computation = export.describe(model)
    return ask(library(export.to_c(model), folder), computation, rows, "double")


def in_javascript(model, rows, folder):
    answers = test_javascript.ask(export.to_javascript(model), as_lists(rows), folder)
    return {key: [answer[key] for answer in answers] for key in answers[0]}


TARGETS = {
    "c": (in_c, EXACT),
    "javascript": (in_javascript, EXACT),
    "onnx": (lambda model, rows, _: test_onnx.ask(model, rows), EXACT),
    "python": (
        lambda model, rows, _: test_python.ask(test_python.reference(export.describe(model)), rows),
        EXACT,
    ),
    "sqlite": (lambda model, rows, _: test_sql.ask("sqlite", model, rows), IDENTITY),
    "duckdb": (lambda model, rows, _: test_sql.ask("duckdb", model, rows), IDENTITY),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", MODELS)
def test_agrees(name, target, tmp_path):
    if (target == "c" and not compilers()) or (target == "javascript" and not shutil.which("node")):
        pytest.skip("needs a C compiler and node")
    model, rows_of = model_named(name)
    rows = rows_of(N_ROWS, seed=1)
    assert not np.isfinite(rows.select_dtypes("number") if hasattr(rows, "columns") else rows).all(
        axis=None
    )
    answer, tolerance = TARGETS[target]
    assert_agrees(model, rows, answer(model, rows, tmp_path), tolerance, tie=tolerance)
