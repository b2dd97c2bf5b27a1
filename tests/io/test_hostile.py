"""Files made to harm or mislead: one error, which names the file and what is wrong."""

from __future__ import annotations

import io
import json
import pickle
import struct
import zipfile

import numpy as np
import pytest

import drumlin
from drumlin.io import ModelFileError, describe
from drumlin.io.archive import MOST_TEXT, read_members
from tests.io.models import archive_of, edited, members


def assert_refused(path, content, reason):
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=reason) as caught:
        drumlin.load(path)
    message = str(caught.value)
    assert str(path) in message
    assert message.isprintable()
    assert len(message) < len(str(path)) + 400


def replaced(content, **parts):
    """Return an archive with other members."""
    return archive_of(members(content) | {name.replace("_", "."): v for name, v in parts.items()})


# ------------------------------------------------------------------ the archive
@pytest.mark.parametrize("content", [b"", b"PK", b"hello" * 100, b"\x80\x04\x95" + bytes(100)])
def test_what_is_no_archive(content, tmp_path):
    assert_refused(tmp_path / "x", content, "too few|not a zip")


def test_archive_that_is_cut_off(saved):
    assert_refused(saved, saved.read_bytes()[:-1], "cut off")


def test_missing_file_is_an_ordinary_error(tmp_path):
    for function in (drumlin.load, describe):
        with pytest.raises(FileNotFoundError):
            function(tmp_path / "nothing")
        with pytest.raises(OSError):  # a folder
            function(tmp_path)


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a/b", "C:\\x"])
def test_names_that_lead_elsewhere(saved, name):
    parts = members(saved.read_bytes())
    parts[name] = parts.pop("manifest.json")
    assert_refused(saved, archive_of(parts), "nothing else")


def test_name_with_a_zero_byte(saved):
    content = saved.read_bytes().replace(b"manifest.json", b"manifest\0json")
    assert_refused(saved, content, "nothing else")


def test_members_missing_and_too_many(saved):
    parts = members(saved.read_bytes())
    assert_refused(saved, archive_of(parts | {"more.json": b""}), "3 members")
    del parts["arrays.bin"]
    assert_refused(saved, archive_of(parts), "3 members")


def test_member_given_twice(saved):
    parts = members(saved.read_bytes())
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("manifest.json", parts["manifest.json"])
        archive.writestr("model.json", parts["model.json"])
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("model.json", parts["model.json"])
    assert_refused(saved, file.getvalue(), "nothing else")


def test_zip_bomb_is_refused_before_it_is_read(saved, monkeypatch):
    bomb = archive_of(members(saved.read_bytes()) | {"model.json": bytes(MOST_TEXT + 1)})
    assert len(bomb) < 100_000
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it was read"))
    saved.write_bytes(bomb)
    with pytest.raises(ModelFileError, match="at most"):
        read_members(saved, ["model.json"])


def test_long_text_is_refused_though_it_is_not_compressed(saved):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members(saved.read_bytes()).items():
            archive.writestr(name, b" " * (MOST_TEXT + 1) if name == "model.json" else content)
    assert_refused(saved, file.getvalue(), "model.json would take 16777217 bytes")


def test_compressed_arrays_are_refused(saved):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members(saved.read_bytes()).items():
            archive.writestr(name, bytes(10**7) if name == "arrays.bin" else content)
    assert_refused(saved, file.getvalue(), "arrays.bin has a compression")


