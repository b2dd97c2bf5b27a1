"""New rows beside those of a fit."""

from __future__ import annotations

import json

import numpy as np
import pytest

from drumlin.deploy import check
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
