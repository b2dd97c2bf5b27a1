"""Haykin's networks: placing, streaming, interpolating, and what they know of themselves."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sklearn
from scipy.interpolate import RBFInterpolator
from scipy.linalg import LinAlgWarning
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Ridge
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, cross_val_score

import drumlin
from drumlin import RBFNetworkClassifier, RBFNetworkRegressor
from drumlin.basis import RADIALS
from drumlin.datasets import make_double_moon
from drumlin.estimators.placed import LOO_ROWS
from tests.estimators.test_callbacks import Witness
from tests.helpers import REFERENCE, assert_close
from tests.linear.streams import cuts


def streamed(model, X, y, sizes, **first):
    for rows in cuts(len(X), sizes):
        model.partial_fit(X[rows], y[rows], **first)
        first = {}
    return model


# ------------------------------------------------------------------ placing
@pytest.mark.parametrize("centers", ["kmeans", "sample", "all"])
@pytest.mark.parametrize("width", ["auto", "spread", "cluster", 0.7])
def test_placed_nodes_classify(centers, width, classes):
    X, y = classes
    model = RBFNetworkClassifier(12, centers=centers, width=width).fit(X, y)
    assert model.n_nodes_ == (len(X) if centers == "all" else 12)
    assert model.centers_.shape == model.widths_.shape == (model.n_nodes_, X.shape[1])
    assert model.score(X, y) > (0.85 if len(set(y)) == 2 else 0.5)
    if centers != "kmeans":
        np.testing.assert_array_equal(model.centers_, X[model.support_])


def test_width_by_the_spread_of_the_centers(moons):
    """Eq. (5.49) in standardised units."""
    model = RBFNetworkClassifier(9, width="spread").fit(*moons)
    Z = model.centers_ / moons[0].std(axis=0)
    farthest = np.sqrt(((Z[:, None] - Z) ** 2).sum(axis=2)).max()
    assert_close(model.widths_ / moons[0].std(axis=0), farthest / np.sqrt(2 * 9))


def test_automatic_widths_are_the_larger_ones(blobs):
    widths = [
        RBFNetworkClassifier(9, width=width, standardize=False).fit(*blobs).widths_
        for width in ("auto", "spread", "cluster")
    ]
    assert_close(widths[0], np.maximum(widths[1], widths[2]))


def test_given_centers_are_in_the_units_of_X(moons):
    X, y = moons
    model = RBFNetworkClassifier(centers=X[:8], width=np.linspace(0.3, 1.0, 8)).fit(X, y)
    np.testing.assert_array_equal(model.centers_, X[:8])
    assert_close(model.widths_, np.linspace(0.3, 1.0, 8)[:, None] * np.ones(2))


@pytest.mark.parametrize("scale", [1e-200, 1e200])
@pytest.mark.parametrize("standardize", [True, False])
def test_units_of_the_inputs_do_not_matter(scale, standardize, moons):
    X, y = moons
    plain = RBFNetworkClassifier(8, standardize=standardize).fit(X, y)
    scaled = RBFNetworkClassifier(8, standardize=standardize).fit(scale * X, y)
    assert_close(scaled.predict_proba(scale * X), plain.predict_proba(X), REFERENCE)


def test_rows_may_come_in_any_order(classes, seed):
    X, y = classes
    order = np.random.default_rng(seed).permutation(len(X))
    for solver in ("rls", "ridge", "gradient"):
        model = RBFNetworkClassifier(8, solver=solver, max_iter=5)
        expected = model.fit(X, y).decision_function(X)
        assert_close(model.fit(X[order], y[order]).decision_function(X), expected, REFERENCE)


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("radial", RADIALS)
def test_shapes_of_nodes(radial, normalized, wave):
    X, y = wave
    model = RBFNetworkRegressor(25, radial=radial, normalized=normalized, alpha=1e-6).fit(X, y)
    assert model.score(X, y) > 0.9
    Phi = model.network_.activations(X).T
    assert_close(model.predict(X), Phi @ model.coef_ + model.intercept_)
    if normalized:
        assert_close(Phi.sum(axis=1), 1.0)


# ------------------------------------------------------------------ least squares
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("sizes", [(1000,), (1,), (7, 30)])
def test_streams_are_one_pass_are_ridge(fit_intercept, sizes, wave, seed):
    X, y = wave
    settings = {"centers": X[:9], "width": 0.8, "alpha": 0.01, "fit_intercept": fit_intercept}
    stream = streamed(RBFNetworkRegressor(**settings), X, y, sizes)
    one_pass = RBFNetworkRegressor(**settings).fit(X, y)
    ridge = RBFNetworkRegressor(**settings, solver="ridge").fit(X, y)
    theirs = Ridge(alpha=0.01, fit_intercept=fit_intercept)
    theirs.fit(stream.network_.activations(X).T, y)
    for model in (stream, one_pass, ridge):
        assert_close(model.coef_, theirs.coef_)
        assert_close(model.intercept_, theirs.intercept_)
        assert_close(model.coef_cov_, ridge.coef_cov_)
        assert_close(model.predict(X, return_std=True)[1], ridge.predict(X, return_std=True)[1])
    assert stream.n_samples_seen_ == len(X)


@pytest.mark.parametrize("solver", ["rls", "lms", "plain-lms"])
def test_streams_of_classes_in_any_batches(solver, classes):
    """To the last attribute: weights, learning curve, and the temperature of probabilities."""
    X, y = classes
    settings = {"centers": X[:9], "width": 1.5, "solver": solver, "annealing": 60}
    whole = streamed(RBFNetworkClassifier(**settings), X, y, (1000,), classes=np.unique(y))
    parts = streamed(RBFNetworkClassifier(**settings), X, y, (50,), classes=np.unique(y))
    rows = streamed(RBFNetworkClassifier(**settings), X, y, (1, 5), classes=np.unique(y))
    for model in (parts, rows):
        assert_close(model.decision_function(X), whole.decision_function(X))
        assert_close(model.predict_proba(X), whole.predict_proba(X))
    assert_close(parts.mse_path_, whole.mse_path_)


def test_the_first_batch_places_the_nodes(moons):
    X, y = moons
    model = RBFNetworkClassifier(8).partial_fit(X[:40], y[:40], classes=[0, 1])
    alone = RBFNetworkClassifier(8).fit(X[:40], y[:40])
    np.testing.assert_array_equal(model.centers_, alone.centers_)
    assert_close(model.coef_, alone.coef_)
    model.partial_fit(X[40:], y[40:])
    np.testing.assert_array_equal(model.centers_, alone.centers_)
    assert model.n_samples_seen_ == 80


def test_fit_can_be_continued_and_starts_anew(wave):
    X, y = wave
    settings = {"centers": X[:9], "width": 0.8}
    model = RBFNetworkRegressor(**settings).fit(X[:60], y[:60]).partial_fit(X[60:], y[60:])
    assert_close(model.coef_, RBFNetworkRegressor(**settings).fit(X, y).coef_)
    assert_close(model.fit(X[:60], y[:60]).coef_, clone(model).fit(X[:60], y[:60]).coef_)


def test_weights_are_copies(classes, seed):
    X, y = classes
    copies = np.random.default_rng(seed).integers(0, 4, len(y))
    for solver in ("rls", "ridge", "gradient"):
        model = RBFNetworkClassifier(8, solver=solver, max_iter=5)
        weighted = model.fit(X, y, copies.astype(float)).predict_proba(X)
        repeated = model.fit(np.repeat(X, copies, axis=0), np.repeat(y, copies)).predict_proba(X)
        assert_close(weighted, repeated, REFERENCE)


def test_class_weights_are_sample_weights(moons):
    X, y = moons
    by_class = RBFNetworkClassifier(8, class_weight={0: 1.0, 1: 5.0}).fit(X, y)
    by_sample = RBFNetworkClassifier(8).fit(X, y, np.where(y == 1, 5.0, 1.0))
    assert_close(by_class.decision_function(X), by_sample.decision_function(X))
    assert (by_class.predict(X) == 1).mean() >= (y == 1).mean()


def test_several_outputs_are_several_networks(wave):
    X, y = wave
    both = RBFNetworkRegressor(9).fit(X, np.column_stack([y, 3.0 - 2.0 * y]))
    one = RBFNetworkRegressor(9).fit(X, y)
    mean, std = both.predict(X, return_std=True)
    assert mean.shape == std.shape == (100, 2)
    assert both.coef_cov_.shape == (2, 9, 9)
    assert_close(mean[:, 0], one.predict(X))
    assert_close(mean[:, 1], 3.0 - 2.0 * one.predict(X))
    assert_close(std[:, 1], 2.0 * std[:, 0])
    assert_close(both.coef_cov_[1], 4.0 * one.coef_cov_)


def test_standard_deviations_cover(seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2.0, 2.0, (1500, 1))
    y = np.sin(2.0 * X[:, 0]) + 0.2 * rng.standard_normal(1500)
    model = RBFNetworkRegressor(12).fit(X[:300], y[:300])
    mean, std = model.predict(X[300:], return_std=True)
    covered = np.mean(np.abs(y[300:] - mean) < 1.96 * std)
    assert 0.92 < covered < 0.975  # 0.95, five standard errors and a little bias
    assert_close(np.median(std), 0.2, 0.05)
    far = model.predict([[2.0]], return_std=True)[1]
    assert far > model.predict([[0.0]], return_std=True)[1]


# ------------------------------------------------------------------ drift, learning curve, LMS
def test_forgetting_tracks_a_drifting_target(seed):
    """A wave whose phase turns by 2 pi over the stream: at the end the old samples mislead."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2.0, 2.0, (3000, 1))
    phase = np.linspace(0.0, 2.0 * np.pi, 3000)
    y = np.sin(2.0 * X[:, 0] + phase) + 0.05 * rng.standard_normal(3000)
    settings = {"centers": np.linspace(-2.0, 2.0, 10)[:, None], "width": 0.5}
    forgets = streamed(RBFNetworkRegressor(**settings, forgetting=0.98), X, y, (100,))
    keeps = streamed(RBFNetworkRegressor(**settings), X, y, (100,))
    assert forgets.mse_path_[-20:].mean() < 0.1 * keeps.mse_path_[-20:].mean()
    grid = np.linspace(-1.9, 1.9, 50)[:, None]
    now = np.sin(2.0 * grid[:, 0] + phase[-1])
    assert forgets.score(grid, now) > 0.9
    assert keeps.score(grid, now) < 0.3


