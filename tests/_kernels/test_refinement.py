"""Value and gradient of the joint refinement: two backends, finite differences, identities."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from drumlin import _kernels
from drumlin._kernels import (
    HUBER,
    HUBER_DELTA,
    LOGISTIC,
    SOFTMAX,
    SQUARED,
    NodeParameters,
    refinement_reference,
)
from tests.helpers import EXACT, IDENTITY, REFERENCE, assert_close

BACKENDS = 1e-10  # sums over many rows in another order, of terms that may cancel
SINGLE = 1e-4  # float32 arithmetic, relative to the largest entry

losses = pytest.mark.parametrize(
    ("loss", "n_outputs"),
    [(LOGISTIC, 1), *[(SOFTMAX, k) for k in (2, 3, 7)]]
    + [(loss, k) for loss in (SQUARED, HUBER) for k in (1, 3, 7)],
)


@pytest.fixture(params=["numpy", "numba"])
def backend(request, monkeypatch):
    """One of the two modules."""
    if request.param == "numba":
        pytest.importorskip("numba", reason="the compiled backend needs Numba")
    monkeypatch.setenv("DRUMLIN_BACKEND", request.param)
    return _kernels.backend()


@pytest.fixture
def compiled():
    pytest.importorskip("numba", reason="the compiled backend needs Numba")
    return importlib.import_module("drumlin._kernels.refinement_compiled")


def make_problem(seed, loss, n_outputs, *, n=40, n_nodes=3, n_inputs=2):
    """Return (columns, targets, weight, nodes, loss), the arguments of the kernel."""
    rng = np.random.default_rng(seed)
    columns = rng.standard_normal((n_inputs, n))
    if loss in (LOGISTIC, SOFTMAX):
        targets = rng.integers(0, max(n_outputs, 2), n)
    else:
        targets = 2.0 * rng.standard_normal((n, n_outputs))
    nodes = NodeParameters(
        rng.standard_normal((n_nodes, n_inputs)),
        rng.uniform(0.2, 1.5, (n_nodes, n_inputs)),
        rng.standard_normal((n_nodes, n_outputs)),
        rng.standard_normal(n_outputs),
    )
    return columns, targets, rng.uniform(0.0, 2.0, n), nodes, loss


def assert_same(actual, expected, tolerance):
    """Values and gradients agree, relative to the largest entry of each field."""
    for ours, truth in zip((actual[0], *actual[1]), (expected[0], *expected[1]), strict=True):
        assert np.shape(ours) == np.shape(truth)
        assert np.asarray(ours).dtype == np.float64
        assert_close(ours, truth, tolerance * max(1.0, np.max(np.abs(truth), initial=0.0)))


@losses
@pytest.mark.parametrize("n", [1, 7, 300, 1000])
@pytest.mark.parametrize("n_nodes", [1, 5])
@pytest.mark.parametrize("n_inputs", [1, 3, 10])
def test_backends_agree(seed, compiled, loss, n_outputs, n, n_nodes, n_inputs):
    problem = make_problem(seed, loss, n_outputs, n=n, n_nodes=n_nodes, n_inputs=n_inputs)
    truth = refinement_reference.value_and_gradient(*problem)
    assert_same(compiled.value_and_gradient(*problem), truth, BACKENDS)


@losses
def test_gradient_is_the_finite_difference(seed, backend, loss, n_outputs):
    columns, targets, weight, nodes, _ = make_problem(seed, loss, n_outputs)
    start = np.concatenate([np.ravel(field) for field in nodes])
    sizes = np.cumsum([field.size for field in nodes])[:-1]
    log_widths = slice(sizes[0], sizes[1])
    start[log_widths] = -np.log(start[log_widths])

    def evaluate(vector):
        fields = np.split(vector, sizes)
        fields[1] = np.exp(-fields[1])
        shaped = (part.reshape(field.shape) for part, field in zip(fields, nodes, strict=True))
        return backend.value_and_gradient(columns, targets, weight, NodeParameters(*shaped), loss)

    step = 1e-5
    expected = [
        (evaluate(start + step * unit)[0] - evaluate(start - step * unit)[0]) / (2.0 * step)
        for unit in np.eye(len(start))
    ]
    gradient = np.concatenate([np.ravel(field) for field in evaluate(start)[1]])
    assert_close(gradient, expected, REFERENCE)


@losses
def test_single_precision_is_close(seed, backend, loss, n_outputs):
    columns, *others = make_problem(seed, loss, n_outputs, n=1000, n_nodes=5, n_inputs=4)
    columns = columns.astype(np.float32)
    truth = refinement_reference.value_and_gradient(columns.astype(np.float64), *others)
    assert_same(backend.value_and_gradient(columns, *others), truth, SINGLE)


@losses
@pytest.mark.parametrize("n", [511, 512, 513, 1025])
def test_rows_add_up(seed, backend, monkeypatch, loss, n_outputs, n):
    """However the rows are cut into blocks."""
    monkeypatch.setattr(refinement_reference, "_ELEMENTS", 1 << 9)
    columns, targets, weight, nodes, _ = make_problem(seed, loss, n_outputs, n=n)
    whole = backend.value_and_gradient(columns, targets, weight, nodes, loss)
    parts = []
    for rows in (slice(0, 5), slice(5, n)):
        part = np.ascontiguousarray(columns[:, rows])
        parts.append(backend.value_and_gradient(part, targets[rows], weight[rows], nodes, loss))
    gradient = (a + b for a, b in zip(parts[0][1], parts[1][1], strict=True))
    assert_same((parts[0][0] + parts[1][0], tuple(gradient)), whole, BACKENDS)


@losses
def test_a_weight_is_a_repetition(seed, backend, loss, n_outputs):
    columns, targets, _, nodes, _ = make_problem(seed, loss, n_outputs, n=30)
    times = np.arange(30) % 3
    weighted = backend.value_and_gradient(columns, targets, times.astype(float), nodes, loss)
    many = np.ascontiguousarray(np.repeat(columns, times, axis=1))
    repeated = np.repeat(targets, times, axis=0)
    assert_same(
        backend.value_and_gradient(many, repeated, np.ones(times.sum()), nodes, loss),
        weighted,
        BACKENDS,
    )


@losses
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_zero_inverse_width_ignores_an_input(seed, backend, loss, n_outputs, dtype):
    columns, targets, weight, nodes, _ = make_problem(seed, loss, n_outputs, n_inputs=3)
    nodes.inv_widths[:, 1] = 0.0
    columns = columns.astype(dtype)
    value, gradient = backend.value_and_gradient(columns, targets, weight, nodes, loss)
    assert not gradient.log_widths[:, 1].any()
    assert not gradient.centers[:, 1].any()
    kept = [0, 2]
    less = NodeParameters(
        nodes.centers[:, kept], nodes.inv_widths[:, kept], nodes.coef, nodes.intercept
    )
    without = backend.value_and_gradient(columns[kept], targets, weight, less, loss)
    assert_close(value, without[0], EXACT)
    np.testing.assert_array_equal(gradient.centers[:, kept], without[1].centers)


@losses
@pytest.mark.parametrize(
    ("dtype", "distances"), [(np.float64, [38.0, 1e3, 1e200]), (np.float32, [13.0, 1e3, 1e30])]
)
def test_far_rows_see_the_intercept_only(seed, backend, loss, n_outputs, dtype, distances):
    """Activations underflow to zero; squares may even overflow."""
    columns, targets, weight, nodes, _ = make_problem(seed, loss, n_outputs)
    ones = nodes._replace(inv_widths=np.ones_like(nodes.inv_widths), centers=0.0 * nodes.centers)
    bare = NodeParameters(*(field[:0] for field in nodes[:3]), nodes.intercept)
    tolerance = EXACT if dtype == np.float64 else SINGLE
    for distance in distances:
        far = np.full_like(columns, distance, dtype=dtype)
        value, gradient = backend.value_and_gradient(far, targets, weight, ones, loss)
        null_value, null = backend.value_and_gradient(far, targets, weight, bare, loss)
        assert np.isfinite(value)
        assert_close(value, null_value, tolerance)
        assert_close(gradient.intercept, null.intercept, tolerance)
        for field in gradient[:3]:
            assert not field.any()


@losses
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_huge_scores_do_not_overflow(seed, backend, loss, n_outputs, dtype):
    columns, targets, weight, nodes, _ = make_problem(seed, loss, n_outputs)
    huge = nodes._replace(coef=1e4 * nodes.coef, intercept=-1e4 * nodes.intercept)
    columns = columns.astype(dtype)
    result = backend.value_and_gradient(columns, targets, weight, huge, loss)
    truth = refinement_reference.value_and_gradient(
        columns.astype(np.float64), targets, weight, huge, loss
    )
    assert all(np.isfinite(field).all() for field in result[1])
    assert_same(result, truth, BACKENDS if dtype == np.float64 else SINGLE)


@pytest.mark.parametrize("loss", [LOGISTIC, SOFTMAX])
def test_right_and_sure_costs_nothing(backend, loss):
    columns, weight = np.zeros((1, 1)), np.ones(1)
    intercept = np.array([500.0]) if loss == LOGISTIC else np.array([-250.0, 250.0])
    nodes = NodeParameters(
        np.zeros((1, 1)), np.ones((1, 1)), np.zeros((1, len(intercept))), intercept
    )
    value, _ = backend.value_and_gradient(columns, np.ones(1, np.int64), weight, nodes, loss)
    wrong, _ = backend.value_and_gradient(columns, np.zeros(1, np.int64), weight, nodes, loss)
    assert_close(wrong, 500.0, EXACT)
    if loss == LOGISTIC:  # softmax ends at the last digit of 1
        np.testing.assert_allclose(value, np.exp(-500.0), rtol=EXACT)
    else:
        assert value == 0.0


@losses
def test_nothing_is_lost_far_from_the_origin(seed, backend, loss, n_outputs):
    """Moving data and centers together changes nothing (it does for the expanded square)."""
    columns, targets, weight, nodes, _ = make_problem(seed, loss, n_outputs)
    grid, shift = 2.0**20, 2.0**26  # coarse enough for the sums to be exact
    columns, centers = (np.round(grid * x) / grid for x in (columns, nodes.centers))
    here = backend.value_and_gradient(
        columns, targets, weight, nodes._replace(centers=centers), loss
    )
    there = backend.value_and_gradient(
        columns + shift, targets, weight, nodes._replace(centers=centers + shift), loss
    )
    assert_same(there, here, EXACT)


def test_logistic_is_softmax_of_two(seed, backend):
    columns, labels, weight, nodes, _ = make_problem(seed, LOGISTIC, 1)
    both = nodes._replace(
        coef=np.hstack([0.0 * nodes.coef, nodes.coef]),
        intercept=np.append(0.0, nodes.intercept),
    )
    value, gradient = backend.value_and_gradient(columns, labels, weight, nodes, LOGISTIC)
    same, pair = backend.value_and_gradient(columns, labels, weight, both, SOFTMAX)
    assert_close(same, value)
    assert_close(pair.coef[:, 1:], gradient.coef)
    assert_close(pair.centers, gradient.centers)
    assert_close(pair.log_widths, gradient.log_widths)


def test_huber_lies_between_absolute_and_squared(seed, backend):
    problem = make_problem(seed, HUBER, 3)
    squared = backend.value_and_gradient(*problem[:4], SQUARED)
    assert_same(backend.value_and_gradient(*problem, delta=1e9), squared, IDENTITY)
    assert backend.value_and_gradient(*problem)[0] < squared[0]
    default = backend.value_and_gradient(*problem)
    assert_same(backend.value_and_gradient(*problem, delta=HUBER_DELTA), default, 0.0)
    tiny = 1e-9
    absolute = sum(
        backend.value_and_gradient(*problem, delta=delta)[0] / delta for delta in (tiny, 2 * tiny)
    )
    scores = _scores(problem[0], problem[3])
    expected = float(problem[2] @ np.abs(scores - problem[1]).sum(axis=1))
    assert_close(absolute / 2.0, expected, REFERENCE)


def _scores(columns, nodes):
    """The model written down once more."""
    t = (columns.T[:, None] - nodes.centers) * nodes.inv_widths
    return np.exp(-0.5 * (t**2).sum(axis=2)) @ nodes.coef + nodes.intercept


@pytest.mark.parametrize("n_outputs", [1, 3, 7])
def test_value_by_hand(seed, backend, n_outputs):
    columns, targets, weight, nodes, _ = make_problem(seed, SQUARED, n_outputs, n_nodes=6)
    value, _ = backend.value_and_gradient(columns, targets, weight, nodes, SQUARED)
    error = _scores(columns, nodes) - targets
    assert_close(value, 0.5 * float(weight @ (error**2).sum(axis=1)))


@losses
@pytest.mark.parametrize(("n", "n_nodes"), [(0, 2), (4, 0), (0, 0)])
def test_no_rows_or_no_nodes(seed, backend, loss, n_outputs, n, n_nodes):
    problem = make_problem(seed, loss, n_outputs, n=n, n_nodes=n_nodes)
    value, gradient = backend.value_and_gradient(*problem)
    assert (value > 0.0) == (n > 0)
    assert [field.shape for field in gradient] == [field.shape for field in problem[3]]


@pytest.mark.parametrize(
    ("dtype", "low", "high", "tolerance"),
    [(np.float64, -700.0, 700.0, 1e-14), (np.float32, -80.0, 87.0, 1e-6)],
)
def test_own_exponential(compiled, dtype, low, high, tolerance):
    numba = pytest.importorskip("numba")
    exp_ = compiled.exp_

    @numba.njit
    def exponentiate(x):
        exp_(x)

    x = np.linspace(low, high, 100_001).astype(dtype)
    ours = x.copy()
    exponentiate(ours)
    np.testing.assert_allclose(ours, np.exp(x.astype(np.float64)), rtol=tolerance)
    special = np.array([0.0, -0.0, low - 1.0, -1e30, -np.inf, np.nan], dtype=dtype)
    exponentiate(special)
    np.testing.assert_array_equal(special, [1.0, 1.0, 0.0, 0.0, 0.0, np.nan])


def test_own_logarithm(compiled):
    numba = pytest.importorskip("numba")
    log1p = compiled._log1p

    @numba.njit
    def logarithm(q, out):
        for i in range(len(q)):
            out[i] = log1p(q[i])

    q = np.append(np.logspace(-300, 0, 1001), 0.0)
    ours = np.empty_like(q)
    logarithm(q, ours)
    np.testing.assert_allclose(ours, np.log1p(q), rtol=1e-14)  # as good as the exponential
