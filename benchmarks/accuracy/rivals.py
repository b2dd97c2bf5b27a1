"""The flagship beside what people use, on the same splits of all open tables.

``python -m benchmarks.accuracy.rivals`` runs what ``docs/reproduction/rivals.sqlite`` lacks and
writes ``docs/rivals.md`` from it. Every run is stored when it is finished, so the command may be
stopped and given again; what ``drumlin reproduce`` has run in the same way is taken from its
results. ``--models drumlin --again`` runs ours anew after a change of the code;
``--tables-only`` runs nothing. Rivals that are not installed are not run (``pip install torch``,
then the dependency group ``rivals``, best in an environment of its own).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.accuracy.rivals_methods import MODELS, OTHERS_OF_OURS
from benchmarks.accuracy.rivals_page import draw_curves, page
from benchmarks.accuracy.rivals_problems import CURVE_SETS, TABLE_SETS
from drumlin.experiments.problems import NINE, ProblemSet
from drumlin.experiments.protocol import DONE, FIT, Record
from drumlin.experiments.runner import Plan, run
from drumlin.experiments.store import Store

STORE = Path("docs/reproduction/rivals.sqlite")
MORE_REALISATIONS = range(2, 11)
REPRODUCED = Path("docs/reproduction/results.sqlite")
SAME = {"rvm": "fastrvm"} | {name: name for name in OTHERS_OF_OURS}
"""Methods of ``drumlin reproduce`` that are run just so there, and their names here."""

SLOW = ("EBM", "xRFM", "RealMLP")
"""Models that get one realisation of every table; the others get more of the nine sets."""


def plans(models: list[str], sets: list[str]) -> Iterator[Plan]:
    """What shall be known, in the order of its worth: all tables once, then more of the nine."""
    quick = [model for model in models if model not in (*SLOW, *OTHERS_OF_OURS)]
    for name, problems in (TABLE_SETS | CURVE_SETS).items():
        if name in sets:
            yield plan(models, problems, range(1, 2))
    for realisation in MORE_REALISATIONS:
        for name in NINE:
            if name in sets:
                yield plan(quick, TABLE_SETS[name], range(realisation, realisation + 1))


def plan(models: list[str], problems: ProblemSet, realisations: range) -> Plan:
    """Some models on one table."""
    return Plan({name: MODELS[name] for name in models}, {problems.name: problems}, realisations)


def adopt(store: Store, reproduced: Store) -> None:
    """Take over runs that are the same: one protocol, the same splits and seeds."""
    for record in reproduced:
        wanted = record.stage == FIT and record.dataset in TABLE_SETS and record.status == DONE
        if wanted and record.method in SAME:
            store.add(replace(record, method=SAME[record.method]))


def tell(record: Record) -> None:
    """Print what has been finished."""
    what = f"{record.error:.2f} %" if record.message is None else record.message
    spent = "" if record.fit_seconds is None else f", {record.fit_seconds:.2f} s"
    print(f"{record.method}, {record.dataset} {record.realisation}: {what}{spent}", flush=True)


def main() -> None:
    """Run what is missing and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    sets = list(TABLE_SETS | CURVE_SETS)
    parser.add_argument("--models", nargs="+", default=list(MODELS), choices=list(MODELS))
    parser.add_argument("--tables", nargs="+", default=sets, choices=sets)
    parser.add_argument("--again", action="store_true", help="run anew, though stored")
    parser.add_argument("--tables-only", action="store_true", help="run nothing")
    parser.add_argument("--store", type=Path, default=STORE)
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/rivals.md"))
    args = parser.parse_args()
    here = [model for model in MODELS if model in args.models and MODELS[model].is_available]
    with Store(args.store) as store:
        if not args.tables_only:
            with Store(REPRODUCED) as reproduced:
                adopt(store, reproduced)
            wanted = list(plans(here, args.tables))
            if args.again:
                store.forget(task for some in wanted for task in some.tasks())
            for some in wanted:
                run(some, store, on_record=tell)
        frame = store.frame()
    draw_curves(frame, args.output.parent / "images" / "rivals.png")
    args.output.write_text(page(frame), encoding="utf-8")


if __name__ == "__main__":
    main()
