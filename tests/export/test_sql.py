"""Generated SQL, executed by SQLite and DuckDB (and by PostgreSQL where DRUMLIN_PSQL calls it)."""

from __future__ import annotations

import math
import os
import sqlite3

import duckdb
import numpy as np
import pandas as pd
import pytest

from drumlin import export
from tests.export.agreement import assert_agrees
from tests.export.models import NAMES, model_named
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
    return pd.read_csv(io.StringIO(done.stdout))


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


def test_parameters_are_checked():
    model, _ = model_named("constant column")
    with pytest.raises(ValueError, match="'dialect'"):
        export.to_sql(model, dialect="oracle")
    with pytest.raises(ValueError, match="'keep'"):
        export.to_sql(model, keep=["prediction"])
