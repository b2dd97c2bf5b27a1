"""The index of equations is complete and up to date."""

from __future__ import annotations

import copy
import tomllib

import pytest

from benchmarks import papers

KNOWN = tomllib.loads(papers.LIST.read_text())


def test_the_committed_index_is_the_fresh_one():
    """Else: python -m benchmarks.papers > docs/papers/index.md."""
    assert (papers.LIST.parent / "index.md").read_text() == papers.index()


def test_every_equation_has_a_function_and_a_test():
    assert papers.gaps(KNOWN) == []


@pytest.mark.parametrize("source", KNOWN["sources"])
def test_what_is_missing_is_named(source):
    """Each entry taken away, emptied or doubled is noticed."""
    for i in range(len(KNOWN[source])):
        less, empty, double = (copy.deepcopy(KNOWN) for _ in range(3))
        del less[source][i]
        empty[source][i]["test"] = []
        double[source].append(double[source][i])
        for known in (less, empty, double):
            assert all(text.startswith(source) for text in papers.gaps(known))
            assert papers.gaps(known)


def test_functions_and_tests_must_exist():
    with pytest.raises(AttributeError, match="nothing"):
        papers.function_file("drumlin.cover:nothing")
    with pytest.raises(LookupError, match="no test test_nothing"):
        papers.test_file("tests/test_cover.py::test_nothing")


@pytest.mark.parametrize("source", KNOWN["sources"])
def test_every_source_has_a_page(source):
    page = (papers.LIST.parent / f"{source}.md").read_text()
    for heading in ("## Notation", "## Misprints", "## What reproduces"):
        assert heading in page
