"""A small mixed table, and models of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from drumlin.deploy import train


def visits(n_rows=120, seed=0):
    """Numbers with gaps and categories; whether a visitor buys, and for how much."""
    rng = np.random.default_rng(seed)
    minutes = np.round(rng.gamma(3.0, 4.0, n_rows), 2)
    page = rng.choice(["home", "shop", "blog"], n_rows)
    odds = 0.3 * minutes + 2.0 * (page == "shop") - 4.0
    return pd.DataFrame(
        {
            "minutes": np.where(rng.uniform(size=n_rows) < 0.1, np.nan, minutes),
            "page": page,
            "clicks": rng.poisson(8.0, n_rows) + 0.5,
            "buys": np.where(rng.logistic(size=n_rows) < odds, "yes", "no"),
            "spent": np.round(5.0 + minutes + 10.0 * (page == "shop"), 2),
        }
    )


@pytest.fixture(scope="session")
def frame():
    return visits()


@pytest.fixture(scope="session")
def trained(frame):
    """A classifier that knows its novelty itself, with rows held out."""
    return train(frame, "buys", holdout=0.25, ignore=["spent"])


@pytest.fixture(scope="session")
def forward(frame):
    """A regressor whose novelty is that of its notes."""
    return train(frame, "spent", method="forward", max_nodes=6, ignore=["buys"])
