"""Generated SQL, executed by SQLite and DuckDB (and by PostgreSQL where DRUMLIN_PSQL calls it)."""

from __future__ import annotations

import math
import os
import sqlite3
from dataclasses import replace

import duckdb
import numpy as np
import pandas as pd
import pytest

from drumlin import NadarayaWatsonClassifier, export
from drumlin.export.python import reference
from tests.export.agreement import assert_agrees
from tests.export.models import NAMES, hostile, model_named
from tests.helpers import IDENTITY


def _frame(computation, rows):
    if isinstance(rows, pd.DataFrame):
        return rows
    return pd.DataFrame(rows, columns=[column.name for column in computation.columns])


def _sqlite(query, frame):
    connection = sqlite3.connect(":memory:")
    # Columns without a type keep what they are given; None is NULL, and so is NaN.
    names = ", ".join('"' + str(name).replace('"', '""') + '"' for name in frame.columns)
    connection.execute(f"CREATE TABLE rows ({names})")
    places = ", ".join("?" * frame.shape[1])
    values = [[None if pd.isna(v) else v for v in row] for row in frame.to_numpy(object).tolist()]
    connection.executemany(f"INSERT INTO rows VALUES ({places})", values)
    done = connection.execute(query)
    return pd.DataFrame(done.fetchall(), columns=[entry[0] for entry in done.description])


def _duckdb(query, frame):
    connection = duckdb.connect()
    connection.register("rows", frame)
    done = connection.execute(query)
    return pd.DataFrame(done.fetchall(), columns=[entry[0] for entry in done.description])


def _postgresql(query, frame):
    """A server that DRUMLIN_PSQL calls, such as "su postgres -c psql" would; texts are CSV."""
    import io
    import shlex
    import subprocess

    kinds = ["text" if t.kind == "O" else "double precision" for t in frame.dtypes]
    names = ['"' + str(name).replace('"', '""') + '"' for name in frame.columns]
    columns = ", ".join(f"{name} {kind}" for name, kind in zip(names, kinds, strict=True))
    script = (
        f"CREATE TEMP TABLE rows ({columns});\nCOPY rows FROM STDIN WITH (FORMAT csv);\n"
        f"{frame.to_csv(header=False, index=False)}\\.\nCOPY ({query}) TO STDOUT "
        "WITH (FORMAT csv, HEADER);\n"
    )
    command = [*shlex.split(os.environ["DRUMLIN_PSQL"]), "-q", "-v", "ON_ERROR_STOP=1"]
    done = subprocess.run(command, input=script, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:2000]
    return pd.read_csv(io.StringIO(done.stdout), skip_blank_lines=False)


DATABASES = {"sqlite": _sqlite, "duckdb": _duckdb}
if os.environ.get("DRUMLIN_PSQL"):
    DATABASES["postgresql"] = _postgresql


def ask(dialect, model, rows):
    computation = export.describe(model)
    frame = _frame(computation, rows).copy()
    frame["__key"] = np.arange(len(frame))
    query = export.to_sql(model, dialect=dialect, keep=["__key"], scores=True)
    table = DATABASES[dialect](query, frame).sort_values("__key")
    assert len(table) == len(frame)
    answers = {"scores": table[[f"score_{k}" for k in range(computation.n_outputs)]].to_numpy()}
    if computation.classes:
        names = [f"probability_{label}" for label in computation.classes]
        answers |= {
            "label": table["prediction"].to_numpy(),
            "probabilities": table[names].to_numpy(),
        }
    if computation.novelty is not None:
        answers["novelty"] = table["novelty"].to_numpy()
    return answers


@pytest.mark.parametrize("dialect", DATABASES)
@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_the_model(name, dialect):
    model, rows_of = model_named(name)
    rows = rows_of(300)
    # PostgreSQL makes an error of an underflow: its activations end at exp(-500).
    least = 1e-200 if dialect == "postgresql" else 0.0
    assert_agrees(model, rows, ask(dialect, model, rows), IDENTITY, tie=1e-9, least=least)


@pytest.mark.parametrize("dialect", DATABASES)
def test_a_gap_that_training_never_had_is_null(dialect):
    model, _ = model_named("constant column")
    query = export.to_sql(model, dialect=dialect)
    frame = pd.DataFrame({"x0": [0.0], "x1": [7.0], "x2": [math.nan]})
    assert DATABASES[dialect](query, frame).isna().all().all()


def test_a_column_that_is_not_there_is_an_error():
    model, _ = model_named("constant column")
    with pytest.raises(sqlite3.OperationalError, match="x2"):
        _sqlite(export.to_sql(model), pd.DataFrame({"x0": [0.0], "x1": [7.0]}))


@pytest.mark.parametrize("dialect", DATABASES)
def test_a_gap_that_no_node_looks_at_is_null(dialect):
    """Non-regression: an answer where the reference has none."""
    c = export.describe(model_named("constant column")[0])
    inverse = c.nodes.inv_widths.copy()
    inverse[:, 2] = 0.0
    blind = replace(c, nodes=replace(c.nodes, inv_widths=inverse), novelty=None)
    row = [0.0, 7.0, math.nan]
    assert reference(blind)(row)["value"] is None
    frame = pd.DataFrame([row, [0.0, 7.0, 1.0]], columns=["x0", "x1", "x2"])
    query = export.to_sql(blind, dialect=dialect)
    assert DATABASES[dialect](query, frame)["prediction"].isna().tolist() == [True, False]