def test_fit_with_forgetting_takes_rows_as_time(wave):
    X, y = wave
    settings = {"centers": X[:9], "width": 0.8, "forgetting": 0.9}
    fitted = RBFNetworkRegressor(**settings).fit(X, y)
    assert_close(fitted.coef_, streamed(RBFNetworkRegressor(**settings), X, y, (13,)).coef_)


def test_learning_curve_is_the_prior_errors(wave):
    X, y = wave
    model = streamed(RBFNetworkRegressor(centers=X[:9], width=0.8), X, y, (1,))
    squares = []
    for i in range(2, 100):
        before = RBFNetworkRegressor(centers=X[:9], width=0.8, solver="ridge").fit(X[:i], y[:i])
        squares.append((y[i] - before.predict(X[i : i + 1])[0]) ** 2)
    assert_close(model.mse_path_[2:], squares)


def test_gradient_descends_and_suits_its_nodes(wave):
    X, y = wave
    fixed = RBFNetworkRegressor(6, solver="ridge").fit(X, y)
    moved = RBFNetworkRegressor(6, solver="gradient").fit(X, y)
    path = moved.mse_path_
    assert path[-1] < 0.5 * path[0]
    assert (
        np.diff(path).max() < 0.01 * path[0]
    )  # the penalty falls too, so errors may rise a little
    assert moved.score(X, y) > fixed.score(X, y)
    Phi = moved.network_.activations(X).T
    assert_close(moved.predict(X), Ridge(alpha=1e-3).fit(Phi, y).predict(Phi))


