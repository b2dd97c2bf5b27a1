"""The compiled kernels compute what the NumPy reference computes."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from drumlin import _kernels
from drumlin._kernels import (
    CONFUSION,
    SQUARED_ERROR,
    WRONG_BY_CLASS,
    ZERO_IS_FIRST,
    ZERO_IS_RIGHT,
    ZERO_IS_WRONG,
    Candidates,
    Loo,
    map_blocks,
    reference,
    statistic_size,
)
from tests.helpers import EXACT, assert_close

pytest.importorskip("numba", reason="the compiled backend needs Numba")
compiled = importlib.import_module("drumlin._kernels.compiled")


def make_state(seed, *, n, n_classes, weighted, zero=ZERO_IS_FIRST):
    """A leave-one-out state as if some columns had joined already."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, n_classes, n)
    labels[:n_classes] = np.arange(n_classes)[:n]
    if n_classes == 2:
        targets = np.where(labels == 1, 1.0, -1.0)[None]
    else:
        targets = np.full((n_classes, n), -1.0 / (n_classes - 1))
        targets[labels, np.arange(n)] = 1.0
    weight = rng.uniform(0.1, 2.0, n) if weighted else np.ones(n)
    inv_root = 1.0 / np.sqrt(weight)
    eta = rng.uniform(0.4, 1.0, n)
    residual = targets / inv_root - rng.standard_normal(targets.shape)
    scores = targets * eta - residual * inv_root
    doubt = 1e-13 * rng.random(n)
    return Loo(residual, eta, scores, targets, labels, weight, inv_root, doubt, zero)


def make_candidates(seed, loo, n_candidates=7):
    rng = np.random.default_rng(seed)
    n = len(loo.eta)
    V = np.exp(-3.0 * rng.random((n_candidates, n)))
    norms2 = (V * V).sum(axis=1) + rng.random(n_candidates)
    dots = V @ (loo.targets / loo.inv_root).T
    return V, Candidates(norms2, np.ascontiguousarray(dots))


problems = pytest.mark.parametrize(
    ("n", "n_classes", "weighted"),
    [(2, 2, False), (50, 2, False), (50, 2, True), (1, 2, False), (60, 3, True), (333, 7, False)],
)


def kinds(loo):
    return [SQUARED_ERROR, WRONG_BY_CLASS if len(loo.targets) == 1 else CONFUSION]


@problems
def test_scores_agree(seed, n, n_classes, weighted):
    loo = make_state(seed, n=n, n_classes=n_classes, weighted=weighted)
    V, known = make_candidates(seed, loo)
    index = np.array([5, 0, 3])
    for kind in kinds(loo):
        outs = []
        for module in (reference, compiled):
            out = np.ones((3, statistic_size(kind, len(loo.targets))))
            module.score_(V, index, known, loo, 1e-3, kind, out)
            outs.append(out)
        assert_close(outs[1], outs[0], EXACT)


@pytest.mark.parametrize("zero", [ZERO_IS_FIRST, ZERO_IS_WRONG, ZERO_IS_RIGHT])
@problems
def test_zeros_and_tiny_scores_agree(seed, n, n_classes, weighted, zero):
    """Columns that reach few samples: the others have scores of zero, or of any size."""
    rng = np.random.default_rng(seed)
    loo = make_state(seed, n=n, n_classes=n_classes, weighted=weighted, zero=zero)
    tiny = 10.0 ** rng.uniform(-300.0, -10.0, n)
    scores = np.where(rng.random(n) < 0.3, 0.0, tiny * rng.standard_normal(loo.scores.shape))
    loo = loo._replace(scores=scores, doubt=np.zeros(n))
    V, known = make_candidates(seed, loo)
    V = np.where(rng.random(V.shape) < 0.3, 0.0, V * tiny * rng.choice([-1.0, 1.0], V.shape))
    kind = kinds(loo)[1]
    outs = []
    for module in (reference, compiled):
        out = np.zeros((len(V), statistic_size(kind, len(loo.targets))))
        module.score_(V, np.arange(len(V)), known, loo, 1e-3, kind, out)
        outs.append(out)
    assert_close(outs[1], outs[0], EXACT)


@problems
def test_deflation_agrees_and_fusing_changes_nothing(seed, n, n_classes, weighted):
    loo = make_state(seed, n=n, n_classes=n_classes, weighted=weighted)
    q = np.random.default_rng(seed).standard_normal(n)
    q /= np.linalg.norm(q)
    q_targets = np.ascontiguousarray(loo.targets) @ q
    for kind in kinds(loo):
        results = []
        for module in (reference, compiled):
            V, known = make_candidates(seed, loo)
            module.deflate_(V, q, q_targets, known)
            separate = np.zeros((len(V), statistic_size(kind, len(loo.targets))))
            module.score_(V, np.arange(len(V)), known, loo, 0.1, kind, separate)
            W, fused_known = make_candidates(seed, loo)
            fused = np.zeros_like(separate)
            module.deflate_and_score_(W, q, q_targets, fused_known, loo, 0.1, kind, fused)
            np.testing.assert_array_equal(V, W)
            assert_close(fused, separate, EXACT)
            results.append((V, known.norms2, known.dots, separate))
        for ours, truth in zip(results[1], results[0], strict=True):
            assert_close(ours, truth, EXACT)


def test_deflation_makes_rows_orthogonal(seed):
    loo = make_state(seed, n=40, n_classes=2, weighted=False)
    V, known = make_candidates(seed, loo)
    exact = Candidates((V * V).sum(axis=1), known.dots)
    q = np.full(40, 40**-0.5)
    for module in (reference, compiled):
        W, fresh = V.copy(), Candidates(exact.norms2.copy(), exact.dots.copy())
        module.deflate_(W, q, loo.targets @ q, fresh)
        assert_close(W @ q, 0.0, EXACT)
        assert_close(fresh.norms2, (W * W).sum(axis=1))
        assert_close(fresh.dots, W @ loo.targets.T)


