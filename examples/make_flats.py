"""Made-up flats to let: ``python examples/make_flats.py`` writes examples/flats.csv.

As people keep such tables: numbers with gaps, few and many texts, an amount with its currency sign,
a date, an id; and the rent.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd


def flats(n_rows: int = 250, seed: int = 0) -> pd.DataFrame:
    """Return the table."""
    rng = np.random.default_rng(seed)
    area = np.round(rng.gamma(9.0, 8.0, n_rows) + 18.0)
    town = rng.choice(["Harbor", "Old Town", "North", "Station", "University"], n_rows)
    street = rng.integers(40, size=n_rows)
    built = rng.integers(1930, 2024, n_rows)
    balcony = rng.choice(["yes", "no"], n_rows, p=[0.55, 0.45])
    heating = rng.choice(["gas", "district", "heat pump", None], n_rows, p=[0.4, 0.35, 0.2, 0.05])
    day = rng.integers(700, size=n_rows)
    fee = np.round(40.0 + 1.1 * area + rng.normal(0.0, 10.0, n_rows)).astype(int)
    level = {"Harbor": 0.25, "Old Town": 0.2, "North": -0.15, "Station": -0.05, "University": 0.0}
    log_rent = (
        2.9
        + 0.82 * np.log(area)
        + np.array([level[name] for name in town])
        + np.random.default_rng(1).normal(0.0, 0.12, 40)[street]
        + 0.12 * (built > 2005)
        - 0.0015 * np.abs(built - 1955)
        + 0.06 * (balcony == "yes")
        + 0.00015 * day
    )
    rent = np.round(np.exp(log_rent + rng.normal(0.0, 0.07, n_rows)))
    frame = pd.DataFrame(
        {
            "flat_id": np.arange(1001, 1001 + n_rows),
            "area": area,
            "town": town,
            "street": [f"Street {i + 1}" for i in street],
            "built": np.where(rng.random(n_rows) < 0.08, np.nan, built),
            "balcony": balcony,
            "heating": heating,
            "fee": [f"€{value:,}" for value in fee],
            "listed": (np.datetime64("2024-01-01") + day).astype(str),
            "rent": rent.astype(int),
        }
    )
    return frame.astype({"built": "Int64"})


if __name__ == "__main__":
    flats().to_csv(Path(__file__).with_name("flats.csv"), index=False)
