"""``drumlin predict``, ``inspect``, ``report``, ``compare`` and ``demo``."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

import drumlin
from drumlin.cli import predict as predicting
from drumlin.tables import reading
from tests.cli.conftest import passengers, result_of, run


@pytest.fixture
def new(folder):
    return folder / "new.csv"


def answers_of(model, data, tmp_path, *options):
    summary = result_of("predict", model, data, "-o", tmp_path / "answers.csv", *options)
    return summary, pd.read_csv(tmp_path / "answers.csv")


def test_answers(model, new, tmp_path):
    summary, answers = answers_of(model, new, tmp_path)
    assert list(answers) == ["prediction", "probability_no", "probability_yes", "novel"]
    assert summary["n_rows"] == len(answers) == 60
    assert summary["unknown_categories"] == {}
    assert sum(summary["predictions"].values()) == 60
    likely = np.where(answers["probability_yes"] > 0.5, "yes", "no")
    assert (likely == answers["prediction"]).all()
    assert answers[["probability_no", "probability_yes"]].sum(axis=1).to_numpy() == pytest.approx(1)
    assert answers["novel"].mean() < 0.2


def test_answers_with_a_confidence(model, new, tmp_path):
    _, plain = answers_of(model, new, tmp_path)
    _, answers = answers_of(model, new, tmp_path, "--confidence", "0.8")
    sets = ["in_set_no", "in_set_yes"]
    assert list(answers) == [*plain.columns[:-1], *sets, "novel"]
    pd.testing.assert_frame_equal(answers[plain.columns], plain)
    yes = (answers["prediction"] == "yes").to_numpy()
    assert answers.loc[yes, "in_set_yes"].all()
    assert answers.loc[~yes, "in_set_no"].all()
    _, surer = answers_of(model, new, tmp_path, "--confidence", "0.95")
    assert (surer[sets] >= answers[sets]).all(axis=None)
    result = run("predict", model, new, "--confidence", "1.5")
    assert result.exit_code != 0
    assert "The option '--confidence' must be between 0 and 1. Got 1.5" in result.stderr


def test_chunks_change_nothing(model, new, tmp_path, monkeypatch):
    whole = answers_of(model, new, tmp_path)
    chunks = lambda path, texts: reading.read_chunks(path, texts, rows=7)  # noqa: E731
    monkeypatch.setattr(predicting, "read_chunks", chunks)
    parts = answers_of(model, new, tmp_path)
    assert parts[0] == whole[0]
    pd.testing.assert_frame_equal(parts[1], whole[1])


def test_formats_agree(model, folder, new, tmp_path):
    frame = pd.read_csv(new)
    frame.to_parquet(tmp_path / "new.parquet")
    frame.to_csv(tmp_path / "new.tsv", sep="\t", index=False)
    frame.to_csv(tmp_path / "new.csv.gz", index=False)
    expected = answers_of(model, new, tmp_path)[1]
    for name in ("new.parquet", "new.tsv", "new.csv.gz"):
        pd.testing.assert_frame_equal(answers_of(model, tmp_path / name, tmp_path)[1], expected)


def test_pipe_and_copied_columns(model, new):
    done = subprocess.run(
        [sys.executable, "-m", "drumlin", "predict", str(model), "-", "--copy", "PassengerId"],
        input=new.read_bytes(), capture_output=True, check=True,
    )  # fmt: skip
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith("PassengerId,prediction,")
    assert [line.split(",")[0] for line in lines[1:]] == [str(i) for i in range(1, 61)]


def test_unknown_category_and_far_rows(model, tmp_path):
    frame = passengers(40, seed=2).drop(columns="survived")
    frame["port"] = ["Atlantis"] * 3 + ["S"] * 37
    frame["age"] = [900.0] * 5 + [30.0] * 35
    frame["fare"] = [90_000.0] * 5 + [1500.0] * 35
    frame.to_csv(tmp_path / "new.csv", index=False)
    done = run("predict", model, tmp_path / "new.csv", "-o", tmp_path / "answers.csv")
    assert done.exit_code == 0
    assert "3 rows have a 'port' that training has not seen ('Atlantis')" in done.stderr
    answers = pd.read_csv(tmp_path / "answers.csv")
    assert answers["novel"][:5].all()
    assert not answers["novel"][5:].any()


def test_far_rows_of_other_methods(tmp_path):
    frame = load_iris(as_frame=True).frame
    frame.to_csv(tmp_path / "iris.csv", index=False)
    model = tmp_path / "m.drumlin"
    result_of("fit", tmp_path / "iris.csv", "-t", "target", "--method", "forward", "-o", model)
    assert answers_of(model, tmp_path / "iris.csv", tmp_path)[0]["n_novel"] == 0
    (frame + 100.0).to_csv(tmp_path / "far.csv", index=False)
    assert answers_of(model, tmp_path / "far.csv", tmp_path)[0]["n_novel"] == 150


def test_no_signal(tmp_path):
    """A model without nodes predicts, is shown, and finds nothing novel."""
    rng = np.random.RandomState(0)
    frame = pd.DataFrame({"a": rng.normal(size=80), "y": rng.choice(["p", "q"], 80)})
    frame.to_csv(tmp_path / "noise.csv", index=False)
    model = tmp_path / "m.drumlin"
    fitted = result_of("fit", tmp_path / "noise.csv", "-t", "y", "-o", model)
    assert fitted["n_nodes"] == 0
    assert answers_of(model, tmp_path / "noise.csv", tmp_path)[0]["n_novel"] == 0
    assert "No nodes" in run("inspect", model).stdout


def test_model_from_python(tmp_path):
    frame = load_iris(as_frame=True).frame
    X, y = frame.drop(columns="target"), frame["target"]
    fitted = drumlin.DrumlinClassifier().fit(X, y)
    drumlin.save(fitted, tmp_path / "m.drumlin")
    X.to_csv(tmp_path / "iris.csv", index=False)
    _, answers = answers_of(tmp_path / "m.drumlin", tmp_path / "iris.csv", tmp_path)
    assert (answers["prediction"] == fitted.predict(X)).all()
    drumlin.save(drumlin.DrumlinClassifier().fit(X.to_numpy(), y), tmp_path / "n.drumlin")
    done = run("predict", tmp_path / "n.drumlin", tmp_path / "iris.csv")
    assert done.exit_code == 1
    assert "must say what its columns are" in done.stderr


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda frame: frame.drop(columns=["sex", "age"]), "lacks the columns 'sex', 'age' that"),
        (lambda frame: frame.assign(age="old"), "'age' must hold numbers, as in training. Got"),
        (lambda frame: frame.assign(age=np.inf), "'age' must hold finite numbers"),
        (lambda frame: frame[:0], "has a header but no rows"),
    ],
)  # fmt: skip
def test_tables_that_do_not_fit(change, message, model, tmp_path):
    change(passengers(30)).to_csv(tmp_path / "new.csv", index=False)
    (tmp_path / "answers.csv").write_text("old")
    done = run("predict", model, tmp_path / "new.csv", "-o", tmp_path / "answers.csv")
    assert done.exit_code == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "answers.csv").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2


def test_bad_row_in_a_late_chunk_leaves_nothing(model, tmp_path, monkeypatch):
    frame = passengers(60).astype({"age": object})
    frame.loc[50, "age"] = "old"
    frame.to_csv(tmp_path / "new.csv", index=False)
    chunks = lambda path, texts: reading.read_chunks(path, texts, rows=10)  # noqa: E731
    monkeypatch.setattr(predicting, "read_chunks", chunks)
    done = run("predict", model, tmp_path / "new.csv", "-o", tmp_path / "answers.csv")
    assert done.exit_code == 1
    assert [path.name for path in tmp_path.iterdir()] == ["new.csv"]


@pytest.mark.parametrize("command", ["predict", "inspect", "report"])
@pytest.mark.parametrize("content", [None, b"", b"nonsense", "cut"])
def test_bad_model_files(command, content, model, new, tmp_path):
    bad = tmp_path / "bad.drumlin"
    if content is not None:
        bad.write_bytes(model.read_bytes()[:-100] if content == "cut" else content)
    more = {"predict": [new], "inspect": [], "report": [new, "-o", tmp_path / "r.html"]}[command]
    done = run(command, bad, *more)
    assert done.exit_code == 1
    assert "bad.drumlin" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "r.html").exists()


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--json"], "'--json' needs '-o'"),
        (["-o", "nowhere/answers.csv"], "in a folder that exists"),
    ],
)
def test_wrong_use(arguments, message, model, new):
    done = run("predict", model, new, *arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_copied_column_must_exist(model, new):
    done = run("predict", model, new, "--copy", "ticket")
    assert done.exit_code == 1
    assert "lacks the column 'ticket' that '--copy' names" in done.stderr


def test_inspect(model, folder):
    described = result_of("inspect", model)
    fitted = json.loads((folder / "fit.json").read_text())
    assert described["n_bytes"] == model.stat().st_size
    assert described["nodes"] == fitted["nodes"]
    assert described["notes"]["n_train"] == fitted["n_train"]
    assert described["facts"]["classes"] == ["no", "yes"]
    shown = run("inspect", model).stdout
    for words in ("DrumlinClassifier", "ignored: id", "sex = female", "hold-out", "titanic.csv"):
        assert words in shown


def test_report_judges_on_the_hold_out(model, table, folder, tmp_path):
    fitted = json.loads((folder / "fit.json").read_text())
    page = tmp_path / "report.html"
    result = result_of("report", model, table, "-o", page)
    assert result["n_rows"] == fitted["test"]["n_rows"]
    assert not result["seen"]
    text = page.read_text()
    assert f"{100 * fitted['test']['error']:.1f} %" in text
    assert "titanic.csv" in text


def test_report_that_answers(model, table, tmp_path):
    smaller, page = tmp_path / "m.drumlin", tmp_path / "report.html"
    result_of(
        "fit", table, "-t", "survived", "--max-nodes", 3, "--ignore", "boarded", "-o", smaller
    )
    assert run("report", smaller, table, "-o", page, "--interactive").exit_code == 0
    html = page.read_text(encoding="utf-8")
    assert html.count("<script") == 1
    assert 'id="live-size"' in html  # what cuts the model is in its file
    done = run("report", model, table, "-o", tmp_path / "other.html", "--interactive")
    assert done.exit_code == 1
    assert "cannot run in a page: The dates of 'boarded'" in done.stderr


def test_report_says_what_was_seen(table, tmp_path):
    model, page = tmp_path / "m.drumlin", tmp_path / "report.html"
    result_of("fit", table, "-t", "survived", "--max-nodes", 3, "-o", model)
    assert result_of("report", model, table, "-o", page)["seen"]
    assert "training data" in page.read_text()
    other = tmp_path / "other.csv"
    passengers(50, seed=3).to_csv(other, index=False)
    assert not result_of("report", model, other, "-o", page)["seen"]


def test_report_of_a_table_without_target(model, new, tmp_path):
    done = run("report", model, new, "-o", tmp_path / "report.html")
    assert done.exit_code == 1
    assert "lacks the column 'survived' that is the target" in done.stderr
    assert not list(tmp_path.iterdir())


def test_compare_and_its_place_in_a_report(model, table, tmp_path):
    names = ["drumlin", "constant", "SVC", "SVC tuned", "logistic", "boosting"]
    result = result_of(
        "compare", table, "-t", "survived", "--folds", 2, "--rows", 100, "--methods",
        ",".join(names),
    )  # fmt: skip
    assert [row["method"] for row in result["methods"]] == names
    for row in result["methods"]:
        assert 0.0 < row["error"] < (0.7 if row["method"] == "constant" else 0.5)
        assert 0.0 < row["log-loss"] < 1.5
    sizes = {row["method"]: row["size"] for row in result["methods"]}
    assert sizes["drumlin"] < sizes["SVC"]
    assert sizes["boosting"] is None
    others, page = tmp_path / "others.json", tmp_path / "report.html"
    others.write_text(json.dumps(result))
    assert run("report", model, table, "-o", page, "--comparison", others).exit_code == 0
    assert "SVC tuned" in page.read_text()
    others.write_text("[]")
    done = run("report", model, table, "-o", page, "--comparison", others)
    assert done.exit_code == 1
    assert "must be what 'drumlin compare --json' prints" in done.stderr


def test_compare_numbers(tmp_path):
    frame = load_iris(as_frame=True).frame
    frame.to_csv(tmp_path / "iris.csv", index=False)
    done = run(
        "compare", tmp_path / "iris.csv", "-t", "petal width (cm)", "--folds", 2, "--rows", 60,
        "--methods", "SVR tuned, ridge,constant",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    for word in ("SVR tuned", "ridge", "constant", "RMSE"):
        assert word in done.stdout
        assert word in done.stderr  # each as it finishes
    done = run("compare", tmp_path / "iris.csv", "-t", "petal width (cm)", "--methods", "SVM")
    assert done.exit_code == 2
    assert "'--methods' must name some of drumlin, constant, SVR" in done.stderr


@pytest.mark.parametrize("folds, code", [(1, 2), (1000, 2)])
def test_compare_folds(folds, code, table):
    done = run("compare", table, "-t", "survived", "--folds", folds)
    assert done.exit_code == code
    assert "'--folds' must be" in done.stderr


def test_demo(tmp_path):
    done = run("demo", "--folder", tmp_path / "d")
    assert done.exit_code == 0, done.output
    assert done.stdout.count("$ drumlin") == 3
    names = {path.name for path in (tmp_path / "d").iterdir()}
    assert names == {"tumors.csv", "new.csv", "tumors.drumlin", "answers.csv"}
    result = result_of("demo")
    assert result["fit"]["test"]["error"] < 0.1
    assert result["predict"]["n_rows"] == 5


@pytest.mark.parametrize("command", ["fit", "predict", "inspect", "report", "compare", "demo"])
def test_help_has_examples(command):
    done = run(command, "--help")
    assert done.exit_code == 0
    assert f"drumlin {command}" in done.stdout
    assert "Examples" in done.stdout


def test_several_files_have_several_answers(model, tmp_path):
    """One folder for all; the same answers as one by one."""
    frame, out = passengers(30), tmp_path / "answers"
    out.mkdir()
    for name, rows in [("first", frame[:10]), ("second", frame[10:])]:
        rows.to_csv(tmp_path / f"{name}.csv", index=False)
    paths = [tmp_path / "first.csv", tmp_path / "second.csv"]
    done = run("predict", model, *paths, "-o", out)
    assert done.exit_code == 0, done.output
    assert [len(pd.read_csv(out / path.name)) for path in paths] == [10, 20]
    alone = run("predict", model, paths[1])
    assert (out / "second.csv").read_text() == alone.stdout
    for wrong, message in [([], "must be a folder"), (["-o", tmp_path / "x.csv"], "be a folder")]:
        refused = run("predict", model, *paths, *wrong)
        assert refused.exit_code == 2
        assert message in " ".join(refused.stderr.split())
    twice = run("predict", model, paths[0], out / "first.csv", "-o", out)
    assert "different names" in " ".join(twice.stderr.split())
