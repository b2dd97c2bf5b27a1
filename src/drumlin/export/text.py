"""Numbers and names in generated files: what came with the data stays data in every language.

Texts from tables (columns, classes, categories) are written only by these functions, as string
literals or quoted identifiers; they never reach a comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from drumlin.export.computation import Label, NotExportable

WIDTH = 96
"""Columns of a line of a table."""


def number(value: float) -> str:
    """Shortest literal of a finite double that every language reads as one."""
    if not np.isfinite(value):
        raise NotExportable(f"A finite number is needed in a table. Got {value}.")
    return repr(float(value))


def single(value: float) -> str:
    """Literal of a float in C."""
    with np.errstate(over="ignore"):
        rounded = np.float32(value)
    if not np.isfinite(rounded):
        raise NotExportable(f"A float cannot hold {value:g}. Take 'double'.")
    return f"{float(str(rounded))!r}f"


def wrapped(entries: Iterable[str], indent: str = "    ") -> str:
    """Entries of a table, with commas, in lines of bounded length."""
    lines, line = [], indent
    for entry in entries:
        if len(line) + len(entry) + 1 > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = indent
        line += f"{entry}, "
    lines.append(line.rstrip())
    return "\n".join(lines)


# ------------------------------------------------------------------------------------- strings
def python_string(text: str) -> str:
    """Literal of Python in ASCII."""
    return ascii(str(text))


def javascript_string(text: str) -> str:
    """Literal of JavaScript in ASCII that may stand in a page."""
    return javascript_literal(str(text))


def javascript_literal(value: Any) -> str:
    """Plain data as a literal of JavaScript in ASCII that may stand in a page."""
    quoted = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return quoted.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def c_string(text: str) -> str:
    """Literal of C in UTF-8: all but plain letters, digits and blanks as three octal digits."""
    _refuse(text, "\x00", "C")
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.,:;()+="
    return '"' + "".join(chr(b) if b in plain else f"\\{b:03o}" for b in utf8(text)) + '"'


def sql_string(text: str, *, backslash_escapes: bool) -> str:
    """Literal of SQL; ``backslash_escapes`` takes PostgreSQL's E'' where there is a backslash."""
    _refuse(text, "\x00", "SQL")
    utf8(text)
    quoted = "'" + text.replace("'", "''") + "'"
    if backslash_escapes and "\\" in text:
        return "E" + quoted.replace("\\", "\\\\")
    return quoted


def sql_name(name: str) -> str:
    """Quoted identifier of SQL."""
    _refuse(name, "\x00", "SQL")
    utf8(name)
    if not name:
        raise NotExportable("A column without a name cannot be exported to SQL.")
    return '"' + name.replace('"', '""') + '"'


def utf8(text: str) -> bytes:
    """Bytes of a text."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise NotExportable(f"The text {text!r} is not valid Unicode.") from error


def _refuse(text: str, character: str, target: str) -> None:
    if character in text:
        raise NotExportable(f"{target} cannot hold the character {character!r}. Got {text!r}.")


def python_label(label: Label) -> str:
    """Literal of Python."""
    return python_string(label) if isinstance(label, str) else repr(label)


def javascript_label(label: Label) -> str:
    """Literal of JavaScript; whole numbers that it cannot hold are texts."""
    if isinstance(label, str):
        return javascript_string(label)
    if isinstance(label, int) and abs(label) > 2**53:
        return javascript_string(str(label))
    return json.dumps(label)


# ----------------------------------------------------------------------------------- identifiers
def identifiers(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Distinct identifiers (letters, digits, underscores) that look like names."""
    used, result = {word.upper() for word in taken}, []
    for name in names:
        word = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")[:40] or "column"
        word = f"n{word}" if word[0].isdigit() else word
        stem, i = word, 1
        while word.upper() in used:
            i += 1
            word = f"{stem}_{i}"
        used.add(word.upper())
        result.append(word)
    return result


# ------------------------------------------------------------------------------------ parameters
def check_prefix(prefix: Any) -> str:
    """Refuse a prefix that is no identifier."""
    if not (isinstance(prefix, str) and re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,40}", prefix)):
        raise ValueError(
            "The 'prefix' parameter must be an identifier of C: a letter, then letters, digits "
            f"and underscores, at most 41. Got {prefix!r}."
        )
    return prefix


def check_choice(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Refuse a value that is none of some texts."""
    if not (isinstance(value, str) and value in allowed):
        raise ValueError(f"The {name!r} parameter must be one of {allowed}. Got {value!r}.")


def check_text(name: str, value: Any) -> None:
    """Refuse what is no text, or an empty one."""
    if not (isinstance(value, str) and value):
        raise ValueError(f"The {name!r} parameter must be a text that is not empty. Got {value!r}.")


def check_texts(name: str, values: Any) -> tuple[str, ...]:
    """Return texts as a tuple; one text is one of them."""
    listed = (values,) if isinstance(values, str) else values
    if not (isinstance(listed, Iterable) and all(isinstance(v, str) and v for v in listed)):
        raise ValueError(f"The {name!r} parameter must hold texts, none empty. Got {values!r}.")
    return tuple(listed)


def check_flag(name: str, value: Any) -> None:
    """Refuse what is no truth value."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"The {name!r} parameter must be True or False. Got {value!r}.")
