"""The page beside rivals: made of stored runs alone, and README's table is one of its own."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from benchmarks.accuracy import rivals_page
from benchmarks.accuracy.rivals_abilities import ABILITIES, COLUMNS
from benchmarks.accuracy.rivals_methods import MODELS, OTHERS_OF_OURS, TunedSVC
from benchmarks.accuracy.rivals_problems import CURVE_SETS, TABLE_SETS
from drumlin.experiments.protocol import FIT, Record
from tests.docs.pages import DOCS


def runs(*figures):
    """Records of (method, dataset, realisation, error) as a table."""
    settings = json.dumps({"bytes": 2000})
    rows = [
        Record(FIT, m, d, k, error=e, log_loss=e / 100, fit_seconds=0.1, predict_seconds=0.01,
               nodes=3, settings=settings, versions="{}", finished=str(k))
        for m, d, k, e in figures
    ]  # fmt: skip
    return pd.DataFrame([vars(row) for row in rows])


def test_only_realisations_that_all_models_have_are_compared():
    frame = runs(
        ("drumlin", "heart", 1, 10.0), ("drumlin", "heart", 2, 30.0), ("EBM", "heart", 1, 12.0)
    )
    some = rivals_page.beside(frame, ["drumlin", "EBM"], ["heart"])
    table = rivals_page.means(some, "error", ["drumlin", "EBM"])
    assert table.loc["heart"].tolist() == [10.0, 12.0]


def test_tables_tell_wins_losses_and_gaps():
    table = pd.DataFrame(
        {"drumlin": [1.0, 5.0, 2.0], "EBM": [2.0, 3.0, np.nan]}, index=["a", "b", "c"]
    )
    text = rivals_page.per_table(table, 1)
    assert "| a | **1.0** | 2.0 |" in text
    assert "| c | **2.0** | - |" in text
    assert "| **mean** of 2 | 3.0 | 2.5 |" in text
    assert "| drumlin better / worse |  | 1 / 1 |" in text
    assert rivals_page.losses(table, 0.5) == "b (EBM, 2.0 points)"


def test_every_model_has_its_abilities():
    assert set(COLUMNS) == set(MODELS) - set(OTHERS_OF_OURS)
    assert {len(cells) for cells in ABILITIES.values()} == {len(COLUMNS)}


def test_splits_are_apart():
    problem = CURVE_SETS["smooth, 250 rows"].problem(1)
    assert (len(problem.X), len(problem.X_test)) == (250, 5000)
    assert not {"smooth, 250 rows"} & set(TABLE_SETS)
    seen = {row.tobytes() for row in problem.X}
    assert not any(row.tobytes() in seen for row in problem.X_test)


def test_tuned_machine_answers_as_its_best_one():
    X = np.random.default_rng(0).standard_normal((60, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    machine = TunedSVC().fit(X, y)
    assert machine.score(X, y) > 0.8
    np.testing.assert_array_equal(machine.predict(X), machine.machine_.predict(X))
    assert machine.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(60))


def cells_of(text):
    """Cells of the first table of a Markdown text, without its rule."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if "---" not in line
    ]


def test_readme_shows_columns_of_the_page_as_they_are():
    page = (DOCS / "rivals.md").read_text(encoding="utf-8").partition("## In short")[2]
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    on_page = {row[0]: row for row in cells_of(page.partition("Where another")[0])}
    head, *rows = cells_of(readme)
    whole = next(iter(on_page.values()))
    assert {"drumlin", "SVC, tuned", "CatBoost", "HistGB", "fastrvm"} <= set(head)
    for row in (head, *rows):
        assert row == [row[0], *(on_page[row[0]][whole.index(name)] for name in head[1:])]


def test_no_page_links_to_an_address_that_is_not_taken():
    pages = [*DOCS.rglob("*.md"), DOCS.parent / "README.md"]
    wrong = [p for p in pages if "](https://github.com/drumlin-developers" in p.read_text("utf-8")]
    assert len(pages) > 20
    assert wrong == []
