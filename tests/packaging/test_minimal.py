"""What users get who install nothing but drumlin, and what the package says of itself."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import drumlin
from drumlin import _optional

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def names(requirements):
    return {re.match(r"[\w-]+", text)[0] for text in requirements}


def test_everything_else_works_without_the_extras():
    program = [sys.executable, str(Path(__file__).with_name("minimal.py")), "block"]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"drumlin {drumlin.__version__} works without extras\n"


def test_only_what_estimators_need_is_always_installed():
    needed = {"joblib", "numba", "numpy", "scikit-learn", "scipy", "threadpoolctl"}
    assert names(PROJECT["dependencies"]) == needed


@pytest.mark.parametrize("package", _optional.EXTRAS)
def test_every_extra_brings_what_it_is_named_for(package):
    extra, _ = _optional.EXTRAS[package]
    assert package in names(PROJECT["optional-dependencies"][extra])
    assert extra in re.search(r"\[(.*)\]", PROJECT["optional-dependencies"]["all"][0])[1].split(",")


def test_what_a_package_itself_misses_is_not_hidden(monkeypatch):
    def broken(name):
        raise ModuleNotFoundError("No module named 'dateutil'", name="dateutil")

    monkeypatch.setattr(_optional, "import_module", broken)
    with pytest.raises(ModuleNotFoundError, match="dateutil"):
        _optional.need("pandas")


def test_version_and_date_are_told_once_each():
    """The newest release of the changelog, the citation and the package agree."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, date = re.search(r"^## \[(\d+\.\d+\.\d+)\] - (\S+)$", changelog, re.MULTILINE).groups()
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {version}\n" in citation
    assert f'date-released: "{date}"\n' in citation
    assert drumlin.__version__.startswith(version)


@pytest.mark.parametrize(
    ("platform", "python", "wanted"),
    [("linux", "3.11", True), ("win32", "3.13", True), ("emscripten", "3.13", False)],
)
def test_numba_is_not_asked_for_in_a_browser(platform, python, wanted):
    """Pyodide has no Numba: there the NumPy backend runs (nox session ``numpy``)."""
    (numba,) = [Requirement(text) for text in PROJECT["dependencies"] if text.startswith("numba")]
    environment = {
        "sys_platform": platform,
        "python_version": python,
        "platform_python_implementation": "CPython",
    }
    assert numba.marker.evaluate(environment) == wanted