@pytest.mark.parametrize("kind", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compressions_are_refused(saved, kind):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", kind) as archive:
        for name, content in members(saved.read_bytes()).items():
            archive.writestr(name, content)
    assert_refused(saved, file.getvalue(), "compression")


@pytest.mark.parametrize(("size", "reason"), [(50, "size"), (10**6, "sizes|size"), (10**9, "size")])
def test_declared_size_is_a_lie(saved, size, reason):
    content = bytearray(saved.read_bytes())
    at = content.rindex(b"PK\x01\x02")  # the entry of arrays.bin in the directory
    content[at + 24 : at + 28] = struct.pack("<I", size)
    assert_refused(saved, bytes(content), reason)


def test_directory_of_absurd_length(saved):
    content = bytearray(saved.read_bytes())
    content[-10:-6] = struct.pack("<I", 2**31)
    assert_refused(saved, bytes(content), "directory")


def test_encrypted_member(saved):
    content = bytearray(saved.read_bytes())
    for signature, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        content[content.index(signature) + offset] |= 1
    assert_refused(saved, bytes(content), "damaged")


# ------------------------------------------------------------------ the JSON
@pytest.mark.parametrize("text", [
    b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"a":' * 100_000,
    b'{"model":1,"model":2}', b'{"model":NaN}', b'{"model":' + b"9" * 5000 + b"}",
])  # fmt: skip
def test_broken_json(saved, text):
    good = saved.read_bytes()
    for name in ("model_json", "manifest_json"):
        assert_refused(saved, replaced(good, **{name: text}), "JSON|lacks|does not say")


def test_deep_nesting(saved):
    def nest(tree):
        for _ in range(100):
            tree["model"] = [tree["model"]]

    assert_refused(saved, edited(saved.read_bytes(), "model.json", nest), "nested deeper")


@pytest.mark.parametrize(("change", "reason"), [
    ({"format": "pickle"}, "does not say 'drumlin model'"),
    ({"version": "1"}, "'version'"),
    ({"version": True}, "'version'"),
    ({"min_reader": 0}, "'min_reader'"),
    ({"version": 7, "min_reader": 7}, "reader of format 7.*update drumlin"),
    ({"versions": {}}, "which versions"),
    ({"versions": {"drumlin": 1, "scikit-learn": "1"}}, "which versions"),
    ({"facts": {"array": 0}}, None),
])  # fmt: skip
def test_manifests(saved, change, reason):
    saved.write_bytes(edited(saved.read_bytes(), "manifest.json", lambda m: m.update(change)))
    with pytest.raises(ModelFileError, match=reason) as caught:
        describe(saved)
    assert str(saved) in str(caught.value)
    if reason is not None:
        with pytest.raises(ModelFileError, match=reason):
            drumlin.load(saved)


# ------------------------------------------------------------------ types and attributes
@pytest.mark.parametrize("name", [
    "os.system", "builtins.eval", "object", "SVC", "RandomForestClassifier", "Encoder", None, 3,
])  # fmt: skip
def test_unknown_types(saved, name):
    def change(tree):
        tree["model"]["type"] = name

    assert_refused(saved, edited(saved.read_bytes(), "model.json", change), "unknown type")


@pytest.mark.parametrize("name", [
    "predict", "fit", "_scores", "_validate_params", "__class__", "__dict__", "__reduce__",
    "n_jobs", "memory", "_skl_callbacks", "_metadata_request", "surprise", "", "a b_",
])  # fmt: skip
def test_attributes_that_hide_methods_or_mean_nothing(saved, name):
    def change(tree):
        tree["model"]["state"][name] = "x"

    assert_refused(saved, edited(saved.read_bytes(), "model.json", change), "takes no")


def test_a_folder_to_load_pickles_from(table_model, tmp_path):
    def change(tree):
        tree["model"]["state"]["memory"] = "/tmp/evil"

    path = tmp_path / "model.drumlin"
    drumlin.save(table_model, path)
    assert_refused(path, edited(path.read_bytes(), "model.json", change), "takes no 'memory'")


@pytest.mark.parametrize(("attribute", "value", "reason"), [
    ("max_nodes", -1, "'max_nodes' parameter"),
    ("max_nodes", "many", "'max_nodes' parameter"),
    ("n_features_in_", 3, "n_features_in_ must be 4"),
    ("n_features_in_", 10**9, "n_features_in_ must be in the range"),
    ("n_features_in_", True, "n_features_in_ must be an int"),
    ("n_nodes_", 99, "n_nodes_ must be"),
    ("network_", None, "no network"),
    ("network_", {"array": 0}, "no network"),
    ("classes_", {"texts": ["a"], "shape": [1], "width": 1}, "classes_ must be"),
    ("classes_", {"texts": ["a", "b"], "shape": [2], "width": 1}, "2 classes"),
    ("classes_", {"texts": ["aa", "b"], "shape": [2], "width": 1}, "longer"),
    ("classes_", {"texts": ["a", "b", "c"], "shape": [2], "width": 1}, "shape"),
    ("classes_", {"texts": ["a"] * 9, "shape": [9], "width": 10**8}, "too much memory"),
    ("classes_", {"objects": [["a"], "b", "c"], "shape": [3]}, "more than text"),
    ("support_", {"array": 999}, "no array number 999"),
    ("support_", {"array": -1}, "no array number -1"),
    ("support_", {"pickle": "gASV"}, "unknown keys"),
    ("support_", {"items": [[{"tuple": []}, 1]]}, "is no key"),
    ("support_", {"scalar": "i1", "value": 300}, "is no int8"),
    ("support_", {"texts": [], "shape": [0], "width": 1 << 30}, "too much memory"),
    ("support_", {"texts": [], "shape": [0] + [10**6] * 4, "width": 1}, "absurd shape"),
    ("support_", {"texts": ["a"], "shape": [1] * 70, "width": 1}, "absurd shape"),
    ("support_", {"objects": [1], "shape": [1] * 70}, "absurd shape"),
    ("support_", {"random_state": [{"dict": {}}, 1, 0, 0.0]}, "key of random numbers"),
    ("support_", 1 << 64, "over 64 bits"),
    ("max_nodes", -(1 << 63) - 1, "over 64 bits"),
    ("class_weight", {"items": [[1 << 70, 1.0]]}, "over 64 bits"),
    ("support_", {"x" * 10**5: 1, "\x1b[31m": 2}, "unknown keys"),
    ("random_state", "\x1b[2J" * 1000, "random_state"),
    ("support_", {"dtype": "O8, S99999999999"}, "no kind of number"),
    ("support_", {"class": "os.system"}, "no class"),
    ("units", 1, "needs an array '_units.0'"),
    ("distance_quantiles", None, "needs an array '_distance_quantiles'"),
])  # fmt: skip
def test_attributes_of_wrong_types(saved, attribute, value, reason):
    def change(tree):
        tree["model"]["state"][attribute] = value

    assert_refused(saved, edited(saved.read_bytes(), "model.json", change), reason)


# ------------------------------------------------------------------ the arrays
@pytest.mark.parametrize(("entry", "reason"), [
    (["f8", [10**12], "C"], "beyond the end"),
    (["f8", [2**62, 2**62], "C"], "beyond the end"),
    (["f8", [0, 10**15], "C"], "absurd"),
    (["f8", [0] + [10**6] * 4, "C"], "absurd"),
    (["f8", [1] * 70, "C"], "absurd"),
    (["f8", [-1, -1], "C"], "absurd"),
    (["f8", [1.0], "C"], "absurd"),
    (["f8", [1] * 40, "C"], "absurd"),
    (["f8", "1", "C"], "absurd"),
    (["O", [1], "C"], "unknown kind"),
    (["f16", [1], "C"], "unknown kind"),
    (["f8", [1], "X"], "unknown memory order"),
    (["f8", [1]], "index is wrong"),
    ("f8", "index is wrong"),
])  # fmt: skip
def test_absurd_arrays(saved, entry, reason):
    def change(tree):
        tree["arrays"][0] = entry

    assert_refused(saved, edited(saved.read_bytes(), "model.json", change), reason)


def test_bytes_that_belong_to_no_array(saved):
    good = saved.read_bytes()
    content = members(good)["arrays.bin"]
    assert_refused(saved, replaced(good, arrays_bin=content + bytes(8)), "belong to no array")
    assert_refused(saved, replaced(good, arrays_bin=content[:-8]), "beyond the end")


def spoil(content, find, value):
    """Write one odd number into an array that the model's JSON leads to."""
    parts = members(content)
    tree = json.loads(parts["model.json"])
    node = tree["model"]
    for step in find:
        node = node["state"][step]
    number, start = node["array"], 0
    for kind, shape, _ in tree["arrays"][:number]:
        start += np.dtype(kind).itemsize * int(np.prod(shape))
    numbers = bytearray(parts["arrays.bin"])
    numbers[start : start + 8] = struct.pack("<d", value)
    return archive_of(parts | {"arrays.bin": bytes(numbers)})


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize(("find", "reason"), [
    (("network_", "coef"), "a weight of the network is not finite"),
    (("network_", "intercept"), "a weight of the network is not finite"),
    (("network_", "nodes", "centers"), "a center is not finite"),
    (("network_", "inputs", "matrix"), "the matrix of the inputs is not finite"),
    (("network_", "inputs", "scaler", "shift"), "a shift of the inputs is not finite"),
    (("elimination", "inverse"), "an inverse Hessian is not finite"),
    (("distance_quantiles",), "_distance_quantiles is not finite"),
])  # fmt: skip
def test_numbers_that_are_none(saved, find, value, reason):
    assert_refused(saved, spoil(saved.read_bytes(), find, value), reason)


@pytest.mark.parametrize("value", [np.nan, 0.0, -1.0, 5e-324])
def test_widths_that_cannot_be_divided_by(saved, value):
    good = saved.read_bytes()
    find = ("network_", "nodes", "widths")
    assert_refused(saved, spoil(good, find, value), "a width is not above zero")
    find = ("network_", "inputs", "scaler", "scale")
    assert_refused(saved, spoil(good, find, value), "a scale of the inputs is not above zero")


def test_no_pickle_while_loading(saved, monkeypatch):
    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, lambda *_, **__: pytest.fail("pickle was used"))
    drumlin.load(saved)
