"""Categories that change as a whole: against trying everything."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest

from drumlin import DrumlinClassifier, DrumlinRegressor, make_table_model
from drumlin._errors import ParameterError
from drumlin.trust import choices as choices_module
from drumlin.trust.choices import Choice, _pairs
from tests.helpers import assert_close

COLORS = ["blue", "green", "red"]


@pytest.fixture(scope="module")
def table(seed):
    rng = np.random.default_rng(seed)
    n = 240
    frame = pd.DataFrame(
        {
            "size": rng.integers(1, 9, n),
            "color": rng.choice(COLORS, n),
            "shape": rng.choice(["flat", "round"], n),
            "weight": np.where(rng.random(n) < 0.1, np.nan, rng.normal(5.0, 2.0, n)),
            "id": [f"row {i}" for i in range(n)],
        }
    )
    worth = frame["size"] + 3.0 * (frame["color"] == "red") + 2.0 * (frame["shape"] == "round")
    return frame, (worth + 0.3 * frame["weight"].fillna(5.0)).to_numpy()


@pytest.fixture(scope="module")
def classifier(table):
    frame, worth = table
    return make_table_model(DrumlinClassifier()).fit(frame, np.where(worth > 8.0, "dear", "cheap"))


def test_columns_change_as_a_whole(classifier, table):
    """Answers hold what they promise: known texts, whole numbers, gaps and ids as they were."""
    frame, _ = table
    for i in range(12):
        row = frame.iloc[[i]]
        target = "cheap" if classifier.predict(row)[0] == "dear" else "dear"
        told = classifier.counterfactual(row, target)
        assert told.found
        assert classifier.predict(told.x)[0] == target
        before = classifier.encoder_.read(row)[0]
        differ = [
            name
            for name in before
            if not before[name].reset_index(drop=True).equals(told.x[name].reset_index(drop=True))
        ]
        assert differ == [told.x.columns[place] for place in told.changed]
        assert told.x["color"].iloc[0] in COLORS
        assert told.x["size"].iloc[0] in range(1, 9)
        assert told.x["weight"].isna().iloc[0] == row["weight"].isna().iloc[0]


def test_fewest_columns_as_trying_all_finds(classifier, table):
    """Every size, color and shape (and weight on a fine grid): nothing changes fewer columns."""
    frame, _ = table
    names = ["size", "color", "shape", "weight"]
    for i in range(6):
        row = frame.iloc[[i]]
        target = "cheap" if classifier.predict(row)[0] == "dear" else "dear"
        told = classifier.counterfactual(row, target)
        known = not row["weight"].isna().iloc[0]
        own = row["weight"].iloc[0]
        low, high = frame["weight"].min(), frame["weight"].max()
        weights = [own, *np.linspace(low, high, 30)] if known else [own]
        every = pd.DataFrame(
            list(product(range(1, 9), COLORS, ["flat", "round"], weights)), columns=names
        ).assign(id="new")
        answers = (classifier.predict(every) == target) & (classifier.novelty(every) < 1.0)
        same = every[names].eq(row[names].iloc[0]) | (
            every[names].isna() & row[names].iloc[0].isna()
        )
        fewest = (~same).sum(axis=1)[answers].min()
        assert len(told.changed) <= fewest


@pytest.fixture(scope="module")
def regressor(table):
    return make_table_model(DrumlinRegressor()).fit(*table)


def test_numbers_and_limits(table, regressor):
    frame, worth = table
    model = regressor
    row = frame.iloc[[int(worth.argmin())]]
    told = model.counterfactual(row, (10.0, None), ranges={"size": (1, 5)})
    assert told.found
    assert model.predict(told.x)[0] > 10.0
    assert told.x["size"].iloc[0] <= 5
    only = model.counterfactual(row, (5.0, None), vary=["color"], max_changed=1)
    assert [only.x.columns[k] for k in only.changed] == (["color"] if only.found else [])
    none = model.counterfactual(row, (1e6, None))
    assert not none.found
    assert "of 4 inputs changed" in none.reason


def test_one_hot_columns_of_arrays(table):
    """The estimator itself is told which inputs are one category."""
    frame, worth = table
    one_hot = (frame["color"].to_numpy()[:, None] == COLORS).astype(float)
    X = np.column_stack([frame["size"], one_hot])
    model = DrumlinClassifier().fit(X, worth > 8.0)
    color = ([1, 2, 3], np.eye(3))
    for x in X[:10]:
        target = not model.predict(x[None])[0]
        told = model.counterfactual(x, target, choices=[color])
        assert told.found
        assert sorted(told.x[1:]) == [0.0, 0.0, 1.0]
        assert model.predict(told.x[None])[0] == target
        assert_close(told.distance, np.linalg.norm((told.x - x) / model._seen.spread))
        every = np.array([[s, *hot] for s in range(1, 9) for hot in np.eye(3)])
        good = (model.predict(every) == target) & ~model._novelty.is_beyond(every)
        changes = (every[:, 0] != x[0]).astype(int) + (every[:, 1:] != x[1:]).any(axis=1)
        distance = np.linalg.norm((every - x) / model._seen.spread, axis=1)
        best = min(zip(changes[good], distance[good], strict=True))
        mine = (int(told.x[0] != x[0]) + int((told.x[1:] != x[1:]).any()), told.distance)
        assert mine[0] == best[0]
        assert_close(mine[1], best[1])
    fixed = model.counterfactual(X[0], target, choices=[color], vary=[0])
    assert (fixed.x[1:] == X[0, 1:]).all()


def _one_hot_choices(sizes):
    ends = np.cumsum(sizes)
    inputs = [np.arange(end - size, end) for size, end in zip(sizes, ends, strict=True)]
    x = np.concatenate([np.eye(size)[0] for size in sizes])
    return x, [Choice(places, np.eye(len(places))) for places in inputs]


@pytest.mark.parametrize(("sizes", "most"), [((3, 4, 2), 4000), ((2, 2, 30), 59), ((3, 1), 10)])
def test_all_pairs_where_they_are_few(sizes, most, monkeypatch):
    monkeypatch.setattr(choices_module, "MOST_PAIRS", most)
    x, choices = _one_hot_choices(sizes)
    rows = _pairs(choices, [choice.others(x) for choice in choices])
    every = [
        tuple(other)
        for first, second in combinations(choices, 2)
        for row in first.others(x)
        for other in second.others(row)
    ]
    assert sorted(map(tuple, rows)) == sorted(every)


def test_pairs_of_all_columns_where_they_are_many(monkeypatch):
    """Non-regression: all pairs were made, and only those of the first two columns tried."""
    monkeypatch.setattr(choices_module, "MOST_PAIRS", 300)
    x, choices = _one_hot_choices((40, 50, 60))
    rows = _pairs(choices, [choice.others(x) for choice in choices])
    assert 250 < len(rows) <= 300
    assert len(np.unique(rows, axis=0)) == len(rows)
    differ = [(rows[:, choice.inputs] != x[choice.inputs]).any(axis=1) for choice in choices]
    assert (np.sum(differ, axis=0) == 2).all()
    assert min(np.sum(a & b) for a, b in combinations(differ, 2)) > 80
    few = _pairs(*[[one for _ in range(40)] for one in (choices[0], choices[0].others(x))])
    assert len(few) <= 300  # more couples than pairs


def test_reasons_count_what_can_change(table, regressor):
    """Non-regression: categories were not counted where a range had no whole number."""
    frame, worth = table
    row, own = frame.iloc[[int(worth.argmin())]], frame["size"].iloc[int(worth.argmin())]
    limits = {"vary": ["size", "shape"], "ranges": {"size": (own + 0.2, own + 0.8)}}
    none = regressor.counterfactual(row, (1e6, None), **limits)
    assert "of 1 inputs changed" in none.reason


def test_what_cannot_be_asked(classifier, table):
    row = table[0].iloc[[0]]
    for vary in (["id"], ["nothing"]):
        with pytest.raises(ParameterError, match=r"'vary' parameter must name columns that can"):
            classifier.counterfactual(row, "dear", vary=vary)
    with pytest.raises(ParameterError, match=r"'ranges' parameter must name columns"):
        classifier.counterfactual(row, "dear", ranges={"color": (0, 1)})
    with pytest.raises(ParameterError, match=r"'ranges' .* that 'vary' names.* Got 'size'"):
        classifier.counterfactual(row, "dear", vary=["color"], ranges={"size": (1, 2)})
    with pytest.raises(ParameterError, match=r"'x' parameter must be one row. Got 2 rows"):
        classifier.counterfactual(table[0].iloc[:2], "dear")
    network = classifier[-1]
    x = classifier[:-1].transform(row)[0]
    with pytest.raises(ValueError, match=r"'choices' .* rows of 2 finite values"):
        network.counterfactual(x, "dear", choices=[([1, 2], [[1.0]])])
    with pytest.raises(ValueError, match=r"'choices' .* name every input once"):
        network.counterfactual(x, "dear", choices=[([1], [[1.0]]), ([1], [[0.0]])])
