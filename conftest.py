"""What holds for every run of pytest: threads that do not wait for each other, what is left out."""

from __future__ import annotations

import importlib.util
import os

import pytest

# Inherited by the workers of pytest-xdist, and by all processes that tests start. The workers keep
# all cores busy: threads that wait by spinning would take them away (ten times the CPU for small
# products). Tests of threads set their number themselves.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def pytest_configure(config: pytest.Config) -> None:
    """Let scikit-learn leave checks out without an error.

    Not in pyproject.toml: to know the class pytest would import scikit-learn, and with it BLAS,
    before the lines above; and in the process that only waits for its workers, too.
    """
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.addinivalue_line("filterwarnings", "ignore::sklearn.exceptions.SkipTestWarning")


# Compiled kernels, where there is no Numba to import them.
collect_ignore_glob = (
    []
    if importlib.util.find_spec("numba")
    else ["src/drumlin/_kernels/*compiled*.py", "src/drumlin/_kernels/jit.py"]
)
