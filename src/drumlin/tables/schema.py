"""All columns of a table: what training has seen, and what later tables must look like."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from drumlin._optional import pandas as pd
from drumlin._text import counted
from drumlin.tables.columns import (
    BOOLEAN,
    CATEGORY,
    DATE,
    IGNORED,
    NUMBER,
    ORDERED,
    Column,
    as_asked,
    as_text,
    classify,
    strange_kind,
)
from drumlin.tables.dates import Dates, read_dates
from drumlin.tables.errors import TableError, listed
from drumlin.tables.numbers import DIGITS, Numbers
from drumlin.tables.surprises import Surprises


@dataclass(frozen=True)
class Schema:
    """The inputs of a model.

    Parameters
    ----------
    columns : tuple of Column
        Those used and those ignored, in the order of the table.

    See Also
    --------
    TableEncoder : A step of a pipeline that does the same.
    Column

    Examples
    --------
    >>> import pandas as pd
    >>> from drumlin.tables import Schema
    >>> frame = pd.DataFrame({"size": [1.5, 2.5, 3.5, 2.0], "color": ["red", "blue"] * 2})
    >>> schema = Schema.understand(frame)
    >>> schema.numbers, schema.categories
    (['size'], ['color'])
    """

    columns: tuple[Column, ...]

    @classmethod
    def understand(
        cls,
        frame: pd.DataFrame,
        *,
        keep: Collection[str] = (),
        ignore: Collection[str] = (),
        kinds: Mapping[str, str] | None = None,
    ) -> Schema:
        """Look at training rows, the target not among their columns.

        Parameters
        ----------
        frame : DataFrame
        keep : collection of str
            Columns to be used even if they look like ids or text.
        ignore : collection of str
            Columns to be left out.
        kinds : mapping of str to str or None
            What columns are, where they are not what they look like: values of ``columns.KINDS``.
        """
        kinds = kinds or {}
        for parameter, names in (("keep", keep), ("ignore", ignore), ("kinds", kinds)):
            check_columns(names, frame, f"that the {parameter!r} parameter names")

        def understood(name: str, column: pd.Series) -> Column:
            if name in ignore:
                return Column(name, "excluded", int(column.isna().sum()))
            if name in kinds:
                return as_asked(name, column, kinds[name])
            return classify(name, column, keep=name in keep)

        columns = tuple(understood(name, column) for name, column in frame.items())
        schema = cls(columns)
        _check_kept(schema, keep)
        return _usable(schema)

    def without(self, rare: Collection[str]) -> Schema:
        """Return what is left where some columns turn out to hold rare texts only."""
        if not rare:
            return self
        columns = [
            replace(c, kind="rare", detail="") if c.name in rare else c for c in self.columns
        ]
        return _usable(Schema(tuple(columns)))

    @property
    def used(self) -> list[Column]:
        """Columns that the model gets."""
        return [column for column in self.columns if column.is_used]

    @property
    def numbers(self) -> list[str]:
        """Names of columns that become one number."""
        return [column.name for column in self.columns if column.kind in (NUMBER, BOOLEAN)]

    @property
    def categories(self) -> list[str]:
        """Names of columns whose values are texts, ordered or not."""
        return [column.name for column in self.columns if column.kind in (CATEGORY, ORDERED)]

    def inputs(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Inputs as the model wants them; see ``read``."""
        return self.read(frame)[0]

    def read(self, frame: pd.DataFrame) -> tuple[pd.DataFrame, Surprises]:
        """Read inputs as the model wants them.

        Returns
        -------
        inputs : DataFrame
            Numbers as float, categories as text, dates as such, NaN for missing.
        surprises : Surprises
            What training did not have, in columns of numbers and dates.

        Raises
        ------
        TableError
            Where a column is not there, or holds something else than in training.
        """
        check_columns([column.name for column in self.used], frame, "that the model uses")
        inputs: dict[str, Any] = {}
        surprises = Surprises()
        for column in self.used:
            values = frame[column.name]
            check_values(f"The column {column.name!r}", values)
            if column.kind in (CATEGORY, ORDERED):
                inputs[column.name] = _texts(values)
            elif column.kind == DATE:
                dates = _dates(column, values)
                inputs[column.name] = dates.stamps
                surprises += Surprises.of_dates(column, dates)
            else:
                numbers = _numbers(column, values)
                inputs[column.name] = numbers.values
                surprises += Surprises.of_numbers(column, numbers)
        return pd.DataFrame(inputs, index=frame.index), surprises

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
            good = all(c.is_plain and (c.is_used or c.kind in IGNORED) for c in columns)
            good = good and len({c.name for c in columns}) == len(columns)
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


def check_names(frame: pd.DataFrame) -> None:
    """Refuse a data frame whose columns cannot be told apart by texts."""
    names = list(frame.columns)
    if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise TableError(
            "The table must have different texts as names of its columns. "
            f"Got {listed(map(str, names))}."
        )


def check_values(which: str, column: pd.Series) -> None:
    """Refuse lists, records and bytes, which are neither numbers nor texts."""
    kind = strange_kind(column)
    if kind in ("nested", "binary"):
        raise TableError(
            f"{which} must hold numbers or texts. Got {column.dropna().iloc[0]!r:.40}: "
            f"{IGNORED[kind]}."
        )


def _usable(schema: Schema) -> Schema:
    if not schema.used:
        listed_all = ", ".join(f"{c.name!r} ({_why(c)})" for c in schema.columns)
        raise TableError(
            f"The table has no input that can be used. Got {listed_all or 'the target only'}; "
            "the 'keep' parameter uses a column in spite of its looks."
        )
    return schema


def _why(column: Column) -> str:
    return f"{column.kind}: {column.detail or IGNORED[column.kind]}"


def _check_kept(schema: Schema, keep: Collection[str]) -> None:
    """Refuse to leave out what shall be kept."""
    for column in schema.columns:
        if column.name in keep and not column.is_used:
            raise TableError(
                f"The 'keep' parameter must name a column that can be used. Got {column.name!r} "
                f"({_why(column)})."
            )


def _dates(known: Column, column: pd.Series) -> Dates:
    dates = read_dates(column, known.form)
    if dates.others:
        raise TableError(
            f"The column {known.name!r} must hold dates ({known.form}), as in training. "
            f"Got {listed(dates.others, 3)}."
        )
    return dates


def _numbers(known: Column, column: pd.Series) -> Numbers:
    name, numbers = known.name, Numbers.of(column)
    if numbers.unit and known.form and numbers.unit != known.form:
        raise TableError(
            f"The column {name!r} must hold amounts in {known.form}, as in training. "
            f"Got amounts in {numbers.unit}."
        )
    if numbers.others:
        raise TableError(
            f"The column {name!r} must hold numbers, as in training. "
            f"Got {listed(numbers.others, 3)}."
        )
    infinite = numbers.values[np.isinf(numbers.values)]
    if len(infinite):
        raise TableError(
            f"The column {name!r} must hold finite numbers (or none, where a value is missing). "
            f"Got {infinite[0]} in {counted(len(infinite), 'row')}."
        )
    return numbers


def _texts(column: pd.Series) -> pd.Series:
    """Texts as objects: the encoder's categories shall not depend on pandas' types of text."""
    codes, uniques = pd.factorize(column.astype(object))
    words: Any = np.array([*map(_category, uniques), np.nan], dtype=object)
    return pd.Series(words[codes], index=column.index, dtype=object)


def _category(value: object) -> str:
    """A text; of many digits, without zeros before them, which training may not have seen."""
    text = as_text(value)
    return text.lstrip("0") if len(text) >= DIGITS and text.isdecimal() else text
