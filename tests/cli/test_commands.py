"""The commands as a user types them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from drumlin.cli.app import app
from drumlin.cli.results import BEGIN, END
from drumlin.datasets import archive
from drumlin.experiments.protocol import FAILED, FIT, Record
from drumlin.experiments.store import Store


@pytest.fixture
def drumlin(monkeypatch, tmp_path_factory):
    """Call the command; offline, with nothing fetched before."""
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setattr(archive, "URL", "http://127.0.0.1:9/benchmarks.mat")
    runner = CliRunner()
    return lambda *arguments: runner.invoke(app, list(map(str, arguments)))


def line_of(output, name):
    return next(line for line in output.splitlines() if f" {name} " in line)


def test_datasets_tells_what_is_here(drumlin, needs_data):
    result = drumlin("datasets", "--data-home", needs_data)
    assert result.exit_code == 0
    assert "270" in line_of(result.stdout, "heart")
    assert f"yes: {needs_data}" in line_of(result.stdout, "heart")
    assert "no: fetched when first used" in line_of(result.stdout, "splice")


def test_datasets_for_machines(drumlin, tmp_path):
    result = drumlin("datasets", "--data-home", tmp_path, "--json")
    sets = {entry["set"]: entry for entry in json.loads(result.stdout)}
    assert sets["heart"] | {"path": None} == {
        "set": "heart", "rows": 270, "inputs": 13, "classes": 2, "path": None,
    }  # fmt: skip


def test_datasets_tells_what_is_missing(drumlin, tmp_path):
    result = drumlin("datasets", "--data-home", tmp_path)
    assert "yes" not in result.stdout
    assert "no: put vowel.npz into the data folder" in line_of(result.stdout, "vowel")
    assert " a number " in line_of(result.stdout, "uci/energy")


@pytest.mark.usefixtures("needs_data")
def test_reproduce(drumlin, tmp_path):
    arguments = [
        "reproduce", "hong2014", "--datasets", "synth,heart", "--realisations", "1:2",
        "--methods", "hong2014,DrumlinClassifier,svm,logistic", "--out", tmp_path,
    ]  # fmt: skip
    result = drumlin(*arguments)
    assert result.exit_code == 0, result.output
    assert "9.70, 4.0" in line_of(result.stdout, "synth")  # as published
    assert "9.7, 4" in line_of(result.stdout, "synth")
    written = {path.name for path in tmp_path.iterdir()}
    assert {"results.sqlite", "runs.csv", "tables.md", "tables.tex", "errors.csv"} <= written
    assert {
        f"{plot}.{suffix}" for plot in ("ranks", "error-size") for suffix in ("png", "svg")
    } <= written
    assert not any(name.endswith(("-wal", "-shm")) for name in written)
    text = (tmp_path / "tables.md").read_text()
    with Store(tmp_path / "results.sqlite") as store:
        before = list(store)
    assert len(before) == 4 * 3

    again = drumlin(*arguments)
    assert again.exit_code == 0
    document = tmp_path / "page.md"
    document.write_text(f"Before.\n\n{BEGIN}\nold\n{END}\n\nAfter.\n")
    only = drumlin("reproduce", "--tables-only", "--out", tmp_path, "--document", document)
    assert only.exit_code == 0
    with Store(tmp_path / "results.sqlite") as store:
        assert list(store) == before
    assert (tmp_path / "tables.md").read_text() == text
    tables = drumlin("reproduce", "--tables-only", "--out", tmp_path, "--json")
    assert "errors" in {table["name"] for table in json.loads(tables.stdout)}
    assert document.read_text() == f"Before.\n\n{BEGIN}\n\n{text}\n{END}\n\nAfter.\n"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["hong2020"], r"'paper' must be one of ['hong2008', 'hong2014'"),
        (["--datasets", "heart,iris"], "'--datasets' must hold names of"),
        (["--datasets", ","], "'--datasets' must hold names of"),
        (["--methods", "magic"], "'--methods' must hold names of"),
        (["--realisations", "0:3"], "1 <= first <= last. Got '0:3'"),
        (["--realisations", "3:1"], "Got '3:1'"),
        (["--realisations", "a"], "Got 'a'"),
        (["--backend", "dask"], "'scheduler' parameter must be the address"),
        (["--backend", "mpi"], "'backend' parameter must be one of"),
        (["--jobs", "0"], "'jobs' parameter must not be 0"),
        (["--datasets", "heart"], "ida/heart.npz"),
        (["--tables-only", "--document", "missing.md"], "missing.md"),
    ],
)
def test_errors_are_one_message(drumlin, arguments, message, tmp_path, monkeypatch):
    monkeypatch.setenv("DRUMLIN_DATA", str(tmp_path))
    result = drumlin("reproduce", *arguments, "--out", tmp_path / "out")
    assert result.exit_code == (1 if message in ("ida/heart.npz", "missing.md") else 2)
    assert message in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.usefixtures("needs_data")
def test_realisations_that_there_are_not(drumlin, tmp_path):
    arguments = ["reproduce", "--datasets", "synth", "--realisations", "2:4", "--out", tmp_path]
    result = drumlin(*arguments)
    assert result.exit_code == 2
    assert "must name a realisation that there is. Got '2:4' of synth." in result.stderr


@pytest.mark.parametrize("content", [b"", b"text", b"PK\x03\x04 cut off"])
def test_damaged_data_are_one_message(drumlin, content, tmp_path, monkeypatch):
    monkeypatch.setenv("DRUMLIN_DATA", str(tmp_path))
    (tmp_path / "vowel.npz").write_bytes(content)
    result = drumlin("reproduce", "--datasets", "vowel", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "vowel.npz', which is damaged" in result.stderr
    assert "Traceback" not in result.output


def test_failures_are_shown_as_they_are_and_leave_with_their_cause(drumlin, tmp_path):
    message = "ValueError: shape [n, p] of [/x]"
    record = Record(FIT, "svm", "double-moon-5", 1, FAILED, message=message)
    with Store(tmp_path / "results.sqlite") as store:
        store.add(record)
    result = drumlin("reproduce", "--tables-only", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert message in result.stdout
    assert (tmp_path / "failures.csv").is_file()
    with Store(tmp_path / "results.sqlite") as store:
        store.forget_failures([record.task])
    assert drumlin("reproduce", "--tables-only", "--out", tmp_path).exit_code == 0
    assert not (tmp_path / "failures.csv").exists()


def test_what_is_stored_can_be_run_again(drumlin, tmp_path):
    stale = Record(FIT, "logistic", "double-moon-5", 1, error=99.0)
    other = Record(FIT, "logistic", "double-moon-6", 1, error=99.0)
    with Store(tmp_path / "results.sqlite") as store:
        store.add(stale)
        store.add(other)
    arguments = ["--methods", "logistic", "--datasets", "double-moon-5", "--realisations", "1"]
    result = drumlin("reproduce", *arguments, "--again", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    with Store(tmp_path / "results.sqlite") as store:
        errors = {record.dataset: record.error for record in store}
    assert errors["double-moon-6"] == 99.0
    assert errors["double-moon-5"] < 20.0


def test_sets_without_data_are_left_out(drumlin, tmp_path, monkeypatch):
    monkeypatch.setenv("DRUMLIN_DATA", str(tmp_path))
    arguments = [
        "reproduce",
        "--methods",
        "svm",
        "--realisations",
        "1:1",
        "--out",
        tmp_path / "out",
    ]
    result = drumlin(*arguments)
    assert result.exit_code == 0
    assert "Left out: heart." in result.stderr


def test_document_without_marks(drumlin, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("nothing")
    result = drumlin("reproduce", "--tables-only", "--out", tmp_path, "--document", page)
    assert result.exit_code == 1
    assert f"must hold the lines '{BEGIN}'" in result.stderr
    assert page.read_text() == "nothing"


def test_module_is_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "drumlin", "--help"], capture_output=True, text=True, check=True
    )
    assert "Usage: drumlin" in done.stdout
    assert "reproduce" in done.stdout
