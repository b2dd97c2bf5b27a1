"""Generated JavaScript, run by node."""

from __future__ import annotations

import json
import math
import shutil

import numpy as np
import pytest

from drumlin import export
from tests.export.agreement import assert_agrees
from tests.export.compiling import run
from tests.export.models import NAMES, as_lists, finite, model_named
from tests.helpers import EXACT, assert_close

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="needs node")

HARNESS = """
import { readFileSync, writeFileSync } from "node:fs";
import * as model from "./model.mjs";
const special = { nan: NaN, inf: Infinity, "-inf": -Infinity };
const read = (v) => (v !== null && typeof v === "object" ? special[v.number] : v);
const rows = JSON.parse(readFileSync(process.argv[2], "utf8"));
const answers = rows.map((row) => model.predict(row.map(read)));
const cut = model.sizes.map((size) => ({
  size,
  answers: rows.map((row) => model.predict(row.map(read), size)),
  parts: rows.map((row) => model.contributions(row.map(read), size)),
}));
writeFileSync(process.argv[3], JSON.stringify(process.argv[4] ? cut : answers));
"""


def _plain(value):
    """JSON has no NaN and no infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": str(value)}
    return value


def ask(source, rows, folder, *what):
    (folder / "model.mjs").write_text(source, encoding="ascii")
    (folder / "ask.mjs").write_text(HARNESS)
    (folder / "rows.json").write_text(json.dumps([[_plain(v) for v in row] for row in rows]))
    run("node", folder / "ask.mjs", folder / "rows.json", folder / "answers.json", *what)
    return json.loads((folder / "answers.json").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_the_model(name, tmp_path):
    model, rows_of = model_named(name)
    rows = rows_of(400)
    answers = ask(export.to_javascript(model), as_lists(rows), tmp_path)
    assert_agrees(model, rows, {k: [a[k] for a in answers] for k in answers[0]}, EXACT)


def test_a_gap_that_training_never_had_has_no_answer(tmp_path):
    model, _ = model_named("constant column")
    (answer,) = ask(export.to_javascript(model), [[0.0, 7.0, None]], tmp_path)
    assert set(answer.values()) == {None}


@pytest.mark.parametrize("name", ["DrumlinClassifier", "DrumlinRegressor", "ForwardRBFClassifier"])
def test_smaller_networks_and_contributions(name, tmp_path):
    model, rows_of = model_named(next(key for key in NAMES if key.startswith(name)))
    rows = rows_of(20)
    smaller = [model.truncate(size) for size in range(1, model.n_nodes_)]
    source = export.to_javascript(model, smaller=smaller)
    cut = ask(source, as_lists(rows), tmp_path, "sizes")
    assert [part["size"] for part in cut] == list(range(1, model.n_nodes_ + 1))
    for part, expected in zip(cut, [*smaller, model], strict=True):
        answers = part["answers"]
        assert_agrees(expected, rows, {k: [a[k] for a in answers] for k in answers[0]}, EXACT)
        parts = np.array([entry["parts"] for entry in part["parts"]])
        with np.errstate(all="ignore"):
            assert_close(parts, expected.network_.contributions(finite(rows)), EXACT)
        nodes = part["parts"][0]["nodes"]
        kept = [model.network_.nodes.centers[j] for j in nodes]
        np.testing.assert_array_equal(kept, expected.network_.nodes.centers)


def test_nodes_of_another_model_are_refused():
    model, _ = model_named("constant column")
    other, _ = model_named("DrumlinRegressor")
    with pytest.raises(ValueError, match=r"Node 1 of the smaller model is not one of"):
        export.to_javascript(model, smaller=[other.truncate(1)])
