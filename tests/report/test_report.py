"""Reports: everything is in them, nothing gets out of them, and their numbers are right."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.datasets import make_moons
from sklearn.exceptions import NotFittedError
from sklearn.metrics import (
    average_precision_score,
    confusion_matrix,
    precision_score,
    recall_score,
    roc_auc_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from drumlin import DrumlinClassifier, ForwardRBFClassifier, NadarayaWatsonRegressor
from drumlin.estimators.fitted import FittedNetwork
from drumlin.evaluation import Judged, judge
from drumlin.plotting._style import BLACK
from drumlin.report import render_report, write_report
from drumlin.report.curves import curve_figures
from drumlin.report.inputs import ranked_inputs
from drumlin.report.judged import (
    PRECISIONS,
    confusion_table,
    coverage_table,
    measure_table,
    precision_table,
    threshold_table,
)
from drumlin.report.nodes import place_table
from drumlin.report.parts import number, with_error
from drumlin.report.svg import _recolor
from tests.powered import plainly_fitted, powered_classifier, skewed
from tests.report.conftest import HOSTILE, NOON

VOID = {"meta", "link", "br", "img", "hr"}


class Page(HTMLParser):
    """Tags, text, tables and identifiers of a page; fails where tags do not match."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict]] = []
        self.text: list[str] = []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    def all(self, tag: str) -> list[dict]:
        return [attrs for name, attrs in self.tags if name == tag]


def judged(case, **asked) -> Judged:
    return judge(*case, **asked)


def test_a_page_is_whole_and_alone(report):
    html = report.read_text(encoding="utf-8")
    page = Page(html)
    names = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(names) == len(set(names))
    assert not page.all("script")
    assert page.all("svg")
    for attrs in page.all("svg"):
        assert attrs["role"] == "img"
        assert attrs["aria-labelledby"] in names
    references = re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', html)
    assert {a or b for a, b in references} <= set(names)
    links = [a.get("href") or a.get("src") or a.get("xlink:href") for _, a in page.tags]
    assert all(link.startswith(("#", "data:")) for link in links if link)
    assert "default-src 'none'" in html
    assert "2026-01-02" in html


def test_the_same_report_twice_is_the_same_file(cases):
    once, twice = (render_report(*cases["one_input"], created=NOON) for _ in range(2))
    assert once == twice


def test_what_comes_from_data_is_text(cases):
    html = render_report(
        *cases["mixed"],
        created=NOON,
        title=HOSTILE,
        comparison=[{HOSTILE: HOSTILE, "error": 0.123456}],
        facts={HOSTILE: HOSTILE},
    )
    assert HOSTILE not in html
    assert "<script" not in html
    page = Page(html)
    text = " ".join(page.text)
    assert HOSTILE in text
    assert "$x^2$ 年齢" in text
    assert "0.1235" in text


def test_numbers_are_those_of_the_model(cases):
    model, X, y = cases["two_classes"]
    measures = judged(cases["two_classes"]).measures
    assert measures["error"] == pytest.approx(1.0 - model.score(X, y))
    assert judged(cases["two_classes"]).loo == {
        "error": model.loo_error_,
        "log-loss": model.loo_log_loss_,
    }
    model, X, y = cases["numbers"]
    measures = judged(cases["numbers"]).measures
    assert measures["R²"] == pytest.approx(model.score(X, y))
    assert judged(cases["numbers"]).loo == {
        "R²": model.loo_score_,
        "root mean squared error": model.loo_error_,
    }


def test_confusion_table(cases):
    model, X, y = cases["three_classes"]
    table = confusion_table(judged(cases["three_classes"]))
    counts = [[int(cell) for cell in row[1:4]] for row in table.rows]
    np.testing.assert_array_equal(counts, confusion_matrix(y, model.predict(X)))


