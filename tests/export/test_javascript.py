"""Generated JavaScript, run by node."""

from __future__ import annotations

import json
import math
import shutil

import pytest

from drumlin import export
from tests.export.agreement import assert_agrees
from tests.export.compiling import run
from tests.export.models import NAMES, as_lists, model_named
from tests.helpers import EXACT

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="needs node")

HARNESS = """
import { readFileSync, writeFileSync } from "node:fs";
import * as model from "./model.mjs";
const special = { nan: NaN, inf: Infinity, "-inf": -Infinity };
const read = (v) => (v !== null && typeof v === "object" ? special[v.number] : v);
const rows = JSON.parse(readFileSync(process.argv[2], "utf8"));
const answers = rows.map((row) => model.predict(row.map(read)));
writeFileSync(process.argv[3], JSON.stringify(answers));
"""


def _plain(value):
    """JSON has no NaN and no infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": str(value)}
    return value


def ask(source, rows, folder):
    (folder / "model.mjs").write_text(source, encoding="ascii")
    (folder / "ask.mjs").write_text(HARNESS)
    (folder / "rows.json").write_text(json.dumps([[_plain(v) for v in row] for row in rows]))
    run("node", folder / "ask.mjs", folder / "rows.json", folder / "answers.json")
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