def test_distances_and_products_agree(seed):
    rng = np.random.default_rng(seed)
    XT, centers = rng.standard_normal((5, 30)), rng.standard_normal((4, 5))
    inv_widths = rng.uniform(0.0, 2.0, (4, 5))
    inv_widths[:, 2] = 0.0  # an ignored input
    expected = (((XT.T[None] - centers[:, None]) * inv_widths[:, None]) ** 2).sum(axis=2)
    Q, A = rng.standard_normal((3, 30)), rng.standard_normal((3, 4))
    results = []
    for module in (reference, compiled):
        V = np.full((4, 30), np.nan)
        module.squared_distances_(XT, centers, inv_widths, V)
        assert_close(V, expected, EXACT)
        dots = np.ones(4)
        module.inner_(V, Q[0], dots)
        assert_close(dots, 1.0 + V @ Q[0], EXACT)
        module.subtract_projections_(V, A, Q)
        results.append(V)
    np.testing.assert_array_equal(results[0], results[1])
    assert_close(results[0], expected - A.T @ Q, EXACT)


def test_gaussians_agree(seed):
    r2 = np.random.default_rng(seed).exponential(300.0, (7, 301))
    r2[0, :4] = [0.0, 1399.9, 1400.1, np.inf]
    expected = np.exp(np.maximum(-0.5 * r2, -700.0))
    for module in (reference, compiled):
        for array in (r2.copy(), r2.T.copy().T, r2[0].copy()):
            module.gaussian_(array)
            np.testing.assert_allclose(array, expected[: len(array)] if array.ndim > 1 else
                                       expected[0], rtol=EXACT)  # fmt: skip


def test_two_classes_are_a_special_case_of_many(seed):
    """The confusion table of two outputs (-f, f) holds the error counts of the single output."""
    loo = make_state(seed, n=80, n_classes=2, weighted=True)
    V, known = make_candidates(seed, loo)
    double = Loo(
        np.vstack([-loo.residual, loo.residual]),
        loo.eta,
        np.vstack([-loo.scores, loo.scores]),
        np.vstack([-loo.targets, loo.targets]),
        *loo[4:],
    )
    known2 = Candidates(known.norms2, np.ascontiguousarray(np.hstack([-known.dots, known.dots])))
    for module in (reference, compiled):
        wrong, tables = np.zeros((len(V), 2)), np.zeros((len(V), 4))
        module.score_(V, np.arange(len(V)), known, loo, 0.1, WRONG_BY_CLASS, wrong)
        module.score_(V, np.arange(len(V)), known2, double, 0.1, CONFUSION, tables)
        assert_close(tables[:, 1:3], wrong, EXACT)


def test_vanishing_eta_is_an_infinite_squared_error():
    """A candidate that leaves a sample no freedom has no leave-one-out error."""
    n = 3
    loo = Loo(*[np.ones((1, n))], np.ones(n), *[np.ones((1, n))] * 2, np.zeros(n, np.int64),
              np.ones(n), np.ones(n), np.zeros(n), 0)  # fmt: skip
    V = np.zeros((1, n))
    V[0, 1] = 1.0
    for module in (reference, compiled):
        out = np.zeros((1, 1))
        known = Candidates(np.ones(1), np.ones((1, 1)))
        module.score_(V, np.zeros(1, np.int64), known, loo, 0.0, SQUARED_ERROR, out)
        assert np.isinf(out[0, 0])


@pytest.mark.parametrize("n_threads", [1, 2, 5])
@pytest.mark.parametrize("block", [None, 1, 7])
@pytest.mark.parametrize("n", [0, 1, 20])
def test_blocks_cover_everything_once(n, block, n_threads):
    seen = np.zeros(n, dtype=int)

    def work(part):
        seen[part] += 1

    map_blocks(work, n, n_threads=n_threads, cost=10**9, block=block)
    np.testing.assert_array_equal(seen, 1)


def test_an_error_in_a_thread_is_raised():
    def work(part):
        raise RuntimeError("inside")

    with pytest.raises(RuntimeError, match="inside"):
        map_blocks(work, 10, n_threads=2, cost=10**9)


def test_environment_chooses_the_backend(monkeypatch):
    monkeypatch.setenv("DRUMLIN_BACKEND", "numpy")
    assert _kernels.backend() is reference
    monkeypatch.setenv("DRUMLIN_BACKEND", "numba")
    assert _kernels.backend() is compiled
    monkeypatch.delenv("DRUMLIN_BACKEND")
    assert _kernels.backend_name() == "numba"
    monkeypatch.setenv("DRUMLIN_BACKEND", "cuda")
    with pytest.raises(ValueError, match=r"DRUMLIN_BACKEND must be one of .* Got 'cuda'"):
        _kernels.backend()


def test_a_backend_that_is_not_installed_is_said(monkeypatch):
    monkeypatch.setenv("DRUMLIN_BACKEND", "numba")
    monkeypatch.setattr(_kernels, "_default_name", lambda: "numpy")
    _kernels._module.cache_clear()  # it is not uninstalled in the middle of a process
    with pytest.raises(ImportError, match="DRUMLIN_BACKEND is 'numba', but Numba is not installed"):
        _kernels.backend()


def test_both_backends_offer_the_same_functions():
    public = {name for name in vars(reference) if name.endswith("_") and not name.startswith("_")}
    assert public
    assert public <= set(vars(compiled))
