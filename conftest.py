"""What holds for every run of pytest: threads that do not wait for each other, what is left out."""

from __future__ import annotations

import importlib.util
import os

# Inherited by the workers of pytest-xdist, and by all processes that tests start. The workers keep
# all cores busy: threads that wait by spinning would take them away (ten times the CPU for small
# products). Tests of threads set their number themselves.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

# Compiled kernels, where there is no Numba to import them.
collect_ignore_glob = (
    []
    if importlib.util.find_spec("numba")
    else ["src/drumlin/_kernels/*compiled*.py", "src/drumlin/_kernels/jit.py"]
)
