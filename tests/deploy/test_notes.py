"""Notes of model files: what is used is checked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from drumlin.deploy.notes import checked_note, noted_target, schema_of
from drumlin.tables import Schema, TableError


@pytest.mark.parametrize(("name", "good", "bad"), [
    ("costs", [{"yes": 10, "no": 0.5}, {}, None], [{"yes": 0.0}, {"yes": "much"}, [1.0], 3.0]),
    ("farthest", [0.0, 3, None], [-1.0, float("nan"), "far", True]),
    ("holdout", [0.25, None], [1.0, -0.1, "some"]),
    ("seed", [0, 2**32 - 1], [1.5, -1, 2**32, True]),
    ("sha256", ["abc"], [3, []]),
])  # fmt: skip
def test_notes_that_are_used(name, good, bad):
    for value in good:
        assert checked_note({name: value}, name) == value
    for value in bad:
        with pytest.raises(ValueError, match=f"The note '{name}' of the model must be"):
            checked_note({name: value}, name)


def test_columns_and_target_come_back(trained):
    deployed, model = trained.deployed, trained.fitted.whole
    assert Schema.from_notes(trained.notes["columns"]) == deployed.schema
    assert schema_of(trained.notes, model, "m") == deployed.schema
    assert noted_target(trained.notes, model) == deployed.target
    assert noted_target({}, model) is None


def test_notes_of_another_model(trained, forward):
    with pytest.raises(TableError, match="those of a model of other columns"):
        schema_of(
            forward.notes | {"columns": forward.notes["columns"][1:]}, trained.fitted.whole, "m"
        )
    with pytest.raises(TableError, match="another kind of target"):
        noted_target(forward.notes, trained.fitted.whole)


def test_columns_twice(trained):
    column = trained.deployed.schema.columns[0]
    twice = replace(trained.deployed.schema, columns=(column, column))
    with pytest.raises(TableError, match="do not say what its columns are"):
        Schema.from_notes(twice.as_notes())
