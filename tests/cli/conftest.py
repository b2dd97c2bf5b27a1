"""The command as a user calls it, and a mixed table like the Titanic's."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from drumlin.cli.app import app


def run(*arguments, **options):
    return CliRunner().invoke(app, list(map(str, arguments)), **options)


def result_of(*arguments, **options):
    """JSON of a command that must succeed."""
    done = run(*arguments, "--json", **options)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def passengers(n_rows=400, seed=0):
    """Ids, names, categories, gaps, numbers stored as text, a constant, a date; who survived."""
    rng = np.random.RandomState(seed)
    sex = rng.choice(["male", "female"], n_rows, p=[0.6, 0.4])
    first = rng.uniform(size=n_rows) < 0.3
    age = np.round(rng.gamma(6.0, 5.0, n_rows), 1)
    odds = 2.5 * (sex == "female") + 1.5 * first - 0.03 * age - 0.7
    frame = pd.DataFrame(
        {
            "PassengerId": np.arange(1, n_rows + 1),
            "survived": np.where(rng.logistic(size=n_rows) < odds, "yes", "no"),
            "name": [f"Passenger {i}" for i in rng.permutation(n_rows)],
            "class": np.where(first, "first", rng.choice(["second", "third"], n_rows)),
            "sex": sex,
            "age": np.where(rng.uniform(size=n_rows) < 0.2, np.nan, age),
            "fare": [f"{1000 + 20 * a:,.2f}" for a in rng.randint(0, 100, n_rows)],
            "port": rng.choice(["S", "C", "Q", None], n_rows, p=[0.6, 0.2, 0.1, 0.1]),
            "alone": rng.uniform(size=n_rows) < 0.5,
            "ship": "Titanic",
            "boarded": "1912-04-10",
        }
    )
    frame.loc[rng.choice(n_rows, 5, replace=False), "fare"] = "?"
    frame.loc[rng.choice(n_rows, n_rows // 2, replace=False), "boarded"] = "1912-04-11"
    return frame


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A folder with a table, a model fitted to it, and new passengers."""
    place = tmp_path_factory.mktemp("titanic")
    frame = passengers()
    frame.loc[[3, 7], "survived"] = None
    frame.to_csv(place / "titanic.csv", index=False)
    passengers(60, seed=1).drop(columns="survived").to_csv(place / "new.csv", index=False)
    fitted = result_of(
        "fit", place / "titanic.csv", "--target", "survived", "--holdout", 0.25,
        "-o", place / "model.drumlin",
    )  # fmt: skip
    (place / "fit.json").write_text(json.dumps(fitted))
    return place


@pytest.fixture
def model(folder):
    return folder / "model.drumlin"


@pytest.fixture
def table(folder):
    return folder / "titanic.csv"
