"""The reference target agrees with every model, on ordinary and on extreme rows."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from drumlin import RBFNetworkRegressor, export
from drumlin.export.python import reference
from tests.export.agreement import assert_agrees
from tests.export.models import NAMES, as_lists, model_named
from tests.helpers import EXACT


def ask(predict, rows):
    answers = [predict(row) for row in as_lists(rows)]
    return {key: [answer[key] for answer in answers] for key in answers[0]}


@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_the_model(name):
    model, rows_of = model_named(name)
    rows = rows_of(300)
    assert_agrees(model, rows, ask(reference(export.describe(model)), rows), EXACT)


def test_takes_rows_by_name_and_imports_math_only():
    model, rows_of = model_named("command line")
    source = export.to_python(model)
    imported = [
        n for n in ast.walk(ast.parse(source)) if isinstance(n, (ast.Import, ast.ImportFrom))
    ]
    assert [n.module for n in imported] == ["math"]
    predict = reference(export.describe(model))
    row = rows_of(1).iloc[0]
    assert predict(dict(row)) == predict(list(row))


def test_a_gap_that_training_never_had_has_no_answer():
    model, _ = model_named("constant column")
    answer = reference(export.describe(model))([0.0, 7.0, np.nan])
    assert set(answer.values()) == {None}


def test_normalised_b_splines_are_refused():
    """Beyond all nodes the nearest one decides; no target writes that."""
    X = np.linspace(-3.0, 3.0, 60)[:, None]
    model = RBFNetworkRegressor(10, radial="b_spline", normalized=True).fit(X, np.sin(X[:, 0]))
    with pytest.raises(export.NotExportable, match="normalised network of B-splines"):
        export.to_python(model)
