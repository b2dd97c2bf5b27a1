"""``drumlin reproduce``: the papers' tables, rerun beside today's rivals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from drumlin.cli.console import INTERRUPTED, UsageError, console, print_json, told_errors
from drumlin.cli.progress import Progress
from drumlin.cli.results import insert_tables, print_tables, write_results
from drumlin.evaluation import Method
from drumlin.experiments.methods import METHODS, PAPERS, methods_of
from drumlin.experiments.problems import SETS, USUAL, ProblemSet
from drumlin.experiments.runner import Plan, Workers, pending, run
from drumlin.experiments.store import Store

T = TypeVar("T")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("reproduce")(command)


def command(
    paper: Annotated[str, typer.Argument(help=f"One of {', '.join(PAPERS)}, all.")] = "all",
    datasets: Annotated[str, typer.Option(help=f"Names with commas, of {', '.join(SETS)}.")] = "",
    methods: Annotated[str, typer.Option(help=f"Names with commas, of {', '.join(METHODS)}.")] = "",
    realisations: Annotated[str, typer.Option(help="A number, or first:last.")] = "1:20",
    jobs: Annotated[int, typer.Option(help="Processes; -1 for one per processor.")] = 1,
    out: Annotated[Path, typer.Option(help="Folder of results.sqlite, tables and plots.")] = Path(
        "reproduction"
    ),
    backend: Annotated[str, typer.Option(help="loky (this machine) or dask.")] = "loky",
    scheduler: Annotated[str | None, typer.Option(help="Address of the Dask scheduler.")] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Run again what failed before.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Run all again, though stored: the code has changed.")
    ] = False,
    tables_only: Annotated[
        bool, typer.Option("--tables-only", help="Run nothing: tables from what is stored.")
    ] = False,
    document: Annotated[
        Path | None, typer.Option(help="Markdown file whose marked part becomes the tables.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the tables as JSON.")] = False,
) -> None:
    """Rerun the papers' tables beside our defaults and today's rivals.

    Results are stored as they come: a run that was stopped, even killed, goes on where it was when
    the same command is given again.

    Example: drumlin reproduce hong2014 --datasets heart,banana --realisations 1:5 --jobs 2
    """
    screen = console(stderr=True)
    with told_errors():
        plan = _plan(paper, datasets, methods, realisations, check_data=not tables_only)
        workers = _workers(jobs, backend, scheduler)
        with Store(out / "results.sqlite") as store:
            if not tables_only:
                if again:
                    store.forget(plan.tasks())
                if retry_failed:
                    store.forget_failures(plan.tasks())
                _run(plan, store, workers)
            tables = write_results(store, out)
            if document is not None:
                insert_tables(document, tables)
        if as_json:
            print_json([asdict(table) for table in tables])
        else:
            print_tables(tables)
        screen.print(f"Tables, plots and results.sqlite are in {out}.", highlight=False)


def _workers(jobs: int, backend: str, scheduler: str | None) -> Workers:
    try:
        return Workers(jobs, backend, scheduler)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _run(plan: Plan, store: Store, workers: Workers) -> None:
    """Run what is pending, with a progress display; end quietly on Ctrl-C."""
    with Progress(pending(plan, store)) as progress:
        try:
            run(plan, store, workers, progress.advance)
        except KeyboardInterrupt:
            progress.close()
            console(stderr=True).print(
                f"Stopped: {len(pending(plan, store))} runs are left; the same command goes on."
            )
            raise typer.Exit(INTERRUPTED) from None


def _plan(paper: str, datasets: str, methods: str, realisations: str, *, check_data: bool) -> Plan:
    """Turn the options into a plan."""
    if paper not in (*PAPERS, "all"):
        raise UsageError(f"The argument 'paper' must be one of {[*PAPERS, 'all']}. Got {paper!r}.")
    chosen: dict[str, Method] = methods_of(paper)
    if methods:
        chosen = _named("--methods", methods, METHODS)
    sets = _named("--datasets", datasets, SETS) if datasets else {n: SETS[n] for n in USUAL}
    wanted = _range(realisations)
    if check_data:
        sets = dict(_with_data(sets, wanted, required=bool(datasets)))
    plan = Plan(chosen, sets, wanted)
    if check_data and not plan.fits():
        raise UsageError(
            "The options '--datasets' and '--realisations' must name a realisation that there is. "
            f"Got {realisations!r} of {', '.join(sets) or 'no set'}."
        )
    return plan


def _named(option: str, text: str, known: Mapping[str, T]) -> dict[str, T]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        got = ", ".join(unknown) if unknown else text
        raise UsageError(f"The option '{option}' must hold names of {list(known)}. Got {got!r}.")
    return {name: known[name] for name in names}


def _range(text: str) -> range:
    first, _, last = text.partition(":")
    try:
        numbers = range(int(first), int(last or first) + 1)
    except ValueError:
        numbers = range(0)
    if not numbers or numbers[0] < 1:
        raise UsageError(
            "The option '--realisations' must be a number or first:last with 1 <= first <= last. "
            f"Got {text!r}."
        )
    return numbers


def _with_data(
    sets: Mapping[str, ProblemSet], wanted: range, *, required: bool
) -> Iterable[tuple[str, ProblemSet]]:
    """Sets that can be loaded; this also fetches what has to be fetched, once."""
    for name, problems in sets.items():
        try:
            problems.load(wanted[0])
        except FileNotFoundError as error:
            if required:
                raise
            console(stderr=True).print(f"Left out: {name}. {error}", markup=False, highlight=False)
        else:
            yield name, problems
