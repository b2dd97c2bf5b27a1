"""chen2010 on its three benchmark sets, and our defaults on six.

    python -m benchmarks.accuracy.chen [n [seeds]]

Prints Markdown tables of test error and size over the first n realisations (default 20) and some
seeds of the search (default 3). Nothing is chosen on test data.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from drumlin import TunableRBFClassifier, presets
from drumlin.datasets import load_benchmark

# Error % and size: as printed, and by a prototype in single runs.
PUBLISHED = {"breast": (23.04, 2.8), "diabetes": (21.87, 3.5), "thyroid": (2.48, 3.5)}
PROTOTYPE = {"breast": (28.0, 3.0), "diabetes": (23.7, 4.0), "thyroid": (8.3, 3.2)}
ABLATIONS = {
    "default": {},
    "no gradient polish": {"search": "swarm"},
    "differential evolution": {"search": "differential_evolution"},
    "misclassification": {"criterion": "misclassification"},
    "starts anywhere in the box": {"start": "box"},
    "variances from 1 to 100": {"width_range": (1.0, 10.0), "width_scale": "variance"},
    "a width for every input": {"isotropic": False},
    "size by the criterion, at most 60": {"penalize_size": False, "max_nodes": 60},
}
DEFAULT = ("breast", "diabetes", "heart", "banana", "waveform", "thyroid")


def results(build, dataset: str, realisations: range, seeds: range) -> Iterator[tuple[float, int]]:
    """Test error (%) and size of every realisation and seed."""
    for realisation in realisations:
        data = load_benchmark(dataset, realisation=realisation)
        for seed in seeds:
            model = build(dataset).set_params(random_state=seed)
            model.fit(data.X[data.train], data.y[data.train])
            wrong = model.predict(data.X[data.test]) != data.y[data.test]
            yield 100.0 * float(wrong.mean()), model.n_nodes_


def preset(dataset: str) -> TunableRBFClassifier:
    return presets("chen2010", dataset=dataset)


def first_by_squares(dataset: str) -> TunableRBFClassifier:
    return preset(dataset).set_params(first="squared_error")


def default(dataset: str) -> TunableRBFClassifier:
    return TunableRBFClassifier()


def best_on_test(build, dataset: str, realisations: range, seeds: range) -> float:
    """Error if the seed of every realisation could be chosen on its test data."""
    errors = [error for error, _ in results(build, dataset, realisations, seeds)]
    return float(np.reshape(errors, (len(realisations), len(seeds))).min(axis=1).mean())


def _cells(build, dataset: str, realisations: range, seeds: range) -> str:
    errors, sizes = np.array(list(results(build, dataset, realisations, seeds))).T
    spread = errors.reshape(len(realisations), -1).mean(axis=1).std(ddof=1)
    standard_error = spread / np.sqrt(len(realisations))
    return f"{errors.mean():.2f} ± {standard_error:.2f} | {sizes.mean():.1f}"


def main(n: int = 20, n_seeds: int = 3) -> None:
    realisations, seeds = range(1, n + 1), range(n_seeds)
    print(f"Realisations 1-{n}, seeds 0-{n_seeds - 1}; error in % ± standard error.\n")
    best = "best of 20 seeds on test data, realisations 1-10"
    other = "first node by squared error | nodes"
    print(f"| preset | published | prototype | ours | nodes | {other} | {best} |")
    print("|---|---|---|---|---|---|---|---|")
    for name, (error, size) in PUBLISHED.items():
        known = f"{PROTOTYPE[name][0]}, {PROTOTYPE[name][1]}"
        both = [_cells(build, name, realisations, seeds) for build in (preset, first_by_squares)]
        chosen = best_on_test(preset, name, range(1, 11), range(20))
        print(
            f"| {name} | {error}, {size} | {known} | {' | '.join(both)} | {chosen:.2f} |",
            flush=True,
        )
    print("\n| default | ours | nodes |")
    print("|---|---|---|")
    for name in DEFAULT:
        print(f"| {name} | {_cells(default, name, realisations, seeds)} |", flush=True)
    print("\nWhat each part brings (realisations 1-10, seed 0; error in %, nodes):\n")
    print(f"| | {' | '.join(DEFAULT)} |\n|---{'|---' * len(DEFAULT)}|")
    for name, settings in ABLATIONS.items():
        print(f"| {name} | {' | '.join(_ablation(settings, dataset) for dataset in DEFAULT)} |")


def _ablation(settings: dict, dataset: str) -> str:
    found = results(lambda _: TunableRBFClassifier(**settings), dataset, range(1, 11), range(1))
    errors, sizes = np.array(list(found)).T
    return f"{errors.mean():.1f}, {sizes.mean():.1f}"


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