def test_threshold_table(cases):
    model, X, y = cases["two_classes"]
    table = threshold_table(judged(cases["two_classes"], costs=(1.0, 4.0)))
    p = model.predict_proba(X)[:, 1]
    assert "0.2" in [row[0] for row in table.rows]  # 1 / (1 + 4), where honest ones cost least
    costs = []
    for threshold, precision, recall, alarms, misses, _ in table.rows:
        said = (p >= float(threshold)).astype(int)
        assert precision == f"{100.0 * precision_score(y, said):.1f} %"
        assert recall == f"{100.0 * recall_score(y, said):.1f} %"
        assert int(alarms) == ((said == 1) & (y == 0)).sum()
        assert int(misses) == ((said == 0) & (y == 1)).sum()
        costs.append(int(alarms) + 4 * int(misses))
    assert table.marked == int(np.argmin(costs))


def test_answers_of_least_cost(cases):
    model, X, y = cases["three_classes"]
    costs = {str(model.classes_[1]): 30.0}
    p = model.predict_proba(X) * [1.0, 30.0, 1.0]
    table = confusion_table(judged(cases["three_classes"], costs=costs))
    counts = [[int(cell) for cell in row[1:4]] for row in table.rows]
    expected = confusion_matrix(y, model.classes_[p.argmax(axis=1)])
    np.testing.assert_array_equal(counts, expected)
    wrong = expected - np.diag(np.diag(expected))
    table = measure_table(judged(cases["three_classes"], costs=costs))
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["Cost per row"][0] == number((wrong.sum(axis=1) @ [1.0, 30.0, 1.0]) / len(X))
    assert "a wrong one costs 1 for" in table.note
    assert "Cost per row" in render_report(model, X, y, created=NOON, costs=costs)
    assert "Cost per row" not in render_report(model, X, y, created=NOON)


def test_recall_at_a_chosen_precision(cases):
    model, X, y = cases["two_classes"]
    p = model.predict_proba(X)[:, 1]
    table = precision_table(judged(cases["two_classes"]))
    for row, wanted in zip(table.rows, PRECISIONS, strict=True):
        found = [
            recall_score(y, p >= t)
            for t in np.unique(p)
            if precision_score(y, p >= t) >= wanted  # brute force over all thresholds
        ]
        assert row[1] == (f"{100.0 * max(found):.1f} %" if found else "—")
    assert precision_table(judged((model, X, np.zeros(len(X), dtype=int)))) is None


def test_thresholds_nobody_reaches(cases):
    model, X, _ = cases["two_classes"]
    nobody = np.zeros(len(X), dtype=int)
    table = threshold_table(judged((model, X, nobody)))
    assert {row[2] for row in table.rows} == {"—"}
    assert "Area under ROC" not in render_report(model, X, nobody, created=NOON)


def test_every_measure_stands_beside_a_baseline(cases):
    for name, column, constant in (("two_classes", "“", "49.0 %"), ("numbers", "mean", "0")):
        table = measure_table(judged(cases[name]))
        assert table.columns[2] == "baseline"
        assert table.rows[0][2] == constant
        assert column in table.note
    table = threshold_table(judged(cases["two_classes"], costs=(1.0, 4.0)))
    assert "never costs 1.96 per row, always 0.51" in table.note


@pytest.mark.parametrize(("value", "error", "text"), [
    (0.08663, 0.0171, "0.087 ± 0.017"), (-2.0, 0.5, "−2.00 ± 0.50"), (1234.5, 120.0, "1,234 ± 120"),
    (0.6574, 4.5e-17, "0.6574 ± 0"), (0.0, 0.0, "0 ± 0"), (1.0, np.nan, "1 ± nan"),
    (-0.001, 0.5, "0.00 ± 0.50"),
])  # fmt: skip
def test_errors_have_two_digits(value, error, text):
    assert with_error(value, error) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (18390.4, "18,390"),
        (-1234567.0, "−1,234,567"),
        (999.94, "999.9"),
        (999.96, "1,000"),
        (0.0, "0"),
        (0.00012345, "0.0001234"),
        (-1.2344e-7, "−1.234 × 10⁻⁷"),
        (6.02e23, "6.02 × 10²³"),
        (float("inf"), "inf"),
        (float("nan"), "not known"),
    ],
)
def test_numbers_are_written_as_people_write_them(value, text):
    assert number(value) == text


