"""Statistics and tables from records with known answers."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import wilcoxon

from drumlin.cli.results import BEGIN, END, joined
from drumlin.experiments import statistics, tables
from drumlin.experiments.formats import Table, latex, markdown, to_csv
from drumlin.experiments.protocol import FAILED, FIT, TUNE, Record
from drumlin.experiments.published import CITATIONS, PUBLISHED
from drumlin.experiments.store import Store
from tests.helpers import IDENTITY, assert_close

DOCUMENT = Path(__file__).parents[2] / "docs" / "reproduction.md"
ERRORS = {
    ("DrumlinClassifier", "heart"): [16.0, 18.0, 17.0, 15.0, 16.0, 14.0, 18.0, 17.0],
    ("svm-tuned", "heart"): [17.0, 18.0, 19.0, 18.0, 18.0, 18.0, 21.0, 23.0],
    ("DrumlinClassifier", "synth"): [9.5],
    ("svm-tuned", "synth"): [9.0],
    ("hong2014", "heart"): [20.0, 21.0],
    ("hong2014", "synth"): [9.7],
}


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "results.sqlite") as store:
        for (method, dataset), errors in ERRORS.items():
            for k, error in enumerate(errors, start=1):
                store.add(
                    Record(FIT, method, dataset, k, error=error, log_loss=error / 50, nodes=2 * k,
                           fit_seconds=0.01 * k, predict_seconds=0.001, original=k < 5,
                           versions='{"numpy": "2.4"}')
                )  # fmt: skip
        store.add(Record(FIT, "svm", "heart", 1, FAILED, message="ValueError: a | b\nc"))
        store.add(Record(TUNE, "svm-tuned", "heart", 1, fit_seconds=2.0))
        yield store


def cells(table):
    """Cells by the first one of the row and the header."""
    return {
        (row[0], name): cell
        for row in table.rows
        for name, cell in zip(table.header, row, strict=True)
    }


def test_errors(store):
    table = cells(tables.errors(store.frame()))
    errors = ERRORS["DrumlinClassifier", "heart"]
    expected = f"{np.mean(errors):.2f} ± {np.std(errors, ddof=1):.1f}"
    assert table["DrumlinClassifier", "heart"] == expected
    assert table["DrumlinClassifier", "synth"] == "9.50"
    assert table["hong2014", "heart"] == "20.50 ± 0.7 (2)"
    assert table["svm", "heart"] == "failed"
    assert table["svm", "synth"] == table["svm", "mean"] == "-"
    assert table["DrumlinClassifier", "mean"] == f"{(np.mean(errors) + 9.5) / 2:.2f}"
    # Ranks 1 and 2 on heart and synth; hong2014 is last on both.
    assert [table[m, "rank"] for m in ("DrumlinClassifier", "svm-tuned", "hong2014")] == [
        "1.50", "1.50", "3.00",
    ]  # fmt: skip


def test_a_single_realisation_is_no_range(tmp_path):
    with Store(tmp_path / "one.sqlite") as store:
        store.add(Record(FIT, "svm", "synth", 1, error=9.0))
        assert tables.errors(store.frame()).title == "Test error in %, realisation 1"


def test_differences(store):
    table = cells(tables.differences(store.frame()))
    ours, theirs = ERRORS["DrumlinClassifier", "heart"], ERRORS["svm-tuned", "heart"]
    d = np.subtract(ours, theirs)
    p = wilcoxon(d, zero_method="pratt").pvalue
    assert p < 0.05
    expected = f"{d.mean():+.2f} ± {d.std(ddof=1) / np.sqrt(8):.2f} ({p:.2g})"
    assert table["DrumlinClassifier", "heart"] == expected
    assert table["DrumlinClassifier", "synth"] == "+0.50"
    assert table["DrumlinClassifier", "better / worse"] == "1 / 0 of 2"
    # Two realisations in common only.
    assert table["hong2014", "heart"].startswith("+3.00 ± 0.00")
    assert ("svm-tuned", "heart") not in table


def test_published_beside_reproduced(store):
    table = tables.published(store.frame())
    assert [row[:2] for row in table.rows] == [["hong2014", "heart"], ["hong2014", "synth"]]
    first = dict(zip(table.header, table.rows[0], strict=True))
    assert first["published"] == "16.2 ± 3.4, 3.7"
    assert first["preset"] == "20.50 ± 0.7 (2), 3.0"
    assert first["published SVM"] == "16 ± 3.3"
    assert CITATIONS["hong2014"] in table.note
    assert CITATIONS["hong2008"] not in table.note


def test_sizes_log_losses_and_times(store):
    frame = store.frame()
    assert cells(tables.sizes(frame))["svm-tuned", "heart"] == "9.0"
    assert cells(tables.log_losses(frame))["hong2014", "synth"] == "0.194"
    times = cells(tables.seconds(frame, store.frame(TUNE)))
    assert times["DrumlinClassifier", "fit"] == "40.0"
    assert times["svm-tuned", "one search"] == "2000"
    assert times["DrumlinClassifier", "one search"] == "-"


def test_failures_are_told(store):
    table = tables.failures([store.frame(), store.frame(TUNE)])
    assert table.rows == [[FIT, "svm", "heart", "ValueError: a / b c", "1"]]


def test_order_of_arrival_does_not_matter(store, tmp_path):
    with Store(tmp_path / "other.sqlite") as other:
        for record in reversed(list(store)):
            other.add(record)
        assert joined(tables.all_tables(other)) == joined(tables.all_tables(store))


def test_empty_store_has_no_tables(tmp_path):
    with Store(tmp_path / "empty.sqlite") as store:
        assert tables.all_tables(store) == []


def test_committed_tables_regenerate_from_the_committed_store(tmp_path):
    """`drumlin reproduce --tables-only` would change nothing."""
    copy = tmp_path / "results.sqlite"
    copy.write_bytes((DOCUMENT.with_suffix("") / "results.sqlite").read_bytes())
    _, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    committed = rest.partition(END)[0].strip()
    with Store(copy) as store:
        assert len(store) > 0
        assert committed == joined(tables.all_tables(store)).strip()


# ---------------------------------------------------------------------------------- statistics


@pytest.mark.parametrize("n_methods, q", [(2, 1.960), (5, 2.728), (10, 3.164)])
def test_critical_difference_is_that_of_the_literature(n_methods, q):
    """Demšar (2006), table 5a, three decimals."""
    n_sets = 9
    expected = q * np.sqrt(n_methods * (n_methods + 1) / (6.0 * n_sets))
    assert_close(statistics.critical_difference(n_methods, n_sets), expected, 1e-3)


def test_ranks_sum_to_what_they_must(seed):
    pd = pytest.importorskip("pandas")
    errors = np.random.default_rng(seed).integers(0, 4, size=(5, 7)).astype(float)
    frame = pd.DataFrame(errors, index=list("abcde"))
    ranks = statistics.average_ranks(frame)
    assert_close(sum(ranks.methods.values()), 5 * 6 / 2, IDENTITY)
    assert ranks.n_sets == 7
    frame.loc["c", 3] = np.nan
    assert set(statistics.average_ranks(frame).methods) == set("abde")


def test_equal_methods_do_not_differ(store):
    frame = store.frame()
    found = statistics.difference(frame, "heart", "hong2014", "hong2014")
    assert found is None or (found.mean, found.p) == (0.0, 1.0)
    assert statistics.difference(frame, "heart", "hong2014", "boosting") is None
    assert statistics._wilcoxon(np.zeros(5)) == 1.0


# ------------------------------------------------------------------------------------- formats

TABLE = Table("t", "A & B", ["x_1", "50 %"], [["a, b", "1 ± 2"], ['"q"', "-"]], "A note.")


def test_markdown():
    assert markdown(TABLE) == (
        '### A & B\n\n| x_1 | 50 % |\n| --- | --- |\n| a, b | 1 ± 2 |\n| "q" | - |\n\nA note.\n'
    )


def test_csv_reads_back():
    assert list(csv.reader(io.StringIO(to_csv(TABLE)))) == [TABLE.header, *TABLE.rows]


def test_latex_escapes():
    text = latex(TABLE)
    assert r"x\_1 & 50 \% \\" in text
    assert r"a, b & 1 $\pm$ 2 \\" in text
    assert r"\caption{A \& B. A note.}" in text
    assert text.count(r"\\") == 3


def test_latex_escapes_messages():
    text = latex(Table("t", "T", ["x"], [[r"a\b {c} ^ ~ $ <d>"]]))
    assert r"a\textbackslash{}b \{c\} \^{} \~{} \$ $<$d$>$ \\" in text


# ------------------------------------------------------------------------------- what is printed


def test_published_figures_are_cited_and_sane():
    assert set(PUBLISHED) == set(CITATIONS)
    for sets in PUBLISHED.values():
        for figure in sets.values():
            assert 0.0 <= figure.error < 50.0
            assert figure.nodes is None or figure.nodes > 0
