"""Several fits at once, in threads of one process."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_moons
from threadpoolctl import threadpool_info, threadpool_limits

from drumlin import DrumlinClassifier, ForwardRBFClassifier, RBFNetworkClassifier
from drumlin._kernels.blas import one_blas_thread


def blas_threads() -> set[int]:
    """Threads of every BLAS that is loaded."""
    return {lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def two_threads():
    """Two BLAS threads, also on a machine with one core."""
    with threadpool_limits(2, user_api="blas"):
        yield


def test_nested_contexts_share_the_limit():
    with one_blas_thread():
        with one_blas_thread():
            assert blas_threads() == {1}
        assert blas_threads() == {1}
    assert blas_threads() == {2}


def test_the_limit_ends_with_its_last_holder():
    """Contexts that overlap without nesting, as those of threads do."""
    first, second = one_blas_thread(), one_blas_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert blas_threads() == {1}
    second.__exit__(None, None, None)
    assert blas_threads() == {2}


def test_an_error_ends_the_limit():
    with pytest.raises(RuntimeError, match="stop"), one_blas_thread():
        raise RuntimeError("stop")
    assert blas_threads() == {2}


def test_threads_come_and_go():
    """Nobody inside ever sees more than one thread, however the others come and go."""
    ready = threading.Barrier(8)

    def visit(_) -> set[int]:
        ready.wait()
        seen = set()
        for _ in range(10):
            with one_blas_thread():
                seen |= blas_threads()
        return seen

    with ThreadPoolExecutor(8) as pool:
        assert set().union(*pool.map(visit, range(8))) == {1}
    assert blas_threads() == {2}


@pytest.mark.parametrize(
    "model", [DrumlinClassifier(), ForwardRBFClassifier(), RBFNetworkClassifier()], ids=repr
)
def test_concurrent_fits_equal_sequential_ones(model):
    tables = [make_moons(n, noise=0.25, random_state=n) for n in (300, 350, 400, 450) * 2]

    def probabilities(table):
        return clone(model).fit(*table).predict_proba(table[0])

    expected = [probabilities(table) for table in tables]
    ready = threading.Barrier(4)

    def fit(table):
        ready.wait()
        return probabilities(table)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(fit, tables))
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert blas_threads() == {2}