@pytest.mark.parametrize("name", ["two_classes", "three_classes"])
def test_curves_say_their_areas(cases, name):
    model, X, y = cases[name]
    probabilities = model.predict_proba(X)
    roc, precision = curve_figures(judged(cases[name]))
    for k in range(len(model.classes_))[1 if len(model.classes_) == 2 else 0 :]:
        true = np.asarray(y) == model.classes_[k]
        assert f"area {roc_auc_score(true, probabilities[:, k]):.3f}" in roc.caption
        area = average_precision_score(true, probabilities[:, k])
        assert f"average precision {area:.3f} (baseline {true.mean():.3f})" in precision.caption


def test_relevance_is_of_the_columns_of_the_user():
    X, y = make_moons(120, noise=0.2, random_state=0)
    table = pd.DataFrame({"a": X[:, 0], "word": np.where(X[:, 1] > 0, "up", "down"), "b": X[:, 1]})
    words = OneHotEncoder(handle_unknown="ignore")
    before = make_column_transformer((words, ["word"]), remainder="passthrough")
    model = make_pipeline(before, DrumlinClassifier()).fit(table, y)
    inputs = ranked_inputs(judge(model, table, y))
    assert {entry.name: entry.place for entry in inputs} == {"a": 0, "word": 1, "b": 2}
    assert sum(entry.relevance for entry in inputs) == pytest.approx(1.0)
    by_name = {entry.name: entry.relevance for entry in inputs}
    assert by_name["word"] == pytest.approx(model[-1].relevance_[:2].sum())
    assert by_name["b"] == pytest.approx(model[-1].relevance_[3])


def test_relevance_goes_by_name_where_the_table_has_another_order():
    X, y = make_moons(120, noise=0.2, random_state=0)
    table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    before = make_column_transformer((StandardScaler(), ["a", "b"]))
    model = make_pipeline(before, ForwardRBFClassifier(max_nodes=4)).fit(table, y)
    one, other = (judge(model, rows, y) for rows in (table, table[["b", "a"]]))
    shares = [{i.name: i.relevance for i in ranked_inputs(judged)} for judged in (one, other)]
    assert shares[0] == shares[1] and shares[0]["a"] != shares[0]["b"]
    assert {i.name: i.place for i in ranked_inputs(other)} == {"b": 0, "a": 1}
    assert [i.relevance for i in ranked_inputs(judge(model, table, y))] == sorted(
        model[-1].relevance_, reverse=True
    )


def test_only_whole_colors_are_those_of_the_page():
    root = ElementTree.fromstring(f'<g style="fill: {BLACK}; stroke: {BLACK}80"/>')
    _recolor(root)
    assert root.get("style") == f"fill: var(--ink); stroke: {BLACK}80"


def test_the_plane_is_that_of_the_two_most_relevant_inputs(cases):
    model, X, _ = cases["three_classes"]
    first, second = [X.columns[i] for i in np.argsort(-model.relevance_)[:2]]
    html = render_report(*cases["three_classes"], created=NOON)
    boundary = html[html.index('id="boundary-title"') : html.index("</figure>")]
    assert f">{first}</text>" in boundary
    assert f">{second}</text>" in boundary
    assert "component" not in boundary


def test_coverage_is_of_models_that_know_their_uncertainty(cases):
    table = coverage_table(judged(cases["numbers"]))
    shares = [float(row[1].split()[0]) for row in table.rows]
    assert shares == sorted(shares)
    _, X, y = cases["numbers"]
    averages = NadarayaWatsonRegressor().fit(X, y)
    assert coverage_table(judged((averages, X, y))) is None


