"""The command line on a large table: all of covtype as a CSV file, on every core there is.

    DRUMLIN_DATA=... python -m benchmarks.speed.tool [rows]

Not a part of ``make bench``: it takes minutes. Prints the table of docs/cli.md.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from drumlin.datasets import load_table


def run(*arguments: str) -> tuple[str, float, float, float]:
    """Output of a command, its seconds by the clock and of all cores, and its peak in MB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, "-m", "drumlin", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    clock = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, clock, cpu, after.ru_maxrss / 1024.0


def main(rows: int | None) -> None:
    """Write the table, fit, predict, print."""
    data = load_table("covtype")
    keep = np.random.default_rng(0).permutation(len(data.X))[:rows]
    frame = pd.DataFrame(data.X[keep], columns=[f"x{i}" for i in range(data.X.shape[1])])
    frame["cover"] = data.y[keep]
    with tempfile.TemporaryDirectory() as folder:
        table, model = Path(folder) / "covtype.csv", Path(folder) / "covtype.drumlin"
        frame.to_csv(table, index=False)
        size, n_rows, cores = table.stat().st_size / 1e6, len(frame), os.cpu_count()
        del frame, data
        options = ["--target", "cover", "--holdout", "0.2", "--json", "-o", str(model)]
        fitted, *fit = run("fit", str(table), *options)
        _, *predict = run("predict", str(model), str(table), "-o", str(Path(folder) / "out.csv"))
        print(f"{n_rows} rows, {size:.0f} MB of CSV, {cores} cores\n")
        print("| command | seconds | CPU seconds | peak MB |\n|---|---|---|---|")
        print(f"| `drumlin fit` | {fit[0]:.0f} | {fit[1]:.0f} | {fit[2]:.0f} |")
        print(f"| `drumlin predict` | {predict[0]:.0f} | {predict[1]:.0f} | <= {predict[2]:.0f} |")
        facts = json.loads(fitted)
        test, megabytes = facts["test"], model.stat().st_size / 1e6
        print(
            f"\n{facts['n_train']} rows to fit, {test['n_rows']} held out: error "
            f"{100.0 * test['error']:.2f} %, log-loss {test['log-loss']:.3f}; {facts['n_nodes']} "
            f"nodes, model file {megabytes:.1f} MB"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else None)
