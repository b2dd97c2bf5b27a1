"""Markdown tables, targets with a verdict, and the section of the results file."""

from __future__ import annotations

import platform
import shlex
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import numpy as np

from drumlin.experiments.formats import markdown_rows


@dataclass(frozen=True)
class Settings:
    """What the command line asked for."""

    model: str = "drumlin"
    realisations: int = 20
    splits: int = 3
    draws: int = 5
    quick: bool = False

    def rows(self, n: int, most: int = 300) -> int:
        """Return n, or few rows for a smoke test."""
        return min(n, most) if self.quick else n

    def numbers(self, n: int) -> range:
        """Return 1 to n, or 1 and 2 for a smoke test."""
        return range(1, (min(n, 2) if self.quick else n) + 1)

    def span(self, n: int) -> str:
        """Those numbers in words."""
        return f"1-{self.numbers(n)[-1]}"


@dataclass(frozen=True)
class Target:
    """A measured value beside the wanted one (bounds in percent, seconds, ...)."""

    what: str
    measured: float | None
    least: float | None = None
    most: float | None = None
    digits: int = 2
    spread: float | None = None

    def cells(self) -> list[str]:
        """Name, bounds, value and verdict."""
        if self.measured is None:
            return [self.what, self._wanted(), "-", "not measured"]
        value = f"{self.measured:.{self.digits}f}"
        if self.spread is not None:
            value = f"{self.measured:+.{self.digits}f} ± {self.spread:.{self.digits}f}"
        return [self.what, self._wanted(), value, "ok" if self.met() else "MISSED"]

    def met(self) -> bool:
        """Whether the measured value lies within the bounds."""
        above = self.least is None or self.measured >= self.least
        return above and (self.most is None or self.measured <= self.most)

    def _wanted(self) -> str:
        bounds = []
        if self.least is not None:
            bounds.append(f">= {self.least:g}")
        if self.most is not None:
            bounds.append(f"<= {self.most:g}")
        return ", ".join(bounds)


def targets(entries: Sequence[Target]) -> str:
    """Table of targets."""
    return markdown_rows(["target", "wanted", "measured", ""], [entry.cells() for entry in entries])


def signed(difference: tuple[float, float], digits: int = 2) -> str:
    """Write a difference with its standard error."""
    mean, error = difference
    tail = "" if np.isnan(error) else f" ± {error:.{digits}f}"
    return f"{mean:+.{digits}f}{tail}"


def mean(results: Sequence[dict], field: str) -> float:
    """Mean of one field of some results."""
    return float(np.mean([result[field] for result in results]))


def edges(results: Sequence[dict]) -> str:
    """How often a search chose a value on the edge of its grid."""
    counts = Counter(edge for result in results for edge in result["on_edge"])
    told = ", ".join(f"{edge} {n}" for edge, n in sorted(counts.items()))
    return f"Searches that ended on the edge of the grid (of {len(results)}): {told or 'none'}."


def section(name: str, body: str, arguments: Sequence[str], seconds: float) -> str:
    """A part of the results file: command, date, versions, tables."""
    packages = ("drumlin", "numpy", "scipy", "scikit-learn", "numba")
    versions = ", ".join(f"{package} {_version(package)}" for package in packages)
    command = shlex.join(["python", "-m", "benchmarks.accuracy.flagship", *arguments])
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return (
        f"## {name}\n\n    {command}\n\n"
        f"{when}, {seconds:.0f} s, one thread, {_processor()}. Commit {_commit()}; "
        f"Python {platform.python_version()}, {versions}.\n\n{body}\n"
    )


def append(path: Path, text: str) -> None:
    """Add a section to the results file, with a title where it is new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = not path.exists()
    with path.open("a", encoding="utf-8") as file:
        file.write(f"# Flagship: measured\n\n{text}" if new else f"\n{text}")


def _version(package: str) -> str:
    try:
        return version(package)
    except ModuleNotFoundError:
        return "none"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _commit() -> str:
    """Return the commit of this code, marked where the sources differ from it."""
    folder = Path(__file__).parent

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True)
        return done.stdout.strip()

    changed = git("status", "--porcelain", "--", ":/src", ":/benchmarks")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + (" with changes" if changed else "")
