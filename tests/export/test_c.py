"""Generated C: compiled without a warning, run under sanitizers, and equal to Python."""

from __future__ import annotations

import shutil
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone

from drumlin import (
    DrumlinClassifier,
    DrumlinRegressor,
    ForwardRBFClassifier,
    RBFNetworkRegressor,
    export,
)
from tests.export.agreement import assert_agrees
from tests.export.compiling import STRICT, ask, compilers, library, run
from tests.export.models import BENT, MAIN, NAMES, model_named
from tests.helpers import EXACT

pytestmark = pytest.mark.skipif(not compilers(), reason="needs a C compiler")


@pytest.mark.parametrize("name", NAMES)
def test_double_agrees(name, tmp_path):
    model, rows_of = model_named(name)
    computation, rows = export.describe(model), rows_of(400)
    has_novelty = computation.novelty is not None
    source = export.to_c(model, novelty=has_novelty)
    answers = ask(library(source, tmp_path), computation, rows, "double", novelty=has_novelty)
    assert_agrees(model, rows, answers, EXACT)


@pytest.mark.parametrize("compiler", compilers())
@pytest.mark.parametrize(
    "name", ["command line", "table", "NadarayaWatsonClassifier", "bent table"]
)
def test_own_exponential_agrees(name, compiler, tmp_path):
    model, rows_of = model_named(name)
    source = export.to_c(model, exp="own")
    assert "exp(" not in source.source
    rows = rows_of(400)
    answers = ask(library(source, tmp_path, compiler), export.describe(model), rows, "double")
    assert_agrees(model, rows, answers, EXACT)


@pytest.mark.parametrize("exp", ["libm", "own"])
@pytest.mark.parametrize(
    "name", ["command line", "DrumlinRegressor", "ForwardRBFClassifier", *BENT]
)
def test_float_agrees(name, exp, tmp_path):
    model, rows_of = model_named(name)
    rows = rows_of(400)
    numeric = rows.select_dtypes("number") if hasattr(rows, "select_dtypes") else rows
    rows = rows[(np.abs(np.nan_to_num(numeric)) < 1e3).all(axis=1)]
    computation = export.describe(model)
    source = export.to_c(model, number="float", exp=exp)
    answers = ask(library(source, tmp_path), computation, rows, "float")
    assert_agrees(model, rows, answers, 1e-5, tie=1e-5)  # the bound for float


@pytest.mark.parametrize("compiler", compilers())
@pytest.mark.parametrize("number", ["double", "float", "q15"])
@pytest.mark.parametrize("name", ["command line", *BENT])
def test_runs_clean_under_sanitizers(name, number, compiler, tmp_path):
    model, _ = model_named(name)
    for options in ({}, {"exp": "own", "probabilities": False}):
        source = export.to_c(model, number=number, **options)
        _, path = source.write(tmp_path)
        (tmp_path / "main.c").write_text(MAIN)
        program = tmp_path / f"main-{compiler}"
        run(compiler, *STRICT, "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
            path, tmp_path / "main.c", "-o", program, "-lm")  # fmt: skip
        run(program)


def test_selftest_notices_a_changed_table(tmp_path):
    model, _ = model_named("command line")
    source = export.to_c(model)
    head, table = source.source.split("double intercept[1] = {")
    broken = head + "double intercept[1] = {\n    1.0 +" + table.lstrip()
    made = library(export.CSource("model", source.header, broken), tmp_path)
    assert made.model_selftest() > 0


@pytest.mark.skipif(not shutil.which("g++"), reason="needs a C++ compiler")
@pytest.mark.parametrize("number", ["double", "float", "q15"])
@pytest.mark.parametrize("name", ["command line", "bent table"])
def test_is_cplusplus_too(name, number, tmp_path):
    model, _ = model_named(name)
    source = export.to_c(model, number=number)
    _, path = source.write(tmp_path)
    run("g++", "-std=c++11", "-Wall", "-Werror", "-c", "-x", "c++", path, "-o", tmp_path / "m.o")
    assert "#include" not in source.header.split('extern "C"')[1]


