"""Kernels without a place to be kept, and the word that is said when they are compiled."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

import drumlin
from drumlin._kernels import backend_name
from tests.warm import run_warm

pytestmark = pytest.mark.skipif(backend_name() != "numba", reason="needs the compiled kernels")

PACKAGE = Path(drumlin.__file__).parent
NOWHERE = os.devnull + "/nowhere"  # not even root can make a folder there

PROGRAM = """
import json, logging, os, sys, warnings
import numpy as np
from numba.core import config
source, variables = sys.argv[1], json.loads(sys.argv[2])
for name in [name for name in os.environ if name.startswith(("NUMBA", "XDG"))]:
    del os.environ[name]
os.environ.update(variables)
config.reload_config()
sys.path.insert(0, source)
said = []
handler = logging.Handler()
handler.emit = lambda record: said.append(record.getMessage())
logging.getLogger("drumlin").addHandler(handler)
logging.getLogger("drumlin").setLevel(logging.INFO)
{before}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from drumlin._kernels import compiled
    for n_rows in (3, 5):
        out = np.zeros(2)
        compiled.inner_(np.ones((2, n_rows)), np.ones(n_rows), out)
        assert out.tolist() == [n_rows, n_rows]
    coef = np.zeros((1, 1))
    compiled.lms_(np.ones((1, 1)), np.ones((1, 1)), np.ones(1), 0.0, coef, np.zeros(1), coef.copy())
    assert coef.item() == 1.0
print(json.dumps([said, [str(entry.message) for entry in caught]]))
"""


def run(source, home, *, before="", **variables):
    """What is said and what is warned of in a new process whose home is given."""
    variables = json.dumps({"HOME": str(home), **variables})
    code, out, told = run_warm(PROGRAM.replace("{before}", before), source, variables)
    assert code == 0, told
    return json.loads(out)


@pytest.fixture
def read_only(tmp_path):
    """A copy of the package beside whose kernels no folder can be made, not even by root."""
    shutil.copytree(PACKAGE, tmp_path / "drumlin", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "drumlin" / "_kernels" / "__pycache__").write_text("in the way")
    return tmp_path


def test_kernels_run_where_nothing_can_be_written(read_only):
    _, (warning,) = run(read_only, NOWHERE)
    assert "NUMBA_CACHE_DIR" in warning


def test_a_folder_named_by_the_variable_mends_it(read_only, tmp_path):
    _, caught = run(read_only, NOWHERE, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert not caught
    assert list((tmp_path / "cache").rglob("*.nbi"))


@pytest.mark.parametrize("method", ["load", "save"])
def test_kernels_run_where_the_place_is_lost_or_full(method, tmp_path):
    fail = f"""
from numba.core import caching
def fail(*arguments):
    raise OSError(28, "No space left on device")
caching.FunctionCache._{method}_overload = fail
"""
    _, (warning,) = run(PACKAGE.parent, tmp_path, before=fail, NUMBA_CACHE_DIR=str(tmp_path))
    assert "NUMBA_CACHE_DIR" in warning


def test_compiling_is_said_once_and_only_when_it_happens(tmp_path):
    (said,), _ = run(PACKAGE.parent, tmp_path, NUMBA_CACHE_DIR=str(tmp_path))
    assert "ompiling" in said
    assert run(PACKAGE.parent, tmp_path, NUMBA_CACHE_DIR=str(tmp_path)) == [[], []]
