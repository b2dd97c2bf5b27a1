"""Pages of the reference that are made from the code: every public name, and every command.

They are written to ``docs/reference/api`` and ``docs/reference/commands.md`` before a build and
are in no commit.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

ROOMS = {
    "drumlin": "Estimators and the first things one needs",
    "drumlin.plotting": "Pictures of models",
    "drumlin.report": "One page about a model",
    "drumlin.deploy": "From a table to a model, and back",
    "drumlin.evaluation": "How good a model is, beside others",
    "drumlin.export": "Models in other languages",
    "drumlin.compression": "Small networks that imitate other models",
    "drumlin.io": "Model files",
    "drumlin.tables": "Columns of a table",
    "drumlin.datasets": "Benchmark sets and seeded problems",
    "drumlin.cover": "Cover's theorem",
    "drumlin.network": "The prediction itself",
    "drumlin.criteria": "Parts: criteria",
    "drumlin.search": "Parts: searches",
    "drumlin.basis": "Parts: radial functions, nodes and views of the inputs",
    "drumlin.linear": "Parts: weights of given columns",
    "drumlin.losses": "Parts: losses",
    "drumlin.sample": "Parts: the law of rows",
}
"""Rooms whose names a user may need, in the order of the reference."""


def public_names(room: str) -> list[str]:
    """Names of classes, functions and constants that a room offers, without its modules."""
    module = import_module(room)
    own = [n for n, value in vars(module).items() if getattr(value, "__module__", "") == room]
    names = getattr(module, "__all__", None) or [name for name in own if name[0] != "_"]
    found = {name: getattr(module, name) for name in names if name != "__version__"}
    return [name for name, value in found.items() if not inspect.ismodule(value)]


def own_names(room: str) -> list[str]:
    """Public names of a room without those that ``drumlin`` itself offers."""
    elsewhere = () if room == "drumlin" else import_module("drumlin").__all__
    return [name for name in public_names(room) if name not in elsewhere]


def documented(room: str) -> list[str]:
    """Classes and functions of a room: names that have a page, a docstring and an example."""
    module = import_module(room)
    found = {name: getattr(module, name) for name in own_names(room)}
    return [name for name, value in found.items() if inspect.isclass(value) or _is_function(value)]


def _is_function(value: Any) -> bool:
    return inspect.isfunction(inspect.unwrap(value)) if callable(value) else False


def room_page(room: str, title: str) -> str:
    """Return a page with the names of a room, each of which gets a page of its own."""
    heading = f"{title}: ``{room}``"
    module = import_module(room)
    names = documented(room)
    values = [name for name in own_names(room) if name not in names]
    lines = [heading, "=" * len(heading), "", f".. currentmodule:: {room}", ""]
    if room != "drumlin":
        lines += [inspect.getdoc(module) or "", ""]
    lines += [".. autosummary::", "   :toctree: names", "   :nosignatures:", ""]
    lines += [f"   {name}" for name in names]
    lines += ["", *(f".. autodata:: {name}\n   :no-value:\n" for name in values)]
    return "\n".join(lines) + "\n"


def index_page() -> str:
    """Return the page that lists the rooms."""
    lines = ["Every public name", "=================", "", ".. toctree::", "   :maxdepth: 1", ""]
    return "\n".join([*lines, *(f"   {room}" for room in ROOMS)]) + "\n"


def command_page() -> str:
    """Return what every command says of itself, in Markdown."""
    from drumlin.cli.app import COMMANDS, load

    head = ["# Every command and option", "", "Made from the commands themselves.", ""]
    return "\n".join([*head, *(command_section(name, load(name)) for name in COMMANDS)])


def command_section(name: str, command: Any) -> str:
    """Return the section of one command: what it does, how it is called, its options."""
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option"]
    usage = " ".join(["drumlin", name, *(a.make_metavar_text() for a in map(_Named, arguments))])
    lines = [f"## drumlin {name}", "", inspect.cleandoc(command.help or ""), ""]
    lines += ["```text", f"{usage} [OPTIONS]", "```", "", "| | |", "|---|---|"]
    lines += [f"| `{_Named(p).make_metavar_text()}` | {_cell(p)} |" for p in arguments]
    lines += [f"| {_Named(p).flags()} | {_cell(p)} |" for p in options]
    return "\n".join(lines) + "\n"


class _Named:
    """How a parameter is written on the command line."""

    def __init__(self, parameter: Any) -> None:
        self.parameter = parameter

    def make_metavar_text(self) -> str:
        """Return the word that stands for an argument."""
        name = (self.parameter.metavar or self.parameter.name).upper()
        many = "..." if self.parameter.nargs == -1 else ""
        return f"{name}{many}" if self.parameter.required else f"[{name}]{many}"

    def flags(self) -> str:
        """Return all spellings of an option."""
        names = [*self.parameter.opts, *self.parameter.secondary_opts]
        return ", ".join(f"`{name}`" for name in names)


def _cell(parameter: Any) -> str:
    text = " ".join((parameter.help or "").split()).replace("|", r"\|").replace("<", "&lt;")
    default = parameter.default
    if default in (None, False, "", ()) or callable(default) or parameter.required:
        return text
    return f"{text} Default: `{default}`."


def write_pages(app: Sphinx, config: Any) -> None:
    """Write what has changed, so that a second build has little to do."""
    folder = Path(app.srcdir) / "reference"
    pages = {folder / "api" / f"{room}.rst": room_page(room, ROOMS[room]) for room in ROOMS}
    pages[folder / "api" / "index.rst"] = index_page()
    pages[folder / "commands.md"] = command_page()
    for path, text in pages.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages before Sphinx looks for them."""
    app.connect("config-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
