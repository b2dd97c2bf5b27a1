"""A large mixed table: ``drumlin fit``'s model beside boosting behind a Pipeline.

``OMP_NUM_THREADS=1 python -m benchmarks.speed.mixed [ROWS]`` fits each to the same rows, in a
process of its own on one thread, and prints CPU seconds (process time: a busy machine matters
little), of which for the encoding, the peak of memory above that of the table and the libraries,
and the log-loss on rows that were kept apart. Kernels are compiled before the clock starts.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OrdinalEncoder

from drumlin import DrumlinClassifier, TableEncoder, make_table_model

MODELS = ("drumlin", "boosting")
TEXTS = ["channel", "shop", "member"]
NUMBERS = ["age", "income", "visits", "score", "minutes"]


def orders(n_rows: int, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Orders in a shop: numbers with gaps, few and many texts, money, truth values and dates."""
    rng = np.random.default_rng(seed)
    shop, day = rng.integers(400, size=n_rows), rng.integers(1000, size=n_rows)
    age, income = rng.uniform(18.0, 80.0, n_rows), rng.lognormal(10.0, 0.6, n_rows)
    channel = rng.choice(["web", "app", "phone", "shop", "mail", "fair"], n_rows)
    member = rng.choice(["yes", "no"], n_rows)
    effect = np.random.default_rng(1).normal(0.0, 0.8, 400)
    odds = (
        effect[shop]
        + np.sin(age / 9.0)
        + 0.8 * (member == "yes")
        + 0.5 * (channel == "app") * (age < 40.0)
        + 0.6 * np.log(income / 22000.0)
        + 0.7 * np.sin(2.0 * np.pi * day / 365.0)
    )
    frame = pd.DataFrame(
        {
            "age": np.where(rng.random(n_rows) < 0.05, np.nan, np.round(age, 1)),
            "income": np.round(income, 2),
            "visits": rng.poisson(4.0, n_rows),
            "score": rng.normal(size=n_rows),
            "minutes": np.round(rng.gamma(3.0, 4.0, n_rows), 2),
            "channel": channel,
            "shop": np.char.add("shop ", shop.astype(str)),
            "member": member,
            "first": rng.random(n_rows) < 0.3,
            "paid": np.char.add("$", np.round(rng.gamma(2.0, 30.0, n_rows), 2).astype(str)),
            "ordered": (np.datetime64("2021-01-01") + day).astype(str),
        }
    )
    texts = [name for name in frame if frame[name].dtype.kind not in "iufb"]
    return frame.astype(dict.fromkeys(texts, "str")), (rng.logistic(size=n_rows) < odds).astype(int)


def parsed(frame: pd.DataFrame) -> np.ndarray:
    """Money, truth values and dates as a careful person would prepare them."""
    dates = pd.to_datetime(frame["ordered"])
    paid = frame["paid"].str.lstrip("$").astype(float)
    parts = [dates.dt.year, dates.dt.month, dates.dt.dayofweek, dates.astype("int64"), paid]
    return np.column_stack([*parts, frame["first"]]).astype(float)


def boosting() -> Any:
    """HistGradientBoosting with its defaults behind a Pipeline; rare shops are pooled at 250."""
    texts = OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=np.nan, max_categories=250
    )
    columns = make_column_transformer(
        (texts, TEXTS),
        ("passthrough", NUMBERS),
        (FunctionTransformer(parsed), ["ordered", "paid", "first"]),
    )
    model = HistGradientBoostingClassifier(categorical_features=[0, 1, 2], random_state=0)
    return make_pipeline(columns, model)


def ours() -> Any:
    """What ``drumlin fit`` makes of the table."""
    return make_table_model(DrumlinClassifier(random_state=0))


def peak() -> float:
    """Most memory so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def measured(name: str, n_rows: int) -> dict[str, float]:
    """CPU seconds, memory and log-loss of one model."""
    make = {"drumlin": ours, "boosting": boosting}[name]
    small, labels = orders(12_000, seed=7)
    make().fit(small, labels).predict_proba(small[:100])  # compiles
    (X, y), (X_new, y_new) = orders(n_rows), orders(20_000, seed=3)
    before, start = peak(), time.process_time()
    model = make().fit(X, y)
    seconds, most = time.process_time() - start, peak()
    start = time.process_time()
    if name == "drumlin":
        TableEncoder().fit_transform(X, y)
    else:
        model[:-1].fit_transform(X, y)
    encoding = time.process_time() - start
    loss = float(log_loss(y_new, model.predict_proba(X_new)))
    return {"seconds": seconds, "encoding": encoding, "MB": most - before, "log-loss": loss}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="?", type=int, default=200_000)
    parser.add_argument("--only", choices=MODELS)
    wanted = parser.parse_args()
    if wanted.only is not None:
        print(json.dumps(measured(wanted.only, wanted.rows)))
        return
    found = {}
    print("| model | CPU s | of which encoding | MB beside the table | log-loss |")
    print("|---|---|---|---|---|")
    for name in MODELS:
        command = [sys.executable, "-m", __spec__.name, str(wanted.rows), "--only", name]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        one = found[name] = json.loads(done.stdout.splitlines()[-1])
        cells = f"{one['seconds']:.1f} | {one['encoding']:.1f} | {one['MB']:.0f}"
        print(f"| {name} | {cells} | {one['log-loss']:.4f} |", flush=True)
    print(f"\nratio {found['drumlin']['seconds'] / found['boosting']['seconds']:.2f}")


if __name__ == "__main__":
    main()
