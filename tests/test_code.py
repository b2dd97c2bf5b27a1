"""What CONTRIBUTING promises of the code: short functions with few parameters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import drumlin
from benchmarks.code import MOST_LINES, functions, with_many_parameters


@pytest.fixture(scope="module")
def found():
    return list(functions(Path(drumlin.__file__).parent))


def test_functions_take_few_parameters(found):
    assert [f"{f.path} {f.name}: {f.n_parameters}" for f in with_many_parameters(found)] == []


def test_functions_are_short(found):
    assert np.quantile([f.n_lines for f in found], 0.9) <= MOST_LINES


def test_many_parameters_are_seen(tmp_path):
    (tmp_path / "room").mkdir()
    many = "a, b, c, *, d, e, f, g"
    code = f"class A:\n    def __init__(self, {many}): ...\n    def f(self, {many}): ...\n"
    (tmp_path / "room" / "file.py").write_text(code)
    assert [f.name for f in with_many_parameters(list(functions(tmp_path)))] == ["f"]
