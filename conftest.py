"""What pytest leaves out everywhere: compiled kernels where there is no Numba to import them."""

from __future__ import annotations

import importlib.util

collect_ignore_glob = (
    []
    if importlib.util.find_spec("numba")
    else ["src/drumlin/_kernels/*compiled*.py", "src/drumlin/_kernels/jit.py"]
)
