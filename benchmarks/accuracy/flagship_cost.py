"""Time and memory: many rows, fits beside a grid search, predictions. Nothing is cached."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from benchmarks.accuracy import flagship_problems as problems
from benchmarks.accuracy.flagship_measures import latency
from benchmarks.accuracy.flagship_models import classifier, classify, fitted, scores, warm_up
from benchmarks.accuracy.flagship_report import Settings, Target, mean, targets
from benchmarks.accuracy.flagship_rivals import Cache, boosting
from drumlin.evaluation.measures import timed
from drumlin.evaluation.rivals import svm_search
from drumlin.experiments.formats import markdown_rows
from drumlin.experiments.problems import Problem

REPEATS = 2  # times are the least of so many fits


# ---------------------------------------------------------------------------------------- many rows
def large(settings: Settings, cache: Cache) -> str:
    """Magic with 15000 rows, and two classes of covtype with 100000."""
    warm_up(settings.model)
    ours, trees = _magic(settings)
    memory = _covtype(settings)
    header = ["set", "model", "error", "log-loss", "nodes", "fit s", "peak MB", "before fit MB"]
    magic = f"magic, N = {settings.rows(15_000)}"
    covtype = f"covtype 2 classes, N = {settings.rows(100_000)}"
    rows = [
        _large_row(magic, "drumlin", ours),
        _large_row(magic, "HistGB", trees),
        _large_row(covtype, "drumlin", [memory["ours"]]),
        _large_row(covtype, "HistGB", [memory["boosting"]]),
    ]
    ratio = mean(ours, "seconds") / mean(trees, "seconds")
    wanted = [
        Target("magic, error %", mean(ours, "error"), most=12.2),
        Target("magic, fit time / HistGB", ratio, most=3.0),
        Target("covtype, error %", memory["ours"]["error"], most=12.5),
        Target("covtype, peak memory, MB", memory["ours"]["peak_mb"], most=2000.0, digits=0),
    ]
    note = (
        f"magic: mean over splits {settings.span(settings.splits)}, least CPU time of {REPEATS} "
        "fits. covtype: split 1, at most 100000 test rows, each model in a process of its own; the "
        "peak is that of the whole process, with the rows and 10000-row predictions."
    )
    return "\n\n".join([markdown_rows(header, rows), note, targets(wanted)])


def _magic(settings: Settings) -> tuple[list[dict], list[dict]]:
    """Our results and those of boosting, timed in turn."""
    ours, trees = [], []
    for split in settings.numbers(settings.splits):
        problem = problems.table("magic", settings.rows(15_000), split)
        pairs = [(classify(settings.model, problem), boosting(problem)) for _ in range(REPEATS)]
        for results, repeated in zip((ours, trees), zip(*pairs, strict=True), strict=True):
            seconds = min(result["seconds"] for result in repeated)
            results.append(repeated[0] | {"seconds": seconds})
    return ours, trees


def _covtype(settings: Settings) -> dict[str, dict]:
    """Our results and those of boosting, each from a process of its own."""
    rows = settings.rows(100_000)
    problem = problems.table("covtype", rows, 1, max_test=settings.rows(100_000), n_classes=2)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problem.npz"
        np.savez(path, **{k: getattr(problem, k) for k in ("X", "y", "X_test", "y_test")})
        return {
            "ours": _in_own_process(settings.model, path),
            "boosting": _in_own_process("boosting", path),
        }


def _in_own_process(model: str, path: Path) -> dict:
    command = [sys.executable, "-m", "benchmarks.accuracy.flagship_cost", model, str(path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def measure_alone(model: str, path: str) -> dict:
    """Fit and score one model and tell the peak memory: the work of the process."""
    with np.load(path) as arrays:
        problem = Problem("covtype-2", 1, **arrays)
    fitted(_named(model), problem.X[:8000], problem.y[:8000])  # compiles
    before = _peak_megabytes()
    estimator, seconds = fitted(_named(model), problem.X, problem.y)
    result = _scores_in_blocks(estimator, problem)
    result |= {"seconds": seconds, "before_mb": before, "peak_mb": _peak_megabytes()}
    return result | {"nodes": int(getattr(estimator, "n_nodes_", 0))}


def _named(model: str):
    if model == "boosting":
        return HistGradientBoostingClassifier(random_state=0)
    return classifier(model)


def _scores_in_blocks(estimator, problem: Problem, size: int = 10_000) -> dict:
    """Error and log-loss over blocks of test rows."""
    results, weights = [], []
    for start in range(0, len(problem.y_test), size):
        X, y = problem.X_test[start : start + size], problem.y_test[start : start + size]
        results.append(scores(estimator, Problem(problem.name, 1, problem.X, problem.y, X, y)))
        weights.append(len(y))
    return {
        field: float(np.average([result[field] for result in results], weights=weights))
        for field in ("error", "log_loss")
    }


def _peak_megabytes() -> float:
    """Most resident memory of this process so far.

    Linux's own figure where there is one: ``ru_maxrss`` starts at what the parent process had.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024.0
    import resource

    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def _large_row(name: str, model: str, results: list[dict]) -> list[str]:
    alone = "peak_mb" in results[0]
    nodes = mean(results, "nodes") if results[0].get("nodes") else None
    return [
        name,
        model,
        f"{mean(results, 'error'):.2f}",
        f"{mean(results, 'log_loss'):.3f}",
        "-" if nodes is None else f"{nodes:.0f}",
        f"{mean(results, 'seconds'):.2f}",
        f"{results[0]['peak_mb']:.0f}" if alone else "-",
        f"{results[0]['before_mb']:.0f}" if alone else "-",
    ]


