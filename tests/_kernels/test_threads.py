"""How many threads are used."""

from __future__ import annotations

from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from drumlin._kernels import threads


def test_threads_are_limited_like_those_of_scikit_learn():
    with threadpool_limits(1, user_api="openmp"):
        assert threads.usable_threads() == 1
    assert Parallel(n_jobs=2)(delayed(_usable)() for _ in range(2)) == [_usable(2)] * 2


def _usable(n_jobs=1):
    return max(1, threads.usable_threads() // n_jobs)
