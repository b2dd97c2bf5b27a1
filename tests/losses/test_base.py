"""Losses: derivatives, the best constant, the link, and the codes that kernels know them by."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, softmax

from drumlin import _kernels
from drumlin._kernels import HUBER_DELTA, NodeParameters
from drumlin.losses import Huber, Logistic, Loss, Softmax, Squared, loss_of_classes
from tests.helpers import EXACT, REFERENCE, assert_close

LOSSES = {
    "logistic": (Logistic(), 1),
    "softmax of two": (Softmax(2), 2),
    "softmax": (Softmax(4), 4),
    "squared": (Squared(), 1),
    "squared, many": (Squared(), 3),
    "huber": (Huber(), 1),
    "huber, many": (Huber(0.6), 3),
}
every_loss = pytest.mark.parametrize(("loss", "n_outputs"), LOSSES.values(), ids=LOSSES)
STEP = 1e-5


def concrete(base):
    """All classes below a base that can be made."""
    below = [leaf for derived in base.__subclasses__() for leaf in concrete(derived)]
    return below or [base]


def make(seed, loss, n_outputs, n=50):
    """Targets, scores and weights; no error at a corner of Huber's loss."""
    rng = np.random.default_rng(seed)
    scores = 2.0 * rng.standard_normal((n, n_outputs))
    targets = rng.standard_normal((n, n_outputs))
    if isinstance(loss, Logistic | Softmax):
        targets = rng.integers(0, max(2, n_outputs), n)
    else:
        size = np.abs(scores - targets)
        near = np.abs(size - loss.threshold) < 10 * STEP
        scores = np.where(near, targets, scores)
    return targets, scores, rng.uniform(0.2, 2.0, n)


def difference(f, x, direction):
    """Central difference along a direction."""
    return (f(x + STEP * direction) - f(x - STEP * direction)) / (2.0 * STEP)


def test_every_loss_is_tested():
    assert {type(loss) for loss, _ in LOSSES.values()} == set(concrete(Loss))


@every_loss
def test_slopes_are_finite_differences_of_values(seed, loss, n_outputs):
    targets, scores, _ = make(seed, loss, n_outputs)
    slopes = loss.slopes(targets, scores)
    assert slopes.shape == scores.shape
    for k, unit in enumerate(np.eye(n_outputs)):
        expected = difference(lambda f: loss.values(targets, f), scores, unit)
        assert_close(slopes[:, k], expected, REFERENCE)


@every_loss
def test_curvatures_are_finite_differences_of_slopes(seed, loss, n_outputs):
    """Huber's own is zero beyond its threshold: there squares bound it from above."""
    targets, scores, _ = make(seed, loss, n_outputs)
    curvatures = loss.curvatures(scores)
    assert curvatures.shape == scores.shape
    for k, unit in enumerate(np.eye(n_outputs)):
        expected = difference(lambda f: loss.slopes(targets, f), scores, unit)[:, k]
        if isinstance(loss, Huber):
            linear = np.abs(scores - targets)[:, k] > loss.delta
            assert linear.any()
            assert_close(expected[linear], 0.0, REFERENCE)
            expected[linear] = 1.0
        assert_close(curvatures[:, k], expected, REFERENCE)


@every_loss
def test_curvatures_along_are_second_differences(seed, loss, n_outputs):
    """Of the loss when all scores move together; for Huber, where the loss is quadratic."""
    targets, scores, _ = make(seed, loss, n_outputs)
    if isinstance(loss, Huber):
        scores = targets + 0.5 * loss.delta * np.tanh(scores)
    directions = np.random.default_rng(seed + 1).standard_normal((5, n_outputs))
    found = loss.curvatures_along(scores, directions)
    assert found.shape == (len(scores), 5)
    for j, direction in enumerate(directions):
        slopes = difference(lambda f: loss.slopes(targets, f), scores, direction)
        assert_close(found[:, j], slopes @ direction, REFERENCE)


@every_loss
def test_curvatures_along_a_score_are_its_own(seed, loss, n_outputs):
    _, scores, _ = make(seed, loss, n_outputs)
    assert_close(loss.curvatures_along(scores, np.eye(n_outputs)), loss.curvatures(scores), EXACT)


@every_loss
def test_the_constant_minimises_the_summed_loss(seed, loss, n_outputs):
    """For Huber's loss it is that of squares: a start, with weights that follow."""
    targets, _, weight = make(seed, loss, n_outputs, n=200)
    judge = Squared() if isinstance(loss, Huber) else loss
    constant = loss.constant(loss.sums(targets, weight) / weight.sum())
    assert constant.shape == (n_outputs,)

    def total(f):
        return weight @ judge.values(targets, np.tile(f, (len(weight), 1)))

    best = total(constant)
    for unit in np.eye(n_outputs):
        assert abs(difference(total, constant, unit)) < REFERENCE * weight.sum()
        for size in (0.5, -0.5):
            assert total(constant + size * unit) > best
    if isinstance(loss, Softmax):
        assert abs(constant.sum()) < EXACT


@every_loss
def test_slopes_are_what_is_expected_minus_what_is(seed, loss, n_outputs):
    """Of all losses but Huber's, which cuts that difference."""
    targets, scores, _ = make(seed, loss, n_outputs)
    expected = loss.link(scores)
    if isinstance(loss, Logistic):
        assert_close(expected, expit(scores), EXACT)
        truth = (targets == 1)[:, None]
    elif isinstance(loss, Softmax):
        assert_close(expected, softmax(scores, axis=1), EXACT)
        truth = targets[:, None] == np.arange(n_outputs)
    else:
        np.testing.assert_array_equal(expected, scores)
        truth = targets
    errors = np.clip(expected - truth, -loss.threshold, loss.threshold)
    assert_close(loss.slopes(targets, scores), errors, EXACT)


@every_loss
@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_the_code_is_the_same_loss_in_the_kernels(seed, loss, n_outputs, backend, monkeypatch):
    if backend == "numba":
        pytest.importorskip("numba", reason="the compiled backend needs Numba")
    monkeypatch.setenv("DRUMLIN_BACKEND", backend)
    targets, scores, weight = make(seed, loss, n_outputs)
    for row in range(len(scores)):  # one row a call: scores are the intercept of no node
        nodes = NodeParameters(
            np.empty((0, 1)), np.empty((0, 1)), np.empty((0, n_outputs)), scores[row]
        )
        one = slice(row, row + 1)
        value, gradient = _kernels.backend().value_and_gradient(
            np.zeros((1, 1)), targets[one], weight[one], nodes, loss.code, delta=loss.threshold
        )
        assert_close(value, weight[row] * loss.values(targets[one], scores[one])[0])
        assert_close(gradient.intercept, weight[row] * loss.slopes(targets[one], scores[one])[0])


def test_only_hubers_slope_stops_to_grow():
    assert Huber().threshold == HUBER_DELTA
    assert Huber(0.3).threshold == 0.3
    assert all(np.isinf(loss.threshold) for loss in (Logistic(), Softmax(3), Squared()))


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_loss_of_classes(n_classes):
    assert loss_of_classes(n_classes) == (Logistic() if n_classes == 2 else Softmax(n_classes))
