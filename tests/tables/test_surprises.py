"""What columns become that can be misread, and what is said of it."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest

from drumlin.tables import Schema, TableError, Target
from drumlin.tables.answers import harmless
from drumlin.tables.columns import classify
from drumlin.tables.numbers import Numbers
from drumlin.tables.targets import is_missing

BIG = 2**53
N = 60


@pytest.mark.parametrize("dtype", ["Int64", "str"])
@pytest.mark.parametrize(
    "numbers, kind",
    [
        ([BIG + 2 * i + 1 for i in range(N)], "id"),
        ([BIG + 1, BIG + 3] * 30, "category"),
        ([2**62 + 1, None, -(2**62) - 1] * 20, "category"),
        ([BIG - 1, BIG - 3] * 30, "number"),
    ],
)
def test_large_whole_numbers_are_codes(numbers, kind, dtype):
    column = pd.Series(pd.array(numbers, dtype="Int64"))
    column = column if dtype == "Int64" else column.astype("string").astype(object)
    assert classify("x", column).kind == kind
    if kind == "category":
        schema = Schema.understand(pd.DataFrame({"x": column}))
        words = schema.inputs(pd.DataFrame({"x": column}))["x"]
        assert set(words.dropna()) == {str(n) for n in numbers if n is not None}


def test_large_whole_numbers_that_are_kept_are_told():
    frame = pd.DataFrame({"x": [BIG + 2 * i + 1 for i in range(N)]})
    schema = Schema.understand(frame, keep=["x"])
    assert schema.used[0].kind == "number"
    (note,) = schema.read(frame)[1].notes()
    assert "60 rows have whole numbers that are too large to be exact in 'x'" in note


def test_zeros_before_large_numbers_do_not_matter():
    """Training may have read them as numbers; a later table is read as text."""
    frame = pd.DataFrame({"x": [BIG + 1, BIG + 3] * 30})
    schema = Schema.understand(frame)
    later = pd.DataFrame({"x": [f"00{BIG + 1}", str(BIG + 3)]})
    assert schema.inputs(later)["x"].tolist() == schema.inputs(frame)["x"].tolist()[:2]


@pytest.mark.parametrize(
    "values, labels",
    [
        (["01", "02"] * 5, ["01", "02"]),
        ([str(BIG + 1), str(BIG + 2)] * 5, [str(BIG + 1), str(BIG + 2)]),
        ([BIG + 1, BIG + 2] * 5, [str(BIG + 1), str(BIG + 2)]),
        (["10000000000000000000", "1"] * 5, ["1", "10000000000000000000"]),
        ([1e19, 2e19] * 5, ["1e+19", "2e+19"]),  # wrapped to -2^63 before
    ],
)
def test_labels_are_exact(values, labels):
    target = Target.understand("y", pd.Series(values))
    assert target.kind == "text"
    assert np.unique(target.values(pd.Series(values))).tolist() == labels


def test_amounts_may_be_large_and_rounding_is_told():
    column = pd.Series([BIG + 2 * i + 1 for i in range(N)])
    target = Target.understand("y", column)
    assert target.task == "regression"
    assert "too large to be exact in 'y'" in target.surprises(column).notes()[0]


def test_known_whole_numbers_are_never_wrapped():
    target = Target("y", "classification", "whole number")
    with pytest.raises(TableError, match=r"whole numbers below 2\^53.*Got 18446744073709551615"):
        target.values(pd.Series([1, 2**64 - 1], dtype="UInt64"))


@pytest.mark.parametrize("values", [[1.0, np.nan, 2.0], pd.array([1, None, 2], dtype="Int64")])
def test_categories_of_another_type(values):
    """A column with gaps is one of floats in many files: 1 must not become 1.0."""
    schema = Schema.understand(pd.DataFrame({"c": ["1", "2", "x"] * 5}))
    words = schema.inputs(pd.DataFrame({"c": values}))["c"]
    assert words.dropna().tolist() == ["1", "2"]


def test_commas_are_told():
    frame = pd.DataFrame({"a": ["1,500", "2,250.5", "7"] * 5})
    schema = Schema.understand(frame)
    _, surprises = schema.read(frame)
    assert surprises.notes() == [
        "10 rows have commas, which are taken to separate thousands in 'a': "
        "'1,500' is read as 1500."
    ]
    assert (surprises + surprises).notes()[0].startswith("20 rows")


def test_gaps_and_texts_are_counted():
    train = pd.DataFrame(
        {"a": [1.0, 2.5] * 10, "b": [1.0, np.nan, 3.0, 4.0] * 5, "t": [True, False] * 10}
    )
    schema = Schema.understand(train)
    later = pd.DataFrame(
        {
            "a": ["?", None, None, "true"],
            "b": ["unknown", None, "1", "2"],
            "t": ["true", None, "False", "1"],
        }
    )
    surprises = schema.read(later)[1]
    assert surprises.gaps == {"a": {"?": 1, "": 2}, "b": {"unknown": 1}, "t": {"": 1}}
    notes = surprises.notes()
    assert "3 rows have no number in 'a' (2 empty, '?' 1 times); the median of training" in notes[0]
    assert "1 row has truth values among numbers in 'a': 'true' is read as 1." in notes
    assert len(notes) == 4
    both = surprises + surprises
    assert both.gaps["a"] == {"?": 2, "": 4}
    assert schema.read(train)[1].notes() == []


@pytest.mark.parametrize(
    "values, kind",
    [
        (["01/02/2020", "01/12/2021"] * 30, "date: day or month first? the values do not tell"),
        ([b"a", b"b"] * 30, "binary: bytes are not understood"),
        ([[1], [2]] * 30, "nested: lists and records are not understood"),
        ([None] * N, "empty: no value at all"),
        (["a"] * N, "constant: always 'a'"),
    ],
)
def test_kept_columns_are_used_or_refused(values, kind):
    frame = pd.DataFrame({"x": values, "z": np.linspace(0.0, 1.0, N)})
    assert [column.name for column in Schema.understand(frame).used] == ["z"]
    with pytest.raises(TableError, match="'keep' parameter must name a column") as caught:
        Schema.understand(frame, keep=["x"])
    assert f"Got 'x' ({kind})" in str(caught.value)


@pytest.mark.parametrize("value", [[1, 2], {"a": 1}, np.array([1]), b"a"])
def test_values_that_are_neither_numbers_nor_texts(value):
    column = pd.Series([value, None, value], name="x", dtype=object)
    for use in (
        lambda: is_missing(column),
        lambda: Target.understand("x", column.dropna()),
        lambda: Target("x", "classification", "text").values(column.dropna()),
        lambda: Schema.understand(pd.DataFrame({"x": ["a", "b"] * 5})).inputs(column.to_frame()),
        lambda: Schema.understand(pd.DataFrame({"x": [1.5, 2] * 5})).inputs(column.to_frame()),
    ):
        with pytest.raises(TableError, match=r"must hold numbers or texts\. Got"):
            use()


def test_texts_that_a_sheet_would_run():
    bad = ["=1+1", "+49 1", "-a", "@x", "\tx", "\rx", "-2+3", "\uff1dA1"]
    good = ["a=b", "-1", "+1.5e-3", "-.5", "", "'=x"]
    frame = pd.DataFrame({"=p": [*bad, *good, None], "n": np.arange(-7.0, 8.0)})
    written = harmless(frame)
    assert list(written) == ["'=p", "n"]
    assert written["'=p"].dropna().tolist() == [f"'{text}" for text in bad] + good
    assert written["n"].tolist() == frame["n"].tolist()
    assert list(frame) == ["=p", "n"]
    assert harmless(pd.DataFrame({"a": pd.Series([1, -2], dtype="Int64")}))["a"].tolist() == [1, -2]


def test_a_long_cell_is_read_in_no_time():
    cells = pd.Series(["1" * 10_000 + "x", "+" + " " * 10_000 + "x"] * 10)
    start = time.process_time()
    assert not Numbers.of(cells).unit
    assert time.process_time() - start < 1.0  # more than ten seconds, were it the square
