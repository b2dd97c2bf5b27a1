"""Every printed number has a verdict, by a rule with known answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from drumlin.experiments.printed import (
    EVALUATIONS,
    MOON_WIDTHS,
    QUOTED,
    REALISATIONS,
    RUNNING_SECONDS,
    Row,
    rows,
)
from drumlin.experiments.published import CITATIONS, PUBLISHED, Figure
from drumlin.experiments.reasons import WHY
from drumlin.experiments.store import Store
from drumlin.experiments.verdicts import (
    HIGHER,
    LOWER,
    NOISE,
    NOT_RERUN,
    NOT_RUN,
    REPRODUCED,
    Estimate,
    evaluations,
    judged,
    verdicts,
)

DOCS = Path(__file__).parents[2] / "docs"
KNOWN = {REPRODUCED, NOISE, LOWER, HIGHER, NOT_RERUN, NOT_RUN}


@pytest.fixture(scope="module")
def found():
    folder = DOCS / "reproduction"
    with Store(folder / "papers.sqlite") as papers, Store(folder / "results.sqlite") as results:
        return verdicts([papers.frame(), results.frame()])


@pytest.mark.parametrize(
    "mean, verdict",
    [(10.0, REPRODUCED), (10.14, REPRODUCED), (10.2, NOISE), (9.75, NOISE), (10.3, HIGHER),
     (9.7, LOWER)],
)  # fmt: skip
def test_one_and_two_standard_errors_of_both(mean, verdict):
    ours = Estimate(mean, sd=1.0, n=100)  # a standard error of .1, as printed: .141 together
    assert judged(10.0, ours, printed_error=0.1, rounding=0.05) == verdict


def test_rounding_of_the_print_is_no_difference():
    assert judged(41.0, Estimate(41.4, float("nan"), 1), 0.0, rounding=0.5) == REPRODUCED
    assert judged(4.0, Estimate(5.0, float("nan"), 1), 0.0, rounding=0.5) == HIGHER


def test_every_printed_number_has_a_verdict(found):
    assert [one.row for one in found] == rows()
    for one in found:
        assert one.error in KNOWN, one.row
        assert (one.error == NOT_RERUN) == (one.row.rerun is None), one.row
        printed_and_ours = one.row.figure.nodes is not None and one.nodes is not None
        assert (one.size is not None) == printed_and_ours, one.row


def test_what_is_not_reached_has_a_reason(found):
    for one in found:
        missed = [one.error in (HIGHER, NOT_RUN), one.size in ("smaller", "larger")]
        assert bool(one.why) == any(missed), one.row
        assert one.why.count(";") + 1 >= sum(missed), one.row


def test_no_reason_is_idle(found):
    said = "; ".join(one.why for one in found)
    assert [key for key, reason in WHY.items() if reason not in said] == []


def test_every_published_figure_is_a_row():
    own = {(row.source, row.dataset): row.figure for row in rows() if row.rerun == row.source}
    assert own == {
        (source, dataset): figure
        for source, figures in PUBLISHED.items()
        if source != "raetsch2001"
        for dataset, figure in figures.items()
    }
    assert {row.source for row in rows()} | {"raetsch2001"} == set(CITATIONS)


def test_rows_of_hong2014_are_those_of_hong2008_and_round_those_of_chen2010():
    def quoted(source: str) -> dict[tuple[str, str], Figure]:
        return {
            (row.dataset, row.algorithm): row.figure
            for row in rows()
            if row.source == source and row.algorithm in QUOTED
        }

    assert len(quoted("hong2014")) == 9 * len(QUOTED)
    assert quoted("hong2008").items() <= quoted("hong2014").items()
    for key, figure in quoted("chen2010").items():
        rounded = quoted("hong2014")[key]
        assert abs(figure.error - rounded.error) <= 0.05 + 1e-9, key
        assert figure.nodes == rounded.nodes


def test_means_are_of_a_hundred_realisations(found):
    counted = {one.row.rerun: set() for one in found}
    for one in found:
        if one.ours is not None and one.row.n_printed == REALISATIONS:
            counted[one.row.rerun].add(one.ours.n)
    assert counted["hong2008"] == counted["hong2014"] == counted["chen2010"] == {REALISATIONS}


@pytest.mark.parametrize("count", EVALUATIONS)
def test_evaluations_are_as_printed(count):
    assert evaluations(count) == pytest.approx(count.printed, abs=0.5)


def test_the_page_is_made_from_the_stores():
    """`python -m benchmarks.verdicts` would change nothing."""
    from benchmarks.verdicts import page

    assert (DOCS / "papers" / "verdicts.md").read_text() == page()


def test_times_counts_and_widths_are_on_the_page():
    text = (DOCS / "papers" / "verdicts.md").read_text()
    wanted = [f"| {name} | {seconds:g} |" for name, seconds in RUNNING_SECONDS.items()]
    wanted += [
        f"| {c.dataset} | {c.algorithm} | {c.nodes:g} | {c.printed:g} |" for c in EVALUATIONS
    ]
    wanted += [f"width {width:g} on {name} |" for name, width in MOON_WIDTHS.items()]
    assert [line for line in wanted if line not in text] == []


def test_a_row_says_where_it_stands():
    row = next(row for row in rows() if row.rerun == "hong2014")
    assert isinstance(row, Row)
    assert row.where.startswith(("table", "section"))
