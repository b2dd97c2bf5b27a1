"""One noun for what is compared, on a table and in the papers' tables."""

from __future__ import annotations

import pytest
from sklearn.datasets import load_iris, make_regression

from drumlin.estimators.families import FAMILIES
from drumlin.evaluation import Method, Shape, contenders
from drumlin.evaluation.methods import BOOSTING, SVC, USUAL, ours, rival
from drumlin.experiments.methods import METHODS, RIVALS

SHAPE = Shape("", 4, 3)


@pytest.mark.parametrize("method", [*USUAL["classification"], *RIVALS], ids=lambda m: m.name)
def test_seeds_reach_every_random_part(method):
    if not method.is_available:
        pytest.skip(f"needs {method.needs}")
    found = {
        name: value
        for name, value in method.seeded(SHAPE, 7).get_params().items()
        if name.endswith("random_state")
    }
    assert set(found.values()) <= {7}


def test_boosting_is_seeded():
    assert BOOSTING.seeded(SHAPE, 7).random_state == 7
    assert BOOSTING.build(SHAPE).random_state is None


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_usual_methods_fit_and_have_a_size(task):
    data = load_iris(return_X_y=True) if task == "classification" else make_regression(60, 4)
    shape = Shape("", 4, 3 if task == "classification" else 0)
    for method in contenders("network", task):
        fitted = method.seeded(shape, 0).fit(*data)
        if method.size is not None:
            assert method.size(fitted) > 0
        if method.search is not None:
            assert method.search(shape).estimator.get_params().keys() == fitted.get_params().keys()


def test_papers_and_tables_share_their_rivals():
    assert all(isinstance(method, Method) for method in METHODS.values())
    assert METHODS["svm"].build is SVC.build
    assert METHODS["boosting"] is BOOSTING


@pytest.mark.parametrize("method", FAMILIES)
def test_ours(method):
    assert ours(method, "classification").name == method
    model = ours(method, "classification").seeded(SHAPE, 3)
    assert (type(model), model.random_state) == (FAMILIES[method]["classification"], 3)


def test_log_loss_needs_probabilities():
    X, y = load_iris(return_X_y=True)
    fitted = SVC.build(SHAPE).fit(X, y)
    assert not hasattr(fitted, "predict_proba")
    assert 0.0 < SVC.log_loss(fitted, X, y, X, y) < 0.3
    bare = rival("bare", "", lambda: None)
    assert bare.with_probabilities(fitted, X, y) is fitted
    assert bare.log_loss(fitted, X, y, X, y) is None
