"""What the clip and the smooth network do for the regressor, on draws kept for development."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from unittest.mock import patch

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.accuracy import flagship_problems as problems
from benchmarks.accuracy.flagship_measures import rmse
from benchmarks.accuracy.flagship_models import fitted, regress
from benchmarks.accuracy.flagship_regression import SETS as REPORTED
from benchmarks.accuracy.flagship_report import Settings, mean, signed
from benchmarks.accuracy.flagship_rivals import SVR_SETTINGS, Cache, tuned_svr
from drumlin.evaluation.measures import paired
from drumlin.experiments.formats import markdown_rows
from drumlin.experiments.problems import Problem

FIRST, DRAWS = 21, 6
SVR_SETS = ("sklearn-diabetes", "friedman2")  # where it is close
SETS: dict[str, Callable[[int], Problem]] = {
    **REPORTED,
    **{name: partial(problems.generated, name) for name in problems.GENERATED},
    "sines, outliers": partial(problems.generated, "sines", outliers=0.01),
    "heavy tails": problems.heavy_tails,
}
CLIP_ALL = patch(
    "drumlin.flagship.task.clip_of_outliers",
    lambda rows, scaler, clip: np.full(rows.n_features, clip),
)
CLIP_NONE = patch(
    "drumlin.flagship.task.clip_of_outliers",
    lambda rows, scaler, clip: np.full(rows.n_features, np.inf),
)
REFINED = patch("drumlin.flagship.fit.best_rival", lambda *_: None)
SMOOTH = patch("drumlin.flagship.fit.best_rival", lambda refined, rivals, *_: next(rivals))
VARIANTS = {
    "all clipped, refined": (CLIP_ALL, REFINED),
    "none clipped, refined": (CLIP_NONE, REFINED),
    "refined": (REFINED,),
    "smooth": (SMOOTH,),
    "DrumlinRegressor": (),
}


def ablation(settings: Settings, cache: Cache) -> str:
    """RMSE of variants of the regressor, of a full Gaussian process and of the tuned SVR."""
    regress("drumlin", problems.friedman(1, 0, 100, 100))  # compiles
    draws = range(FIRST, FIRST + (1 if settings.quick else DRAWS))
    rows = [_row(name, [SETS[name](draw) for draw in draws], cache, settings) for name in SETS]
    first, *others = VARIANTS
    header = ["set", f"{first}: RMSE", *(f"{name}, %" for name in others),
              "full Gaussian process, %", "tuned SVR, %", "nodes"]  # fmt: skip
    note = (
        f"Draws {draws[0]}-{draws[-1]}, on which the rules were chosen. Percent: RMSE against the "
        "first column, paired, ± standard error. Gaussian process: scikit-learn's, every input "
        "with its own width, hyperparameters by evidence. Nodes: of DrumlinRegressor."
    )
    return "\n\n".join([markdown_rows(header, rows), note])


def _row(name: str, draws: list[Problem], cache: Cache, settings: Settings) -> list[str]:
    found = {variant: [_variant(p, variant) for p in draws] for variant in VARIANTS}
    first, *others = (np.array([r["rmse"] for r in results]) for results in found.values())
    process: list[float] = []
    svr: list[float] = []
    if name in REPORTED:
        process = [_gaussian_process(p) for p in draws]
    if name in SVR_SETS and not settings.quick:
        svr = [cache.get(p, SVR_SETTINGS, tuned_svr)["rmse"] for p in draws]
    scale = first.mean() / 100.0
    compared = [signed(paired(o / scale, first / scale)) if len(o) else "-"
                for o in (*others, np.array(process), np.array(svr))]  # fmt: skip
    return [
        name,
        f"{first.mean():.4g}",
        *compared,
        f"{mean(found['DrumlinRegressor'], 'nodes'):.1f}",
    ]


def _variant(problem: Problem, variant: str) -> dict:
    with _patched(VARIANTS[variant]):
        return regress("drumlin", problem)


@contextmanager
def _patched(patches: tuple) -> Iterator[None]:
    with ExitStack() as stack:
        for change in patches:
            stack.enter_context(change)
        yield


def _gaussian_process(problem: Problem) -> float:
    widths = np.full(problem.X.shape[1], 3.0)
    kernel = ConstantKernel(10.0, (1e-2, 1e6)) * RBF(widths, (1e-2, 1e3))
    kernel += WhiteKernel(0.1, (1e-6, 10.0))
    process = make_pipeline(
        StandardScaler(), GaussianProcessRegressor(kernel, normalize_y=True, random_state=0)
    )
    return rmse(fitted(process, problem.X, problem.y)[0].predict(problem.X_test), problem.y_test)
