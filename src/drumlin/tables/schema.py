"""All columns of a table: what training has seen, and what later tables must look like."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from drumlin.tables.columns import BOOLEAN, CATEGORY, IGNORED, NUMBER, Column, classify, to_numbers
from drumlin.tables.errors import TableError, listed


@dataclass(frozen=True)
class Schema:
    """The inputs of a model.

    Parameters
    ----------
    columns : tuple of Column
        Those used and those ignored, in the order of the table.
    """

    columns: tuple[Column, ...]

    @classmethod
    def understand(
        cls,
        frame: pd.DataFrame,
        *,
        keep: Collection[str] = (),
        ignore: Collection[str] = (),
    ) -> Schema:
        """Look at training rows, the target not among their columns.

        Parameters
        ----------
        frame : DataFrame
        keep : collection of str
            Columns to be used even if they look like ids or text.
        ignore : collection of str
            Columns to be left out.
        """
        for option, names in (("keep", keep), ("ignore", ignore)):
            check_columns(names, frame, f"that '--{option}' names")
        columns = tuple(
            Column(name, "excluded", int(column.isna().sum()))
            if name in ignore
            else classify(name, column, keep=name in keep)
            for name, column in frame.items()
        )
        schema = cls(columns)
        if not schema.used:
            raise TableError(
                "The table has no input that can be used. Got "
                + (", ".join(f"{c.name!r} ({c.kind})" for c in columns) or "the target only")
                + "; '--keep' uses a column in spite of its looks."
            )
        return schema

    @property
    def used(self) -> list[Column]:
        """Columns that the model gets."""
        return [column for column in self.columns if column.is_used]

    @property
    def ignored(self) -> list[Column]:
        """Columns that are left out."""
        return [column for column in self.columns if not column.is_used]

    @property
    def numbers(self) -> list[str]:
        """Names of columns that become one number."""
        return [column.name for column in self.columns if column.kind in (NUMBER, BOOLEAN)]

    @property
    def categories(self) -> list[str]:
        """Names of columns that become one number per category."""
        return [column.name for column in self.columns if column.kind == CATEGORY]

    def inputs(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Inputs as the model wants them: numbers as float, categories as text, NaN for missing.

        Raises
        ------
        TableError
            Where a column is not there, or holds something else than in training.
        """
        check_columns([column.name for column in self.used], frame, "that the model uses")
        return pd.DataFrame(
            {
                column.name: (
                    _texts(frame[column.name])
                    if column.kind == CATEGORY
                    else _numbers(column.name, frame[column.name])
                )
                for column in self.used
            },
            index=frame.index,
        )

    def as_notes(self) -> list[dict[str, Any]]:
        """Plain data for a model file."""
        return [asdict(column) for column in self.columns]

    @classmethod
    def from_notes(cls, notes: Any) -> Schema:
        """Return what ``as_notes`` has noted.

        Raises
        ------
        TableError
            Where the notes are something else.
        """
        try:
            columns = tuple(Column(**entry) for entry in notes)
            good = all(
                isinstance(c.name, str) and (c.is_used or c.kind in IGNORED) for c in columns
            )
        except TypeError:
            good = False
        if not good:
            raise TableError("The notes of the model do not say what its columns are.")
        return cls(columns)


def check_columns(names: Collection[str], frame: pd.DataFrame, which: str) -> None:
    """Refuse a table that lacks columns."""
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise TableError(
            f"The table lacks the column{'s' if len(missing) > 1 else ''} {listed(missing)} "
            f"{which}. Got {listed(frame.columns)}."
        )


def _numbers(name: str, column: pd.Series) -> np.ndarray:
    values, others = to_numbers(column)
    if others:
        raise TableError(
            f"The column {name!r} must hold numbers, as in training. Got {listed(others, 3)}."
        )
    if np.isinf(values).any():
        raise TableError(
            f"The column {name!r} must hold finite numbers (or none, where a value is missing). "
            f"Got {values[np.isinf(values)][0]} in {np.isinf(values).sum()} rows."
        )
    return values


def _texts(column: pd.Series) -> pd.Series:
    """Texts as objects: the encoder's categories shall not depend on pandas' types of text."""
    codes, uniques = pd.factorize(column.astype(object))
    words: Any = np.array([*map(str, uniques), np.nan], dtype=object)
    return pd.Series(words[codes], index=column.index, dtype=object)
