"""A model of a table in Python: the tool's, to the last bit, with the answers of its network."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

import drumlin
from drumlin import DrumlinClassifier, DrumlinRegressor, make_table_model
from drumlin.deploy import Deployed, train
from tests.deploy.conftest import visits


@pytest.fixture(scope="module")
def frame():
    table = visits(150)
    table["day"] = [f"2024-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(150)]
    return table


@pytest.fixture(scope="module")
def model(frame):
    X = frame.drop(columns=["buys", "spent"])
    return make_table_model(DrumlinClassifier(random_state=0)).fit(X, frame["buys"].to_numpy())


def test_python_and_the_tool_make_the_same_model(model, frame, tmp_path):
    frame.to_csv(tmp_path / "visits.csv", index=False)
    for table in (frame, tmp_path / "visits.csv"):
        deployed = train(table, "buys", ignore=["spent"]).deployed
        theirs, ours = deployed.fitted.model.network_, model.network_
        for name in ("coef", "intercept"):
            np.testing.assert_array_equal(getattr(theirs, name), getattr(ours, name))
        np.testing.assert_array_equal(theirs.nodes.centers, ours.nodes.centers)
        np.testing.assert_array_equal(theirs.nodes.widths, ours.nodes.widths)
        probabilities = deployed.predict(frame)[["probability_no", "probability_yes"]]
        np.testing.assert_array_equal(probabilities, model.predict_proba(frame))


def test_answers_of_the_network(model, frame):
    Z = model[:-1].transform(frame)
    network = model[-1]
    np.testing.assert_array_equal(model.novelty(frame), network.novelty(Z))
    np.testing.assert_array_equal(model.contributions(frame), network.contributions(Z))
    assert model.n_nodes_ == network.n_nodes_ and model.loo_error_ == network.loo_error_
    assert model.classes_.tolist() == ["no", "yes"]


def test_relevance_is_that_of_columns(model):
    assert model.feature_names_in_.tolist() == ["minutes", "page", "clicks", "day"]
    assert model.relevance_.shape == (4,)
    np.testing.assert_array_equal(model.feature_importances_, model.relevance_)
    assert model.relevance_.sum() == pytest.approx(1.0)
    pages = [n.startswith("page") for n in model[:-1].get_feature_names_out()]
    assert model.relevance_[1] == pytest.approx(model[-1].relevance_[pages].sum())


def test_explanations_are_those_of_columns(model, frame):
    rows = frame.drop(columns=["buys", "spent"])
    found, inner = model.explain(rows[:5]), model[-1].explain(model[:-1].transform(rows[:5]))
    assert found.inputs.shape == (5, 4, 1)
    np.testing.assert_allclose(found.inputs.sum(axis=1), inner.inputs.sum(axis=1), rtol=1e-9)
    pages = [n.startswith("page") for n in model[:-1].get_feature_names_out()]
    np.testing.assert_allclose(found.inputs[:, 1], inner.inputs[:, pages].sum(axis=1), rtol=1e-9)
    assert model.predict_set(rows[:3], 0.9).shape == (3, 2)
    assert model.explain(rows[:2], rows[2:9]).inputs.shape == (2, 4, 1)


def test_fewer_nodes(model, frame):
    small = model.truncate(1)
    assert (small.n_nodes_, model.n_nodes_ > 1) == (1, True)
    Z = model[:-1].transform(frame)
    np.testing.assert_array_equal(
        small.predict_proba(frame), model[-1].truncate(1).predict_proba(Z)
    )


def test_saved_from_python_and_used_as_a_tool(model, frame, tmp_path):
    drumlin.save(model, tmp_path / "model.drumlin")
    deployed = Deployed.load(tmp_path / "model.drumlin")
    assert deployed.schema == model.encoder_.schema_
    np.testing.assert_array_equal(deployed.predict(frame)["prediction"], model.predict(frame))


def test_what_is_not_there(model):
    for name in (
        "partial_fit",
        "fit_predict",
        "inverse_transform",
        "nonsense",
        "_secret",
        "gradient",
    ):
        assert not hasattr(model, name)
    assert not hasattr(make_table_model(LogisticRegression()), "novelty")
    assert hasattr(make_table_model(LogisticRegression()), "predict_proba")


def test_in_a_search(frame):
    X = frame[["minutes", "page"]]
    model = make_table_model(LogisticRegression(max_iter=500))
    grid = {"prepare__max_categories": [2, 20]}
    found = GridSearchCV(model, grid, cv=3).fit(X, frame["buys"])
    assert found.best_score_ > 0.6
    assert repr(clone(model)) == repr(model)


def test_whole_numbers_are_numbers_to_a_regressor():
    assert make_table_model(DrumlinRegressor()).encoder_.target == "numbers"
    frame = pd.DataFrame({"c": [f"t{i % 30}" for i in range(180)]})
    encoder = make_table_model(DrumlinRegressor()).encoder_.fit(frame, np.arange(180))
    assert list(encoder.get_feature_names_out()) == ["c (mean target)"]