def test_rows_of_the_centers_are_known_where_they_stand_on_rows(wave):
    X, y = wave
    model = RBFNetworkRegressor(6, centers="sample").fit(X, y)
    np.testing.assert_array_equal(model.centers_, X[model.support_])
    for elsewhere in ({"solver": "gradient"}, {"centers": "kmeans"}):
        assert not hasattr(clone(model).set_params(**elsewhere).fit(X, y), "support_")
        assert not hasattr(model.fit(X, y).set_params(**elsewhere).fit(X, y), "support_")
        model.set_params(solver="rls", centers="sample")


@pytest.mark.parametrize("solver", ["rls", "lms", "ridge", "gradient"])
def test_probabilities(solver, classes):
    X, y = classes
    model = RBFNetworkClassifier(10, solver=solver, max_iter=5).fit(X, y)
    p = model.predict_proba(X)
    assert_close(p.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))
    prior = np.bincount(y) / len(y)
    assert log_loss(y, p) < 0.8 * log_loss(y, np.tile(prior, (len(y), 1)))


# ------------------------------------------------------------------ interpolation
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("radial", sorted(set(RADIALS) - {"b_spline"}))  # SciPy has no such kernel
def test_interpolation_is_that_of_scipy(radial, fit_intercept, seed):
    rng = np.random.default_rng(seed)
    X, new = rng.uniform(-1.0, 1.0, (50, 2)), rng.uniform(-1.0, 1.0, (30, 2))
    y = np.sin(3.0 * X[:, 0]) + X[:, 1]
    width = 0.3
    model = RBFNetworkRegressor(
        centers="all",
        solver="exact",
        radial=radial,
        width=width,
        standardize=False,
        fit_intercept=fit_intercept,
    ).fit(X, y)
    assert np.abs(model.predict(X) - y).max() <= 1e-8  # the promise
    # SciPy's Gaussian is exp(-(eps r)^2), its multiquadric has the other sign.
    epsilon = 1.0 / width * (np.sqrt(0.5) if radial == "gaussian" else 1.0)
    degree = 0 if fit_intercept else -1
    theirs = RBFInterpolator(X, y, kernel=radial, epsilon=epsilon, degree=degree)
    assert_close(model.predict(new), theirs(new), REFERENCE)


