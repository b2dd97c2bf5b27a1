from __future__ import annotations

import numpy as np
import pytest

from drumlin.datasets import (
    archive,
    available,
    catalogue,
    load_benchmark,
    load_pima,
    load_ripley,
    load_table,
    load_vowel,
)
from drumlin.datasets.sources import IMBALANCED, MIXED
from drumlin.datasets.sources import REGRESSIONS as UCI

# name: rows, features, training rows, rows of class -1 and +1, published realisations
BENCHMARKS = {
    "banana": (5300, 2, 400, (2924, 2376), 10),
    "breast": (277, 9, 200, (196, 81), 10),
    "diabetes": (768, 8, 468, (500, 268), 0),
    "flare": (1066, 9, 666, (477, 589), 5),
    "german": (1000, 20, 700, (700, 300), 10),
    "heart": (270, 13, 170, (150, 120), 10),
    "thyroid": (215, 5, 140, (150, 65), 0),
    "titanic": (2201, 3, 150, (1490, 711), 10),
    "waveform": (5000, 21, 400, (3353, 1647), 10),
}
SPLIT_SETS = {
    load_ripley: (2, 250, 1000, 2),
    load_pima: (7, 200, 332, 2),
    load_vowel: (10, 528, 462, 11),
}
TABLES = {
    "covtype": (581012, 54, 7),
    "letter": (20000, 16, 26),
    "magic": (19020, 10, 2),
    "phoneme": (5404, 5, 2),
    "segment": (2310, 19, 7),
}


def assert_partition(bunch):
    rows = np.concatenate([bunch.train, bunch.test])
    np.testing.assert_array_equal(np.sort(rows), np.arange(len(bunch.y)))


@pytest.fixture(autouse=True)
def offline(tmp_path_factory, monkeypatch):
    """No network, and nothing fetched before."""
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setattr(archive, "URL", "http://127.0.0.1:9/benchmarks.mat")


@pytest.fixture
def fake_home(tmp_path):
    """Folder with a 'heart' of 270 rows and one published realisation, number 2."""
    rows = np.arange(270)
    (tmp_path / "ida").mkdir()
    np.savez(
        tmp_path / "ida" / "heart.npz",
        X=rows[:, None].astype(np.float32),
        y=np.where(rows % 2, 1, -1).astype(np.int8),
        train=rows[None, :170],
        test=rows[None, 170:],
        realisation=np.array([2]),
    )
    return tmp_path


@pytest.fixture
def no_variable(monkeypatch):
    monkeypatch.delenv("DRUMLIN_DATA", raising=False)


# ---------------------------------------------------------------- the real files


@pytest.mark.usefixtures("needs_data")
@pytest.mark.parametrize("name", BENCHMARKS)
@pytest.mark.parametrize("realisation", [1, 10, 11])
def test_benchmark_agrees_with_the_published_sizes(name, realisation):
    n, n_features, n_train, counts, n_published = BENCHMARKS[name]
    bunch = load_benchmark(name, realisation)
    assert bunch.X.shape == (n, n_features)
    assert bunch.X.dtype == np.float64
    assert np.isfinite(bunch.X).all()
    assert tuple(np.unique_counts(bunch.y).values) == (-1, 1)
    assert tuple(np.unique_counts(bunch.y).counts) == counts
    assert bunch.train.size == n_train
    assert bunch.original == (realisation <= n_published)
    assert_partition(bunch)


@pytest.mark.usefixtures("needs_data")
@pytest.mark.parametrize("loader", SPLIT_SETS)
def test_split_set_agrees_with_the_published_sizes(loader):
    n_features, n_train, n_test, n_classes = SPLIT_SETS[loader]
    bunch = loader()
    assert bunch.X.shape == (n_train + n_test, n_features)
    assert bunch.X.dtype == np.float64
    assert (bunch.train.size, bunch.test.size) == (n_train, n_test)
    np.testing.assert_array_equal(np.unique(bunch.y), np.arange(n_classes))
    assert_partition(bunch)


@pytest.mark.usefixtures("needs_data")
@pytest.mark.parametrize("name", TABLES)
def test_table_agrees_with_the_published_sizes(name):
    n, n_features, n_classes = TABLES[name]
    bunch = load_table(name)
    assert bunch.X.shape == (n, n_features)
    assert bunch.X.dtype == np.float64
    assert np.unique(bunch.y).size == n_classes
    assert "train" not in bunch


@pytest.mark.usefixtures("needs_data")
@pytest.mark.parametrize("name", TABLES)
def test_table_draws_nested_subsets_of_all_classes(name):
    small, large = load_table(name, max_rows=500), load_table(name, max_rows=1000)
    np.testing.assert_array_equal(small.X, large.X[:500])
    np.testing.assert_array_equal(small.y, large.y[:500])
    assert np.unique(large.y).size == TABLES[name][2]


@pytest.mark.usefixtures("needs_data")
def test_table_gives_all_rows_when_there_are_no_more():
    np.testing.assert_array_equal(load_table("segment", 10**6).X, load_table("segment").X)


