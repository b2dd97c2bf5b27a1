"""The download path, with an archive of the real layout served by a small HTTP server."""

from __future__ import annotations

import hashlib
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from scipy.io import savemat

from drumlin.datasets import archive, available, load_benchmark, load_vowel

SETS = {"heart": (30, 4, 100), "breast_cancer": (24, 3, 100), "splice": (20, 5, 20)}


def structure(n, n_features, n_realisations, n_train=12):
    """One set as MATLAB stores it: labels in a column, row numbers from one."""
    rng = np.random.default_rng(n)
    orders = np.array([rng.permutation(n) + 1 for _ in range(n_realisations)], dtype=np.uint16)
    return {
        "x": rng.normal(size=(n, n_features)),
        "t": rng.choice([-1.0, 1.0], size=(n, 1)),
        "train": orders[:, :n_train],
        "test": orders[:, n_train:],
    }


class QuietHandler(SimpleHTTPRequestHandler):
    requests: list[str] = []

    def log_message(self, format, *args):
        self.requests.append(self.path)


@pytest.fixture
def structures():
    return {name: structure(*sizes) for name, sizes in SETS.items()}


@pytest.fixture
def server(structures, tmp_path, monkeypatch):
    """Serve the archive; return the list of requests."""
    folder = tmp_path / "web"
    folder.mkdir()
    savemat(folder / "benchmarks.mat", structures, do_compression=True)
    handler = type("Handler", (QuietHandler,), {"requests": []})
    http = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    digest = hashlib.sha256((folder / "benchmarks.mat").read_bytes()).hexdigest()
    monkeypatch.setattr(archive, "URL", f"http://127.0.0.1:{http.server_port}/benchmarks.mat")
    monkeypatch.setattr(archive, "SHA256", digest)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "cache"))
    monkeypatch.delenv("DRUMLIN_DATA", raising=False)
    yield handler.requests
    http.shutdown()
    http.server_close()
    thread.join()


def test_fetched_set_is_the_archived_one(server, structures):
    for name, key in [("heart", "heart"), ("breast", "breast_cancer"), ("splice", "splice")]:
        for realisation in (1, 20):
            bunch = load_benchmark(name, realisation)
            expected = structures[key]
            assert bunch.original
            train = expected["train"][realisation - 1] - 1
            np.testing.assert_array_equal(bunch.X[bunch.train], expected["x"][train])
            np.testing.assert_array_equal(bunch.y[bunch.train], expected["t"][train, 0])
            test = expected["test"][realisation - 1] - 1
            np.testing.assert_array_equal(bunch.X[bunch.test], expected["x"][test])
    assert not load_benchmark("splice", 21).original  # 20 realisations only


def test_fetched_and_converted_once(server, monkeypatch):
    assert available() == []
    load_benchmark("heart")
    assert len(server) == 1
    monkeypatch.setattr(archive, "convert", None)  # would fail if called again
    load_benchmark("breast", 7)
    assert len(server) == 1
    assert available() == ["breast", "heart", "splice"]
    assert not list(archive.cache_folder().rglob("*.part*"))


def test_local_folder_comes_first(server, tmp_path):
    (tmp_path / "ida").mkdir()
    rows = np.arange(270)
    np.savez(tmp_path / "ida" / "heart.npz", X=rows[:, None], y=np.where(rows % 2, 1, -1))
    assert load_benchmark("heart", data_home=tmp_path).X.shape == (270, 1)
    assert not server
    assert load_benchmark("breast", data_home=tmp_path).X.shape == (24, 3)
    assert len(server) == 1


def test_wrong_checksum(server, monkeypatch):
    monkeypatch.setattr(archive, "SHA256", "0" * 64)
    with pytest.raises(FileNotFoundError, match=r"SHA256 0{64}\) into .*differs from expected"):
        load_benchmark("heart")
    assert available() == []
    assert not list(archive.cache_folder().iterdir())  # nothing half-written


def test_damaged_copy_is_fetched_again(server):
    archive.cache_folder().mkdir(parents=True)
    (archive.cache_folder() / "benchmarks.mat").write_bytes(b"damaged")
    with pytest.warns(UserWarning, match="differs from expected"):
        assert load_benchmark("heart").X.shape == (30, 4)


def test_file_put_by_hand_needs_no_network(server, monkeypatch, tmp_path):
    archive.cache_folder().mkdir(parents=True)
    by_hand = archive.cache_folder() / "benchmarks.mat"
    by_hand.write_bytes((tmp_path / "web" / "benchmarks.mat").read_bytes())
    monkeypatch.setattr(archive, "URL", "http://127.0.0.1:9/benchmarks.mat")
    assert load_benchmark("heart").X.shape == (30, 4)
    assert not server


def test_offline(server, monkeypatch):
    monkeypatch.setattr(archive, "URL", "http://127.0.0.1:9/benchmarks.mat")
    with pytest.raises(FileNotFoundError) as caught:
        load_benchmark("heart")
    message = str(caught.value)
    for part in ("ida/heart.npz", "DRUMLIN_DATA", archive.URL, archive.SHA256, "refused"):
        assert part in message
    assert str(archive.cache_folder()) in message


def test_set_that_the_archive_lacks(server):
    with pytest.raises(FileNotFoundError, match=r"holds 'ida/titanic\.npz'"):
        load_benchmark("titanic")
    with pytest.raises(FileNotFoundError, match=r"holds 'vowel\.npz'"):
        load_vowel()
    assert len(server) == 1  # the vowels are not in the archive


@pytest.mark.parametrize(
    "field, value",
    [("t", np.zeros((30, 1))), ("train", np.zeros((100, 12))), ("x", np.ones((9, 4)))],
)
def test_unknown_layout(structures, field, value, tmp_path):
    structures["heart"][field] = value
    savemat(tmp_path / "benchmarks.mat", structures)
    with pytest.raises(OSError, match=r"'heart' of the archive has labels or rows of an unknown"):
        archive.convert(tmp_path / "benchmarks.mat", tmp_path)
