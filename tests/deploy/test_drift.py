"""New rows beside those of a fit."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

from drumlin import ForwardRBFRegressor
from drumlin.deploy import Deployed, check, train
from drumlin.deploy.memory import RowMemory
from drumlin.estimators.fitted import FittedNetwork
from drumlin.tables import Schema, TableError, prepare
from tests.cli.conftest import run
from tests.deploy.conftest import visits


def drifted(deployed, frame):
    return {(finding.what, finding.column) for finding in check(deployed, frame).drifted}


def test_rows_of_the_same_kind_have_not_drifted(trained, forward):
    new = visits(200, seed=1)
    for model in (trained, forward):
        assert drifted(model.deployed, new) == set()
        assert check(model.deployed, new[:2]).n_rows == 2


@pytest.mark.parametrize(("change", "expected"), [
    ({"minutes": lambda f: f["minutes"] + 30.0}, ("shift", "minutes")),
    ({"minutes": lambda f: f["minutes"] + 300.0}, ("novelty", None)),
    ({"minutes": lambda f: f["minutes"].where(np.arange(len(f)) % 2 == 0)}, ("gaps", "minutes")),
    ({"page": lambda f: f["page"].where(f["clicks"] > 6.0, "app")}, ("unknown texts", "page")),
    ({"buys": lambda f: f["buys"].map({"yes": "no", "no": "yes"})}, ("error", None)),
])  # fmt: skip
def test_what_has_drifted_is_named(trained, change, expected):
    assert expected in drifted(trained.deployed, visits(200, seed=1).assign(**change))


def test_errors_of_numbers(forward):
    new = visits(200, seed=1)
    assert ("error", None) in drifted(forward.deployed, new.assign(spent=new["spent"] * 2.0))
    unlabelled = check(forward.deployed, new.drop(columns="spent"))
    assert not any(finding.what == "error" for finding in unlabelled.findings)


def test_command(trained, tmp_path):
    trained.deployed.save(tmp_path / "m.drumlin")
    visits(200, seed=1).to_csv(tmp_path / "same.csv", index=False)
    visits(200, seed=1).assign(page="app").to_csv(tmp_path / "other.csv", index=False)
    done = run("check", tmp_path / "m.drumlin", tmp_path / "same.csv")
    assert (done.exit_code, done.stdout[:8]) == (0, "No drift")
    done = run("check", tmp_path / "m.drumlin", tmp_path / "other.csv")
    assert done.exit_code == 3
    assert "page: what rows with a text that training has not seen, found 100.0 %" in done.stdout
    done = run("check", tmp_path / "m.drumlin", tmp_path / "other.csv", "--json")
    assert done.exit_code == 3
    result = json.loads(done.stdout)
    assert result["drifted"] is True
    texts = [f for f in result["findings"] if f["what"] == "unknown texts"]
    assert [(f["column"], f["found"], f["drifted"]) for f in texts] == [("page", 1.0, True)]


def pairs(n_rows, seed):
    """Two numbers; whether a noisy sum of them is high, and that sum."""
    rng = np.random.default_rng(seed)
    a, b = rng.standard_normal((2, n_rows))
    total = a + 0.5 * b + 0.5 * rng.standard_normal(n_rows)
    return pd.DataFrame({"a": a, "b": b, "high": np.where(total > 0.0, "yes", "no"), "sum": total})


def test_class_weights_are_no_drift():
    """Means are compared with those of the rows as they came."""
    frame = pairs(400, 0).drop(columns="high")
    frame["rare"] = np.where(frame.pop("sum") > 1.7, "yes", "no")
    deployed = train(frame, "rare", class_weight="balanced").deployed
    shifts = [f for f in check(deployed, frame).findings if f.what == "shift"]
    assert [f.column for f in shifts] == ["a", "b"]
    np.testing.assert_allclose([f.found for f in shifts], 0.0, atol=1e-6)
    assert drifted(deployed, frame) == set()


@pytest.mark.parametrize(("target", "other"), [("high", "sum"), ("sum", "high")])
def test_few_training_rows_are_not_taken_for_exact(target, other):
    """What 40 rows tell of their kind is vague, however many new rows there are."""
    for seed in range(4):
        deployed = train(pairs(40, seed), target, ignore=[other]).deployed
        assert drifted(deployed, pairs(5000, 100 + seed)) == set()


def test_errors_that_many_rows_tell_are_drift():
    frame = pairs(300, 0)
    deployed = train(frame, "sum", ignore=["high"]).deployed
    new = pairs(300, 1)
    assert drifted(deployed, new) == set()
    assert drifted(deployed, new.assign(sum=new["sum"] + 1.0)) == {("error", None)}


def test_targets_without_a_logarithm(frame):
    deployed = train(
        frame, "spent", method="forward", max_nodes=6, ignore=["buys"], log_target=True
    ).deployed
    new = visits(200, seed=1)

    def errors(rows):
        return [f.found for f in check(deployed, rows).findings if f.what == "error"]

    assert len(errors(new)) == 1
    without = errors(new[1:])
    assert errors(new.assign(spent=new["spent"].where(new.index > 0, 0.0))) == (
        pytest.approx(without)
    )
    with pytest.raises(TableError, match="one that 'log' is known of"):  # of no row
        errors(new.assign(spent=-1.0))


def test_gaps_of_a_sampled_file(tmp_path, monkeypatch):
    """They are counted in the sample that tells what columns are."""
    monkeypatch.setattr(RowMemory, "sample_rows", lambda self, row_bytes: 100)
    frame = pairs(400, 0).drop(columns="sum")
    frame.loc[::3, "b"] = np.nan
    frame.to_csv(tmp_path / "t.csv", index=False)
    deployed = train([str(tmp_path / "t.csv")], "high", max_nodes=2).deployed
    deployed.save(tmp_path / "m.drumlin")
    (gaps,) = [
        f for f in check(Deployed.load(tmp_path / "m.drumlin"), frame).findings if f.what == "gaps"
    ]
    assert gaps.expected == pytest.approx(gaps.found, abs=0.15)
    assert drifted(deployed, frame) == set()
    assert (deployed.notes["n_train"], deployed.notes["n_sampled"]) == (400, 100)


def test_targets_that_tell_nothing(trained):
    new = visits(200, seed=1)
    assert not [f for f in check(trained.deployed, new.assign(buys=None)).findings
                if f.what in ("error", "unknown classes")]  # fmt: skip
    assert drifted(trained.deployed, new.assign(buys="perhaps")) == {("unknown classes", "buys")}
    new.loc[:49, "buys"] = "perhaps"
    (unknown,) = check(trained.deployed, new).drifted
    assert (unknown.what, unknown.column, unknown.found) == ("unknown classes", "buys", 0.25)


def test_a_gap_is_told_once(frame):
    """Pipelines count a gap among the texts that they have not seen."""
    columns = ["page", "clicks"]
    schema = Schema.understand(frame[columns])
    model = make_pipeline(prepare(schema), ForwardRBFRegressor(max_nodes=3))
    model.fit(schema.inputs(frame[columns]), frame["spent"])
    deployed = Deployed(FittedNetwork.of(model), schema, None, {"n_train": len(frame)})
    told = drifted(deployed, frame[columns].assign(page=frame["page"].where(frame.index % 2 == 0)))
    assert ("gaps", "page") in told
    assert ("unknown texts", "page") not in told


def test_class_codes_keep_their_zeros(tmp_path):
    frame = pairs(100, 0).drop(columns="sum")
    frame["high"] = frame["high"].map({"yes": "01", "no": "02"})
    frame.to_csv(tmp_path / "t.csv", index=False)
    train(tmp_path / "t.csv", "high", max_nodes=2).deployed.save(tmp_path / "m.drumlin")
    done = run("check", tmp_path / "m.drumlin", tmp_path / "t.csv", "--json")
    assert done.exit_code == 0, done.output
    assert "error" in {f["what"] for f in json.loads(done.stdout)["findings"]}
