"""Fixed point: labels of the benchmark sets, sizes on a Cortex-M, and what it refuses."""

from __future__ import annotations

import json
import re
import shutil

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from drumlin import (
    DrumlinClassifier,
    DrumlinRegressor,
    ForwardRBFClassifier,
    SparseKernelLogisticRegression,
    TunableRBFClassifier,
    compress,
    datasets,
    export,
)
from drumlin.export.quantizing import quantize
from tests.export.compiling import STRICT, ask, compilers, library, run
from tests.export.models import BENT, expected, model_named, skewed

SETS = (
    "banana", "breast", "diabetes", "flare", "german", "heart", "thyroid", "titanic", "waveform",
)  # fmt: skip

needs_compiler = pytest.mark.skipif(not compilers(), reason="needs a C compiler")


def agreement(model, rows, folder):
    """Part of equal labels, and errors of the probabilities."""
    made = library(export.to_c(model, number="q15"), folder)
    answers = ask(made, export.describe(model), rows, "q15")
    wanted = expected(model, rows)
    errors = np.abs(answers["probabilities"] / 32768.0 - wanted["probabilities"])
    return (answers["label"] == wanted["label"]).mean(), errors


@needs_compiler
@pytest.mark.parametrize("name", SETS)
def test_labels_of_the_benchmark_sets(name, needs_data, tmp_path):
    data = datasets.load_benchmark(name, data_home=needs_data)
    model = DrumlinClassifier().fit(data.X[data.train], data.y[data.train])
    same, errors = agreement(model, data.X[data.test], tmp_path)
    assert same >= 0.995  # the bound
    assert np.median(errors) < 1e-3


@needs_compiler
@pytest.mark.parametrize("estimator", [DrumlinClassifier(), ForwardRBFClassifier()])
def test_three_classes(estimator, tmp_path):
    X, y = load_iris(return_X_y=True)
    same, errors = agreement(estimator.fit(X, y), X, tmp_path)
    assert same >= 0.99
    assert np.median(errors) < 1e-3


@needs_compiler
@pytest.mark.parametrize("name", ["command line", "bent table"])
def test_gaps_and_categories(name, tmp_path):
    model, rows = model_named(name)
    same, errors = agreement(model, rows(200), tmp_path)
    assert same >= 0.99
    assert np.median(errors) < 1e-3


@needs_compiler
@pytest.mark.parametrize(
    "estimator",
    [
        TunableRBFClassifier(min_nodes=2, max_nodes=2, random_state=0),
        TunableRBFClassifier(isotropic=False, min_nodes=2, max_nodes=2, random_state=0),
        SparseKernelLogisticRegression(width=2.0, max_nodes=2),
        ForwardRBFClassifier(min_nodes=1, max_nodes=1),
        ForwardRBFClassifier(min_nodes=2, max_nodes=2, width=0.3),
    ],
)
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_few_nodes_do_not_narrow_the_range(estimator, scale, tmp_path):
    """Non-regression: an input was saturated at a third of a deviation between two centers."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2)) * [1.0, 3.0]
    y = (np.hypot(X[:, 0], X[:, 1] / 3.0) < 1.0).astype(int)
    model = clone(estimator).fit(scale * X, y)
    rows = scale * np.vstack([X, rng.uniform(-6.0, 6.0, size=(500, 2)) * [1.0, 3.0]])
    same, errors = agreement(model, rows, tmp_path)
    assert same >= 0.995
    assert np.median(errors) < 2e-3
    made = library(export.to_c(model, number="q15", prefix="two"), tmp_path)
    assert made.two_selftest() == 0


@needs_compiler
def test_some_inputs_are_clipped(tmp_path):
    """Non-regression: regressors clip the inputs that have outliers, which was refused."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    X[150:, 1] = -X[:150, 1]  # tails on both sides: no power draws them in
    y = np.sin(X[:, 0]) + X[:, 1] + 0.3 * X[:, 2] + 0.3 * rng.normal(size=300)
    X[:, 1] = np.sinh(2.0 * X[:, 1])
    model = DrumlinRegressor().fit(X, y)
    clip = np.asarray(model.network_.inputs.clip)
    assert np.isinf(clip).any() and np.isfinite(clip).any()
    computation = export.describe(model)
    made = library(export.to_c(model, number="q15"), tmp_path)
    assert made.model_selftest() == 0
    values = quantize(computation).unit * ask(made, computation, X, "q15")["scores"][:, 0]
    wanted = model.predict(X)
    assert np.abs(values - wanted).mean() < 0.02 * wanted.std()


