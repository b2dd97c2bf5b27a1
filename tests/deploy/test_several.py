"""Several targets in one model: a column of answers for each, in files, checks and exports."""

from __future__ import annotations

import copy

import numpy as np
import pandas as pd
import pytest

from drumlin import DrumlinRegressor, ForwardRBFRegressor, export, make_table_model
from drumlin._errors import ParameterError
from drumlin.deploy import Deployed, check, train
from drumlin.evaluation.judged import loo_measures
from drumlin.io import describe
from drumlin.report import render_report
from drumlin.tables import Several, TableError, TableWarning, read_labelled
from tests.cli.conftest import result_of, run
from tests.deploy.conftest import visits
from tests.helpers import IDENTITY, assert_close

NAMES = ["spent", "heat"]


def table(n_rows=90, seed=0):
    frame = visits(n_rows, seed).drop(columns="buys")
    noise = np.random.default_rng(seed).normal(size=n_rows)
    return frame.assign(heat=3.0 * frame["clicks"] + frame["spent"] + noise)


@pytest.fixture(scope="module")
def frame():
    return table()


@pytest.fixture(scope="module")
def trained(frame):
    return train(frame, NAMES, method="forward", max_nodes=6)


@pytest.fixture
def path(trained, tmp_path):
    trained.deployed.save(tmp_path / "m.drumlin")
    return tmp_path / "m.drumlin"


def test_python_and_the_tool_make_the_same_model(frame, trained):
    model = make_table_model(ForwardRBFRegressor(max_nodes=6, random_state=0))
    model.fit(frame[["minutes", "page", "clicks"]], frame[NAMES].to_numpy())
    answers = trained.deployed.predict(frame, confidence=0.8)
    columns = [f"prediction_{name}" for name in NAMES]
    np.testing.assert_array_equal(answers[columns], model.predict(frame))
    ends = model.predict_interval(frame, 0.8)
    for k, name in enumerate(NAMES):
        np.testing.assert_array_equal(answers[[f"lower_{name}", f"upper_{name}"]], ends[:, k])
    assert {"std_spent", "std_heat", "novel"} <= set(answers)


def test_standard_deviations_of_the_flagship_too(frame):
    trained = train(frame, NAMES, max_nodes=3)
    answers = trained.deployed.predict(frame)
    inputs = trained.deployed.rows(trained.deployed.read(frame)[0])
    mean, std = trained.fitted.model.predict(inputs, return_std=True)
    assert isinstance(trained.fitted.model, DrumlinRegressor)
    np.testing.assert_array_equal(answers[["prediction_spent", "prediction_heat"]], mean)
    np.testing.assert_array_equal(answers[["std_spent", "std_heat"]], std)


def test_errors_left_out_of_each_of_the_flagship(frame, tmp_path):
    trained = train(frame, NAMES, max_nodes=4)
    model = trained.fitted.model
    each = [trained.loo[f"root mean squared error of {name}"] for name in NAMES]
    assert each == model.loo_errors_.tolist()
    assert (
        trained.loo["root mean squared error"] == model.loo_error_ == pytest.approx(sum(each) / 2)
    )
    assert set(trained.loo) < set(trained.baseline)
    trained.deployed.save(tmp_path / "m.drumlin")
    again = Deployed.load(tmp_path / "m.drumlin")
    assert loo_measures(again.fitted) == trained.loo
    smaller = model.truncate(1)
    assert (smaller.loo_errors_ > model.loo_errors_).all()
    assert smaller.loo_error_ == smaller.loo_errors_.mean()
    model.fit(np.arange(9.0)[:, None], np.arange(9.0) % 4)
    assert not hasattr(model, "loo_errors_")


def test_files_know_the_targets(path, frame, trained):
    again = Deployed.load(path)
    assert again.target == Several(("spent", "heat"))
    pd.testing.assert_frame_equal(again.predict(frame), trained.deployed.predict(frame))
    assert again.fitted.outputs == ("spent", "heat")


def test_measures_of_each(frame):
    judged = train(frame, NAMES, method="forward", max_nodes=6, holdout=0.3).judged
    errors = judged.answers - frame.loc[judged.X.index, NAMES].to_numpy()
    for k, name in enumerate(NAMES):
        wanted = np.sqrt((errors[:, k] ** 2).mean())
        assert judged.measures[f"root mean squared error of {name}"] == pytest.approx(wanted)
        assert judged.baseline[f"R² of {name}"] == pytest.approx(0.0, abs=1e-12)
        assert judged.measures[f"R² of {name}"] > 0.5


