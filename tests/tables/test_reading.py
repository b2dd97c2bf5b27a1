"""Odd files: what is refused, what is noted, and that nothing is silently something else."""

from __future__ import annotations

import gzip
import os
import sys
import threading
import time

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from drumlin.tables import TableError, TableWarning, read_chunks, read_table


@pytest.fixture
def written(tmp_path):
    def write(text, name="a.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.mark.parametrize("rows", ["1,3,\n2,6,\n", "1,3,,\n2,6,\n", "1,3, \n2,6,\n\n"])
def test_empty_fields_at_the_end_are_dropped_and_noted(rows, written):
    """pandas took the first column for an index: all columns moved by one."""
    with pytest.warns(TableWarning, match=r"a\.csv end with . empty fields more"):
        frame = read_table(written("a,y\n" + rows))
    assert list(frame) == ["a", "y"]
    assert frame.to_numpy().tolist() == [[1, 3], [2, 6]]


@pytest.mark.parametrize(
    "text, message",
    [
        ("a,y\n1,3,5\n2,6,5\n", "the 2 fields of the header. Got 3 in line 2"),
        ("\n\na,y\n1,3\n\n2,6,5\n", "Got 3 or more in about line"),
        ("a,y\n1,3\n2,6,5,7,8\n", "the 2 fields of the header. Got 5 in line 3"),
        ('"a\n b",y\n1,3\n2,6,5,7,8\n', "Got 5 in line 4"),
        ("a\n1,2\n", "the 1 field of the header. Got 2 in line 2"),
    ],
)
def test_longer_rows_are_refused(text, message, written):
    with pytest.raises(TableError, match="cannot be read as a table: every row") as caught:
        read_table(written(text))
    assert message in str(caught.value)


@pytest.mark.filterwarnings("ignore::drumlin.tables.TableWarning")
@pytest.mark.parametrize("first", ["1,3", "1,3,"])
@pytest.mark.parametrize("n", range(6))
def test_longer_rows_are_refused_wherever_chunks_begin(first, n, written):
    text = "a,y\n" + f"{first}\n" + "2,6\n" * n + "3,9,27\n" + "4,12\n" * 5
    with pytest.raises(TableError, match=rf"Got 3 .*line {n + 3}\."):
        list(read_chunks(written(text), rows=2))


@pytest.mark.parametrize("header", ["y,x,y", "y, x,y ", '"y";x;y'])
def test_header_that_names_a_column_twice(header, written):
    path = written(f"{header}\n" + header.replace("y", "1").replace("x", "2") + "\n")
    with pytest.raises(TableError, match="has the column 'y' more than once"):
        read_table(path)


def test_columns_without_names(written):
    assert list(read_table(written(",a,\n1,2,3\n"))) == ["Unnamed: 0", "a", "Unnamed: 2"]


@pytest.mark.parametrize(
    "header, names",
    [
        ("\ufeffa;b", ["a", "b"]),
        ('"a;b\nc";d', ["a;b\nc", "d"]),
        ('5" pipe,b', ['5" pipe', "b"]),
        ("\n  \na\tb", ["a", "b"]),
        ("a|b,c", ["a|b", "c"]),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_headers(header, names, end, written):
    separator = next(s for s in ";\t," if s in header.replace("a;b\nc", ""))
    frame = read_table(written((f"{header}\n1{separator}2\n").replace("\n", end)))
    assert list(frame) == [name.replace("\n", end) for name in names]
    assert frame.to_numpy().tolist() == [[1, 2]]


def test_pipe_that_delivers_little_at_first(monkeypatch):
    """The separator is that of the whole header, not of the first bytes that arrive."""
    out, into = os.pipe()

    def deliver():
        for part in (b'"a,b', b',c";', b"d\n1;2", b"\n3;4\n"):
            os.write(into, part)
            time.sleep(0.02)
        os.close(into)

    thread = threading.Thread(target=deliver)
    with open(out, encoding="utf-8") as pipe:
        monkeypatch.setattr(sys, "stdin", pipe)
        thread.start()
        frame = read_table("-")
        thread.join()
    assert list(frame) == ["a,b,c", "d"]
    assert frame["d"].tolist() == [2, 4]


@pytest.mark.parametrize(
    "text", [b"a\0b,y\n1,2\n", b"a,y\n1\x002,3\n", "a,y\n1,2\n".encode("utf-16-le")]
)
def test_nul_is_refused(text, written):
    with pytest.raises(TableError, match=r"must be UTF-8 text\. Got the byte 0x0"):
        read_table(written(text))


@pytest.mark.parametrize("damage", ["cut", "flipped", "tail", "block"])
def test_damaged_gzip(damage, written):
    packed = bytearray(gzip.compress(b"a,y\n" + b"1,2\n3,45\n" * 5000, mtime=0))
    if damage == "cut":
        del packed[len(packed) // 2 :]
    elif damage == "block":  # zlib.error, which is no OSError
        packed[10:20] = b"\xff" * 10
    else:
        packed[len(packed) // 2 if damage == "flipped" else -6] ^= 0xFF
    with pytest.raises(TableError, match=r"a\.csv\.gz cannot be read as a table"):
        read_table(written(bytes(packed), "a.csv.gz"))


@pytest.mark.parametrize("text, message", [("", "is empty"), ("\n\n", "is empty"), ("a", "no row")])
def test_nothing_to_read(text, message, written):
    with pytest.raises(TableError, match=message):
        read_table(written(text))


def test_whole_numbers_beside_gaps_are_exact(written, tmp_path):
    """A float would hold 9007199254740992 for the first."""
    numbers = [9007199254740993, None, -9007199254740993]
    text = "".join(f"{'' if n is None else n},1\n" for n in numbers)
    table = pa.table({"a": numbers, "b": [1, 1, 1]})
    parquet.write_table(table, tmp_path / "a.parquet")
    for path in (written("a,b\n" + text), tmp_path / "a.parquet"):
        assert [None if pd.isna(n) else int(n) for n in read_table(path)["a"]] == numbers


def test_texts_are_left_as_they_are(written):
    path = written("a,b\n01,1\n,1\n2,1\n1e3,1\n")
    assert read_table(path, ["a"])["a"].dropna().tolist() == ["01", "2", "1e3"]
    chunks = read_chunks(path, ["a"], rows=1)
    assert [chunk["a"].iloc[0] for chunk in chunks][::2] == ["01", "2"]


@pytest.mark.parametrize(
    "table, message",
    [
        (pa.table({"a\0": [1.5]}), r"must have names without NUL\. Got 'a\\x00'"),
        (pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["a", "a "]), "'a' more than once"),
        (
            pa.table({"a": pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xff"]).buffers())}),
            "cannot be read as a table: .*UTF8",
        ),
        (pa.table({"a": pa.array([], pa.float64())}), "no rows"),
    ],
)
def test_parquet_that_is_refused(table, message, tmp_path):
    parquet.write_table(table, tmp_path / "a.parquet")
    for read in (read_table, lambda path: list(read_chunks(path))):
        with pytest.raises(TableError, match=message):
            read(tmp_path / "a.parquet")


def test_parquet_index_is_a_column(tmp_path):
    """Where it has a name; pandas hides it, and a model would never see it."""
    frame = pd.DataFrame({"a": [1.5, 2.5], "b": [3.5, 4.5]})
    frame.set_index("a").to_parquet(tmp_path / "a.parquet")
    assert sorted(read_table(tmp_path / "a.parquet")) == ["a", "b"]
    frame.iloc[[1]].to_parquet(tmp_path / "b.parquet")
    assert sorted(read_table(tmp_path / "b.parquet")) == ["a", "b"]


def test_empty_texts_are_missing_in_all_formats(written, tmp_path):
    pd.DataFrame({"a": ["", "x"], "b": [1, 2]}).to_parquet(tmp_path / "a.parquet")
    for path in (written("a,b\n,1\nx,2\n"), tmp_path / "a.parquet"):
        assert read_table(path)["a"].isna().tolist() == [True, False]


def test_what_is_no_table_is_named(tmp_path):
    (tmp_path / "a.xlsx").write_bytes(b"PK")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(TableError, match=r"must be CSV, TSV or Parquet.*Got '.xlsx'"):
        read_table(tmp_path / "a.xlsx")
    with pytest.raises(TableError, match=r"must be a file\. Got a folder"):
        read_table(tmp_path / "folder.csv")