def test_duplicates_are_named(wave):
    X, y = wave
    X = X.copy()
    X[31] = X[7]
    X[50] = X[7]
    with pytest.raises(ValueError, match=r"rows 7 and 31, and 2 repeated rows in all"):
        RBFNetworkRegressor(centers="all", solver="exact").fit(X, y)
    weight = np.ones(100)
    weight[[31, 50]] = 0.0  # not there
    RBFNetworkRegressor(centers="all", solver="exact", width=0.2).fit(X, y, weight)


def test_ill_conditioning_is_diagnosed(wave):
    X, y = wave
    X = X.copy()
    X[31] = X[7] + 4e-7
    singular = RBFNetworkRegressor(centers="all", solver="exact", width=50.0)
    with pytest.raises(ValueError, match=r"singular to rounding: rows 7 and 31 are .* widths"):
        singular.fit(X, y)
    with pytest.warns(LinAlgWarning, match=r"condition number of .*: rows 7 and 31") as caught:
        singular.set_params(width=0.2, radial="gaussian").fit(X, y)
    assert caught[0].filename == __file__


def test_interpolation_knows_no_uncertainty(wave):
    model = RBFNetworkRegressor(centers="all", solver="exact", width=0.2).fit(*wave)
    assert not hasattr(model, "coef_cov_")
    assert not hasattr(model, "mse_path_")
    assert not hasattr(model, "partial_fit")
    with pytest.raises(AttributeError, match=r"solver='exact' .* does not know standard dev"):
        model.predict(wave[0], return_std=True)


# ------------------------------------------------------------------ epochs, clusters, one width
def test_epochs_of_recursive_least_squares_weaken_the_penalty(wave):
    """Every sample counted three times is a third of the penalty; left out, it is so wholly."""
    X, y = wave
    settings = {"centers": X[:9], "width": 0.8}
    three = RBFNetworkRegressor(**settings, alpha=0.03, max_iter=3).fit(X, y)
    third = RBFNetworkRegressor(**settings, alpha=0.01).fit(X, y)
    assert three.n_iter_ == 3
    assert three.n_samples_seen_ == 3 * len(X)
    assert_close(three.coef_, third.coef_)
    assert_close(three.loo_error_, third.loo_error_)


