#!/usr/bin/env -S uv run
# /// script
# dependencies = ["nox>=2025.10"]
# ///
"""Tests on other Pythons and other versions: ``.venv/bin/nox -l`` lists them, ``-s name`` runs one.

``.ci/run`` runs the whole suite once by ``make test`` and then ``quick`` on every other Python.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nox

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
OWN = f"{sys.version_info.major}.{sys.version_info.minor}"
OTHERS = [version for version in PYTHONS if version != OWN]

QUICK = (
    "tests/estimators/test_checks.py",
    "tests/io",
    "tests/tables",
    "tests/cli",
    "tests/_kernels/test_jit.py",
    "tests/test_lazy.py",
)
"""What a new Python or NumPy breaks first. ``tests/io`` fits and saves one model of every kind."""

LONG = (
    "not numpy- and not memmap and not test_mutations and not test_hostile "
    "and not compare and not quick_start and not test_cost and not test_signals"
)
"""Left out of them: the other backend and what takes long for what it says of a Python."""

GROUPS = nox.project.load_toml("pyproject.toml")
TEST = nox.project.dependency_groups(GROUPS, "test")
DOCS = nox.project.dependency_groups(GROUPS, "docs")

nox.needs_version = ">=2025.10"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.error_on_missing_interpreters = False  # a Python that is not here is skipped
nox.options.download_python = "never"


def _prefer_pyenv() -> None:
    """Put pyenv's Pythons first on the path: its shims run only those that are 'global'."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    folders = [str(place) for v in PYTHONS for place in sorted(root.glob(f"{v}.*/bin"))]
    os.environ["PATH"] = os.pathsep.join([*folders, os.environ["PATH"]])


_prefer_pyenv()


def _test(session: nox.Session, *arguments: str, **variables: str) -> None:
    session.run("python", "-c", "import drumlin, numpy, sys; print(sys.version, numpy.__version__)")
    session.run("pytest", "-n", "auto", *arguments, *session.posargs, env=variables)


@nox.session(python=PYTHONS, default=False)
def tests(session: nox.Session) -> None:
    """Run the whole suite with the newest dependencies."""
    session.install("-e", ".[all]", *TEST)
    _test(session)


@nox.session(python=OTHERS)
def quick(session: nox.Session) -> None:
    """Run estimator checks, files, tables, the command and one fit of everything."""
    session.install("-e", ".[all]", *TEST)
    _test(session, *QUICK, "-k", LONG)


@nox.session(python=PYTHONS[0], venv_backend="uv", default=False)
def lowest(session: nox.Session) -> None:
    """Run the whole suite with the lowest versions that pyproject.toml declares."""
    session.install("--resolution", "lowest-direct", "-e", ".[all]")
    session.install(*TEST)  # keeps what is there
    _test(session)


@nox.session(python=OWN, default=False)
def numpy(session: nox.Session) -> None:
    """Run the whole suite where Numba is not installed."""
    session.install("-e", ".[all]", *TEST)
    session.run_install("uv", "pip", "uninstall", "numba", "llvmlite", external=True)
    _test(session, DRUMLIN_BACKEND="numpy")


@nox.session(python=OWN, default=False)
def package(session: nox.Session) -> None:
    """Build sdist and wheel, the wheel from the sdist, and use it in an environment of its own."""
    folder = Path(session.create_tmp()).resolve()
    for old in folder.glob("drumlin-*"):
        old.unlink()
    session.install("build", "twine", "uv")
    session.run("python", "-m", "build", "--outdir", str(folder))
    built = sorted(map(str, folder.glob("drumlin-*")))
    session.run("twine", "check", "--strict", *built)
    session.run("python", "tests/packaging/contents.py", *built)
    python = folder / "clean" / "bin" / "python"
    session.run("uv", "venv", "--quiet", "--clear", "--python", OWN, str(folder / "clean"))
    session.run("uv", "pip", "install", "--quiet", "--python", str(python), built[0])
    program = Path(__file__).parent / "tests" / "packaging" / "minimal.py"
    session.chdir(folder)  # not the checkout
    session.run(str(python), "-P", str(program), external=True)


@nox.session(python=OWN, default=False)
def docs(session: nox.Session) -> None:
    """Build the manual, warnings being errors; ``DRUMLIN_GALLERY=fast`` skips long examples."""
    session.install("-e", ".[all]", *DOCS)
    out = ("docs", "docs/_build/html")
    session.run("sphinx-build", "-W", "--keep-going", "-q", "-b", "html", "-j", "auto", *out)


@nox.session(python=OWN, default=False)
def lint(session: nox.Session) -> None:
    """Check style, types and the import contract."""
    session.install("-e", ".[all]", *nox.project.dependency_groups(GROUPS, "dev"))
    for command in (("ruff", "check"), ("ruff", "format", "--check"), ("mypy",), ("lint-imports",)):
        session.run(*command)


if __name__ == "__main__":
    nox.main()