# ------------------------------------------------------------------------------------------- speed
def speed(settings: Settings, cache: Cache) -> str:
    """Fit, one-row latency and bulk predictions on magic with 2000 rows."""
    warm_up(settings.model)
    problem = problems.table("magic", settings.rows(2000), 1)
    model, fit = _least_time(settings.model, problem)
    search, grid = timed(lambda: svm_search(problem.X.shape[1]).fit(problem.X, problem.y))
    one_ours, one_logistic = _one_row(model, problem)
    bulk, bulk_svc = _rates(model, search.best_estimator_, settings)
    rows = [
        ["fit, CPU s", f"{fit:.3f}", f"{grid:.1f} (36-point 5-fold GridSearchCV(SVC))"],
        ["one row, µs", f"{1e6 * one_ours:.0f}", f"{1e6 * one_logistic:.0f} (LogisticRegression)"],
        ["many rows, rows/s", f"{bulk:.3g}", f"{bulk_svc:.3g} (tuned SVC)"],
    ]
    wanted = [
        Target("grid search / our fit", grid / fit, least=60.0, digits=1),
        Target("one-row latency / LogisticRegression", one_ours / one_logistic, most=3.0),
        Target("rows/s / tuned SVC", bulk / bulk_svc, least=100.0, digits=0),
    ]
    vectors = search.best_estimator_[-1].n_support_.sum()
    note = (
        f"magic, N = {len(problem.X)}, split 1: {model.n_nodes_} nodes beside {vectors} support "
        f"vectors. Our fit: the least of {REPEATS + 1}. Latency: median of calls in turn; "
        "LogisticRegression without a scaler. Rows of magic with jitter: "
        f"{settings.rows(1_000_000, 10_000)} for ours, 20000 for the SVC."
    )
    return "\n\n".join([markdown_rows(["", "drumlin", "rival"], rows), note, targets(wanted)])


def _least_time(model: str, problem: Problem):
    """A fitted model and the least CPU seconds of a few fits."""
    fits = [fitted(classifier(model), problem.X, problem.y) for _ in range(REPEATS + 1)]
    return fits[0][0], min(seconds for _, seconds in fits)


def _one_row(model, problem: Problem) -> list[float]:
    """Seconds of one-row predictions, ours and logistic regression's."""
    scaler = StandardScaler().fit(problem.X)
    logistic = LogisticRegression().fit(scaler.transform(problem.X), problem.y)
    row, scaled = problem.X_test[:1], scaler.transform(problem.X_test[:1])
    return latency([lambda: model.predict(row), lambda: logistic.predict(scaled)])


def _rates(model, svc, settings: Settings) -> tuple[float, float]:
    """Predicted rows per CPU second, ours and the tuned SVC's."""
    ours, theirs = settings.rows(1_000_000, 10_000), 20_000
    X = _many_rows(max(ours, theirs))
    model.predict(X[:1000])
    _, seconds = timed(lambda: model.predict(X[:ours]))
    _, svc_seconds = timed(lambda: svc.predict(X[:theirs]))
    return ours / seconds, theirs / svc_seconds


def _many_rows(n: int) -> np.ndarray:
    """Rows of magic, drawn again and again, with a little jitter."""
    X = problems.load_table("magic").X
    rng = np.random.default_rng([0])
    return X[rng.integers(0, len(X), n)] + 0.01 * X.std(axis=0) * rng.standard_normal((n, len(X.T)))


if __name__ == "__main__":
    print(json.dumps(measure_alone(*sys.argv[1:])))
