"""All commands read a table alike, say what they made of it, and refuse what they cannot."""

from __future__ import annotations

import gzip
import json
import sqlite3

import numpy as np
import pandas as pd
import pytest

from drumlin.experiments import store as stores
from drumlin.experiments.protocol import FIT, Record
from tests.cli.conftest import result_of, run


@pytest.fixture(scope="module")
def codes(tmp_path_factory):
    """A category that mostly looks like a number, with zeros before it, and a model of it."""
    place = tmp_path_factory.mktemp("codes")
    rng = np.random.RandomState(0)
    code = rng.choice(["01", "1", "10", "x"], 200, p=[0.4, 0.4, 0.1, 0.1])
    frame = pd.DataFrame({"a": rng.normal(size=200), "code": code})
    frame["y"] = np.where(frame["code"] == "01", "007", np.where(frame["code"] == "1", "07", "7"))
    frame.to_csv(place / "train.csv", index=False)
    plain = frame[frame["code"] != "x"].copy()
    plain.loc[plain.index[:3], "code"] = None  # pandas would make floats of them
    plain.iloc[3:].to_csv(place / "test.csv", index=False)
    plain.to_csv(place / "gaps.csv", index=False)
    result_of("fit", place / "train.csv", "-t", "y", "-o", place / "m.drumlin")
    return place


def test_commands_read_types_as_the_model_does(codes, tmp_path):
    """Codes and labels keep their zeros in fit, --test, predict and report alike."""
    fitted = result_of("fit", codes / "train.csv", "-t", "y", "--test", codes / "test.csv")
    assert fitted["test"]["error"] == 0.0
    assert fitted["confusion"]["classes"] == ["007", "07", "7"]
    model, test = codes / "m.drumlin", codes / "test.csv"
    summary = result_of("predict", model, test, "-o", tmp_path / "a.csv")
    answers = pd.read_csv(tmp_path / "a.csv", dtype=str)
    truth = pd.read_csv(codes / "test.csv", dtype=str)["y"]
    assert (answers["prediction"] == truth).all()
    assert summary["unknown_categories"] == {}
    page = tmp_path / "r.html"
    assert run("report", model, test, "-o", page).exit_code == 0
    assert "0.0 %" in page.read_text()


@pytest.mark.parametrize("command", ["predict", "report"])
def test_categories_with_gaps_stay_themselves(command, codes, tmp_path):
    done = run(command, codes / "m.drumlin", codes / "gaps.csv", "-o", tmp_path / "out")
    assert done.exit_code == 0
    assert "3 rows have a 'code' that training has not seen ('')" in done.stderr
    assert "'1.0'" not in done.stderr


def line(n=60, noise=0.0):
    a = np.linspace(-1.0, 1.0, n)
    return pd.DataFrame({"a": a.round(4), "b": (a**2).round(4), "y": (3 * a + noise).round(4)})


def with_commas(frame, path):
    text = frame.to_csv(index=False).replace("\n", ",\n")
    path.write_text(text.replace(",\n", "\n", 1))
    return path


def test_trailing_commas_change_nothing(tmp_path):
    line().to_csv(tmp_path / "plain.csv", index=False)
    comma = with_commas(line(), tmp_path / "comma.csv")
    expected = result_of("fit", tmp_path / "plain.csv", "-t", "y", "-o", tmp_path / "m.drumlin")
    done = run("fit", comma, "-t", "y", "-o", tmp_path / "n.drumlin")
    assert done.exit_code == 0
    assert "Note: rows of " in done.stderr
    assert result_of("inspect", tmp_path / "n.drumlin")["nodes"] == expected["nodes"]
    first = run("predict", tmp_path / "m.drumlin", tmp_path / "plain.csv")
    second = run("predict", tmp_path / "m.drumlin", comma)
    assert first.stdout == second.stdout
    assert "1 empty fields more" in second.stderr


@pytest.mark.parametrize("command", ["fit", "compare"])
def test_duplicate_headers_are_refused(command, tmp_path):
    frame = line()
    frame.columns = ["y", "x", "y"]
    frame.to_csv(tmp_path / "a.csv", index=False)
    done = run(command, tmp_path / "a.csv", "-t", "y")
    assert done.exit_code == 1
    assert "has the column 'y' more than once" in done.stderr


@pytest.mark.parametrize("command", ["fit", "predict", "report"])
def test_commas_in_numbers_are_told(command, tmp_path):
    frame = line().assign(b=[f"{1000 + 7 * i * i:,}" for i in range(60)])
    frame.to_csv(tmp_path / "a.csv", index=False)
    model = ["-o", tmp_path / "m.drumlin"]
    done = run("fit", tmp_path / "a.csv", "-t", "y", *model)
    if command != "fit":
        done = run(command, tmp_path / "m.drumlin", tmp_path / "a.csv", "-o", tmp_path / "out")
    assert done.exit_code == 0
    assert "separate thousands in 'b': '1,000' is read as 1000." in done.stderr


