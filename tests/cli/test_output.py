"""Where results go: '-o' of every kind, streams that are closed, full or broken, odd names."""

from __future__ import annotations

import json
import os
import shutil
import stat
import threading

import pandas as pd
import pytest

import drumlin
from tests.cli.conftest import run
from tests.cli.processes import run_command, run_process

pytestmark = pytest.mark.skipif(os.name == "nt", reason="has no such files and streams")


@pytest.fixture
def new(folder):
    return folder / "new.csv"


@pytest.fixture
def expected(model, new, tmp_path_factory):
    """Answers as a file."""
    out = tmp_path_factory.mktemp("expected") / "answers.csv"
    assert run("predict", model, new, "-o", out).exit_code == 0
    return out.read_bytes()


# ------------------------------------------------------------------ what -o names
@pytest.mark.parametrize("link", [os.link, os.symlink, None])
@pytest.mark.parametrize(("command", "read"), [
    ("fit titanic.csv -t survived", "titanic.csv"),
    ("fit titanic.csv -t survived --test other.csv", "other.csv"),
    ("predict model.drumlin new.csv", "new.csv"),
    ("predict model.drumlin new.csv", "model.drumlin"),
    ("report model.drumlin titanic.csv", "titanic.csv"),
    ("report model.drumlin titanic.csv --comparison other.json", "other.json"),
])  # fmt: skip
def test_files_that_are_read_stay(command, read, link, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("titanic.csv", "new.csv", "model.drumlin"):
        shutil.copy(folder / name, tmp_path / name)
    (tmp_path / "other.json").write_text("{}")
    (tmp_path / "other.csv").write_text("survived\n")
    out = f"../{tmp_path.name}/{read}"  # the same by another spelling
    if link is not None:
        out = "another"
        link(read, out)
    before = (tmp_path / read).read_bytes()
    done = run(*command.split(), "-o", out)
    assert done.exit_code == 2
    assert f"'-o' must not be a file that is read. Got {read} for both." in done.stderr
    assert (tmp_path / read).read_bytes() == before


def test_file_behind_standard_input_or_output(model, new, tmp_path):
    table = tmp_path / "new.csv"
    shutil.copy(new, table)
    before = table.read_bytes()
    with table.open("rb") as file:
        code, _, told = run_command("predict", model, "-", "-o", table, stdin=file)
    assert (code, "must not be a file that is read" in told) == (2, True)
    with table.open("ab") as file:
        code, _, told = run_command("predict", model, table, stdout=file)
    assert (code, "must not be a file that is read" in told) == (2, True)
    assert table.read_bytes() == before


def test_mode_is_kept(model, new, tmp_path):
    out = tmp_path / "answers.csv"
    out.touch(0o600)
    assert run("predict", model, new, "-o", out).exit_code == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert len(pd.read_csv(out)) == 60


def test_fifo(model, new, expected, tmp_path):
    fifo, got = tmp_path / "fifo", []
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: got.append(fifo.read_bytes()), daemon=True)
    reader.start()
    assert run("predict", model, new, "-o", fifo).exit_code == 0
    reader.join(60.0)
    assert got == [expected]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_null_device(table, model):
    for command in (["fit", table, "-t", "survived"], ["report", model, table]):
        done = run(*command, "-o", "/dev/null", "--json")
        assert done.exit_code == 0
        assert json.loads(done.stdout)["n_bytes"] is None
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert "Saved: /dev/null." in run("fit", table, "-t", "survived", "-o", "/dev/null").stdout


def test_standard_output_by_name(model, new, expected, tmp_path):
    assert run_command("predict", model, new, "-o", "/dev/stdout")[1].encode() == expected
    with (tmp_path / "answers.csv").open("wb") as file:
        file.write(b"kept\n")
        file.flush()
        assert run_command("predict", model, new, "-o", "/dev/stdout", stdout=file)[0] == 0
    assert (tmp_path / "answers.csv").read_bytes() == b"kept\n" + expected


@pytest.mark.parametrize("command", ["fit", "report", "predict"])
def test_summary_and_file_do_not_mix(command, model, table, new):
    arguments = {
        "fit": [table, "-t", "survived"],
        "report": [model, table],
        "predict": [model, new, "--json"],
    }[command]
    code, out, told = run_command(command, *arguments, "-o", "/dev/stdout")
    assert (code, out) == (2, "")
    assert "'-o' must not be standard output: the summary goes there" in told


# ------------------------------------------------------------------ streams that take nothing
def test_closed_standard_output(model, new):
    code, _, told = run_process("predict", model, new, preexec_fn=lambda: os.close(1))
    assert code == 1
    assert told == "Error: Standard output is closed; results would be lost.\n"


