from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from drumlin.datasets import load_benchmark, load_imbalanced, load_mixed
from drumlin.datasets.sources import IMBALANCED, MIXED

CATEGORIES = {  # columns of text
    "chess": 36,
    "contraceptive": 0,
    "crx": 9,
    "german": 13,
    "saheart": 1,
    "tic-tac-toe": 9,
}


@pytest.fixture
def fake_home(tmp_path):
    """Folder with a table of a number, a category that looks like nothing, and a class."""
    for folder, name in [("imbalanced", "ecoli4"), ("mixed", "crx")]:
        (tmp_path / folder).mkdir()
        text = "v1,v2,class\n1.5,NA,negative\n2,b,positive\n3,NA,negative\n"
        (tmp_path / folder / f"{name}.csv").write_text(text)
    return tmp_path


@pytest.mark.usefixtures("needs_data")
@pytest.mark.parametrize("name", IMBALANCED)
def test_positives_are_rare_and_sizes_as_told(name):
    found, source = load_imbalanced(name), IMBALANCED[name]
    assert found.X.shape == (source.n_samples, source.n_features)
    assert found.target_names == ["negative", "positive"]
    assert 0.01 < found.y.mean() < 0.36
    assert not found.X.isna().any(axis=None)


@pytest.mark.usefixtures("needs_data")
@pytest.mark.parametrize("name", MIXED)
def test_mixed_table_has_its_categories(name):
    found, source = load_mixed(name), MIXED[name]
    assert found.X.shape == (source.n_samples, source.n_features)
    assert len(found.categorical_features) == CATEGORIES[name]
    assert np.unique(found.y).size == len(found.target_names) == source.n_classes
    assert not found.X.isna().any(axis=None)


@pytest.mark.usefixtures("needs_data")
def test_both_versions_of_german_have_the_same_classes():
    coded, raw = load_benchmark("german"), load_mixed("german")
    assert np.bincount(coded.y == 1).tolist() == np.bincount(raw.y).tolist() == [700, 300]


@pytest.mark.parametrize("load, name", [(load_imbalanced, "ecoli4"), (load_mixed, "crx")])
def test_columns_of_text_are_categories(load, name, fake_home):
    found = load(name, data_home=fake_home)
    assert found.categorical_features == ["v2"]
    assert found.feature_names == found.X.columns.tolist() == ["v1", "v2"]
    assert isinstance(found.X["v2"].dtype, pd.CategoricalDtype)
    assert found.X["v2"].tolist() == ["NA", "b", "NA"]  # a word, not a missing entry
    assert found.X["v1"].tolist() == [1.5, 2.0, 3.0]
    np.testing.assert_array_equal(found.y, [0, 1, 0])
    assert found.target_names == ["negative", "positive"]
    assert f"{name}: KEEL" in found.DESCR and "3 rows, 2 features, 2 classes" in found.DESCR


def test_names_of_the_catalogue_are_understood(fake_home):
    assert load_mixed("mixed/crx", data_home=fake_home).name == "crx"
    assert load_imbalanced("imbalanced/ecoli4", data_home=fake_home).name == "ecoli4"


@pytest.mark.parametrize("load", [load_imbalanced, load_mixed])
def test_unknown_name(load):
    with pytest.raises(ValueError, match=r"'name' parameter must be one of \[.*\]. Got 'iris'"):
        load("iris")


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"put 'german\.csv' into"):
        load_mixed("german", data_home=tmp_path)


def test_file_without_classes(fake_home):
    path = fake_home / "mixed" / "crx.csv"
    path.write_text("v1,v2\n1,2\n")
    with pytest.raises(ValueError, match=r"must be 'class'\. Got .*crx\.csv' with \['v1', 'v2'\]"):
        load_mixed("crx", data_home=fake_home)
