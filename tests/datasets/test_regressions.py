from __future__ import annotations

import numpy as np
import pytest

from drumlin.datasets import load_uci
from drumlin.datasets.sources import REGRESSIONS

# name: rows, inputs, training rows, mean of the target
SIZES = {
    "energy": (768, 8, 691, 22.31),
    "kin8nm": (8192, 8, 7373, 0.714),
    "naval": (11934, 16, 10741, 0.975),
    "wine-red": (1599, 11, 1439, 5.636),
}


@pytest.fixture
def fake_home(tmp_path):
    """Folder with an 'energy' of 10 rows and two splits."""
    (tmp_path / "uci").mkdir()
    rows = np.arange(10)
    np.savez(
        tmp_path / "uci" / "energy.npz",
        X=rows[:, None],
        y=rows / 4,
        train=np.array([rows[:8], rows[2:]], np.int32),
        test=np.array([rows[8:], rows[:2]], np.int32),
    )
    return tmp_path


@pytest.mark.usefixtures("needs_data")
@pytest.mark.parametrize("name", SIZES)
def test_regression_agrees_with_the_published_sizes(name):
    n, n_features, n_train, mean = SIZES[name]
    found = load_uci(name, 20)
    assert found.X.shape == (n, n_features) == astuple(REGRESSIONS[name])
    assert np.isfinite(found.X).all()
    assert found.train.size == n_train
    assert found.y.mean() == pytest.approx(mean, abs=0.01)
    np.testing.assert_array_equal(np.sort([*found.train, *found.test]), np.arange(n))
    assert not np.array_equal(found.test, load_uci(name, 1).test)


def astuple(source):
    return source.n_samples, source.n_features


def test_split_has_the_rows_of_its_number(fake_home):
    found = load_uci("energy", 2, data_home=fake_home)
    np.testing.assert_array_equal(found.train, np.arange(2, 10))
    np.testing.assert_array_equal(found.test, [0, 1])
    np.testing.assert_array_equal(found.y, np.arange(10) / 4)
    assert (found.split, found.n_splits, found.y.dtype) == (2, 2, np.float64)
    assert "10 rows, 1 features, the target is a number" in found.DESCR
    assert "published split 2 of 2 (8 / 2)" in found.DESCR


def test_name_of_the_catalogue_is_understood(fake_home):
    assert load_uci("uci/energy", data_home=fake_home).name == "energy"


@pytest.mark.parametrize(
    "split, error, rule",
    [
        (3, ValueError, r"at most 2, the published splits of 'energy'\. Got 3"),
        (0, ValueError, "an integer >= 1. Got 0"),
        (1.0, TypeError, "an integer >= 1. Got 1.0"),
    ],
)
def test_bad_split(fake_home, split, error, rule):
    with pytest.raises(error, match=rf"'split' parameter must be {rule}"):
        load_uci("energy", split, data_home=fake_home)


def test_unknown_name():
    with pytest.raises(ValueError, match=r"one of \['energy', .*\]. Got 'boston'"):
        load_uci("boston")


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"put 'naval\.npz' into"):
        load_uci("naval", data_home=tmp_path)
