"""Damaged and edited files: a clear error or a model that works, never anything else."""

from __future__ import annotations

import collections
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.io.mutations import MUTATIONS, REFUSED, USABLE, mutated, outcome, victims

ROOT = Path(__file__).parents[2]
MANY = 25 if os.environ.get("DRUMLIN_SEEDS") == "all" else 1
N_SEEDS, PART = 400 * MANY, 20
N_SLOW, N_SLOW_PART = 10_000, 500
TRIED = {}


def tried(seed, folder):
    """Return the mutation of a seed and what came of it, tried once by all tests of a process."""
    if seed not in TRIED:
        name, mutation, content = mutated(victims(), seed)
        came_of_it = outcome(folder / "model.drumlin", content, victims()[name].X)
        TRIED[seed] = mutation, came_of_it
    return TRIED[seed]


@pytest.mark.parametrize("first", range(0, N_SEEDS, PART))
def test_mutated_files_are_refused_or_work_on_both_backends(first, tmp_path):
    for seed in range(first, first + PART):
        assert tried(seed, tmp_path)[1] in (REFUSED, USABLE)


def test_mutations_are_worth_trying(tmp_path):
    """Each kind makes files that are refused; most make some that work."""
    found = collections.defaultdict(set)
    for seed in range(N_SEEDS):
        mutation, came_of_it = tried(seed, tmp_path)
        found[mutation].add(came_of_it)
    assert set(found) == {function.__name__ for function in MUTATIONS}
    assert all(REFUSED in outcomes for outcomes in found.values())
    assert sum(USABLE in outcomes for outcomes in found.values()) >= 4


def _tried(first):
    """Counts of a part of the seeds, in a process of its own: a crash is seen as one."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.io.mutations", str(first), str(first + N_SLOW_PART)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, (
        f"exit code {done.returncode}, last seeds and error:\n"
        + "\n".join(done.stderr.splitlines()[-40:])
    )
    return collections.Counter(json.loads(done.stdout))


@pytest.mark.slow
def test_ten_thousand_mutated_files(capsys):
    start = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        firsts = range(1_000_000, 1_000_000 + N_SLOW, N_SLOW_PART)
        counts = sum(pool.map(_tried, firsts), collections.Counter())
    with capsys.disabled():
        print(f"\n{N_SLOW} mutated files, {time.perf_counter() - start:.0f} s:")
        for mutation in sorted({function.__name__ for function in MUTATIONS}):
            refused, usable = counts[f"{mutation} {REFUSED}"], counts[f"{mutation} {USABLE}"]
            print(f"  {mutation}: {refused} refused, {usable} load and work on both backends")
    assert sum(counts.values()) == N_SLOW
