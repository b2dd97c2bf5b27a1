"""Models also go through skops, with the types of ``trusted_types`` and no others to trust."""

from __future__ import annotations

import pytest

from drumlin.io import trusted_types
from tests.io.models import assert_same_answers

skops = pytest.importorskip("skops.io")


def test_skops_needs_only_our_types(fitted, tmp_path):
    model, X = fitted
    path = tmp_path / "model.skops"
    skops.dump(model, path)
    assert set(skops.get_untrusted_types(file=path)) <= set(trusted_types())
    assert_same_answers(skops.load(path, trusted=trusted_types()), model, X)


def test_skops_and_a_mixed_table(table_model, table, tmp_path):
    path = tmp_path / "model.skops"
    skops.dump(table_model, path)
    assert set(skops.get_untrusted_types(file=path)) <= set(trusted_types())
    assert_same_answers(skops.load(path, trusted=trusted_types()), table_model, table[0])


def test_skops_and_an_encoder(encoded, tmp_path):
    path = tmp_path / "model.skops"
    skops.dump(encoded[0], path)
    assert set(skops.get_untrusted_types(file=path)) <= set(trusted_types())
    assert_same_answers(skops.load(path, trusted=trusted_types()), *encoded)