def test_a_gap_that_training_never_had(tmp_path):
    model, _ = model_named("constant column")
    made = library(export.to_c(model), tmp_path)
    answers = ask(made, export.describe(model), np.array([[0.0, 7.0, np.nan]]), "double")
    assert answers["code"] == [-1]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"prefix": "a b"}, "prefix"),
        ({"prefix": 3}, "prefix"),
        ({"prefix": None}, "prefix"),
        ({"number": "half"}, "number"),
        ({"number": np.float16}, "number"),
        ({"number": ["float"]}, "number"),
        ({"exp": "fast"}, "exp"),
        ({"exp": np.exp}, "exp"),
        ({"probabilities": 1}, "probabilities"),
        ({"novelty": "yes"}, "novelty"),
    ],
)
def test_parameters_are_checked(options, name):
    model, _ = model_named("constant column")
    with pytest.raises(ValueError, match=f"The '{name}' parameter .* Got"):
        export.to_c(model, **options)


def regressor(scale=1.0, target=1.0, **options):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(60, 2)) * [1.0, scale]
    model = DrumlinRegressor(max_nodes=3, **options)
    return model.fit(X, target * (np.sin(X[:, 0]) + X[:, 1] / scale))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scale": 1e50}, "of 'x1'"),
        ({"scale": 1e-50}, "the scale of 'x1'"),
        ({"target": 1e50}, "the weights"),
        ({"target": 1e-50}, "the scores"),
    ],
)
def test_what_a_float_cannot_hold_is_named(options, words):
    """Non-regression: `inff` and scales of 0.0f were written."""
    with pytest.raises(export.NotExportable, match=words) as error:
        export.to_c(regressor(**options), number="float")
    assert "'double'" in str(error.value)


@pytest.mark.parametrize("scale", [1e-200, 1e-50, 1e50, 1e200])
def test_a_double_holds_other_units(scale, tmp_path):
    """Non-regression: test vectors were rounded to floats, which were infinite."""
    model = regressor(scale)
    made = library(export.to_c(model), tmp_path)
    assert made.model_selftest() == 0
    rows = np.random.default_rng(0).normal(size=(50, 2)) * [1.0, scale]
    assert_agrees(model, rows, ask(made, export.describe(model), rows, "double"), EXACT)


@pytest.mark.parametrize("number", ["double", "float"])
@pytest.mark.parametrize("exp", ["libm", "own"])
def test_without_nodes_nothing_is_left_over(number, exp, tmp_path):
    """Non-regression: a function that nobody calls, an error under -Werror."""
    c = export.describe(regressor())
    nodes = replace(c.nodes, centers=c.nodes.centers[:0], inv_widths=c.nodes.inv_widths[:0])
    empty = replace(c, nodes=nodes, weights=replace(c.weights, coef=c.weights.coef[:0]))
    made = library(export.to_c(empty, number=number, exp=exp), tmp_path)
    assert made.model_selftest() == 0


def test_a_float_that_does_not_tell_inputs_apart_is_refused(tmp_path):
    """Non-regression: a spread of 1 around 1e9, where steps of a float are 64."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    for estimator in (ForwardRBFClassifier(max_nodes=3), DrumlinClassifier(max_nodes=3)):
        far = clone(estimator).fit(X + np.array([0.0, 1e9]), X[:, 0] > X[:, 1])
        with pytest.raises(export.NotExportable, match="does not tell values of 'x1' apart"):
            export.to_c(far, number="float")
        assert library(export.to_c(far, prefix="far"), tmp_path).far_selftest() == 0
        near = clone(estimator).fit(X + np.array([0.0, 1e4]), X[:, 0] > X[:, 1])
        made = library(export.to_c(near, number="float", prefix="near"), tmp_path)
        assert made.near_selftest() == 0


@pytest.mark.parametrize("number", ["double", "float", "q15"])
@pytest.mark.parametrize("estimator", [DrumlinRegressor(), RBFNetworkRegressor(3)])
def test_inputs_that_never_vary(number, estimator, tmp_path):
    """Non-regression: arguments that are not used, and widths in a signed table, under -Werror."""
    y = np.arange(60.0)
    model = clone(estimator).fit(np.ones((60, 2)), y)
    if number == "q15" and not len(model.network_.nodes):
        with pytest.raises(export.NotExportable, match="needs a node at least"):
            export.to_c(model, number=number)
        return
    assert library(export.to_c(model, number=number), tmp_path).model_selftest() == 0
