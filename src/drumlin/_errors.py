"""Errors that the command knows without the rooms that raise them."""

from __future__ import annotations


class ParameterError(ValueError):
    """A parameter has a value that it cannot have: "The 'folds' parameter must be ... Got ..."."""


def refuse_of_numbers(**asked: object) -> None:
    """Refuse parameters, by name, that only classes have; None was not asked for."""
    for name, value in asked.items():
        if value is not None:
            raise ParameterError(
                f"The {name!r} parameter is for classes: it must be left out where the target "
                f"holds numbers. Got {value!r}."
            )


class TableError(ValueError):
    """A table cannot be used; the text names the file or the column, the rule and what was got.

    See Also
    --------
    read_table

    Examples
    --------
    >>> import pandas as pd
    >>> from drumlin.tables import TableError, read_labelled
    >>> try:
    ...     read_labelled(pd.DataFrame({"a": [1.0, 2.0]}), "price")
    ... except TableError as error:
    ...     print("price" in str(error))
    True
    """
