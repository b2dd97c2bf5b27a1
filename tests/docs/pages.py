"""Code blocks of Markdown pages, and how they are run.

All ``python`` blocks of a page are one program. A comment ``<!-- setup ... -->`` holds lines of it
that a reader need not see, and ``<!-- not run: reason -->`` before a block leaves it out. Of
``shell`` blocks the lines that call ``drumlin`` are run.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[2] / "docs"

_BLOCK = re.compile(
    r"<!-- (?P<setup>setup)\n(?P<hidden>.*?)-->"
    r"|(?P<skip><!-- not run: [^>]+-->\n+)?^```(?P<language>\w+)\n(?P<code>.*?)^```$",
    flags=re.DOTALL | re.MULTILINE,
)


class Block(NamedTuple):
    """A block to run: its language, its text and the line of the page where it begins."""

    language: str
    code: str
    line: int


def blocks(page: str) -> list[Block]:
    """Return what a page wants to be run, in order."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = []
    for match in _BLOCK.finditer(text):
        hidden = match["setup"] is not None
        line = text.count("\n", 0, match.start("hidden" if hidden else "code")) + 1
        if match["skip"] is None:
            language = "python" if hidden else match["language"]
            found.append(Block(language, match["hidden"] if hidden else match["code"], line))
    return found


def commands(block: Block) -> list[list[str]]:
    """Return the arguments of every line of a shell block that calls drumlin."""
    lines = [shlex.split(line, comments=True) for line in block.code.splitlines()]
    return [words[1:] for words in lines if words[:1] == ["drumlin"]]


def linked_pages(index: str) -> list[str]:
    """Return the pages of this folder that the lists of an index name."""
    text = (DOCS / index).read_text(encoding="utf-8")
    names = [
        line.strip()
        for listed in re.findall(
            r"^```\{toctree\}\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE
        )
        for line in listed.splitlines()
        if line.strip() and not line.startswith(":")
    ]
    folder = Path(index).parent
    maybe = {name[1:] for name in names if name[0] == "?"}
    names = [name.removeprefix("?") for name in names]
    return [
        page
        for name in names
        if (DOCS / (page := _file(folder, name))).exists() or name not in maybe
    ]


def _file(folder: Path, name: str) -> str:
    return f"{name[1:] if name[0] == '/' else folder / name}.md"