@pytest.mark.usefixtures("needs_data")
def test_vowel_is_split_by_speaker():
    bunch = load_vowel()
    assert not set(bunch.speaker[bunch.train]) & set(bunch.speaker[bunch.test])


def test_available_names_every_set(needs_data):
    folders = [*(f"uci/{n}" for n in UCI), *(f"imbalanced/{n}" for n in IMBALANCED)]
    names = {
        *BENCHMARKS,
        "ripley",
        "pima",
        "vowel",
        *TABLES,
        *folders,
        *(f"mixed/{n}" for n in MIXED),
    }
    assert available() == available(needs_data) == sorted(names)


@pytest.mark.usefixtures("needs_data")
def test_catalogue_tells_sizes_and_what_is_missing():
    entries = {entry.name: entry for entry in catalogue()}
    sizes = {name: (e.source.n_samples, e.source.n_features) for name, e in entries.items()}
    assert {name: sizes[name] for name in BENCHMARKS} == {n: v[:2] for n, v in BENCHMARKS.items()}
    for name, (n, n_features, n_classes) in TABLES.items():
        assert (*sizes[name], entries[name].source.n_classes) == (n, n_features, n_classes)
    for loader, (n_features, n_train, n_test, n_classes) in SPLIT_SETS.items():
        source = entries[loader.__name__.removeprefix("load_")].source
        found = (source.n_samples, source.n_features, source.n_classes)
        assert found == (n_train + n_test, n_features, n_classes)
    missing = {name for name, entry in entries.items() if entry.path is None}
    assert missing == {"image", "ringnorm", "splice", "twonorm"}
    assert all(entry.source.licence and entry.source.origin for entry in entries.values())


# ---------------------------------------------------------------- rules, without data


def test_published_realisation_comes_first(fake_home):
    bunch = load_benchmark("heart", 2, data_home=fake_home)
    assert bunch.original
    np.testing.assert_array_equal(bunch.train, np.arange(170))


def test_other_realisations_are_the_seeded_splits(fake_home):
    bunch = load_benchmark("heart", 7, data_home=fake_home)
    p = np.random.default_rng([7]).permutation(270)
    assert not bunch.original
    np.testing.assert_array_equal(bunch.train, p[:170])
    np.testing.assert_array_equal(bunch.test, p[170:])
    again = load_benchmark("heart", np.int64(7), data_home=fake_home)
    np.testing.assert_array_equal(bunch.train, again.train)


def test_bunch_describes_itself(fake_home):
    bunch = load_benchmark("heart", 2, data_home=fake_home)
    assert (bunch.name, bunch.realisation) == ("heart", 2)
    assert (bunch.X.dtype, bunch.y.dtype) == (np.float64, np.int64)
    for text in ("heart", "IDA", "270 rows", "original realisation 2 (170 / 100)", "Licence"):
        assert text in bunch.DESCR


@pytest.mark.parametrize("alias", ["breast-cancer", "diabetis", "flare-solar"])
def test_repository_names_are_understood(alias, tmp_path):
    with pytest.raises(FileNotFoundError, match=f"{alias}.npz"):
        load_benchmark(alias, data_home=tmp_path)


def test_available_lists_only_what_is_there(fake_home, no_variable):
    assert available(fake_home) == ["heart"]
    assert available() == []


def test_variable_names_the_folder(fake_home, monkeypatch):
    monkeypatch.setenv("DRUMLIN_DATA", str(fake_home))
    assert load_benchmark("heart").X.shape == (270, 1)


@pytest.mark.parametrize("loader", [load_benchmark, load_table])
def test_unknown_name(loader):
    with pytest.raises(ValueError, match=r"'name' parameter must be one of \[.*\]. Got 'iris'"):
        loader("iris")


def test_missing_folder(no_variable):
    with pytest.raises(FileNotFoundError, match=r"DRUMLIN_DATA must name .*'ida/heart\.npz'"):
        load_benchmark("heart")


def test_missing_file(fake_home):
    with pytest.raises(FileNotFoundError, match=r"put 'vowel\.npz' into"):
        load_vowel(data_home=fake_home)


@pytest.mark.parametrize(
    "value, error",
    [(0, ValueError), (-1, ValueError), (1.0, TypeError), ("1", TypeError), (True, TypeError)],
)
def test_bad_realisation(value, error, fake_home):
    with pytest.raises(error, match=r"'realisation' parameter must be an integer >= 1\. Got"):
        load_benchmark("heart", value, data_home=fake_home)


@pytest.mark.parametrize("value, error", [(0, ValueError), (2.5, TypeError)])
def test_bad_max_rows(value, error):
    with pytest.raises(error, match="'max_rows' parameter must be an integer >= 1"):
        load_table("segment", value)


def test_file_without_targets(fake_home):
    path = fake_home / "vowel.npz"
    np.savez(path, X=np.ones((3, 2)))
    with pytest.raises(ValueError, match=r"with the arrays X and y; .*vowel.npz' with \['X'\]"):
        load_vowel(data_home=fake_home)
