"""What columns are taken for, and what files are read as."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from drumlin.tables import Schema, TableError, Target, prepare, read_chunks, read_table
from drumlin.tables.columns import classify, is_named_id
from drumlin.tables.numbers import to_numbers

N = 60


@pytest.mark.parametrize(
    "values, kind",
    [
        (np.linspace(0.0, 1.0, N), "number"),
        (np.arange(N) ** 2, "number"),  # distinct whole numbers, but with gaps
        (np.arange(N), "id"),
        (np.random.RandomState(0).permutation(N) + 1000, "id"),
        (np.arange(N) % 7, "number"),
        ([f"{i}.5" for i in range(N)], "number"),
        (["?", "n/a", "1,234.5"] * 20, "number"),
        ([True, False] * 30, "boolean"),
        ([True, None, False] * 20, "boolean"),
        (["a", "b", None] * 20, "category"),
        (["a"] * N, "constant"),
        ([3] * N, "constant"),
        (["a", None] * 30, "category"),  # where it is missing may tell
        ([None] * N, "empty"),
        (["?"] * N, "empty"),
        ([f"Person {i}" for i in range(N)], "id"),
        ([f"Person {i // 2 * 2 if i < 20 else i}" for i in range(N)], "text"),
        (["2020-01-31", "2021-12-01 10:00"] * 30, "date"),
        (["31.12.2020", None] * 30, "date"),
        (pd.date_range("2020-01-01", periods=N), "date"),
        ([[1, 2]] * N, "nested"),
        (pd.Categorical(["a", "b"] * 30), "category"),
        (pd.Categorical([1, 2, 3] * 20), "category"),  # codes, as their type says
        (pd.Categorical(["1.5", "2.5"] * 30), "number"),
        (pd.array([1, None, 3] * 20, dtype="Int64"), "number"),
    ],
)  # fmt: skip
def test_kinds(values, kind):
    assert classify("x", pd.Series(values)).kind == kind


@pytest.mark.parametrize("name", ["id", "PassengerId", "user_id", "row no", "Unnamed: 0", "ID"])
def test_names_of_ids(name):
    assert is_named_id(name)
    assert classify(name, pd.Series(np.arange(N) ** 2)).kind == "id"


@pytest.mark.parametrize("name", ["grid", "humid", "paid", "monkey", "age"])
def test_names_of_other_things(name):
    assert not is_named_id(name)


def test_kept_columns():
    assert classify("id", pd.Series(np.arange(N)), keep=True).kind == "number"
    names = pd.Series([f"Person {i}" for i in range(N)])
    assert classify("name", names, keep=True).kind == "category"


def test_numbers_as_text():
    values, others = to_numbers(pd.Series([" 1 ", "-2.5e3", "1,234,567", "?", None, "TRUE"]))
    assert values == pytest.approx([1.0, -2500.0, 1234567.0, np.nan, np.nan, 1.0], nan_ok=True)
    assert others == []
    values, others = to_numbers(pd.Series(["1", "12,34", "x", "x"]))
    assert others == ["12,34", "x"]
    assert np.isnan(values[1:]).all()


@pytest.mark.parametrize(
    "values, task, kind",
    [
        (["a", "b"] * 5, "classification", "text"),
        ([True, False] * 5, "classification", "text"),
        ([0, 1] * 5, "classification", "whole number"),
        ([0.0, 1.0] * 5, "classification", "whole number"),
        (["1", "2"] * 5, "classification", "whole number"),
        (list(range(21)), "regression", "number"),
        ([0.5, 1.0] * 5, "regression", "number"),
    ],
)
def test_targets(values, task, kind):
    column = pd.Series(values)
    target = Target.understand("y", column)
    assert (target.task, target.kind) == (task, kind)
    assert [str(value) for value in target.values(column)] == [
        str(float(v)) if task == "regression" else str(int(v)) if kind != "text" else str(v)
        for v in values
    ]


def test_missing_values_have_indicators():
    frame = pd.DataFrame({"a": [1.0, None, 3.0, 5.0] * 5, "c": ["x", "y", None, "x"] * 5})
    schema = Schema.understand(frame)
    preparation = prepare(schema)
    Z = preparation.fit_transform(schema.inputs(frame))
    assert list(preparation.get_feature_names_out()) == [
        "a", "missingindicator_a", "c_x", "c_y", "c_nan",
    ]  # fmt: skip
    assert Z[:4].tolist() == [
        [1, 0, 1, 0, 0],
        [3, 1, 0, 1, 0],  # the median
        [3, 0, 0, 0, 1],
        [5, 0, 1, 0, 0],
    ]
    new = pd.DataFrame({"a": ["7"], "c": ["z"]})
    assert preparation.transform(schema.inputs(new)).tolist() == [[7, 0, 0, 0, 0]]


def test_rare_categories_share_a_column():
    words = ["common"] * 50 + [f"rare {i}" for i in range(4)] * 2
    frame = pd.DataFrame({"c": words})
    schema = Schema.understand(frame)
    preparation = prepare(schema).fit(schema.inputs(frame))
    assert list(preparation.get_feature_names_out()) == ["c_common", "c_infrequent_sklearn"]


def test_names_do_not_clash():
    frame = pd.DataFrame({"sex": ["m", "f"] * 10, "sex_m": np.linspace(0.0, 1.0, 20)})
    schema = Schema.understand(frame)
    preparation = prepare(schema).fit(schema.inputs(frame))
    assert list(preparation.get_feature_names_out()) == [
        "numbers__sex_m", "categories__sex_f", "categories__sex_m",
    ]  # fmt: skip


def test_notes_and_back():
    frame = pd.DataFrame({"a": [1.0, None, 2.5], "c": ["x", "y", "x"], "k": 1})
    schema = Schema.understand(frame)
    assert Schema.from_notes(schema.as_notes()) == schema
    for notes in (None, [{}], [{"name": 1, "kind": "number", "n_missing": 0}], 7):
        with pytest.raises(TableError, match="do not say what its columns are"):
            Schema.from_notes(notes)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators(separator, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f'"a,b;c"{separator}d\n1{separator}2\n', encoding="utf-8-sig")
    frame = read_table(path)
    assert list(frame) == ["a,b;c", "d"]
    assert frame.to_numpy().tolist() == [[1, 2]]


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_chunks_are_the_table(name, tmp_path):
    frame = pd.DataFrame({"a": np.arange(10), "c": list("0123456789")})
    path = tmp_path / name
    frame.to_csv(path, index=False) if name.endswith("csv") else frame.to_parquet(path)
    chunks = list(read_chunks(path, texts=["c", "not there"], rows=3))
    assert [len(chunk) for chunk in chunks] == [3, 3, 3, 1]
    assert all(isinstance(value, str) for chunk in chunks for value in chunk["c"])
    assert pd.concat(chunks)["a"].tolist() == list(range(10))
    assert pd.concat(chunks).index.tolist() == list(range(10))


def test_columns_that_occur_twice(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a ,a\n1,2\n")
    with pytest.raises(TableError, match="has the column 'a' more than once"):
        read_table(path)