def test_clusters_are_told(moons):
    X, y = moons
    model = RBFNetworkClassifier(6).fit(X, y)
    Z, centers = ((part - X.mean(axis=0)) / X.std(axis=0) for part in (X, model.centers_))
    r2 = ((Z[:, None] - centers) ** 2).sum(axis=2)
    np.testing.assert_array_equal(model.encode(X), r2.argmin(axis=1))
    assert_close(model.clustering_cost(X), r2.min(axis=1).sum())
    weight = np.arange(len(X)) % 3
    assert_close(model.clustering_cost(X, weight), weight @ r2.min(axis=1))
    best = KMeans(6, n_init=10, random_state=0).fit(Z).inertia_
    assert model.clustering_cost(X) < 1.05 * best


@pytest.mark.parametrize("width", ["spread", "cluster"])
def test_one_width_for_all(width, moons):
    """Problem 5.8 as printed; the training error falls, and not below that of own widths."""
    X, y = moons
    settings = {"solver": "gradient", "width": width, "max_iter": 30}
    common = RBFNetworkClassifier(6, **settings, common_width=True).fit(X, y)
    own = RBFNetworkClassifier(6, **settings).fit(X, y)
    one = common.widths_ / X.std(axis=0)
    assert_close(one, np.full_like(one, one[0, 0]))
    assert np.ptp(own.widths_[:, 0]) > 0.0
    assert common.mse_path_[-1] < common.mse_path_[0]


def test_plain_steps_that_run_away_are_refused(moons):
    X, y = moons
    model = RBFNetworkClassifier(30, width=20.0, solver="plain-lms", learning_rate=1.0)
    with pytest.raises(ValueError, match=r"'learning_rate' .* solver='lms'.* Got 1.0"):
        model.fit(X, y)


# ------------------------------------------------------------------ callbacks and Ctrl-C
@pytest.mark.parametrize(
    "solver, steps",
    [("rls", 7), ("ridge", 1), ("plain-lms", 7), ("lms", 7), ("gradient", 7), ("exact", 0)],
)
def test_one_task_per_step(solver, steps, moons):
    X, y = moons
    witness = Witness()
    centers = "all" if solver == "exact" else "kmeans"
    model = RBFNetworkClassifier(6, solver=solver, centers=centers, width=0.3, max_iter=7)
    plain = clone(model).fit(X, y)
    model.set_callbacks(witness).fit(X, y)
    assert witness.begun == witness.ended
    assert witness.ended["step"] == steps
    np.testing.assert_array_equal(model.decision_function(X), plain.decision_function(X))
    task, _, predicted = witness.seen[-1]
    assert task == "fit"
    np.testing.assert_array_equal(predicted, model.predict(X))
    assert model.n_iter_ == max(steps, 1)


@pytest.mark.parametrize("solver", ["lms", "gradient"])
def test_callbacks_stop_and_interrupt(solver, moons):
    X, y = moons

    class AtStep(Witness):
        def __init__(self, act):
            super().__init__()
            self.act = act

        def on_fit_task_end(self, estimator, context, **told):
            super().on_fit_task_end(estimator, context, **told)
            return context.task_name == "step" and self.ended["step"] == 3 and self.act()

    def interrupt():
        raise KeyboardInterrupt

    stopped = RBFNetworkClassifier(6, solver=solver).set_callbacks(AtStep(lambda: True))
    assert stopped.fit(X, y).n_iter_ == 3
    model = RBFNetworkClassifier(6, solver=solver).set_callbacks(AtStep(interrupt))
    with pytest.warns(ConvergenceWarning, match="interrupted") as caught:
        model.fit(X, y)
    assert caught[0].filename == __file__
    assert_close(model.decision_function(X), stopped.decision_function(X))


# ------------------------------------------------------------------ among scikit-learn's tools
def test_pickle_and_stream_on(moons):
    X, y = moons
    model = RBFNetworkClassifier(8).fit(X[:50], y[:50])
    copy = pickle.loads(pickle.dumps(model))
    model.partial_fit(X[50:], y[50:])
    copy.partial_fit(X[50:], y[50:])
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))


def test_pickle_holds_no_training_data(seed):
    sizes = []
    for n in (3000, 30_000):
        X, y = make_double_moon(n, random_state=seed)
        model = RBFNetworkClassifier(centers=X[:20], width=4.0, solver="ridge").fit(X, y)
        sizes.append(len(pickle.dumps(model)))
    assert sizes[1] < 1.5 * sizes[0]