def test_nodes_stand_in_original_units(cases):
    model, X, _ = cases["mixed"]
    fitted = FittedNetwork.of(model)
    table = place_table(fitted, X)
    row = next(row for row in table.rows if row[0].endswith("$x^2$ 年齢"))
    node = int(table.columns[2].split()[1]) - 1
    center = float(row[2].split(" ± ")[0].replace("−", "-"))
    scaler = model[0].named_transformers_["pipeline"][1]
    expected = model[-1].centers_[node, 1] * scaler.scale_[1] + scaler.mean_[1]
    assert center == pytest.approx(expected, abs=0.05)  # shown with two digits of the width


def test_data_of_fit_are_told(cases):
    fresh = judged(cases["two_classes"])
    assert "flatter" in measure_table(replace(fresh, seen=True)).note
    assert "flatter" not in measure_table(fresh).note


def test_a_model_without_nodes(seed):
    X = np.ones((20, 2))
    y = np.repeat([0, 1], 10)
    model = DrumlinClassifier().fit(X, y)
    assert "predicts a constant" in render_report(model, X, y, created=NOON)


def test_comparison_may_be_a_table(cases):
    table = pd.DataFrame({"model": ["ours", "SVC"], "error": [0.01, 0.02], "size": [5, 100]})
    text = " ".join(Page(render_report(*cases["numbers"], comparison=table, created=NOON)).text)
    assert "SVC" in text
    assert "This model beside others" in text


def test_files_are_replaced_whole_or_not_at_all(cases, tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    assert write_report(*cases["one_input"], path, created=NOON) == path
    before = path.read_bytes()

    def broken(*_):
        raise OSError("disk full")

    monkeypatch.setattr("drumlin.report.page.os.replace", broken)
    with pytest.raises(OSError, match=r"disk full"):
        write_report(*cases["one_input"], path, created=NOON, title="Another page")
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_bad_input_is_refused(cases, tmp_path):
    model, X, y = cases["two_classes"]
    path = tmp_path / "report.html"
    with pytest.raises(NotFittedError):
        write_report(DrumlinClassifier(), X, y, path)
    with pytest.raises(ValueError, match=r"'y' parameter must have one entry per row of X, 100"):
        write_report(model, X, y[:3], path)
    with pytest.raises(ValueError, match=r"must hold classes of the model, \[0, 1\]. Got \[5\]"):
        write_report(model, X, np.full(len(X), 5), path)
    with pytest.raises(ValueError, match=r"NaN"):
        write_report(model, np.full_like(X, np.nan), y, path)
    with pytest.raises(ValueError, match=r"'X' parameter must be a table with rows"):
        write_report(model, X[:0], y[:0], path)
    with pytest.raises(ValueError, match=r"'X' parameter must have 2 columns"):
        write_report(model, X[:, :1], y, path)
    for costs in [(0.0, 1.0), (1.0,), "ab", (1.0, np.inf), (1.0, True), 3.0]:
        with pytest.raises(ValueError, match=r"'costs' parameter must hold a positive number for"):
            write_report(model, X, y, path, costs=costs)
    with pytest.raises(
        ValueError, match=r"'costs' .* positive numbers. Got -1.0 for the class '0'"
    ):
        write_report(model, X, y, path, costs={"0": -1.0})
    for comparison in [[], "text", [1, 2]]:
        with pytest.raises(ValueError, match=r"'comparison' parameter must be a DataFrame or"):
            write_report(model, X, y, path, comparison=comparison)
    assert not path.exists()


def test_powers_are_told():
    model, X = powered_classifier()
    table = place_table(FittedNetwork.of(model), X)
    assert "drawn in (Yeo-Johnson): x0 by power 0, x2 by power 0.4, x3 by power 1.7." in table.note
    X, y = skewed()
    model = plainly_fitted(DrumlinClassifier(), X, y > 0.0)
    assert "drawn in" not in place_table(FittedNetwork.of(model), X).note
