"""What would change an answer, said of columns: between a table and the inputs of a network."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from drumlin._errors import ParameterError
from drumlin._optional import pandas as pd
from drumlin._typing import FloatArray
from drumlin.tables.codes import Code, NumberCode, TextCode
from drumlin.tables.encoder import TableEncoder
from drumlin.tables.errors import listed


@dataclass(frozen=True)
class WhatIf:
    """A row of a table and its way to inputs.

    Numbers are one input each, texts change from one that training has seen to another. Dates stay
    as they are (their parts depend on each other), and so do gaps.

    Parameters
    ----------
    encoder : TableEncoder
        Fitted.
    row : DataFrame of one row
        As ``encoder.read`` gives it.
    """

    encoder: TableEncoder
    row: pd.DataFrame

    def asked(
        self, vary: Collection[str] | None, ranges: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Return ``vary``, ``ranges`` and ``choices`` in inputs, of those in columns."""
        self._check("vary", () if vary is None else vary)
        self._check("ranges", ranges or {})
        if fixed := [name for name in ranges or {} if vary is not None and name not in vary]:
            raise ParameterError(
                "The 'ranges' parameter must be of columns that 'vary' names, where it is given: "
                f"the others stay. Got {fixed[0]!r}."
            )
        numbers, choices = {}, []
        for name, code, places in self._columns():
            if vary is not None and name not in vary:
                continue
            if isinstance(code, TextCode):
                choices.append((places, np.unique(code.table[: len(code.texts)], axis=0)))
            elif self._is_number(name, code):
                numbers[name] = places[0]
        free = [*numbers.values(), *(place for places, _ in choices for place in places)]
        narrow = {numbers[name]: pair for name, pair in (ranges or {}).items() if name in numbers}
        return {"vary": free, "ranges": narrow, "choices": choices}

    def told(self, x: FloatArray) -> tuple[pd.DataFrame, list[str]]:
        """Return the row, and the columns that differ, of inputs (n_inputs,) near those asked."""
        before, row, changed = self.encoder.encode(self.row)[0], self.row.copy(), []
        for name, code, places in self._columns():
            if (x[places] != before[places]).any():
                changed.append(name)
                value = code.decode(x[None, places]).iloc[0]
                row[name] = pd.Series([value], index=row.index)
        return row, changed

    def _columns(self) -> Iterator[tuple[str, Code, list[int]]]:
        """Columns, their codes, and the places of their inputs."""
        origins = self.encoder.origins_
        for k, (name, code) in enumerate(
            zip(self.encoder.columns_, self.encoder.codes_, strict=True)
        ):
            yield name, code, np.flatnonzero(origins == k).tolist()

    def _is_number(self, name: str, code: Code) -> bool:
        return isinstance(code, NumberCode) and not self.row[name].isna().iloc[0]

    def _check(self, parameter: str, names: Collection[str]) -> None:
        """Refuse columns that cannot change; only numbers have ranges."""
        of_text = TextCode if parameter == "vary" else ()
        able = [
            name
            for name, code, _ in self._columns()
            if self._is_number(name, code) or isinstance(code, of_text)
        ]
        for name in names:
            if name not in able:
                raise ParameterError(
                    f"The {parameter!r} parameter must name columns that can change here, of "
                    f"{listed(able)}; dates and gaps stay. Got {name!r}."
                )
