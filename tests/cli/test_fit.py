"""``drumlin fit``."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

import drumlin
from drumlin.estimators.families import FAMILIES
from tests.cli.conftest import passengers, result_of, run

KINDS = {
    "PassengerId": "id",
    "name": "id",
    "class": "category",
    "sex": "category",
    "age": "number",
    "fare": "number",
    "port": "category",
    "alone": "boolean",
    "ship": "constant",
    "boarded": "date",
}


@pytest.fixture
def fitted(folder):
    return json.loads((folder / "fit.json").read_text())


@pytest.fixture(scope="module")
def iris(tmp_path_factory):
    path = tmp_path_factory.mktemp("iris") / "iris.csv"
    frame = load_iris(as_frame=True).frame
    frame.columns = ["sl", "sw", "pl", "pw", "species"]
    frame.to_csv(path, index=False)
    return path


def test_mixed_table_is_understood(fitted):
    assert {column["name"]: column["kind"] for column in fitted["columns"]} == KINDS
    details = {column["name"]: column["detail"] for column in fitted["columns"]}
    assert details["fare"] == "numbers stored as text"
    assert details["ship"] == "always 'Titanic'"
    assert fitted["n_dropped"] == 2
    assert fitted["n_train"] + fitted["test"]["n_rows"] == 398


def test_mixed_table_is_learned(fitted):
    """Far better than the majority, and as good as leave-one-out promises, to sampling error."""
    counts = np.array(fitted["confusion"]["counts"])
    n = fitted["test"]["n_rows"]
    majority = 1.0 - counts.sum(axis=1).max() / n
    assert fitted["test"]["error"] < 0.8 * majority
    assert fitted["test"]["error"] == pytest.approx(1.0 - np.trace(counts) / n)
    assert abs(fitted["test"]["error"] - fitted["loo"]["error"]) < 3.0 * np.sqrt(0.25 / n)
    assert fitted["test"]["log-loss"] < np.log(2.0)


def test_nodes_are_in_original_units(fitted):
    names = set(fitted["nodes"][0]["center"])
    assert {"age", "fare", "sex = female", "age is missing", "port is missing"} <= names
    assert not names & {"PassengerId", "ship", "boarded", "survived"}
    fares = [node["center"]["fare"] for node in fitted["nodes"]]
    assert all(0.0 < fare < 4500.0 for fare in fares)
    assert len(fitted["nodes"]) == fitted["n_nodes"]


def test_model_file_is_the_whole_pipeline(model, table):
    frame = pd.read_csv(table)
    loaded = drumlin.load(model)
    frame["fare"] = pd.to_numeric(frame["fare"].str.replace(",", ""), errors="coerce")
    frame["alone"] = frame["alone"].astype(float)
    assert set(loaded.predict(frame)) == {"yes", "no"}


def test_screen(folder, tmp_path):
    done = run(
        "fit", folder / "titanic.csv", "-t", "survived", "--holdout", "0.25",
        "-o", tmp_path / "m.drumlin",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    for words in ("ignored: id", "ignored: constant", "Confusion table", "leave-one-out",
                  "What moves the answers: sex: ", "Node 1: weight for yes: ", "baseline",
                  "Log-loss", "Saved:"):  # fmt: skip
        assert words in done.stdout
    assert "2 rows without a value of 'survived' are left out" in done.stderr
    assert "\x1b" not in done.output  # no terminal, no colour
    again = (tmp_path / "m.drumlin").stat().st_size
    assert abs(again - (folder / "model.drumlin").stat().st_size) < 100  # seconds differ


def test_same_seed_same_model(folder, fitted):
    again = result_of("fit", folder / "titanic.csv", "-t", "survived", "--holdout", 0.25)
    assert again["nodes"] == fitted["nodes"]
    assert again["test"] == fitted["test"]
    other = result_of(
        "fit", folder / "titanic.csv", "-t", "survived", "--holdout", 0.25, "--seed", 1
    )
    assert other["test"] != fitted["test"]


def test_columns_are_understood_by_training_rows(tmp_path):
    """What only hold-out rows have must not be known."""
    frame = passengers(100)
    test = frame.sample(30, random_state=0)
    frame.drop(index=test.index).to_csv(tmp_path / "train.csv", index=False)
    test.assign(port="X").to_csv(tmp_path / "test.csv", index=False)
    done = run(
        "fit", tmp_path / "train.csv", "-t", "survived", "--test", tmp_path / "test.csv", "--json"
    )
    assert done.exit_code == 0, done.output
    assert "30 test rows have a 'port' that training has not seen" in done.stderr


@pytest.mark.parametrize("method", ["forward", "logistic", "network", "tunable"])
def test_methods(method, iris, tmp_path):
    out = tmp_path / "m.drumlin"
    result = result_of(
        "fit", iris, "-t", "species", "--method", method, "--holdout", 0.3, "--max-nodes", 6,
        "-o", out,
    )  # fmt: skip
    assert result["estimator"] == FAMILIES[method]["classification"].__name__
    assert result["n_nodes"] <= 6
    assert result["test"]["error"] < 0.3  # 0.67 by chance; six K-means nodes reach 0.2
    assert run("predict", out, iris).exit_code == 0


def test_nadaraya_watson(iris, tmp_path):
    """Every training row is a node; classes and numbers."""
    out = tmp_path / "m.drumlin"
    wanted = ("--method", "nadaraya-watson", "--holdout", 0.3, "-o", out)
    result = result_of("fit", iris, "-t", "species", *wanted)
    assert result["estimator"] == "NadarayaWatsonClassifier"
    assert result["test"]["error"] < 0.15
    assert run("predict", out, iris).exit_code == 0
    assert run("inspect", out).exit_code == 0
    numbers = result_of("fit", iris, "-t", "pw", *wanted)
    assert numbers["estimator"] == "NadarayaWatsonRegressor"
    assert numbers["test"]["R²"] > 0.8
    done = run("fit", iris, "-t", "species", "--method", "nadaraya-watson", "--max-nodes", 3)
    assert done.exit_code == 2
    assert "option '--max-nodes' has no meaning" in done.stderr


@pytest.mark.parametrize("citation", ["hong2008", "hong2014", "chen2010", "haykin5"])
def test_presets_on_any_table(citation, folder, tmp_path):
    """Settings of a paper on a table of numbers, categories and gaps."""
    out = tmp_path / "m.drumlin"
    result = result_of(
        "fit", folder / "titanic.csv", "-t", "survived", "--preset", citation, "--holdout", 0.3,
        "--seed", 3, "-o", out,
    )  # fmt: skip
    assert result["method"] == citation
    assert result["estimator"] == type(drumlin.presets(citation)).__name__
    assert result["test"]["error"] < 0.55
    network = drumlin.load(out)[-1]
    assert network.random_state == 3
    assert repr(network.get_params()["standardize"]) == repr(drumlin.presets(citation).standardize)
    assert run("predict", out, folder / "titanic.csv").exit_code == 0


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["-t", "species", "--preset", "hong1999"], "option '--preset' must be one of"),
        (["-t", "pw", "--preset", "hong2008"], "option '--preset' must be None for regression"),
        (
            ["-t", "species", "--preset", "hong2008", "--method", "forward"],
            "option '--preset' must be None where '--method' is given",
        ),
        (["-t", "species", "--method", "nadaraya"], "option '--method' must be one of"),
    ],
)
def test_methods_that_cannot_be(arguments, message, iris):
    done = run("fit", iris, *arguments)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())


def test_regression(iris, tmp_path):
    out = tmp_path / "m.drumlin"
    result = result_of("fit", iris, "-t", "pw", "--holdout", 0.3, "-o", out)
    assert result["target"] == {"name": "pw", "task": "regression", "kind": "number"}
    assert result["test"]["R²"] > 0.8
    answers = result_of("predict", out, iris, "-o", tmp_path / "a.csv")
    frame = pd.read_csv(tmp_path / "a.csv")
    assert list(frame) == ["prediction", "std", "novel"]
    assert answers["n_rows"] == len(frame) == 150


def test_task_decides(iris):
    done = result_of("fit", iris, "-t", "species", "--task", "regression")
    assert done["target"]["task"] == "regression"


def test_keep_and_ignore(folder):
    result = result_of(
        "fit", folder / "titanic.csv", "-t", "survived", "--ignore", "age", "--keep", "PassengerId"
    )
    kinds = {column["name"]: column["kind"] for column in result["columns"]}
    assert kinds["age"] == "excluded"
    assert kinds["PassengerId"] == "number"


def test_pipe(iris):
    """Standard input to standard output in a real process, which prints JSON and nothing else."""
    done = subprocess.run(
        [sys.executable, "-m", "drumlin", "fit", "-", "--target", "species", "--json"],
        input=iris.read_bytes(), capture_output=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["sha256"] is None
    assert done.stderr == b""


@pytest.mark.parametrize(
    "arguments, code, message",
    [
        (["missing.csv", "-t", "y"], 1, "There is no file missing.csv."),
        (["empty.csv", "-t", "y"], 1, "empty.csv is empty."),
        (["header.csv", "-t", "y"], 1, "header.csv has a header but no rows."),
        (["binary.csv", "-t", "y"], 1, "binary.csv must be UTF-8 text."),
        (["ragged.csv", "-t", "y"], 1, "ragged.csv cannot be read as a table"),
        (["bad.parquet", "-t", "y"], 1, "bad.parquet cannot be read as a table"),
        (["bad.csv.gz", "-t", "y"], 1, "bad.csv.gz cannot be read as a table"),
        (["folder", "-t", "y"], 1, "folder"),
        (["good.csv", "-t", "z"], 1, "lacks the column 'z' that is the target. Got 'a', 'y'"),
        (["good.csv", "-t", "one"], 1, "'one' must have at least two classes"),
        (["good.csv", "-t", "none"], 1, "'none' must have values. Got none in 40 rows"),
        (["good.csv", "-t", "ids"], 1, "Got 40 different values in 40 rows"),
        (["good.csv", "-t", "y", "--task", "regression"], 1, "must hold numbers for regression"),
        (["good.csv", "-t", "y", "--ignore", "a", "--ignore", "inf"], 1, "no input that can be"),
        (["good.csv", "-t", "y", "--keep", "b"], 1, "lacks the column 'b' that '--keep' names"),
        (["good.csv", "-t", "y"], 1, "'inf' must hold finite numbers"),
        (["good.csv", "-t", "y", "--test", "other.csv"], 1, "lacks the column 'a'"),
        (["good.csv", "-t", "y", "--method", "magic"], 2, "'--method' must be one of"),
        (["good.csv", "-t", "y", "--task", "magic"], 2, "'--task' must be one of"),
        (["good.csv", "-t", "y", "--holdout", "1.5"], 2, "'--holdout' must be a fraction"),
        (["good.csv", "-t", "y", "--holdout", ".5", "--test", "good.csv"], 2, "not both"),
        (["good.csv", "-t", "y", "-o", "nowhere/m.drumlin"], 2, "in a folder that exists"),
        (["good.csv"], 2, "Missing option"),
        (["good.csv", "-t", "a", "--task", "regression", "--method", "logistic"], 2, "for regr"),
    ],
)  # fmt: skip
def test_errors(arguments, code, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _bad_files(tmp_path)
    if "other.csv" in arguments:
        arguments = [*arguments, "--ignore", "inf"]
    before = sorted(tmp_path.iterdir())
    out = [] if "-o" in arguments else ["-o", "m.drumlin"]
    done = run("fit", *arguments, *out)
    assert done.exit_code == code, done.output
    assert message in " ".join(done.stderr.split())
    if code == 1:
        assert done.stderr.count("\n") == 1  # one clear line
        assert done.stderr.startswith("Error: ")
    assert sorted(tmp_path.iterdir()) == before  # nothing written, nothing half-written


def _bad_files(place):
    (place / "empty.csv").write_bytes(b"")
    (place / "header.csv").write_text("a,y\n")
    (place / "binary.csv").write_bytes(b"a,y\n\xff\xfe,1\n")
    (place / "ragged.csv").write_text("a,y\n1,2\n1,2,3\n")
    (place / "bad.parquet").write_bytes(b"PAR1 nonsense")
    (place / "bad.csv.gz").write_bytes(b"nonsense")
    (place / "folder").mkdir()
    n = 40
    frame = pd.DataFrame(
        {
            "a": np.linspace(0.0, 1.0, n),
            "y": ["p", "q"] * (n // 2),
            "one": 1,
            "none": None,
            "ids": [f"row {i}" for i in range(n)],
            "inf": [np.inf] + [0.5, 1.5, 2.5] * 13,
        }
    )
    frame.to_csv(place / "good.csv", index=False)
    frame.drop(columns="a").to_csv(place / "other.csv", index=False)


def test_parquet_without_pyarrow(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = run("fit", tmp_path / "a.parquet", "-t", "y")
    assert done.exit_code == 1
    assert "Parquet needs pyarrow: pip install 'drumlin[tables]'." in done.stderr


def test_one_class_left_in_training(tmp_path):
    """A class whose only row is held out cannot be learned: one line, not a traceback."""
    frame = pd.DataFrame({"a": np.arange(30.0) ** 1.5, "y": ["p"] * 29 + ["q"]})
    frame.to_csv(tmp_path / "a.csv", index=False)
    codes = {
        run("fit", tmp_path / "a.csv", "-t", "y", "--holdout", 0.9, "--seed", seed).exit_code
        for seed in range(3)
    }
    assert 1 in codes


def test_interrupted_fit_writes_nothing(monkeypatch, folder, tmp_path):
    from drumlin.deploy import training

    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(training, "make_table_model", stop)
    done = run("fit", folder / "titanic.csv", "-t", "survived", "-o", tmp_path / "m.drumlin")
    assert done.exit_code == 130
    assert not list(tmp_path.iterdir())


def test_files_read_piece_by_piece_are_one_table(tmp_path):
    frame, whole = passengers(120), tmp_path / "whole.csv"
    frame.to_csv(whole, index=False)
    parts = [tmp_path / "first.csv", tmp_path / "second.csv"]
    for path, rows in zip(parts, (frame[:50], frame[50:]), strict=True):
        rows.to_csv(path, index=False)
    several = result_of("fit", *parts, "--target", "survived", "--memory", "1GB")
    one = result_of("fit", whole, "--target", "survived")
    assert several["n_train"] == one["n_train"] == 120
    assert several["nodes"] == one["nodes"]
    refused = run("fit", *parts, "--target", "survived", "--memory", "lots")
    assert refused.exit_code == 2
    assert "Got 'lots'" in " ".join(refused.stderr.split())
