"""Forward selection and Haykin's networks on Dask collections: the models of rows in memory."""

from __future__ import annotations

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from drumlin import (
    ForwardRBFClassifier,
    ForwardRBFRegressor,
    RBFNetworkClassifier,
    RBFNetworkRegressor,
)
from drumlin.criteria import Criterion, LOOMutualInformation
from drumlin.estimators import table_training
from drumlin.linear import OrthogonalRegression
from drumlin.linear.least_squares import LeastSquares
from drumlin.linear.parts import PartRegression, Triangle
from tests.small import make_table

SIZES, N = (500, 0, 400, 600), 1500
CLOSE = 1e-8


@pytest.fixture(autouse=True)
def _large(monkeypatch):
    """Let 1500 rows be many."""
    monkeypatch.setattr(table_training, "IN_MEMORY", 1000)


def table_of(kind, several=False):
    X, y, weight = make_table(kind, N)
    return X, np.column_stack([y, X[:, 0] ** 2]) if several else y, weight


def arrays_of(arrays):
    return [da.from_array(a, chunks=(SIZES, *([-1] * (a.ndim - 1)))) for a in arrays]


def assert_close_models(ours, theirs, X):
    """The same nodes, and weights and figures to rounding."""
    np.testing.assert_allclose(ours.centers_, theirs.centers_, rtol=CLOSE, atol=CLOSE)
    np.testing.assert_allclose(ours.widths_, theirs.widths_, rtol=CLOSE)
    for name in ("coef", "intercept"):
        expected = getattr(theirs.network_, name)
        scale = CLOSE * np.abs(theirs.network_.coef).max()
        np.testing.assert_allclose(getattr(ours.network_, name), expected, rtol=0, atol=scale)
    for name in ("loo_error_", "loo_score_", "loo_log_loss_", "temperature_", "relevance_"):
        if hasattr(theirs, name):
            np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-6)
    answer = "predict_proba" if hasattr(ours, "predict_proba") else "predict"
    expected = getattr(theirs, answer)(X)
    np.testing.assert_allclose(getattr(ours, answer)(X), expected, rtol=0, atol=1e-6)


FORWARD = [
    ("classes", {}),
    ("classes", {"criterion": "squared_error", "fit_intercept": False}),
    ("classes", {"criterion": "mutual_information", "regularizer": "stage_evidence"}),
    ("classes", {"criterion": LOOMutualInformation(signed=False), "ties": "first"}),
    ("classes", {"regularizer": "evidence", "class_weight": "balanced", "standardize": False}),
    ("numbers", {"regularizer": "evidence"}),
    ("numbers", {"fit_intercept": False, "regularizer": "stage_evidence"}),
    ("several", {"alpha": 0.1}),
]


@pytest.mark.parametrize(("kind", "options"), FORWARD)
def test_forward_selection_is_that_of_rows_in_memory(kind, options):
    arrays = table_of("classes" if kind == "classes" else "numbers", kind == "several")
    estimator = ForwardRBFClassifier if kind == "classes" else ForwardRBFRegressor
    given = {"candidates": arrays[0][:50], "width": [3.0, 1.5], "max_nodes": 8, **options}
    theirs = estimator(**given).fit(*arrays)
    ours = estimator(**given).fit(*arrays_of(arrays))
    assert_close_models(ours, theirs, arrays[0])
    np.testing.assert_array_equal(ours.support_, theirs.support_)
    for name, values in theirs.path_.items():
        np.testing.assert_allclose(ours.path_[name], values, rtol=1e-6, err_msg=name)
    for name, values in theirs.width_path_.items():
        np.testing.assert_allclose(ours.width_path_[name], values, rtol=1e-6, err_msg=name)
    if kind != "classes":
        for a, b in zip(*(m.predict(arrays[0], return_std=True) for m in (ours, theirs)),
                        strict=True):  # fmt: skip
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)


