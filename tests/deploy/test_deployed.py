"""A model in use, called from Python."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import drumlin
from drumlin import ForwardRBFRegressor
from drumlin._errors import ParameterError
from drumlin.deploy import Deployed, train
from drumlin.tables import TableError, TableWarning
from tests.deploy.conftest import visits


def test_saved_and_loaded(trained, frame, tmp_path):
    trained.deployed.save(tmp_path / "model.drumlin")
    loaded = Deployed.load(tmp_path / "model.drumlin")
    pd.testing.assert_frame_equal(loaded.predict(frame), trained.deployed.predict(frame))
    assert loaded.notes == trained.notes
    assert (loaded.schema, loaded.target) == (trained.deployed.schema, trained.deployed.target)


def test_classes(trained, frame):
    answers = trained.deployed.predict(frame)
    assert list(answers) == ["prediction", "probability_no", "probability_yes", "novel"]
    yes = answers["probability_yes"] > answers["probability_no"]
    np.testing.assert_array_equal(answers["prediction"], np.where(yes, "yes", "no"))


def test_numbers_with_their_spread(forward, frame):
    assert list(forward.deployed.predict(frame)) == ["prediction", "std", "novel"]
    flagship = train(frame, "spent", max_nodes=3, ignore=["buys"])
    answers = flagship.deployed.predict(frame)
    assert list(answers) == ["prediction", "std", "novel"]
    assert (answers["std"] > 0.0).all()


def test_rows_keep_their_index_and_columns_any_order(forward, frame):
    shuffled = frame.iloc[::-1, ::-1].set_index(np.zeros(len(frame), dtype=int))
    answers = forward.deployed.predict(shuffled)
    assert (answers.index == 0).all()
    expected = forward.deployed.predict(frame)["prediction"][::-1]
    np.testing.assert_array_equal(answers["prediction"], expected)


@pytest.mark.parametrize("dtype", ["category", "string", object])
def test_types_of_text_do_not_matter(dtype, forward, frame):
    other = forward.deployed.predict(frame.astype({"page": dtype}))
    pd.testing.assert_frame_equal(other, forward.deployed.predict(frame))


@pytest.mark.parametrize("name", ["trained", "forward"])
def test_far_rows_are_novel(name, frame, request):
    deployed = request.getfixturevalue(name).deployed
    rows = frame.dropna()
    assert deployed.predict(rows.assign(clicks=1e4, minutes=1e4))["novel"].all()
    assert not deployed.predict(rows)["novel"].all()


def test_training_rows_of_forward_are_not_novel(forward):
    assert not forward.deployed.predict(forward.train.frame)["novel"].any()


def test_surprises_are_warnings(forward, frame):
    odd = frame.head(4).assign(page=["home", "search", "search", "shop"], clicks=[1, 2, 3, "?"])
    with pytest.warns(TableWarning) as caught:
        forward.deployed.predict(odd)
    said = [str(warning.message) for warning in caught]
    assert any("2 rows have a 'page' that training has not seen ('search')" in s for s in said)
    assert any("no number in 'clicks'" in s for s in said)
    _, surprises = forward.deployed.answers(odd)
    assert surprises.unknown == {"page": {"search": 2}}


def test_missing_columns(forward, frame):
    with pytest.raises(TableError, match="lacks the column 'clicks' that the model uses"):
        forward.deployed.predict(frame.drop(columns="clicks"))


# ------------------------------------------------------------------ judging
def test_hold_out_rows_of_the_same_file_are_judged(frame, tmp_path):
    frame.to_csv(tmp_path / "visits.csv", index=False)
    options = {"method": "network", "max_nodes": 4, "holdout": 0.25, "seed": 3}
    trained = train(tmp_path / "visits.csv", "buys", **options)
    with pytest.warns(TableWarning, match="only its 30 hold-out rows are used"):
        rows, seen = trained.deployed.rows_to_judge(tmp_path / "visits.csv")
    assert not seen
    assert trained.deployed.judge(rows).measures == trained.judged.measures
    rows, seen = trained.deployed.rows_to_judge(frame)  # nobody knows where a frame is from
    assert (len(rows), seen) == (len(frame), False)


def test_rows_of_the_fit_are_seen(frame, tmp_path):
    frame.to_csv(tmp_path / "visits.csv", index=False)
    deployed = train(tmp_path / "visits.csv", "buys", method="network", max_nodes=4).deployed
    rows, seen = deployed.rows_to_judge(tmp_path / "visits.csv")
    assert (len(rows), seen) == (len(frame), True)
    assert deployed.judge(rows, seen=seen).data_name == "training data"


def test_only_unknown_classes_cannot_be_judged(trained):
    with pytest.raises(TableError, match=r"must hold classes of the model, \['no', 'yes'\]"):
        trained.deployed.rows_to_judge(visits(10).assign(buys="perhaps"))


# ------------------------------------------------------------------ models saved from Python
def test_named_columns_of_numbers_are_enough(frame, tmp_path):
    X = frame[["clicks", "spent"]]
    model = ForwardRBFRegressor(max_nodes=3).fit(X, frame["spent"])
    drumlin.save(model, tmp_path / "model")
    deployed = Deployed.load(tmp_path / "model")
    np.testing.assert_array_equal(deployed.predict(frame)["prediction"], model.predict(X))
    assert not deployed.predict(frame)["novel"].all()
    with pytest.raises(ParameterError, match="'target' parameter must be given"):
        deployed.rows_to_judge(frame)
    rows, seen = deployed.rows_to_judge(frame, "spent")
    assert (len(rows), seen) == (len(frame), False)


def test_models_without_names_are_refused(frame, tmp_path):
    X = frame[["clicks", "spent"]].to_numpy()
    drumlin.save(ForwardRBFRegressor(max_nodes=3).fit(X, X[:, 0]), tmp_path / "model")
    with pytest.raises(TableError, match="must say what its columns are"):
        Deployed.load(tmp_path / "model")


@pytest.mark.parametrize(("given", "error", "match"), [
    ([[1, 2, 3]], TypeError, "'frame' parameter must be a pandas DataFrame. Got list"),
    (None, TypeError, "Got NoneType"),
    (visits(3)[:0], ValueError, "at least one row"),
    (pd.concat([visits(3), visits(3)[["clicks"]]], axis=1), ValueError, "different texts as names"),
])  # fmt: skip
def test_frames_that_cannot_be(trained, given, error, match):
    with pytest.raises(error, match=match):
        trained.deployed.predict(given)