def test_weights_that_cancel_are_refused(seed):
    """Without noise a smooth surface has weights of many digits: 16 bits made rubbish of them."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1.0, 1.0, size=(300, 3))
    model = DrumlinRegressor().fit(X, np.sin(X[:, 0]) + X[:, 1] * X[:, 2])
    with pytest.raises(export.NotExportable, match=r"do not cancel each other.*drumlin\.compress"):
        export.to_c(model, number="q15")
    export.to_c(model, number="float")
    smaller = compress(model, X, max_error=0.05, max_nodes=12)
    export.to_c(smaller, number="q15")


@needs_compiler
@pytest.mark.parametrize("name", BENT)
def test_inputs_with_powers(name, tmp_path):
    """Near the training rows, beyond the range, and at the ends of all numbers."""
    model, rows_of = model_named(name)
    computation, rows = export.describe(model), rows_of(400)
    rows = np.vstack([skewed()[0], rows]) if isinstance(rows, np.ndarray) else rows
    made = library(export.to_c(model, number="q15"), tmp_path)
    assert made.model_selftest() == 0
    values = quantize(computation).unit * ask(made, computation, rows, "q15")["scores"]
    wanted = expected(model, rows)["scores"]
    size = np.abs(computation.weights.coef).sum()
    assert np.abs(values - wanted).max() < 0.02 * size
    assert np.abs(values - wanted).mean() < 1e-3 * size


@needs_compiler
@pytest.mark.parametrize("name", BENT)
def test_macros_of_the_header_give_the_integers_of_python(name, tmp_path):
    computation = export.describe(model_named(name)[0])
    _, path = export.to_c(computation, number="q15").write(tmp_path)
    macros = re.findall(r"#define (MODEL_QUANTIZE_\w+)\(", path.with_suffix(".h").read_text())
    numbers = [i for i, feature in enumerate(computation.features) if feature.kind == "value"]
    x = np.concatenate([-np.logspace(300, -300, 301), [0.0], np.logspace(-300, 300, 301)])
    x = np.concatenate([x, np.linspace(-90.0, 90.0, 301)])
    listed = ", ".join(map(repr, x.tolist()))
    calls = " ".join(f'printf("%d ", {macro}(x[i]));' for macro in macros)
    gaps = " || ".join(f"{macro}(nan) != MODEL_MISSING" for macro in macros)
    (tmp_path / "main.c").write_text(
        f"""#include <stdio.h>
        #include "model.h"
        static const double x[] = {{ {listed} }};
        int main(void)
        {{
            volatile double zero = 0.0;
            double nan = zero / zero;
            for (int i = 0; i < {len(x)}; i++) {{ {calls} }}
            return {gaps};
        }}"""
    )
    checks = ["-fsanitize=undefined,float-cast-overflow", "-fno-sanitize-recover=all"]
    run(compilers()[0], *STRICT, *checks, tmp_path / "main.c", "-o", tmp_path / "main", "-lm")
    given = np.array(run(tmp_path / "main").split(), dtype=int).reshape(len(x), -1)
    fixed = quantize(computation)
    wanted = np.column_stack([fixed.quantized(i, x) for i in numbers])
    assert (np.abs(given) < 32767).mean() > 0.2
    assert np.abs(given - wanted).max() <= 1
    assert (given != wanted).mean() < 0.005  # halves are rounded to either side


@needs_compiler
def test_saturation_changes_no_activation(tmp_path):
    """Beyond the range of an input no node is told from another any more."""
    model = ForwardRBFClassifier(min_nodes=2, max_nodes=2).fit(*load_iris(return_X_y=True))
    rows = np.array([[1e4, 3.0, 4.0, 1.0], [-1e9, 3.0, 4.0, 1.0], [5.0, 3.0, np.inf, 1.0]])
    made = library(export.to_c(model, number="q15"), tmp_path)
    scores = ask(made, export.describe(model), rows, "q15")["scores"]
    fixed = quantize(export.describe(model))
    np.testing.assert_array_less(np.abs(scores - fixed.intercept), 2 * np.abs(fixed.weights).max())


@needs_compiler
@pytest.mark.parametrize("kind", ["double", "float"])
def test_nan_is_quantized_as_missing(kind, tmp_path):
    """Non-regression: NaN was cast to an integer, which C leaves undefined."""
    model, _ = model_named("command line")
    export.to_c(model, number="q15").write(tmp_path)
    (tmp_path / "main.c").write_text(
        f"""#include "model.h"
        int main(void)
        {{
            volatile {kind} zero = 0, large = ({kind})1e30;
            {kind} nan = zero / zero;
            if (MODEL_QUANTIZE_AGE(nan) != MODEL_MISSING) return 1;
            if (MODEL_QUANTIZE_AGE(large) != 32767) return 2;
            return MODEL_QUANTIZE_AGE(-large) != -32767;
        }}"""
    )
    run(compilers()[0], *STRICT, "-fsanitize=undefined,float-cast-overflow",
        "-fno-sanitize-recover=all", tmp_path / "main.c", "-o", tmp_path / "main")  # fmt: skip
    run(tmp_path / "main")


def narrow_operations(node, index=False):
    """Operations on numbers of 16 bits, but for counters and places in tables."""
    inner = [child for child in node.get("inner", []) if child]
    constant = all(child["kind"] in ("IntegerLiteral", "UnaryOperator") for child in inner)
    if node.get("kind") == "ArraySubscriptExpr":
        index = True
    kind = node.get("type", {}).get("qualType")
    if (
        node.get("kind") == "BinaryOperator"
        and node["opcode"] in ("+", "-", "*", "<<")
        and kind in ("int", "unsigned int")
        and not (index or constant)
    ):
        yield node["opcode"]
    for child in inner:
        yield from narrow_operations(child, index)


@pytest.mark.skipif(not shutil.which("clang"), reason="needs clang")
@pytest.mark.parametrize("name", ["command line", "DrumlinClassifier", "TunableRBFClassifier"])
def test_no_arithmetic_where_an_int_has_16_bits(name, tmp_path):
    _, path = export.to_c(model_named(name)[0], number="q15").write(tmp_path)
    flags = ["-std=c99", "--target=msp430", "-ffreestanding", "-fsyntax-only", "-Wall", "-Wextra"]
    tree = run("clang", *flags, "-Werror", "-DMODEL_NO_SELFTEST", "-Xclang", "-ast-dump=json", path)
    functions = [n for n in json.loads(tree)["inner"] if n["kind"] == "FunctionDecl"]
    assert len(functions) > 4
    found = {f["name"]: list(narrow_operations(f)) for f in functions}
    assert not any(found.values()), found


@pytest.mark.parametrize("name", ["normalized", "multiquadric", "NadarayaWatsonRegressor"])
def test_what_fixed_point_lacks_is_named(name):
    with pytest.raises(export.NotExportable, match="Gaussian nodes that are not normalised"):
        export.to_c(model_named(name)[0], number="q15")


@pytest.mark.skipif(not shutil.which("arm-none-eabi-gcc"), reason="needs the ARM compiler")
@pytest.mark.parametrize(("number", "most"), [("float", 1200), ("q15", 700)])
def test_five_nodes_of_ten_inputs_are_small(number, most, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 10))
    y = (np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=300) > 0.0).astype(int)
    model = ForwardRBFClassifier(min_nodes=5, max_nodes=5).fit(X, y)
    assert model.n_nodes_ == 5
    _, path = export.to_c(model, number=number, exp="own").write(tmp_path)
    for flags in (["-mcpu=cortex-m0"], ["-mcpu=cortex-m4", "-mfloat-abi=hard"]):
        made = tmp_path / "model.o"
        run("arm-none-eabi-gcc", "-std=c99", "-Os", "-mthumb", *flags, "-DMODEL_NO_SELFTEST",
            "-Wall", "-Wextra", "-Werror", "-c", path, "-o", made)  # fmt: skip
        text, data, bss = map(int, run("arm-none-eabi-size", made).split("\n")[1].split()[:3])
        assert text <= most and data == 0 and bss == 0


@pytest.mark.skipif(
    not (shutil.which("arm-none-eabi-gcc") and shutil.which("qemu-arm")),
    reason="needs the ARM compiler and qemu-user",
)
@pytest.mark.parametrize("number", ["double", "float", "q15"])
def test_selftest_on_arm(number, tmp_path):
    model, _ = model_named("command line")
    _, path = export.to_c(model, number=number).write(tmp_path)
    (tmp_path / "main.c").write_text(
        '#include "model.h"\nint main(void) { return model_selftest(); }\n'
    )
    program = tmp_path / "main"
    run("arm-none-eabi-gcc", "-std=c99", "-Os", "-marm", "-march=armv7-a", "--specs=rdimon.specs",
        path, tmp_path / "main.c", "-o", program, "-lm")  # fmt: skip
    run("qemu-arm", program)
