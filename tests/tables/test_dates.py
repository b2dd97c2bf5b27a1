"""Dates that are none, and durations: a column has them, and the table is still understood."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from drumlin import TableEncoder
from drumlin.tables import Schema, TableError, TableWarning
from drumlin.tables.columns import classify
from drumlin.tables.dates import form_of

N = 60
DAYS = [f"2020-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(N)]
GERMAN = [f"{day[8:]}.{day[5:7]}.{day[:4]}" for day in DAYS]


@pytest.mark.parametrize(("days", "impossible"), [
    (DAYS, "0000-00-00"),
    (DAYS, "2020-02-30"),
    (DAYS, "2020-01-01 25:00"),
    (GERMAN, "31.02.2020"),
])  # fmt: skip
def test_dates_that_are_none_are_gaps_and_told(days, impossible):
    frame = pd.DataFrame({"d": [impossible, *days[1:]]})
    gap = pd.DataFrame({"d": [None, *days[1:]]})
    said = f"1 row has a date in 'd' that is none \\('{impossible}'\\); it counts as missing"
    with pytest.warns(TableWarning, match=said):
        encoder = TableEncoder().fit(frame)
    assert encoder.schema_ == Schema.understand(gap)
    np.testing.assert_array_equal(encoder.transform(frame), TableEncoder().fit_transform(gap))
    surprises = encoder.read(frame)[1]
    assert (surprises + surprises).impossible == {"d": {impossible: 2}}


def test_a_column_of_dates_that_are_all_none_is_empty():
    assert classify("d", pd.Series(["0000-00-00"] * N)).kind == "empty"


def test_days_that_are_months_are_no_gaps():
    assert form_of(pd.Series(["31.12.2020", "12.31.2020"])) == ""
    assert form_of(pd.Series(["11.12.2020", "12.31.2020"])) == "month first"
    encoder = TableEncoder().fit(pd.DataFrame({"d": GERMAN}))
    with pytest.raises(TableError, match=r"must hold dates \(day first\).* Got '12.31.2020'"):
        encoder.transform(pd.DataFrame({"d": ["12.31.2020"]}))


def test_durations_are_amounts_in_days():
    days = np.arange(N) ** 2 / 8.0
    frame = pd.DataFrame({"wait": pd.to_timedelta(days, unit="D")})
    frame.loc[3, "wait"], days[3] = pd.NaT, np.nan  # pandas 3.0 warns of NaN in to_timedelta
    with pytest.warns(TableWarning, match="'wait' holds amounts in days"):
        encoder = TableEncoder().fit(frame)
    np.testing.assert_array_equal(encoder.read(frame)[0]["wait"], days)
    np.testing.assert_array_equal(encoder.read(pd.DataFrame({"wait": ["2 days"]}))[0]["wait"], [2])
    polars = pytest.importorskip("polars")
    other = polars.DataFrame(
        {"wait": frame["wait"].astype(object).where(frame["wait"].notna(), None).tolist()}
    )
    np.testing.assert_array_equal(encoder.transform(other), encoder.transform(frame))