def test_closed_standard_error_and_input(model, new, expected, tmp_path):
    """Files that are opened then must not be taken for them."""

    def close():
        os.close(0)
        os.close(2)

    out = tmp_path / "answers.csv"
    assert run_process("predict", model, new, "-o", out, preexec_fn=close)[0] == 0
    assert out.read_bytes() == expected


def test_reader_that_leaves(model, new, tmp_path):
    frame = pd.read_csv(new)
    pd.concat([frame] * 400).to_csv(tmp_path / "many.csv", index=False)
    got = []

    def leave(reader):
        with open(reader, "rb") as file:
            got.append(file.readline())

    reader, writer = os.pipe()
    threading.Thread(target=leave, args=(reader,), daemon=True).start()
    with open(writer, "wb") as file:
        done = run_command("predict", model, tmp_path / "many.csv", stdout=file)
    assert done[::2] == (141, "")
    assert got[0].startswith(b"prediction,")


def test_reader_that_leaves_before_a_screen_of_text(model):
    """Non-regression: rich made 1 of it, without a word."""
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb") as file:
        assert run_command("inspect", model, stdout=file)[::2] == (141, "")


@pytest.mark.parametrize("command", ["predict", "inspect", "fit"])
def test_full_disk(command, model, new, table, tmp_path):
    arguments = {
        "predict": [model, new],
        "inspect": [model],
        "fit": [table, "-t", "survived", "-o", tmp_path / "m.drumlin"],
    }[command]
    with open("/dev/full", "wb") as full:
        code, _, told = run_command(command, *arguments, stdout=full)
    assert code == 1
    assert told.splitlines()[-1] == "Error: [Errno 28] No space left on device"
    assert "Traceback" not in told
    assert "Exception ignored" not in told


# ------------------------------------------------------------------ characters
def test_ascii_terminal(table, model, new, expected, tmp_path):
    """Non-regression: fit had saved the model and then failed on a dash."""
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    out = tmp_path / "m.drumlin"
    code, said, _ = run_process("fit", table, "-t", "survived", "-o", out, env=environment)
    assert code == 0
    assert said.isascii()
    assert said.endswith("bytes).\n")
    drumlin.load(out)
    assert run_command("inspect", model, encoding="ascii")[0] == 0


def test_answers_are_the_same_on_every_terminal(tmp_path):
    table, model, out = (tmp_path / name for name in ("a.csv", "m.drumlin", "answers.csv"))
    x = [i / 4 for i in range(60)]
    pd.DataFrame({"x": x, "y": ["mort", "né"] * 5 + ["né"] * 50}).to_csv(table, index=False)
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    command = ["fit", table, "-t", "y", "--holdout", 0.2, "-o", model, "--json"]
    code, said, told = run_command(*command, encoding="ascii")
    assert code == 0, told
    assert json.loads(said)["confusion"]["classes"] == ["mort", "né"]
    assert run("predict", model, table, "-o", out).exit_code == 0
    said = run_process("predict", model, table, env=environment)[1]
    assert said.encode() == out.read_bytes()
    assert "né" in said


def test_names_that_are_not_utf8(table, new, tmp_path):
    place = os.fsencode(tmp_path)
    data, model, answers, page = (
        os.fsdecode(place + b"/" + name)
        for name in (b"d\xe9.csv", b"m\xe9.drumlin", b"a\xe9.csv", b"r\xe9.html")
    )
    shutil.copy(table, data)
    for command in (
        ["fit", data, "-t", "survived", "-o", model],
        ["predict", model, new, "-o", answers],
        ["report", model, data, "-o", page, "--title", os.fsdecode(b"\xe9t\xe9")],
        ["inspect", model],
    ):
        code, out, told = run_command(*command)
        assert code == 0, told
    assert "d\\udce9.csv" in out  # inspect shows which table it was
    with open(page, encoding="utf-8") as file:
        assert "m\\udce9.drumlin" in file.read()
    code, _, told = run_command("predict", model, os.fsdecode(place + b"/none\xe9.csv"))
    assert (code, told) == (1, f"Error: There is no file {tmp_path}/none\\udce9.csv.\n")


@pytest.mark.parametrize("length", [249, 255])
def test_long_names(length, model, new, table, tmp_path):
    commands = ["predict", model, new], ["report", model, table], ["fit", table, "-t", "survived"]
    for command in commands:
        assert run(*command, "-o", tmp_path / ("n" * length)).exit_code == 0
    assert len(list(tmp_path.iterdir())) == 1
