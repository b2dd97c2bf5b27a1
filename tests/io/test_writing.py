"""The one writer of files: whole or not there, never in the place of a device."""

from __future__ import annotations

import os
import stat
import threading

import pytest

from drumlin.io import atomic_path, write_text
from tests.warm import run_warm

pytestmark = pytest.mark.skipif(os.name == "nt", reason="has no such files and modes")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def in_a_process(code, *arguments, **options):
    """Run code that has ``atomic_path`` and ``write_text``; return what it prints."""
    code = f"import os, sys; from drumlin.io import atomic_path, write_text\n{code}"
    ended, out, told = run_warm(code, *arguments, ready=True, **options)
    assert ended == 0, told
    return out


def test_atomic_path_replaces_only_when_all_went_well(tmp_path):
    path = tmp_path / "report.html"
    with atomic_path(path) as place:
        place.write_text("one")
        assert not path.exists()
    assert path.read_text() == "one"
    with pytest.raises(RuntimeError), atomic_path(path) as place:
        place.write_text("two")
        raise RuntimeError
    assert path.read_text() == "one"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("old", [0o600, 0o640, 0o666, 0o444, 0o755])
def test_mode_of_the_old_file_is_kept(old, tmp_path):
    path = tmp_path / "secret"
    path.write_text("old")
    path.chmod(old)
    with atomic_path(path) as place:
        place.write_text("new")
        assert mode(place) & ~old & ~0o600 == 0  # nobody else may read it on the way either
    assert (path.read_text(), mode(path)) == ("new", old)


def test_new_file_has_the_usual_mode(tmp_path):
    umask = os.umask(0)
    os.umask(umask)
    write_text(tmp_path / "new", "text")
    assert mode(tmp_path / "new") == 0o666 & ~umask


@pytest.mark.parametrize("length", [1, 230, 249, 255])
def test_names_of_every_length(length, tmp_path):
    for _ in range(2):
        write_text(tmp_path / ("n" * length), "text")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["text"]


@pytest.mark.parametrize("name", [b"\xe9t\xe9.txt", "été".encode(), b"a\nb", b" "])
def test_names_of_all_bytes(name, tmp_path):
    path = tmp_path / os.fsdecode(name)
    write_text(path, f"about {path.name}")
    assert os.listdir(os.fsencode(tmp_path)) == [name]
    assert path.read_bytes() == b"about " + path.name.encode("utf-8", "backslashreplace")


def test_errors_name_what_was_asked_for(tmp_path):
    for path in (tmp_path / "nowhere" / "x", tmp_path / ("n" * 256)):
        with pytest.raises(OSError, match=str(path)):
            write_text(path, "text")
    with pytest.raises(OSError, match="is a folder"):
        write_text(tmp_path, "text")
    assert not list(tmp_path.iterdir())


# ------------------------------------------------------------------ what is no file
def test_fifo_is_written_into(tmp_path):
    path, got = tmp_path / "fifo", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: got.append(path.read_text()), daemon=True)
    reader.start()
    write_text(path, "text" * 100_000)  # more than a pipe holds
    reader.join(60.0)
    assert got == ["text" * 100_000]
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert list(tmp_path.iterdir()) == [path]


def test_device_stays_a_device(tmp_path):
    write_text("/dev/null", "text")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    link = tmp_path / "link"
    link.symlink_to("/dev/null")
    write_text(link, "text")
    assert stat.S_ISCHR(link.stat().st_mode)
    with pytest.raises(OSError, match="No space left"):
        write_text("/dev/full", "text")


def test_nothing_is_written_into_a_pipe_after_an_error(tmp_path):
    code = """
try:
    with atomic_path("/dev/stdout") as place:
        place.write_text("half")
        raise RuntimeError
except RuntimeError:
    print("failed")
"""
    assert in_a_process(code) == "failed\n"


@pytest.mark.parametrize(("name", "way"), [
    ("/dev/stdout", "pipe"), ("/dev/fd/1", "file"), ("/proc/self/fd/1", "appended"),
])  # fmt: skip
def test_standard_output_gets_all_in_order(name, way, tmp_path):
    """Non-regression: the file behind it was replaced, and the text around was lost."""
    code = "print('a'); write_text(sys.argv[1], 'b'); print('c')"
    if way == "pipe":
        assert in_a_process(code, name) == "a\nbc\n"
        return
    path = tmp_path / "out"
    path.write_text("before ")
    with path.open("wb" if way == "file" else "ab") as file:
        in_a_process(code, name, stdout=file)
    assert path.read_text() == ("" if way == "file" else "before ") + "a\nbc\n"


def test_file_of_standard_output_by_its_own_name(tmp_path):
    path = tmp_path / "out"
    with path.open("wb") as file:
        in_a_process("print('a'); write_text(sys.argv[1], 'b'); print('c')", path, stdout=file)
    assert path.read_text() == "a\nbc\n"
    assert list(tmp_path.iterdir()) == [path]


def test_process_substitution(tmp_path):
    """``-o >(gzip > file)``: the name of a pipe that no folder holds."""
    read, write = os.pipe()
    in_a_process("write_text(sys.argv[1], 'text')", f"/dev/fd/{write}", pass_fds=[write])
    os.close(write)
    with open(read, "rb") as file:
        assert file.read() == b"text"
