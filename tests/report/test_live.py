"""The interactive part of a page: data that are the model's, a policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline

from drumlin import (
    DrumlinClassifier,
    DrumlinRegressor,
    ForwardRBFClassifier,
    NadarayaWatsonClassifier,
    make_table_model,
)
from drumlin.estimators.fitted import FittedNetwork
from drumlin.evaluation import judge
from drumlin.export import NotExportable, describe
from drumlin.laplace import Slopes
from drumlin.report import render_report
from drumlin.report.inputs import ranked_inputs
from drumlin.report.live.controls import controls_of, rows_of, slider_of
from drumlin.report.live.intervals import intervals_of
from drumlin.report.live.sizes import MOST_NUMBERS, MOST_SIZES, chosen_sizes, sizes_of
from tests.helpers import EXACT, assert_close
from tests.report.conftest import HOSTILE, NOON


def test_one_script_that_the_policy_knows(live_page):
    html = live_page.path.read_text(encoding="utf-8")
    (script,) = re.findall(r"<script[^>]*>(.*?)</script>", html, re.DOTALL)
    assert html.count("<script") == 1
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src"
    assert f"{policy} 'sha256-{digest}'\"" in html
    assert "unsafe-eval" not in html
    assert not re.search(r"\son[a-z]+=", html)  # no handler outside of the script
    assert not re.search(r"\b(fetch|XMLHttpRequest|import\(|eval\(|innerHTML)\b", script)
    assert '<section id="live-part" aria-labelledby="live-title" hidden>' in html  # without scripts


def test_what_comes_from_data_cannot_leave_the_script(cases):
    html = render_report(*cases["words_and_gaps"], created=NOON, interactive=True)
    assert HOSTILE not in html
    assert html.count("</script") == 1


def test_every_size_is_judged(live_page):
    judged = live_page.judged
    sizes = sizes_of(judged)
    assert [entry["size"] for entry in sizes.table] == [len(m.network_.nodes) for m in sizes.models]
    assert len(sizes.models) == len(judged.fitted.network.nodes)
    rows = judged.fitted.model_rows(judged.X)
    for model, entry in zip(sizes.models, sizes.table, strict=True):
        assert entry["bytes"] == model.n_bytes_
        if judged.is_classifier:
            wrong = np.mean(model.predict(rows) != judged.fitted.model.classes_[judged.codes])
            assert_close(entry["error"]["error"], wrong, EXACT)
            assert_close(entry["loo"]["log-loss"], model.loo_log_loss_, EXACT)
        else:
            assert_close(entry["error"]["R²"], model.score(rows, judged.codes), EXACT)
            assert_close(entry["loo"]["root mean squared error"], model.loo_error_, EXACT)


def test_variances_in_the_page_are_those_of_the_model(cases):
    """The factor that the script has gives the variance of every score."""
    X = np.random.default_rng(0).uniform(size=(80, 3))
    y = np.sin(9.0 * X[:, 0]) * X[:, 1] + (X[:, 2] > 0.5)
    bent = DrumlinRegressor(loss="huber").fit(X, y)  # no smooth network
    smooth = DrumlinRegressor().fit(X, X @ [1.0, 2.0, 3.0])
    assert {bent._uncertainty.shared, smooth._uncertainty.shared} == {False, True}
    for model, rows in ((bent, X), (smooth, X), cases["numbers"][:2]):
        told = intervals_of(FittedNetwork.of(model), (0.8, 0.9))
        known, mapped = model._uncertainty, model.network_.mapped(rows)
        slopes = Slopes.of(mapped, known.nodes.centers, 1.0 / known.nodes.widths, known.coef)
        W = np.zeros((len(told["factor"]), max(map(len, told["factor"]))))
        for i, row in enumerate(told["factor"]):
            W[i, : len(row)] = row
        variance = ((slopes.rows(shared=told["shared"]) @ W) ** 2).sum(axis=1)
        std = np.sqrt(told["noise"] + variance) * told["unit"]
        assert_close(std, model.predict(rows, return_std=True)[1])
        ends = model.predict_interval(rows, 0.9)
        assert_close(told["limits"]["0.9"] * std, 0.5 * (ends[:, 1] - ends[:, 0]))


def test_pages_without_intervals(cases):
    assert intervals_of(FittedNetwork.of(cases["two_numbers"][0]), (0.9,)) == {}
    model = cases["numbers"][0]
    assert intervals_of(FittedNetwork.of(model.truncate(1)), (0.9,)) == {}  # no scores left out


def test_counts_at_thresholds(cases):
    judged = judge(*cases["two_classes"])
    entry = sizes_of(judged).table[-1]
    for step in range(0, 101, 7):
        said = judged.probabilities[:, 1] >= step / 100
        assert entry["hits"][step] == (said & (judged.codes == 1)).sum()
        assert entry["alarms"][step] == (said & (judged.codes == 0)).sum()


def test_large_models_have_some_sizes():
    assert chosen_sizes(0, 1) == chosen_sizes(1, 1) == []
    assert chosen_sizes(2, 500) == [1]
    assert chosen_sizes(5, 2) == [1, 2, 3, 4]
    for n_nodes, n_outputs in ((100, 3), (1000, 10), (2000, 1)):
        sizes = chosen_sizes(n_nodes, n_outputs)
        assert sizes == sorted(set(sizes))
        assert 1 < len(sizes) <= MOST_SIZES
        assert n_outputs * sum(sizes) <= MOST_NUMBERS


@pytest.mark.parametrize(
    ("values", "slider"),
    [
        ([0.13, 2.5], (0.13, 2.5, 0.01)),
        ([1.0, 40.0, np.nan], (1.0, 40.0, 1.0)),
        ([0.0, 18390.0], (0.0, 18400.0, 100.0)),
        ([7.0], (6.0, 8.0, 1.0)),
        ([np.nan], (0.0, 1.0, 1.0)),
        ([-1e308, 1e308], (-1e308, 1e308, 1e306)),
    ],
)
def test_sliders_have_round_ends_and_steps(values, slider):
    assert slider_of(np.array(values)) == pytest.approx(slider)


def test_a_model_that_cannot_be_cut_has_one_size(cases):
    _, X, y = cases["two_classes"]
    model = NadarayaWatsonClassifier().fit(X, y)
    html = render_report(model, X, y, created=NOON, interactive=True)
    assert 'id="live-size"' not in html
    assert 'id="live-threshold"' in html


def test_models_that_cannot_run_in_a_page_are_refused(cases):
    _, X, y = cases["two_classes"]
    model = make_pipeline(PCA(), DrumlinClassifier()).fit(X, y)
    with pytest.raises(NotExportable, match=r"'interactive' parameter must be False.*PCA"):
        render_report(model, X, y, interactive=True)
    with pytest.raises(ValueError, match=r"'interactive' parameter must be True or False. Got 1"):
        render_report(*cases["two_classes"], interactive=1)


@pytest.mark.filterwarnings("ignore::drumlin.tables.TableWarning")
def test_rows_of_a_table_are_as_the_exported_model_takes_them():
    rng = np.random.default_rng(0)
    kilos, code = rng.normal(70.0, 9.0, 80).round(1), np.arange(80) % 3 + 1.0
    table = pd.DataFrame({"weight": [f"{w} kg" for w in kilos], "code": code, "ship": "Titanic"})
    model = make_table_model(ForwardRBFClassifier(max_nodes=3), kinds={"code": "category"})
    judged = judge(model.fit(table, kilos + 9.0 * code > 88.0), table, kilos + 9.0 * code > 88.0)
    computation = describe(model)
    controls = {c.name: c for c in controls_of(judged, computation, ranked_inputs(judged))}
    assert controls["weight"].low <= kilos.min() and kilos.max() <= controls["weight"].high
    known = {value for value, _ in controls["code"].choices}
    assert {"1", "2", "3"} <= known
    rows = rows_of(judged, computation, 5)
    assert rows[0]["values"] == [kilos[5], "3"]
    assert {row["values"][1] for row in rows} <= known