def test_candidates_and_widths_come_from_a_draw(monkeypatch):
    """Of every class, by content: the rows as they stand in the table, whatever its blocks."""
    arrays = table_of("classes")
    model = ForwardRBFClassifier(candidates=20, max_nodes=2).fit(*arrays_of(arrays))
    np.testing.assert_array_equal(model.centers_, arrays[0][model.support_])
    assert (arrays[2][model.support_] > 0.0).all()
    assert len(model.width_path_["width"]) == 9
    turned = [a[::-1] for a in arrays]
    again = ForwardRBFClassifier(candidates=20, max_nodes=2).fit(*arrays_of(turned))
    np.testing.assert_array_equal(N - 1 - again.support_, model.support_)
    np.testing.assert_allclose(again.network_.coef, model.network_.coef, rtol=1e-6)
    assert model.truncate(1).n_nodes_ == 1


HAYKIN = [
    ("classes", {}),
    ("classes", {"solver": "ridge", "centers": "sample", "width": "spread"}),
    ("classes", {"normalized": True, "class_weight": "balanced", "max_iter": 3}),
    ("classes", {"solver": "ridge", "class_weight": {"no": 1.0, "yes": 5.0}}),
    ("numbers", {"solver": "ridge", "fit_intercept": False}),
    ("several", {"radial": "inverse_multiquadric", "standardize": False}),
]


@pytest.mark.parametrize(("kind", "options"), HAYKIN)
def test_haykin_networks_are_those_of_rows_in_memory(kind, options):
    """The draw has all rows here: nodes are the same, too."""
    arrays = table_of("classes" if kind == "classes" else "numbers", kind == "several")
    estimator = RBFNetworkClassifier if kind == "classes" else RBFNetworkRegressor
    if options.get("centers") == "sample":  # drawn by their order in memory
        options = {**options, "centers": arrays[0][:12], "width": 1.0}
    theirs = estimator(12, n_init=2, **options).fit(*arrays)
    ours = estimator(12, n_init=2, **options).fit(*arrays_of(arrays))
    assert_close_models(ours, theirs, arrays[0])
    np.testing.assert_allclose(ours.coef_cov_, theirs.coef_cov_, rtol=1e-6)
    assert ours.n_samples_seen_ == theirs.n_samples_seen_
    np.testing.assert_allclose(ours._weight_seen, theirs._weight_seen, rtol=CLOSE)
    assert ours.n_iter_ == theirs.n_iter_


@pytest.mark.usefixtures("client")
@pytest.mark.parametrize("estimator", [ForwardRBFClassifier, RBFNetworkClassifier])
def test_workers_give_the_same_bits(estimator):
    X, y, weight = table_of("classes")
    options = {"n_nodes": 5}
    if estimator is ForwardRBFClassifier:
        options = {"candidates": 10, "width": 2.0, "max_nodes": 2}
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=y, weight=weight)
    lazy = dd.from_pandas(frame, npartitions=3)
    collections = lazy[["a", "b", "c"]], lazy["y"], lazy["weight"]
    there = estimator(**options).fit(*collections)
    assert there.feature_names_in_.tolist() == ["a", "b", "c"]
    sizes = tuple(len(part) for part in lazy.partitions)
    blocks = [da.from_array(a, chunks=(sizes, *([-1] * (a.ndim - 1)))) for a in (X, y, weight)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("drumlin.estimators.large_tables.current_client", lambda: None)
        here = estimator(**options).fit(*blocks)
    np.testing.assert_array_equal(there.network_.coef, here.network_.coef)
    np.testing.assert_array_equal(there.centers_, here.centers_)
    assert there.loo_error_ == here.loo_error_


def test_a_small_table_is_fitted_in_memory():
    X, y, weight = (a[:900] for a in table_of("classes"))
    chunks = [da.from_array(a, chunks=((400, 500), *([-1] * (a.ndim - 1)))) for a in (X, y, weight)]
    ours = ForwardRBFClassifier(max_nodes=3).fit(*chunks)
    theirs = ForwardRBFClassifier(max_nodes=3).fit(X, y, weight)
    np.testing.assert_array_equal(ours.network_.coef, theirs.network_.coef)


# ------------------------------------------------------------------ messages
class Own(Criterion):
    def cost(self, targets, predictions, labels, weight):
        return 0.0


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (RBFNetworkClassifier(solver="lms"), r"sums over them: .* Got solver='lms'"),
        (RBFNetworkClassifier(centers="all"), r"sums over them: .* centers='all'"),
        (RBFNetworkClassifier(forgetting=0.9), r"sums over them: .* forgetting=0\.9"),
        (RBFNetworkClassifier(solver="gradient"), r"sums over them: .* Got solver='gradient'"),
        (ForwardRBFClassifier(candidates=30_000), r"'candidates' .* not exceed 19997 .* Got 30000"),
        (ForwardRBFClassifier(criterion=Own()), r"StatisticCriterion, which sums .* Got Own\(\)"),
    ],
)
def test_what_needs_all_rows_says_so(model, message):
    with pytest.raises((TypeError, ValueError), match=message):
        model.fit(*arrays_of(table_of("classes")))


