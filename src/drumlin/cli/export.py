"""``drumlin export``: a model as C, ONNX, JavaScript, SQL or plain Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from drumlin import export, io
from drumlin.cli.console import UsageError, print_json, tell, told_errors
from drumlin.cli.output import check_output
from drumlin.export.c import EXPS, TYPES
from drumlin.export.dialects import DIALECTS
from drumlin.export.text import identifiers

EPILOG = """Examples:

drumlin export model.drumlin --to c --number float --exp own -o firmware/model.c

drumlin export model.drumlin --to onnx -o model.onnx

drumlin export model.drumlin --to sql --dialect duckdb --table patients --keep id -o model.sql
"""


TARGET_OF = {
    **dict.fromkeys(("number", "exp", "labels_only", "novelty"), "c"),
    **dict.fromkeys(("dialect", "table", "keep"), "sql"),
}
"""Options of one target only."""


@dataclass(frozen=True)
class Wish:
    """What is asked for; see the options of ``drumlin export``."""

    out: Path | None
    number: str
    exp: str
    labels_only: bool
    novelty: bool
    dialect: str
    table: str
    keep: tuple[str, ...]

    @property
    def prefix(self) -> str:
        """Of names in C: that of the file."""
        return identifiers([self.out.stem if self.out else "model"])[0]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export", epilog=EPILOG)(command)


def command(
    context: typer.Context,
    model: Annotated[Path, typer.Argument(help="A file of 'drumlin fit' or drumlin.save.")],
    to: Annotated[str, typer.Option(help="One of c, onnx, js, sql, python.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The file to write; C gets a header beside it."),
    ] = None,
    number: Annotated[str, typer.Option(help=f"C: one of {', '.join(TYPES)}.")] = "double",
    exp: Annotated[str, typer.Option(help=f"C: one of {', '.join(EXPS)}.")] = "libm",
    labels_only: Annotated[
        bool, typer.Option("--labels-only", help="C: leave probabilities out.")
    ] = False,
    novelty: Annotated[bool, typer.Option("--novelty", help="C: add novelty.")] = False,
    dialect: Annotated[str, typer.Option(help=f"SQL: one of {', '.join(DIALECTS)}.")] = "sqlite",
    table: Annotated[str, typer.Option(help="SQL: the table to read.")] = "rows",
    keep: Annotated[
        list[str] | None, typer.Option(help="SQL: return this column of the table too.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON.")] = False,
) -> None:
    """Write a model in another language: raw columns go in, answers come out.

    Gaps, categories, scaling and the network are all inside; what cannot be written says so.
    """
    with told_errors(out):
        if to not in TARGETS:
            raise UsageError(f"The option '--to' must be one of {list(TARGETS)}. Got {to!r}.")
        _refuse_others(context, to)
        if out is None and (as_json or to in ("c", "onnx")):
            raise UsageError("The option '-o' is needed: C, ONNX and '--json' need a file.")
        check_output(out, model, prints=as_json)
        wish = Wish(out, number, exp, labels_only, novelty, dialect, table, tuple(keep or ()))
        computation = export.describe(io.load(model))
        if io.describe(model)["notes"].get("costs"):
            tell("Note: exports say the most probable class, whatever the costs of the model.")
        files = _write(TARGETS[to](computation, wish), out)
        if as_json:
            print_json(_summary(computation, files))
        elif out is not None:
            listed = ", ".join(f"{path} ({path.stat().st_size} bytes)" for path in files)
            tell(f"{listed}: model {computation.fingerprint()}.")


def _refuse_others(context: typer.Context, to: str) -> None:
    """Refuse options that are given and that another target has."""
    for name, target in TARGET_OF.items():
        source = context.get_parameter_source(name)
        if target != to and source is not None and source.name != "DEFAULT":
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"The option '{option}' is for '--to {target}'. Got '--to {to}'.")


def _write(contents: dict[str, bytes], out: Path | None) -> list[Path]:
    """Write files at once or not at all; without a place, print."""
    if out is None:
        for content in contents.values():
            typer.echo(content.decode("utf-8"), nl=False)
        return []
    paths = []
    for suffix, content in contents.items():
        path = out.with_suffix(suffix) if suffix else out
        with io.atomic_path(path) as beside:
            Path(beside).write_bytes(content)
        paths.append(path)
    return paths


def _summary(computation: export.Computation, files: list[Path]) -> dict[str, Any]:
    return {
        "files": [{"path": str(path), "n_bytes": path.stat().st_size} for path in files],
        "model": computation.fingerprint(),
        "columns": [{"name": c.name, "kind": c.kind} for c in computation.columns],
        "classes": list(computation.classes),
        "n_nodes": len(computation.nodes),
        "novelty": computation.novelty is not None,
    }


def _c(computation: export.Computation, wish: Wish) -> dict[str, bytes]:
    made = export.to_c(
        computation,
        prefix=wish.prefix,
        number=wish.number,
        exp=wish.exp,
        probabilities=not wish.labels_only,
        novelty=wish.novelty,
    )
    if wish.out is None or wish.out.stem != wish.prefix or wish.out.suffix != ".c":
        raise UsageError(
            "The option '-o' must be a file *.c whose name is an identifier, as the header's is "
            f"in it. Got {wish.out}."
        )
    return {".h": made.header.encode("ascii"), ".c": made.source.encode("ascii")}


def _sql(computation: export.Computation, wish: Wish) -> dict[str, bytes]:
    text = export.to_sql(computation, table=wish.table, dialect=wish.dialect, keep=wish.keep)
    return {"": text.encode("utf-8")}


TARGETS: dict[str, Callable[[export.Computation, Wish], dict[str, bytes]]] = {
    "c": _c,
    "onnx": lambda computation, _: {"": export.to_onnx(computation).SerializeToString()},
    "js": lambda computation, _: {"": export.to_javascript(computation).encode("ascii")},
    "sql": _sql,
    "python": lambda computation, _: {"": export.to_python(computation).encode("ascii")},
}
"""What is written, by suffix: "" is the file that was asked for."""
