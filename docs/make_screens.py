"""Photograph what commands show on terminals of 80 and 120 columns, light and dark.

    python -m docs.make_screens FOLDER           # all commands
    python -m docs.make_screens FOLDER fit check # some, with the models of an earlier run

Commands run in a pseudo-terminal; pyte keeps what a screen would show in the end. Pictures need
Chromium (Debian's ``chromium``) and playwright.
"""

from __future__ import annotations

import fcntl
import html
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pyte

from docs.make_images import shrink
from tests.browser import chromium

FLATS = Path(__file__).parents[1] / "examples" / "flats.csv"
ROWS = 120
WIDTHS = (80, 120)
COMMANDS = {
    "fit": "fit flats.csv --target rent --holdout 0.2 -o rent.drumlin",
    "fit-log": "fit flats.csv --target rent --log-target -o log.drumlin",
    "fit-two": "fit flats.csv --target rent --target area -o two.drumlin",
    "demo": "demo --folder .",
    "classes": "fit tumors.csv --target diagnosis --holdout 0.2 -o tumors.drumlin",
    "compare": "compare tumors.csv --target diagnosis --folds 3 --methods "
    "constant,drumlin,boosting",
    "inspect": "inspect rent.drumlin",
    "predict": "predict rent.drumlin flats.csv --confidence 0.9 -o answers.csv",
    "predict-screen": "predict rent.drumlin few.csv",
    "check": "check rent.drumlin drifted.csv",
    "check-none": "check rent.drumlin flats.csv",
    "wrong": "fit flats.csv --target price",
    "help": "fit --help",
}
"""By name; later ones use files of earlier ones."""

SCHEMES: dict[str, dict[str, str]] = {
    "light": {"default": "#24292f", "ground": "#ffffff", "red": "#b3261e", "green": "#116329",
              "brown": "#7a5200", "blue": "#0550ae", "magenta": "#8250df", "cyan": "#0e6b75",
              "white": "#6e7781", "black": "#24292f"},
    "dark": {"default": "#d6d6d6", "ground": "#1e1e1e", "red": "#f47067", "green": "#6bc46d",
             "brown": "#d9a441", "blue": "#6cb6ff", "magenta": "#c297ff", "cyan": "#56d4dd",
             "white": "#ffffff", "black": "#5c5c5c"},
}  # fmt: skip


def screen_of(command: str, columns: int, folder: Path) -> pyte.Screen:
    """Run a command in a terminal of so many columns; return the screen that it leaves."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))
    told = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "drumlin", *command.split()],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=told | {"TERM": "xterm-256color"},
    )
    os.close(theirs)
    screen = pyte.Screen(columns, ROWS)
    stream = pyte.ByteStream(screen)
    while chunk := _read(ours):
        stream.feed(chunk)
    process.wait()
    os.close(ours)
    return screen


def _read(file: int) -> bytes:
    try:
        return os.read(file, 65536)
    except OSError:  # Linux: the other end is closed
        return b""


def page_of(screen: pyte.Screen, command: str, scheme: dict[str, str]) -> str:
    """Return a screen as HTML, down to its last line that is not empty."""
    last = max((y for y, line in screen.buffer.items() if _has_text(line)), default=0)
    lines = [f"$ drumlin {html.escape(command)}"]
    for y in range(last + 1):
        line = screen.buffer[y]
        lines.append("".join(_cell(line[x], scheme) for x in range(screen.columns)).rstrip())
    style = (
        f"margin:0;padding:14px;display:inline-block;color:{scheme['default']};"
        f"background:{scheme['ground']};font:14px/1.25 'DejaVu Sans Mono',monospace"
    )
    text = "\n".join(lines)
    return f'<meta charset=utf-8><body style=margin:0><pre style="{style}">{text}</pre>'


def _has_text(line: Any) -> bool:
    return any(cell.data.strip() for cell in line.values())


def _cell(cell: Any, scheme: dict[str, str]) -> str:
    style = ""
    if cell.fg != "default":
        style += f"color:{scheme.get(cell.fg.removeprefix('bright'), '#' + cell.fg)};"
    style += "font-weight:bold;" if cell.bold else ""
    style += "font-style:italic;" if cell.italics else ""
    text = html.escape(cell.data)
    return f'<span style="{style}">{text}</span>' if style else text


def photograph(pages: dict[Path, str]) -> None:
    """Write pages as pictures."""
    with chromium() as browser:
        page = browser.new_page()
        page.set_viewport_size({"width": 1300, "height": 800})
        for path, content in pages.items():
            page.set_content(content)
            page.locator("pre").screenshot(path=path)
            shrink(path)
            print(path)


def prepare(folder: Path) -> None:
    """Make the tables that commands use."""
    import pandas as pd

    folder.mkdir(parents=True, exist_ok=True)
    flats = pd.read_csv(FLATS)
    flats.to_csv(folder / "flats.csv", index=False)
    flats.head(4).to_csv(folder / "few.csv", index=False)
    drifted = flats.assign(rent=flats["rent"] * 2.0)
    drifted.loc[::2, drifted.columns[1]] = None
    drifted.to_csv(folder / "drifted.csv", index=False)


def main(folder: Path, names: list[str]) -> None:
    """Photograph the commands that are named, or all."""
    prepare(folder)
    pages = {}
    for columns in WIDTHS:
        for name in names or COMMANDS:
            command = COMMANDS[name]
            screen = screen_of(command, columns, folder)
            for scheme, colors in SCHEMES.items():
                pages[folder / f"{name}-{columns}-{scheme}.png"] = page_of(screen, command, colors)
    photograph(pages)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
