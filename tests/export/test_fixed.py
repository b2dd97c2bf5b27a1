"""Fixed point: labels of the benchmark sets, sizes on a Cortex-M, and what it refuses."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from sklearn.datasets import load_iris

from drumlin import DrumlinClassifier, ForwardRBFClassifier, datasets, export
from tests.export.compiling import ask, compilers, library, run
from tests.export.models import expected, model_named

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
def test_gaps_and_categories(tmp_path):
    from tests.io.models import mixed_table

    model, _ = model_named("command line")
    table, _ = mixed_table(200)
    same, errors = agreement(model, table.astype({"alone": float}), tmp_path)
    assert same >= 0.99
    assert np.median(errors) < 1e-3


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
