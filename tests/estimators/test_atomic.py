"""An interrupted or failed fit leaves the old model, the new one, or an estimator not fitted."""

from __future__ import annotations

import functools
import pickle
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning, NotFittedError

import drumlin
from drumlin import estimators
from drumlin._kernels import blas
from drumlin.estimators import whole_or_not
from tests.estimators.witness import Counting

PACKAGE = str(Path(drumlin.__file__).parent)
# Tracing makes fits slow: those that do one thing again and again do it less often.
QUICK = {
    "DrumlinRegressor": {"max_nodes": 4},  # of 26
    "ForwardRBFClassifier": {"max_nodes": 3, "width": [2.0, 4.0]},
    "ForwardRBFRegressor": {"max_nodes": 3, "width": [2.0, 4.0]},
    "TunableRBFClassifier": {"max_nodes": 2},
    "TunableRBFRegressor": {"max_nodes": 2},
    "SparseKernelLogisticRegression": {"width": 2.0, "alpha": 0.1},
}
# Every estimator: a new one is tested by being exported.
MODELS = {
    name: getattr(estimators, name)(random_state=0, **QUICK.get(name, {}))
    for name in estimators.__all__
} | {
    solver: drumlin.RBFNetworkClassifier(4, solver=solver, max_iter=3, random_state=0)
    for solver in ("rls", "lms", "ridge", "gradient")
}
STREAMS = [name for name, model in MODELS.items() if hasattr(model, "partial_fit")]


def old_data(model):
    """Two classes a and b of two inputs, or numbers."""
    X, y = make_blobs(50, n_features=2, centers=2, cluster_std=3.0, random_state=1)
    return X, np.array(["a", "b"])[y] if is_classifier(model) else X[:, 0] ** 2


def new_data(model):
    """Other inputs, more of them, and other classes."""
    X, y = make_blobs(60, n_features=3, centers=3, cluster_std=4.0, random_state=2)
    return X, np.array(["c", "d", "e"])[y] if is_classifier(model) else X[:, 0] * X[:, 1]


def ambushed(call, *data, place=None, error=None):
    """Call, raising at the place-th line of the package that is run; return how many were run.

    Lines of the mechanism under test do not count: after its one assignment the model is new. Nor
    do those that hold a lock: a trace can raise where a ``with`` ends, before the lock is opened;
    signals are not looked at there.
    """
    n_lines = 0

    def trace(frame, event, _):
        nonlocal n_lines
        file = frame.f_code.co_filename
        if not file.startswith(PACKAGE) or file in (whole_or_not.__file__, blas.__file__):
            return None
        n_lines += event == "line"
        if event == "line" and n_lines == place:
            raise error
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call(*data)
    finally:
        sys.settrace(before)
    return n_lines


def quiet_fit(model, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(*data)


@functools.cache
def lines_of_a_fit(name):
    """Lines of a fit of which nothing is the first of its process: no import, no cache to fill."""
    data = new_data(MODELS[name])
    quiet_fit(clone(MODELS[name]), *data)
    return ambushed(quiet_fit, clone(MODELS[name]), *data)


def places(n_lines, seed, n=7):
    """First, last and some in between."""
    between = np.random.default_rng(seed).integers(2, n_lines, n)
    return [1, *sorted(between.tolist()), n_lines - 1, n_lines]


def assert_is_new(model, old, data, path):
    """It has learned the new data and does not contradict itself: it can be saved."""
    X, y = data
    assert model.n_features_in_ == X.shape[1] == model.centers_.shape[1]
    assert pickle.dumps(vars(model)) != old
    if is_classifier(model):
        assert model.classes_.tolist() == sorted(set(y))
        assert set(model.predict(X)) <= set(y)
    drumlin.save(model, path)


@pytest.mark.parametrize("name", MODELS)
def test_interrupted_refit(name, seed, tmp_path):
    model = clone(MODELS[name])
    data = new_data(model)
    n_lines = lines_of_a_fit(name)
    fitted = pickle.dumps(quiet_fit(model, *old_data(model)))
    for place in places(n_lines, seed):
        model = pickle.loads(fitted)
        old = pickle.dumps(vars(model))
        try:
            ambushed(quiet_fit, model, *data, place=place, error=KeyboardInterrupt())
        except KeyboardInterrupt:
            assert pickle.dumps(vars(model)) == old, place
        else:
            assert_is_new(model, old, data, tmp_path / "model.drumlin")


@pytest.mark.parametrize("name", MODELS)
def test_failed_first_fit(name, seed):
    model = clone(MODELS[name])
    X, y = new_data(model)
    before = pickle.dumps(vars(model))
    n_lines = lines_of_a_fit(name)
    for place in places(n_lines, seed, 3):
        with pytest.raises(RuntimeError, match="ambush"):
            ambushed(quiet_fit, model, X, y, place=place, error=RuntimeError("ambush"))
        assert pickle.dumps(vars(model)) == before
        with pytest.raises(NotFittedError):
            model.predict(X)


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
@pytest.mark.parametrize("name", STREAMS)
def test_stopped_batch_is_not_learned(name, error, seed):
    model = clone(MODELS[name])
    X, y = old_data(model)
    classes = {"classes": np.unique(y)} if is_classifier(model) else {}
    model.partial_fit(X, y, **classes)
    before = pickle.dumps(vars(model))
    n_lines = ambushed(pickle.loads(pickle.dumps(model)).partial_fit, X, y)
    for place in places(n_lines, seed):
        with pytest.raises(error):
            ambushed(model.partial_fit, X, y, place=place, error=error())
        assert pickle.dumps(vars(model)) == before
    model.partial_fit(X, y)
    assert model.n_samples_seen_ == 2 * len(X)


@pytest.mark.parametrize("name", MODELS)
def test_bad_data_leave_the_old_model(name):
    """Non-regression: the number of inputs was that of the table that was refused."""
    model = clone(MODELS[name])
    quiet_fit(model, *old_data(model))
    old = pickle.dumps(vars(model))
    X, y = new_data(model)
    with pytest.raises(ValueError, match="Input X contains NaN"):
        model.fit(np.full_like(X, np.nan), y)
    assert pickle.dumps(vars(model)) == old


@pytest.mark.parametrize("name", [name for name in MODELS if name in estimators.__all__])
def test_callbacks_are_torn_down_after_an_interrupt_at_their_end(name):
    """Callbacks see the estimator at work; afterwards it is as it was before, callbacks too."""

    class Last(Counting):
        def on_fit_task_end(self, estimator, context):
            if self.count(context) and context.task_name == "fit":
                raise KeyboardInterrupt
            return False

    witness = Last()
    model = clone(MODELS[name]).set_callbacks(witness)
    before = set(vars(model))
    with pytest.raises(KeyboardInterrupt):
        quiet_fit(model, *new_data(model))
    assert witness.state == ["setup", "teardown"]
    assert set(vars(model)) == before
