"""Options that several commands have: what is asked of classes beyond the most probable one."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from drumlin.cli.console import UsageError

CostsOption = Annotated[
    str | None,
    typer.Option(help="What a wrong answer for a row of a class costs, such as yes=10,no=1."),
]
PrecisionOption = Annotated[
    float | None,
    typer.Option(help="Tell how many of a class are found at this precision, such as 0.9."),
]
ClassWeightOption = Annotated[
    str | None, typer.Option(help="'balanced': every class counts as much in the fit.")
]

_ENTRY = re.compile(r"(.+?)=([^=,]+)(?:,|$)", re.DOTALL)
"""A class, which may hold commas and equal signs, and its cost."""


def parsed_costs(text: str | None) -> dict[str, float] | None:
    """Read CLASS=COST,CLASS=COST,..."""
    if text is None:
        return None
    entries = list(_ENTRY.finditer(text))
    if not entries or "".join(entry[0] for entry in entries) != text or text.endswith(","):
        raise UsageError(f"The option '--costs' must be like yes=10,no=1. Got {text!r}.")
    costs: dict[str, float] = {}
    for entry in entries:
        label, cost = entry[1], entry[2]
        if label in costs:
            raise UsageError(f"The option '--costs' must name a class once. Got {label!r} twice.")
        try:
            costs[label] = float(cost)
        except ValueError as error:
            raise UsageError(
                f"The option '--costs' must have numbers, like yes=10. Got {cost!r}."
            ) from error
    return costs


def parsed_class_weight(text: str | None) -> str | None:
    """Take the one word that there is."""
    if text not in (None, "balanced"):
        raise UsageError(f"The option '--class-weight' must be 'balanced'. Got {text!r}.")
    return text