@pytest.mark.parametrize("dialect", DATABASES)
@pytest.mark.parametrize("table", ["raw_", "RAW_", "nodes_", "given_", "scores_"])
def test_a_table_named_like_a_step(dialect, table):
    """Non-regression: the first step read itself."""
    model, rows_of = model_named("constant column")
    frame = _frame(export.describe(model), np.clip(rows_of(5), -9.0, 9.0))
    query = export.to_sql(model, dialect=dialect, table=table)
    if dialect == "sqlite":
        connection = sqlite3.connect(":memory:")
        frame.to_sql(table, connection, index=False)
        answers = pd.read_sql(query, connection)
    elif dialect == "duckdb":
        connection = duckdb.connect()
        connection.register("frame", frame)
        connection.execute(f'CREATE TABLE "{table}" AS SELECT * FROM frame')
        answers = connection.execute(query).df()
    else:
        pytest.skip("needs a table of another name")
    np.testing.assert_allclose(answers["prediction"], model.predict(frame.to_numpy()), rtol=1e-9)


def test_names_that_databases_do_not_tell_apart():
    for names in (("age", "Age"), ("age", "age")):
        computation = hostile(names, ("a", "b", "c"), ("f", "g"))
        for dialect in ("sqlite", "duckdb"):
            with pytest.raises(export.NotExportable, match="does not tell the columns 'age' and"):
                export.to_sql(computation, dialect=dialect)
    assert "Age" in export.to_sql(
        hostile(("age", "Age"), ("a", "b", "c"), ("f", "g")), dialect="postgresql"
    )


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_classes_that_differ_in_case_have_columns_of_their_own(dialect):
    computation = hostile(("x", "deck"), ("a", "b", "c"), ("Yes", "yes"))
    frame = pd.DataFrame({"x": [0.0, 2.0], "deck": ["a", "b"]})
    query = export.to_sql(computation, dialect=dialect)
    table = DATABASES[dialect](query, frame)
    assert list(table) == ["prediction", "probability_Yes", "probability_yes_2"]
    wanted = [reference(computation)(row) for row in frame.to_numpy(object).tolist()]
    assert table["prediction"].tolist() == [answer["label"] for answer in wanted]
    np.testing.assert_allclose(
        table.iloc[:, 1:].to_numpy(), [answer["probabilities"] for answer in wanted], rtol=1e-9
    )


@pytest.mark.parametrize(("dialect", "n_rows"), [("sqlite", 900), ("duckdb", 130)])
def test_many_nodes(dialect, n_rows):
    """Non-regression: columns of all steps together, and arguments of MIN, beyond the limits."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 3))
    model = NadarayaWatsonClassifier().fit(X, rng.integers(0, 3, n_rows))
    assert len(model.network_.nodes) == n_rows
    rows = rng.normal(size=(5, 3))
    assert_agrees(model, rows, ask(dialect, model, rows), IDENTITY, tie=1e-9)


def test_too_many_nodes_are_refused_by_the_step():
    X = np.random.default_rng(0).normal(size=(1990, 20))
    model = NadarayaWatsonClassifier().fit(X, np.arange(1990) % 2)
    with pytest.raises(export.NotExportable, match="PostgreSQL holds at most 1600 columns"):
        export.to_sql(model, dialect="postgresql")


@pytest.mark.parametrize(("dialect", "n_classes"), [("sqlite", 130), ("duckdb", 50)])
def test_many_classes(dialect, n_classes):
    X = np.random.default_rng(0).normal(size=(2 * n_classes, 2))
    model = NadarayaWatsonClassifier().fit(X, np.arange(2 * n_classes) % n_classes)
    assert_agrees(model, X[:9], ask(dialect, model, X[:9]), IDENTITY, tie=1e-9)


def test_keep_is_one_name_or_several():
    """Non-regression: the letters of a text were taken for columns."""
    model, _ = model_named("constant column")
    assert export.to_sql(model, keep="id") == export.to_sql(model, keep=["id"])


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"dialect": "oracle"}, "dialect"),
        ({"dialect": 3}, "dialect"),
        ({"dialect": ["sqlite"]}, "dialect"),
        ({"table": None}, "table"),
        ({"table": ""}, "table"),
        ({"table": 3}, "table"),
        ({"keep": ["prediction"]}, "keep"),
        ({"keep": ["Prediction"]}, "keep"),
        ({"keep": ["id", "ID"]}, "keep"),
        ({"keep": [3]}, "keep"),
        ({"keep": None}, "keep"),
        ({"keep": [""]}, "keep"),
        ({"keep": "novelty"}, "keep"),
        ({"scores": "yes"}, "scores"),
    ],
)
def test_parameters_are_checked(options, name):
    model, _ = model_named("constant column")
    with pytest.raises(ValueError, match=f"The '{name}' parameter .* Got"):
        export.to_sql(model, **options)
