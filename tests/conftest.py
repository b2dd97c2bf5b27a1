"""Fixtures for all tests."""

from __future__ import annotations

import multiprocessing
import os
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import settings

# The first call of a kernel compiles it, so no deadline; the same examples in every run.
settings.register_profile("drumlin", deadline=None, derandomize=True)
settings.load_profile("drumlin")


def _seeds() -> list[int]:
    """Seeds to run: 42, or those of DRUMLIN_SEEDS ("all" or "1,2,3")."""
    wish = os.environ.get("DRUMLIN_SEEDS", "42")
    return list(range(100)) if wish == "all" else [int(seed) for seed in wish.split(",")]


@pytest.fixture(scope="session", params=_seeds())
def seed(request: pytest.FixtureRequest) -> int:
    """Seed for the test's random numbers."""
    return request.param


@pytest.fixture(scope="session")
def needs_data() -> Path:
    """Folder of the benchmark data; skips the test where there is none."""
    folder = os.environ.get("DRUMLIN_DATA")
    if not folder:
        pytest.skip("needs the benchmark data: set DRUMLIN_DATA to their folder")
    return Path(folder)


@pytest.fixture(scope="session")
def fork_server():
    """Context of processes that start in milliseconds: their server has imported everything."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.experiments.small_work", "distributed"])
    import_module("multiprocessing.forkserver").ensure_running()  # before another sets its list
    return context


@pytest.fixture(scope="session")
def forked_workers(request: pytest.FixtureRequest):
    """Let Dask fork the workers of clusters, too, where the system can (Windows cannot)."""
    config = pytest.importorskip("dask").config
    methods = {}
    if "forkserver" in multiprocessing.get_all_start_methods():
        request.getfixturevalue("fork_server")
        methods["distributed.worker.multiprocessing-method"] = "forkserver"
    with config.set(methods):
        yield