def test_gaps_that_training_had_not_are_counted(tmp_path):
    line().to_csv(tmp_path / "a.csv", index=False)
    result_of("fit", tmp_path / "a.csv", "-t", "y", "-o", tmp_path / "m.drumlin")
    later = line().astype({"a": object})
    later.loc[:3, "a"] = "unknown"
    later.loc[4:5, "b"] = None
    later.to_csv(tmp_path / "b.csv", index=False)
    arguments = ["predict", tmp_path / "m.drumlin", tmp_path / "b.csv", "-o", tmp_path / "c.csv"]
    done = run(*arguments)
    assert "4 rows have no number in 'a' ('unknown' 4 times); the median" in done.stderr
    assert "2 rows have no number in 'b' (2 empty); the median of training" in done.stderr
    assert result_of(*arguments)["gaps"] == {"a": {"unknown": 4}, "b": {"": 2}}
    done = run("fit", tmp_path / "a.csv", "-t", "y", "--test", tmp_path / "b.csv")
    assert "4 test rows have no number in 'a'" in done.stderr


def test_kinds_of_columns(folder, tmp_path):
    options = ["fit", folder / "titanic.csv", "-t", "survived", "--method", "network"]
    done = run(*options, "--kinds", "class=third,second,first", "--kinds", "age=category", "--json")
    assert done.exit_code == 0, done.output
    kinds = {c["name"]: c["kind"] for c in json.loads(done.stdout)["columns"]}
    assert (kinds["class"], kinds["age"]) == ("ordered", "category")
    for wrong, said in (
        ("class", "must be like size=S,M,L. Got 'class'"),
        ("sex=colour", "Got 'colour' for 'sex'"),
        ("class=first,third", "must list all levels of 'class'. Got no 'second'"),
    ):
        done = run(*options, "--kinds", wrong)
        assert done.exit_code in (1, 2)
        assert "'--kinds' must" in done.stderr and said in done.stderr


def test_constants_cannot_be_kept(folder):
    done = run("fit", folder / "titanic.csv", "-t", "survived", "--keep", "ship")
    assert done.exit_code == 1
    assert "'--keep' must name a column that can be used. Got 'ship' (constant: " in done.stderr
    assert done.stderr.rstrip().count("\n") == 1  # and the note about rows without a target


@pytest.mark.parametrize(
    "change, message",
    [
        ({"y": [[1, 2], [3]] * 30}, "'y' must hold numbers or texts. Got"),
        ({"y": [{"a": 1}, {"a": 2}] * 30}, "'y' must hold numbers or texts. Got"),
        ({"y": [b"p", b"\xff"] * 30}, "'y' must hold numbers or texts. Got"),
    ],
)
def test_parquet_targets_that_cannot_be(change, message, tmp_path):
    line().assign(**change).to_parquet(tmp_path / "a.parquet")
    done = run("fit", tmp_path / "a.parquet", "-t", "y")
    assert done.exit_code == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_binary_column_is_left_out(tmp_path):
    line().assign(b=[b"p", b"\xff"] * 30).to_parquet(tmp_path / "a.parquet")
    fitted = result_of("fit", tmp_path / "a.parquet", "-t", "y")
    assert {c["name"]: c["kind"] for c in fitted["columns"]} == {"a": "number", "b": "binary"}
    line()[["a", "y"]].assign(a=b"p").to_parquet(tmp_path / "b.parquet")
    done = run("fit", tmp_path / "b.parquet", "-t", "y")
    assert done.exit_code == 1
    assert "no input that can be used. Got 'a' (binary: bytes" in done.stderr


@pytest.mark.parametrize("command", ["fit", "predict"])
@pytest.mark.parametrize("damage", ["gzip", "nul"])
def test_damaged_tables(command, damage, model, tmp_path):
    path = tmp_path / ("a.csv.gz" if damage == "gzip" else "a.csv")
    packed = bytearray(gzip.compress(line(500).to_csv().encode()))
    packed[10:20] = b"\xff" * 10  # no block of zlib begins so
    path.write_bytes(packed if damage == "gzip" else b"a\0,y\n1,2\n")
    done = run(*(["fit", path, "-t", "y"] if command == "fit" else ["predict", model, path]))
    assert done.exit_code == 1
    assert "cannot be read as a table" in done.stderr
    assert done.stderr.count("\n") == 1