# ------------------------------------------------------------------ the mathematics
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_parts_of_a_regression_know_what_the_whole_knows(seed, fit_intercept):
    """Every row-wise quantity, for all sizes and other penalties, from the triangle alone."""
    rng = np.random.default_rng(seed)
    targets, weight, Phi = rng.standard_normal((60, 2)), rng.random(60) + 0.2, rng.random((5, 60))
    whole = OrthogonalRegression(targets, weight, fit_intercept=fit_intercept)
    for column in Phi * np.sqrt(weight):
        assert whole.join(column, lambda w, residual: 0.3)
    sums = weight @ targets, weight @ targets**2
    triangle = Triangle.start(*sums, float(weight.sum()), fit_intercept=fit_intercept)._replace(
        A=whole.basis.A, norms2=whole.basis.norms2, alphas=whole.alphas, g=whole.g
    )
    alphas = np.where(whole.alphas > 0.0, 2.0, 0.0)
    rows = slice(10, 30)
    part = PartRegression.of(targets[rows], weight[rows], Phi[:, rows] * np.sqrt(weight[rows]),
                             triangle)  # fmt: skip
    for all_rows, some in [
        (whole, part),
        (whole.prefix(3), part.prefix(3)),
        (whole.with_alphas(alphas), part.with_alphas(alphas)),
    ]:
        for name in ("residual", "eta", "scores", "terms"):
            expected = getattr(all_rows, name)[rows]
            np.testing.assert_allclose(getattr(some, name), expected, atol=1e-12)
        np.testing.assert_allclose(some.loo_predictions(), all_rows.loo_predictions()[rows])
        np.testing.assert_allclose(some.loo_std(), all_rows.loo_std()[rows])
        np.testing.assert_allclose(some.prefix_noise(), all_rows.prefix_noise())
        for ours, theirs in zip(some.prefix_loo_predictions(), all_rows.prefix_loo_predictions(),
                                strict=True):  # fmt: skip
            np.testing.assert_allclose(ours, theirs[rows])


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_least_squares_of_parts_join(seed, fit_intercept):
    rng = np.random.default_rng(seed)
    Phi, targets, weight = rng.random((40, 4)), rng.random((40, 2)), rng.random(40) + 0.1
    start = LeastSquares.start(4, 2, 0.5, fit_intercept=fit_intercept)
    none = LeastSquares.start(4, 2, 0.0, fit_intercept=fit_intercept)
    whole = start.absorb(Phi, targets, weight)
    halves = [none.absorb(Phi[i], targets[i], weight[i]) for i in (slice(13), slice(13, None))]
    joined = start.joined(halves[0].joined(halves[1]))
    for name in ("coef", "intercept", "P", "noise"):
        np.testing.assert_allclose(getattr(joined, name), getattr(whole, name))
    np.testing.assert_allclose(joined.factor.totals, whole.factor.totals)