def test_search_and_cross_validation(moons):
    search = GridSearchCV(RBFNetworkClassifier(), {"n_nodes": [4, 12]}, cv=3).fit(*moons)
    assert search.best_score_ > 0.8
    model = RBFNetworkClassifier(10, solver="lms", normalized=True)
    assert cross_val_score(model, *moons, cv=3, error_score="raise").mean() > 0.8


def test_routing_of_weights(moons, seed):
    X, y = moons
    weight = np.random.default_rng(seed).uniform(0.5, 2.0, len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        model = RBFNetworkClassifier(6).set_partial_fit_request(sample_weight=True, classes=True)
        routing = model.get_metadata_routing().partial_fit.requests
    assert routing["sample_weight"]
    model = RBFNetworkClassifier(centers=X[:6], width=0.7)
    weighted = model.partial_fit(X, y, classes=[0, 1], sample_weight=weight)
    fitted = RBFNetworkClassifier(centers=X[:6], width=0.7).fit(X, y, weight)
    assert_close(weighted.coef_, fitted.coef_)


def test_table_in_names_out(moons):
    pandas = pytest.importorskip("pandas")
    X, y = moons
    table = pandas.DataFrame(X, columns=["length", "height"])
    model = RBFNetworkClassifier(6).partial_fit(table, pandas.Series(y), classes=[0, 1])
    np.testing.assert_array_equal(model.feature_names_in_, ["length", "height"])
    with pytest.raises(ValueError, match="feature names"):
        model.partial_fit(table[["height", "length"]], y)


# ------------------------------------------------------------------ what is left out
def test_loo_leaves_out_a_sample_whatever_its_class_weighs(moons):
    """Non-regression: one unit of weight was left out, a fifth of a sample of class 1."""
    X, y = (part[:24] for part in moons)
    settings = {"centers": X[:5], "width": 1.0, "solver": "ridge", "class_weight": {0: 1.0, 1: 5.0}}
    model = RBFNetworkClassifier(**settings).fit(X, y)
    expected = []
    for i in range(24):
        rest = np.arange(24) != i
        refit = RBFNetworkClassifier(**settings).fit(X[rest], y[rest])
        expected.append(refit.decision_function(X[i : i + 1])[0])
    assert_close(model._predicted.scores[:, 0], expected)


def test_rows_left_out_are_of_all_classes(seed):
    """Non-regression: every second row of a table of alternating classes is of one."""
    rng = np.random.default_rng(seed)
    y = np.arange(2 * LOO_ROWS) % 2
    X = rng.standard_normal((len(y), 2)) + y[:, None]
    model = RBFNetworkClassifier(3, solver="ridge").fit(X, y)
    assert len(model._predicted.labels) == LOO_ROWS
    assert_close(model._predicted.labels.mean(), 0.5)


def test_a_stream_remembers_weights_not_rows(seed, tmp_path):
    """Non-regression: rows before were compared with the weight of a batch."""
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((60, 2)), rng.standard_normal(60)
    X[30:] += 3.0
    weight = rng.uniform(5.0, 15.0, 60)
    settings = {"centers": X[:3], "width": 1.0}
    streams = []
    for unit in (1.0, 0.01):
        model = RBFNetworkRegressor(**settings).fit(X[:30], y[:30], unit * weight[:30])
        streams.append(model.partial_fit(X[30:], y[30:], unit * weight[30:]))
        assert_close(model._seen.mean, weight @ X / weight.sum())
    drumlin.save(streams[0], tmp_path / "stream")
    assert drumlin.load(tmp_path / "stream")._weight_seen == streams[0]._weight_seen
    assert_close(streams[0].novelty(X), streams[1].novelty(X))


def test_a_stream_with_a_constant_input_can_be_saved(seed, tmp_path):
    """Non-regression: the mean of two equal means was beyond both by rounding."""
    X = np.column_stack([np.full(73, 0.1), np.random.default_rng(seed).standard_normal(73)])
    model = RBFNetworkRegressor(centers=X[:3], width=1.0).partial_fit(X[:48], X[:48, 1])
    model.partial_fit(X[48:], X[48:, 1])
    assert model._seen.low[0] == model._seen.mean[0] == model._seen.high[0]
    drumlin.save(model, tmp_path / "stream")
    assert_close(drumlin.load(tmp_path / "stream").predict(X), model.predict(X))
