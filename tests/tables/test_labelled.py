"""Rows with a target: from files or frames, split, sampled."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from drumlin._errors import ParameterError
from drumlin.tables import TableError, TableWarning, read_labelled
from drumlin.tables.labelled import shares_of


@pytest.fixture
def frame():
    n = 40
    classes = np.repeat(["p", "q"], [30, 10])
    return pd.DataFrame({"a": np.linspace(0.0, 1.0, n) ** 2, "b": ["x", "y"] * 20, "y": classes})


def test_frames_and_files_agree(frame, tmp_path):
    frame.to_csv(tmp_path / "t.csv", index=False)
    of_frame, of_file = read_labelled(frame, "y"), read_labelled(tmp_path / "t.csv", "y")
    np.testing.assert_array_equal(of_frame.y, of_file.y)
    assert of_frame.target == of_file.target
    assert of_frame.inputs()[0] == of_file.inputs()[0]
    pd.testing.assert_frame_equal(of_frame.inputs()[1], of_file.inputs()[1])


def test_frames_are_not_changed(frame):
    before = frame.copy(deep=True)
    read_labelled(frame, "y").split(0.3, 0)
    pd.testing.assert_frame_equal(frame, before)


def test_split_is_seeded_whole_and_has_all_classes(frame):
    data = read_labelled(frame, "y")
    train, test = data.split(0.2, 3)
    again = data.split(0.2, 3)[1]
    assert (len(train), len(test)) == (32, 8)
    assert sorted([*train.frame.index, *test.frame.index]) == list(frame.index)
    np.testing.assert_array_equal(test.frame.index, again.frame.index)
    assert not test.frame.index.equals(data.split(0.2, 4)[1].frame.index)
    assert (test.y == "q").sum() == 2


@pytest.mark.parametrize("holdout", [0.0, 1.0, -0.5, 1.5])
def test_split_is_of_a_fraction(holdout, frame):
    with pytest.raises(ParameterError, match=f"'holdout' parameter must be a .* Got {holdout:g}"):
        read_labelled(frame, "y").split(holdout, 0)


def test_a_split_leaves_rows(frame):
    with pytest.raises(TableError, match=r"must have rows left for training\. Got 40"):
        read_labelled(frame, "y").split(0.999, 0)


def test_sample_is_seeded_and_in_order(frame):
    data = read_labelled(frame, "y")
    some = data.sample(15, 1)
    assert len(some) == 15
    assert some.frame.index.is_monotonic_increasing
    np.testing.assert_array_equal(some.frame.index, data.sample(15, 1).frame.index)
    assert data.sample(40, 1) is data


@pytest.mark.parametrize(("counts", "most", "shares"), [
    ([900, 90, 10], 100, [70, 20, 10]),  # all of the last, 20 of the second, the rest
    ([5000, 4000, 1000], 100, [44, 36, 20]),
    ([10, 10], 4, [2, 2]),
    ([97, 1, 1, 1], 3, [3, 0, 0, 0]),  # there is no room for all
    ([9990, 10], 50, [40, 10]),
])  # fmt: skip
def test_rare_classes_are_in_a_sample(counts, most, shares):
    found = shares_of(np.array(counts), most)
    assert found.sum() == most
    assert (found <= counts).all()
    np.testing.assert_array_equal(found, shares)
    frame = pd.DataFrame(
        {"a": np.arange(sum(counts)), "y": np.repeat([*"abcd"][: len(counts)], counts)}
    )
    some = read_labelled(frame.sample(frac=1.0, random_state=0), "y").sample(most, 0)
    np.testing.assert_array_equal([(some.y == k).sum() for k in "abcd"[: len(counts)]], shares)


def test_unknown_classes_are_told_and_left_out(frame):
    data = read_labelled(frame, "y")
    assert data.of_classes(np.array(["p", "q", "r"])) is data
    with pytest.warns(TableWarning, match=r"10 rows of classes .* are left out: \['q'\]"):
        assert set(data.of_classes(np.array(["p", "r"])).y) == {"p"}
    with pytest.raises(TableError, match=r"must hold classes of the model, \['r'\]. Got"):
        data.of_classes(np.array(["r"]))


@pytest.mark.parametrize(("labels", "match"), [
    (["yes", "no", "Yes "], r"differ in spaces or capitals only: 'yes', 'Yes '"),
    (["0,5", "1"], "target 'y' is taken for texts, but '0,5' may be a number"),
])  # fmt: skip
def test_odd_classes_are_told(labels, match):
    frame = pd.DataFrame({"a": np.arange(30.0), "y": (labels * 30)[:30]})
    with pytest.warns(TableWarning, match=match):
        read_labelled(frame, "y")


def test_a_single_row():
    with pytest.raises(TableError, match="Got 'yes' in the only row"):
        read_labelled(pd.DataFrame({"a": [1.5], "y": ["yes"]}), "y")
