"""A cluster of two worker processes, for all tests of one process."""

from __future__ import annotations

import pytest

from tests.small import use_small_recipe

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="session")
def cluster(forked_workers):
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as cluster:
        yield cluster


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as client:
        yield client


@pytest.fixture
def _small(monkeypatch):
    use_small_recipe(monkeypatch)
