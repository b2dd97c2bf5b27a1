"""The flagship estimators beside tuned rivals, with the targets they were given.

    DRUMLIN_DATA=... python -m benchmarks.accuracy.flagship [part ...] [--out FILE]

Parts: nine, tables, large, noise, speed, regression, ablation (all by default). Each prints
Markdown tables and appends them to the results file with command, date and versions. Results of
rivals are kept in ``benchmarks/accuracy/.cache`` and reused unless ``--fresh``; times that enter a
ratio are always measured in the run itself. Everything is seeded and on one thread, and nothing is
chosen on test data. ``--rivals-only`` fills the cache; ``--quick`` is a smoke test, no measurement.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

for variable in (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS",
):  # fmt: skip
    os.environ[variable] = "1"  # before NumPy is imported, and for the processes started here

from benchmarks.accuracy import flagship_ablation as ablation  # noqa: E402
from benchmarks.accuracy import flagship_accuracy as accuracy  # noqa: E402
from benchmarks.accuracy import flagship_cost as cost  # noqa: E402
from benchmarks.accuracy import flagship_regression as regression  # noqa: E402
from benchmarks.accuracy.flagship_models import MODELS  # noqa: E402
from benchmarks.accuracy.flagship_report import Settings, append, section  # noqa: E402
from benchmarks.accuracy.flagship_rivals import Cache  # noqa: E402

PARTS = {
    "nine": accuracy.nine,
    "tables": accuracy.tables,
    "large": cost.large,
    "noise": accuracy.noise,
    "speed": cost.speed,
    "regression": regression.regression,
    "ablation": ablation.ablation,
}
RIVALS = {
    "nine": accuracy.nine_rivals,
    "tables": accuracy.tables_rivals,
    "regression": regression.regression_rivals,
}
RESULTS = "docs/flagship-results.md"


def parsed(arguments: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy.flagship")
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--realisations", type=int, default=20, help="of each of the nine sets")
    parser.add_argument("--out", help=f"results file, '-' for none (default: {RESULTS})")
    parser.add_argument("--model", choices=MODELS, default="drumlin")
    parser.add_argument("--fresh", action="store_true", help="ignore the cache of rivals")
    parser.add_argument("--rivals-only", action="store_true", help="only fill that cache")
    parser.add_argument("--quick", action="store_true", help="a smoke test with few rows")
    options = parser.parse_args(arguments)
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"unknown part {sorted(unknown)}; choose from {list(PARTS)}")
    if options.out is None:  # stand-ins and smoke tests leave no trace unless asked to
        options.out = RESULTS if options.model == "drumlin" and not options.quick else "-"
    return options


def main(arguments: list[str]) -> None:
    """Run the parts asked for."""
    options = parsed(arguments)
    settings = Settings(options.model, options.realisations, quick=options.quick)
    cache = Cache(fresh=options.fresh)
    for name in options.parts or PARTS:
        start = time.perf_counter()
        if options.rivals_only:
            if name in RIVALS:
                RIVALS[name](settings, cache)
            continue
        body = PARTS[name](settings, cache)
        text = section(name, body, arguments, time.perf_counter() - start)
        print(text, flush=True)
        if options.out != "-":
            append(Path(options.out), text)


if __name__ == "__main__":
    main(sys.argv[1:])