def test_rows_that_lack_one_are_left_out(frame):
    gaps = frame.copy()
    gaps.loc[3, "heat"] = None
    gaps.loc[[3, 5], "spent"] = None
    with pytest.warns(TableWarning, match="2 rows without a value of 'spent' or 'heat'"):
        trained = train(gaps, NAMES, method="forward", max_nodes=2)
    assert len(trained.train) == len(frame) - 2


def test_drift_of_one_target_is_seen(path, frame):
    model = Deployed.load(path)
    new = table(60, seed=5)
    assert not check(model, new).has_drifted
    found = check(model, new.assign(heat=-new["heat"]))
    assert [finding.what for finding in found.drifted] == ["error"]
    assert not [f for f in check(model, new.drop(columns="heat")).findings if f.what == "error"]


def test_exports_have_all_scores(path, trained, frame):
    made: dict = {}
    exec(export.to_python(trained.fitted.whole), made)
    rows = frame[["minutes", "page", "clicks"]].to_dict("records")[:9]
    scores = [made["predict"](row)["scores"] for row in rows]
    assert_close(np.array(scores), trained.fitted.whole.predict(frame[:9]), IDENTITY)


def test_report_names_the_targets(trained, frame):
    page = render_report(trained.fitted, frame[["minutes", "page", "clicks"]], frame[NAMES])
    assert "Targets of heat against predictions" in page
    assert "weight for spent" in page
    assert "for 2 numbers from" in page


@pytest.mark.parametrize(("target", "options", "error", "match"), [
    (["spent", "page"], {}, TableError, "'page' must hold numbers"),
    (["spent", "spent"], {}, ParameterError, "must name different columns"),
    (["spent", "nothing"], {}, TableError, "lacks the column 'nothing' to be predicted"),
    (NAMES, {"task": "classification"}, ParameterError, "one column where classes"),
    ([], {}, ParameterError, "the name of a column, or a list"),
    (3, {}, ParameterError, "the name of a column, or a list"),
    (NAMES, {"memory": "1GB"}, ParameterError, "must name files"),
])  # fmt: skip
def test_what_cannot_be_is_said(target, options, error, match, frame):
    with pytest.raises(error, match=match):
        train(frame, target, **options)


def test_notes_that_name_other_targets_are_refused(trained, tmp_path):
    import drumlin

    for names in (["spent"], ["spent", "spent"], "ab", ["a", "b", "c"], [1, 2]):
        target = trained.notes["target"] | {"names": names}
        drumlin.save(trained.fitted.whole, tmp_path / "m", notes=trained.notes | {"target": target})
        with pytest.raises(TableError, match="must name 2 different targets"):
            Deployed.load(tmp_path / "m")


def test_one_name_in_a_list_is_one_target(frame):
    assert read_labelled(frame, ["spent"]).y.ndim == 1


def test_the_command(frame, tmp_path):
    frame.to_csv(tmp_path / "t.csv", index=False)
    model = tmp_path / "m.drumlin"
    asked = ("--target", "spent", "--target", "heat")
    told = result_of("fit", tmp_path / "t.csv", *asked, "--method", "network", "-o", model)
    assert told["target"]["names"] == NAMES == describe(model)["notes"]["target"]["names"]
    done = run("predict", model, tmp_path / "t.csv", "-o", tmp_path / "a.csv")
    assert done.exit_code == 0, done.output
    assert list(pd.read_csv(tmp_path / "a.csv"))[:2] == ["prediction_spent", "prediction_heat"]
    shown = run("inspect", model)
    assert "weight for heat" in shown.output and "target: spent, heat" in shown.output
    refused = run("compare", tmp_path / "t.csv", *asked)
    assert refused.exit_code == 2 and "'--target' must be given once" in refused.output


def test_a_model_without_scores_says_why_it_has_no_sets(trained, frame):
    deployed = copy.deepcopy(trained.deployed)
    deployed.fitted.model.__dict__["_calibration"] = None
    with pytest.raises(
        ParameterError, match=r"'confidence' .* left out .*does not know.*hold rows"
    ):
        deployed.predict(frame, confidence=0.9)