def test_labels_are_no_formulas(tmp_path):
    frame = line()
    frame["who"] = ["=HYPERLINK(1)", "-4.5"] * 30
    frame["y"] = np.where(frame["a"] > 0, "=1+1", "-b")
    frame.to_csv(tmp_path / "a.csv", index=False)
    model = tmp_path / "m.drumlin"
    result_of("fit", tmp_path / "a.csv", "-t", "y", "-o", model)
    options = ["predict", model, tmp_path / "a.csv", "--copy", "who", "-o", tmp_path / "b.csv"]
    assert run(*options).stderr.count("\n") == 1  # no word of pandas, only what was written
    answers = pd.read_csv(tmp_path / "b.csv", dtype=str)
    assert set(answers["prediction"]) == {"'=1+1", "'-b"}
    assert set(answers["who"]) == {"'=HYPERLINK(1)", "-4.5"}
    assert result_of(*options, "--raw-labels")["predictions"].keys() == {"=1+1", "-b"}
    answers = pd.read_csv(tmp_path / "b.csv", dtype=str)
    assert set(answers["prediction"]) == {"=1+1", "-b"}
    assert set(answers["who"]) == {"=HYPERLINK(1)", "-4.5"}


def test_numbers_are_no_formulas(tmp_path):
    line().assign(y=lambda f: np.sign(f["a"]).astype(int)).to_csv(tmp_path / "a.csv", index=False)
    model = tmp_path / "m.drumlin"
    result_of("fit", tmp_path / "a.csv", "-t", "y", "-o", model)
    assert "'" not in run("predict", model, tmp_path / "a.csv", "--copy", "a").stdout


def test_control_characters_are_shown_not_obeyed(tmp_path):
    frame = line().rename(columns={"a": "a\x1b[31m", "b": "b\x01\u202e"})
    frame["y"] = np.where(frame["y"] > 0, "p\x1b[2J", "q\x07")
    frame.to_csv(tmp_path / "a.csv", index=False)
    model, page = tmp_path / "m.drumlin", tmp_path / "r.html"
    fitted = run("fit", tmp_path / "a.csv", "-t", "y", "-o", model)
    shown = run("inspect", model)
    report = run("report", model, tmp_path / "a.csv", "-o", page)
    for done in (fitted, shown, report):
        assert done.exit_code == 0, done.output
        assert not set("\x1b\x01\x07\u202e") & set(done.output)
    assert "a\\x1b[31m" in shown.stdout
    text = page.read_text()
    assert not set("\x1b\x01\x07\u202e") & set(text)
    assert "a\\x1b[31m" in text


# ----------------------------------------------------------------------------------- the results
@pytest.fixture
def results(tmp_path):
    path = tmp_path / "results.sqlite"
    with stores.Store(path) as store:
        for k in range(200):
            store.add(Record(FIT, "svm", "heart", k, error=10.0, message="m" * 200))
    return path


def reproduce(folder, *options):
    done = run("reproduce", "--out", folder, *options)
    assert done.exit_code == 1, done.output
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_damaged_results(results, tmp_path):
    content = bytearray(results.read_bytes())
    content[8192:16384] = b"\xa5" * 8192
    results.write_bytes(content)
    assert "The results file must be whole. Got" in reproduce(tmp_path, "--tables-only")


def test_results_of_other_types(results, tmp_path):
    connection = sqlite3.connect(results)
    connection.execute("UPDATE runs SET error = 'much' WHERE realisation = 3")
    connection.commit()
    connection.close()
    assert "a run of it is ('fit', 'svm', 'heart', 3" in reproduce(tmp_path, "--tables-only")


def patched_connections(monkeypatch, connect):
    original = sqlite3.connect
    monkeypatch.setattr(
        stores.sqlite3, "connect", lambda path, **options: connect(original, path, options)
    )


def never(*_):
    raise AssertionError("it waits for a file that will not change")


@pytest.mark.usefixtures("needs_data")
@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_read_only_results_are_refused_at_once(journal, results, tmp_path, monkeypatch):
    connection = sqlite3.connect(results)
    connection.execute(f"PRAGMA journal_mode = {journal}")
    connection.close()

    def read_only(connect, path, options):
        return connect(f"file:{path}?mode=ro", uri=True, **options)

    patched_connections(monkeypatch, read_only)
    monkeypatch.setattr(stores.time, "sleep", never)
    options = ["--datasets", "synth", "--methods", "svm", "--realisations", "1"]
    assert "The results file must be writable. Got" in reproduce(tmp_path, *options)
    with stores.Store(results) as store:  # what is there can be read
        assert len(store) == 200


def test_full_disk(results, monkeypatch):
    def full(connect, path, options):
        connection = connect(path, **options)
        connection.execute("PRAGMA max_page_count = 1")  # as many as there are already
        return connection

    patched_connections(monkeypatch, full)
    with stores.Store(results) as store, pytest.raises(ValueError, match="must have room to grow"):
        for k in range(100):
            store.add(Record(FIT, "svm", "more", k, message="m" * 2000))
