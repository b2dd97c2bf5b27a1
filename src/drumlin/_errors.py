"""Errors of more than one room."""

from __future__ import annotations


class ParameterError(ValueError):
    """A parameter has a value that it cannot have: "The 'folds' parameter must be ... Got ..."."""
