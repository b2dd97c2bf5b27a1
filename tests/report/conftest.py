"""One model of every kind, with what its report is written from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris, make_moons
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from drumlin import (
    DrumlinClassifier,
    DrumlinRegressor,
    ForwardRBFClassifier,
    ForwardRBFRegressor,
    TunableRBFClassifier,
)
from drumlin.evaluation import Judged, judge
from drumlin.report import write_report
from drumlin.report.inputs import ranked_inputs
from drumlin.report.live import Live, live_part
from tests.browser import chromium, missing

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)

HOSTILE = '<script>alert("1")</script>'
"""A name that must never become markup."""


@pytest.fixture(autouse=True)
def no_screen():
    """Use Agg; a report closes its own figures."""
    plt.switch_backend("Agg")
    before = plt.get_fignums()
    yield
    assert plt.get_fignums() == before


def two_classes():
    X, y = make_moons(200, noise=0.3, random_state=0)
    return DrumlinClassifier().fit(X[::2], y[::2]), X[1::2], y[1::2]


def three_classes():
    data = load_iris(as_frame=True)
    X, y = data.data, data.target_names[data.target]
    return DrumlinClassifier().fit(X[::2], y[::2]), X[1::2], y[1::2]


def numbers():
    X, _ = make_moons(200, noise=0.1, random_state=0)
    y = np.sin(X[:, 0]) + X[:, 1]
    return DrumlinRegressor().fit(X[::2], y[::2]), X[1::2], y[1::2]


def two_numbers():
    X, _ = make_moons(100, noise=0.1, random_state=0)
    return ForwardRBFRegressor(max_nodes=4).fit(X[::2], X[::2] ** 2), X[1::2], X[1::2] ** 2


def one_input():
    X, y = make_moons(100, noise=0.1, random_state=0)
    return ForwardRBFClassifier(max_nodes=3).fit(X[::2, :1], y[::2]), X[1::2, :1], y[1::2]


def searched():
    X, y = make_moons(80, noise=0.2, random_state=0)
    return TunableRBFClassifier(max_nodes=2).fit(X[::2], y[::2]), X[1::2], y[1::2]


def mixed():
    """A table with words, gaps, formulas, other scripts and markup in its names and classes."""
    X, y = make_moons(200, noise=0.2, random_state=0)
    word = np.where(X[:, 0] + y > 0.5, HOSTILE, "年齢 & co")
    table = pd.DataFrame({HOSTILE: X[:, 0], "$x^2$ 年齢": X[:, 1], "word": word})
    table.iloc[:3, 0] = np.nan
    y = np.where(y, HOSTILE, "été")
    scaled = make_pipeline(SimpleImputer(), StandardScaler())
    before = make_column_transformer((scaled, [HOSTILE, "$x^2$ 年齢"]), (OneHotEncoder(), ["word"]))
    model = make_pipeline(before, DrumlinClassifier()).fit(table[::2], y[::2])
    return model, table[1::2], y[1::2]


def words_and_gaps():
    """As ``mixed``, in steps that can be exported."""
    model, table, y = mixed()
    words = OneHotEncoder(handle_unknown="ignore")
    scaled = make_pipeline(SimpleImputer(), StandardScaler())
    before = make_column_transformer((scaled, [HOSTILE, "$x^2$ 年齢"]), (words, ["word"]))
    return make_pipeline(before, model[-1]).fit(table, y), table, y


CASES = {
    make.__name__: make
    for make in (two_classes, three_classes, numbers, two_numbers, one_input, searched, mixed)
}


LIVE = {make.__name__: make for make in (words_and_gaps, three_classes, numbers)}
"""Models that run in their page."""

COSTS = {"words_and_gaps": (1.0, 4.0), "three_classes": (1.0, 4.0, 0.5), "numbers": None}
"""What wrong answers cost in these pages, by class."""


class Cases(dict):
    """Every kind, fitted when it is first asked for: no worker fits what another one needs."""

    def __missing__(self, name):
        self[name] = (CASES | LIVE)[name]()
        return self[name]


@pytest.fixture(scope="session")
def cases():
    """Everything fitted once."""
    return Cases()


@pytest.fixture(scope="session", params=list(CASES))
def report(request, cases, tmp_path_factory):
    """The file of a report; every kind is written once."""
    path = tmp_path_factory.mktemp("report") / f"{request.param}.html"
    return write_report(*cases[request.param], path, created=NOON)


@dataclass(frozen=True)
class LivePage:
    """An interactive page, and what it was written from."""

    path: Path
    judged: Judged
    live: Live


@pytest.fixture(scope="session", params=list(LIVE))
def live_page(request, cases, tmp_path_factory):
    path = tmp_path_factory.mktemp("live") / f"{request.param}.html"
    costs = COSTS[request.param]
    judged = judge(*cases[request.param], costs=costs)
    write_report(*cases[request.param], path, created=NOON, costs=costs, interactive=True)
    return LivePage(path, judged, live_part(judged, ranked_inputs(judged)))


@pytest.fixture(scope="session")
def browser():
    """One browser for all pages."""
    if missing() is not None:
        pytest.skip(str(missing()))
    with chromium() as context:
        yield context
