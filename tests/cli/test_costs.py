"""Rare classes on the command line: weights, costs, precision and recall."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from drumlin.cli.asked import parsed_costs
from drumlin.cli.console import UsageError
from drumlin.deploy import Deployed
from tests.cli.conftest import result_of, run


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=400), rng.normal(size=400)
    bought = np.where(x + 0.7 * rng.normal(size=400) > 1.5, "yes", "no")
    path = tmp_path_factory.mktemp("rare") / "visits.csv"
    pd.DataFrame({"x": x, "z": z, "bought": bought}).to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def fitted(table):
    model = table.with_suffix(".drumlin")
    asked = ("--costs", "yes=10", "--precision", 0.5, "--holdout", 0.4)
    told = result_of("fit", table, "-t", "bought", "-o", model, *asked)
    return model, told


def test_costs_are_parsed():
    assert parsed_costs("yes=10,no=1") == {"yes": 10.0, "no": 1.0}
    assert parsed_costs("a,b=2.5,c=d=1e3") == {"a,b": 2.5, "c=d": 1000.0}
    assert parsed_costs(None) is None
    for wrong in ("", "yes", "yes=", "=3", "yes=1,", "yes=ten", "yes=1,yes=2", "yes=1,no"):
        with pytest.raises(UsageError, match="'--costs' must"):
            parsed_costs(wrong)


def test_fit_decides_and_judges_by_costs(fitted, table):
    model, told = fitted
    assert told["costs"] == {"no": 1.0, "yes": 10.0}
    (_, alarms), (misses, _) = told["confusion"]["counts"]
    n = told["test"]["n_rows"]
    assert told["test"]["cost per row"] == pytest.approx((alarms + 10 * misses) / n)
    assert told["test"]["cost per row"] < told["baseline"]["cost per row"]
    assert {"average precision", "recall at precision 0.5"} <= told["test"].keys()
    answers = Deployed.load(model).predict(pd.read_csv(table))
    said = answers["prediction"] == "yes"
    np.testing.assert_array_equal(said, answers["probability_yes"] > 1.0 / 11.0)


def test_predict_takes_other_costs(fitted, table, tmp_path):
    out = tmp_path / "answers.csv"
    for costs, threshold in ((["--costs", "yes=1"], 0.5), ([], 1.0 / 11.0)):
        assert run("predict", fitted[0], table, "-o", out, *costs).exit_code == 0
        answers = pd.read_csv(out)
        said = answers["prediction"] == "yes"
        np.testing.assert_array_equal(said, answers["probability_yes"] > threshold)


def test_the_report_takes_costs(fitted, table, tmp_path):
    out = tmp_path / "page.html"
    assert run("report", fitted[0], table, "-o", out).exit_code == 0
    assert "a wrong one costs 1 for “no”, 10 for “yes”" in out.read_text(encoding="utf-8")
    assert run("report", fitted[0], table, "-o", out, "--costs", "no=3").exit_code == 0
    assert "a wrong one costs 3 for “no”, 1 for “yes”" in out.read_text(encoding="utf-8")


def test_exports_say_that_they_know_no_costs(fitted, tmp_path):
    done = run("export", fitted[0], "--to", "js", "-o", tmp_path / "model.js")
    assert "most probable class, whatever the costs" in done.stderr


def test_balanced_weights(table):
    told = result_of("fit", table, "-t", "bought", "--class-weight", "balanced", "--holdout", 0.4)
    counts = np.array(told["confusion"]["counts"])
    plain = result_of("fit", table, "-t", "bought", "--holdout", 0.4)
    assert counts[1, 1] > np.array(plain["confusion"]["counts"])[1, 1]  # more of the rare one


def test_compare_asks_the_same_of_all(table):
    asked = ("--costs", "yes=10", "--precision", 0.5, "--methods", "drumlin,constant")
    told = result_of("compare", table, "-t", "bought", "--folds", 2, "--rows", 120, *asked)
    ours, constant = told["methods"]
    for name in ("average precision", "recall at precision 0.5", "cost per row"):
        assert {name, f"± {name}"} <= ours.keys()
    assert ours["cost per row"] < constant["cost per row"]
    assert ours["average precision"] > 2.0 * constant["average precision"]


def test_compare_weighs_classes(table):
    how = ("--folds", 2, "--rows", 120, "--methods", "drumlin,constant,logistic")
    told = result_of("compare", table, "-t", "bought", "--class-weight", "balanced", *how)
    ours, constant, logistic = told["methods"]
    assert constant["balanced error"] == pytest.approx(0.5)
    assert constant["error"] < 0.4  # it is not weighed: the most frequent class
    for row in (ours, logistic):
        assert row["balanced error"] < 0.3


FOR_CLASSES = "is for classes: it must be left out where the target holds numbers"


@pytest.mark.parametrize(("arguments", "told"), [
    (["fit", "-t", "bought", "--costs", "maybe=2"], "'--costs' must name classes of"),
    (["fit", "-t", "bought", "--costs", "yes=0"],
     "'--costs' must hold positive numbers. Got 0.0 for the class 'yes'"),
    (["fit", "-t", "bought", "--precision", "2"], "'--precision' must be above 0 and at most 1"),
    (["fit", "-t", "bought", "--class-weight", "odd"], "'--class-weight' must be 'balanced'"),
    (["fit", "-t", "bought", "--class-weight", "balanced", "--costs", "yes=2"], "'--costs' must"),
    (["fit", "-t", "x", "--costs", "yes=2"], f"'--costs' {FOR_CLASSES}"),
    (["fit", "-t", "x", "--class-weight", "balanced"], f"'--class-weight' {FOR_CLASSES}"),
    (["compare", "-t", "bought", "--class-weight", "odd"], "'--class-weight' must be 'balanced'"),
    (["compare", "-t", "x", "--class-weight", "balanced"], f"'--class-weight' {FOR_CLASSES}"),
    (["compare", "-t", "x", "--precision", "0.9"], f"'--precision' {FOR_CLASSES}"),
    (["compare", "-t", "bought", "--costs", "often=9"], "'--costs' must name classes of"),
])  # fmt: skip
def test_what_cannot_be(arguments, told, table):
    command, *options = arguments
    done = run(command, table, *options)
    assert done.exit_code == 2
    assert told in done.stderr
