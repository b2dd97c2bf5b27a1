"""From a table to a model, called from Python."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import drumlin
from drumlin._errors import ParameterError
from drumlin.deploy import Options, train
from drumlin.tables import TableError, TableWarning
from tests.deploy.conftest import visits
from tests.helpers import assert_close


def quick(table, target="buys", **options):
    return train(table, target, **{"method": "network", "max_nodes": 4} | options)


def test_frames_and_files_give_the_same_model(frame, tmp_path):
    frame.to_csv(tmp_path / "visits.csv", index=False)
    of_frame, of_file = quick(frame), quick(tmp_path / "visits.csv")
    pd.testing.assert_frame_equal(of_frame.deployed.predict(frame), of_file.deployed.predict(frame))
    differ = {name for name, note in of_file.notes.items() if note != of_frame.notes[name]}
    assert differ - {"seconds"} == {"file", "sha256"}
    assert of_file.notes["file"] == "visits.csv"
    assert of_frame.notes["sha256"] is None


def test_the_table_of_the_caller_stays_as_it_is(frame):
    before = frame.copy(deep=True)
    quick(frame, holdout=0.2)
    pd.testing.assert_frame_equal(frame, before)


def test_nothing_is_printed(frame, capfd):
    quick(frame, holdout=0.2)
    assert capfd.readouterr() == ("", "")


def test_held_out_rows_are_judged(trained, frame):
    assert len(trained.judged.X) == 30
    assert len(trained.train) == trained.notes["n_train"] == 90
    assert trained.notes["test"] == {"n_rows": 30, **trained.judged.measures}
    assert trained.judged.measures["error"] < 0.4
    held_out = frame.loc[trained.judged.X.index]
    answers = trained.deployed.predict(held_out)["prediction"]
    assert_close((answers != held_out["buys"]).mean(), trained.judged.measures["error"])


def test_another_table_is_judged(frame):
    new = visits(40, seed=1)
    new.loc[:2, "page"] = "search"
    new.loc[5, "buys"] = "perhaps"
    with pytest.warns(TableWarning) as caught:
        trained = quick(frame, test=new)
    assert len(trained.judged.X) == 39
    said = " ".join(str(warning.message) for warning in caught)
    assert "1 row of classes that training has not seen is left out: ['perhaps']" in said
    assert "3 test rows have a 'page' that training has not seen" in said


def test_rows_without_a_target_are_told_and_left_out(frame):
    gaps = frame.copy()
    gaps.loc[[3, 7], "buys"] = None
    with pytest.warns(TableWarning, match="2 rows without a value of 'buys' are left out"):
        assert quick(gaps).notes["n_train"] == len(frame) - 2


class Counter:
    """Counts the parts of a fit."""

    n_parts = 0

    def setup(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context):
        pass

    def on_fit_task_end(self, estimator, context):
        self.n_parts += 1
        return False

    def teardown(self, estimator, context):
        pass


def test_callback_is_told(frame):
    counter = Counter()
    train(frame, "buys", method="forward", max_nodes=3, callback=counter)
    assert counter.n_parts > 1


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"method": "magic"}, ParameterError, "'method' parameter must be one of"),
    ({"task": "magic"}, ParameterError, "'task' parameter must be one of"),
    ({"holdout": 1.5}, ParameterError, "'holdout' parameter must be a fraction"),
    ({"holdout": 0.5, "test": "other.csv"}, ParameterError, "'holdout' parameter must be None"),
    ({"keep": ["size"]}, TableError, "lacks the column 'size' that the 'keep' parameter names"),
    ({"ignore": ["size"]}, TableError, "lacks the column 'size' that the 'ignore' parameter names"),
    ({"ignore": ["minutes", "page", "clicks", "spent"]}, TableError, "the 'keep' parameter uses"),
    ({"depth": 3}, TypeError, "depth"),
])  # fmt: skip
def test_errors_name_the_parameter(options, error, message, frame):
    with pytest.raises(error, match=message) as caught:
        quick(frame, **options)
    assert "--" not in str(caught.value)


@pytest.mark.parametrize("columns", [["a", "a"], ["a", 3]])
def test_columns_must_have_names_of_their_own(columns):
    table = pd.DataFrame(np.arange(8.0).reshape(4, 2), columns=columns)
    with pytest.raises(TableError, match="must have different texts as names of its columns"):
        quick(table, "a")


def test_models_know_where_their_rows_were(forward):
    """Novelty is the model's own: nothing has to be noted."""
    Z = forward.fitted.model_rows(forward.deployed.schema.inputs(forward.train.frame))
    assert not forward.deployed.is_novel(Z).all()
    assert forward.deployed.is_novel(Z + 1e3).all()
    assert "farthest" not in forward.notes


def test_defaults_are_those_of_the_flagship(frame):
    assert Options() == Options(method="drumlin", holdout=None, seed=0)
    trained = train(frame[["clicks", "buys"]], "buys")
    assert type(trained.fitted.model) is drumlin.DrumlinClassifier
    assert trained.judged is None
    assert trained.loo.keys() == {"error", "log-loss"}
    assert not trained.interrupted


@pytest.mark.parametrize(("options", "match"), [
    ({"seed": -1}, "'seed' parameter must be a whole number from 0 to 4294967295"),
    ({"seed": 2**32}, "'seed' parameter"),
    ({"holdout": "a"}, "'holdout' parameter must be a number or None"),
    ({"method": ["a"]}, "'method' parameter must be a text"),
    ({"ignore": 5}, "'ignore' parameter must be a collection"),
    ({"class_weight": "odd"}, "'class_weight' parameter must be 'balanced', a dict or None"),
    ({"precision": 1.5, "holdout": 0.2}, "'precision' parameter must be above 0 and at most 1"),
    ({"precision": 0.9}, "'precision' parameter must be None where no rows judge .* Got 0.9"),
    ({"class_weight": "balanced", "costs": {"yes": 2.0}}, "'costs' parameter must be None where"),
])  # fmt: skip
def test_options_that_cannot_be(options, match):
    """They are refused before a table is read: there is none here."""
    with pytest.raises(ParameterError, match=match):
        train("no such file.csv", "buys", **options)


@pytest.mark.parametrize("table", [None, np.zeros((3, 2)), {"a": [1, 2]}])
def test_tables_that_are_none(table):
    with pytest.raises(ParameterError, match="'table' parameter must be a pandas DataFrame or"):
        train(table, "buys")
