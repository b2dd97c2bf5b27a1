"""Speed beside that of another commit, in one run.

``python -m benchmarks.speed.against a596a6a`` checks the commit out into a temporary folder, starts
one process for each of the two trees and lets them take turns: what a loaded machine does to one it
does to the other. Printed are ratios of the least CPU times, below 1 where this tree is faster.
A word after the commit leaves the lines whose names have it: ``... a596a6a Nadaraya``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
TURNS = 5


def lines() -> dict[str, Callable[[], object]]:
    """What is timed: public names that both trees have, on seeded problems."""
    import numpy as np
    from sklearn.datasets import make_friedman1, make_moons

    import drumlin

    def blobs(n: int, n_classes: int) -> tuple:
        rng = np.random.default_rng(0)
        y = rng.integers(0, n_classes, n)
        return rng.standard_normal((n, 8)) + 1.5 * rng.standard_normal((n_classes, 8))[y], y

    moons = {n: make_moons(n, noise=0.25, random_state=0) for n in (300, 2000)}
    friedman = {n: make_friedman1(n, noise=1.0, random_state=0) for n in (300, 2000)}
    many = blobs(1000, 5)
    fits = {
        "DrumlinClassifier, 300 moons": (drumlin.DrumlinClassifier(), moons[300]),
        "DrumlinClassifier, 2000 moons": (drumlin.DrumlinClassifier(), moons[2000]),
        "DrumlinClassifier, 1000 x 8, 5 classes": (drumlin.DrumlinClassifier(), many),
        "DrumlinRegressor, 300 friedman1": (drumlin.DrumlinRegressor(), friedman[300]),
        "DrumlinRegressor, 2000 friedman1": (drumlin.DrumlinRegressor(), friedman[2000]),
        "ForwardRBFClassifier, 2000 moons": (drumlin.ForwardRBFClassifier(), moons[2000]),
        "ForwardRBFClassifier, 5 classes": (drumlin.ForwardRBFClassifier(), many),
        "ForwardRBFRegressor, 2000": (drumlin.ForwardRBFRegressor(), friedman[2000]),
        "TunableRBFClassifier, 300 moons": (
            drumlin.TunableRBFClassifier(random_state=0),
            moons[300],
        ),
        "RBFNetworkClassifier, 2000 moons": (
            drumlin.RBFNetworkClassifier(random_state=0),
            moons[2000],
        ),
        "NadarayaWatsonClassifier, 2000": (drumlin.NadarayaWatsonClassifier(), moons[2000]),
        "SparseKernelLogisticRegression, 300": (
            drumlin.SparseKernelLogisticRegression(random_state=0),
            moons[300],
        ),
    }
    timed: dict[str, Callable[[], object]] = {
        name: lambda model=model, data=data: model.fit(*data)
        for name, (model, data) in fits.items()
    }
    fitted = drumlin.DrumlinClassifier().fit(*many)
    rows = np.tile(many[0], (50, 1))
    timed["DrumlinClassifier.predict_proba, 50000 rows"] = lambda: fitted.predict_proba(rows)
    return timed


def serve(word: str) -> None:
    """Time every line with a word in its name whenever a line is read."""
    warnings.simplefilter("ignore")
    timed = {name: work for name, work in lines().items() if word in name}
    for work in timed.values():  # kernels are loaded
        work()
    print("ready", flush=True)
    for _ in sys.stdin:
        found = {}
        for name, work in timed.items():
            begin = time.process_time()
            work()
            found[name] = time.process_time() - begin
        print(json.dumps(found), flush=True)


def start(tree: Path, word: str) -> subprocess.Popen:
    """Start a process that times the code of a tree."""
    variables = {**os.environ, "PYTHONPATH": str(tree / "src"), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--serve", word]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=tree, env=variables, stdin=pipe, stdout=pipe, text=True)


def turn(process: subprocess.Popen) -> dict[str, float]:
    """Let a process time its lines once."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def compare(commit: str = "a596a6a", word: str = "") -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run(
            [*git, "add", "--detach", str(tree), commit], check=True, capture_output=True
        )
        processes = [start(ROOT, word), start(tree, word)]
        try:
            for process in processes:
                assert process.stdout is not None
                assert process.stdout.readline() == "ready\n"
            turns = [[turn(process) for process in processes] for _ in range(TURNS)]
        finally:
            for process in processes:
                process.kill()
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)
    print(f"| fit | here, ms | {commit}, ms | ratio |\n|---|---|---|---|")
    for name in turns[0][0]:
        here, there = (min(pair[i][name] for pair in turns) for i in (0, 1))
        print(f"| {name} | {1e3 * here:.0f} | {1e3 * there:.0f} | {here / there:.2f} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2])
    else:
        compare(*sys.argv[1:3])
