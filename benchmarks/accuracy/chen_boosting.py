"""chen2010's swarm beside its predecessor, the repeated weighted boosting search.

    DRUMLIN_DATA=... python -m benchmarks.accuracy.chen_boosting

The preset with either search and as many evaluations per node (the swarm 10 x 21; the boosting
search 10 + 7 x 20 + 6 x 9), realisations 1-10 of the paper's three sets, seeds 0-2: test error in
%, nodes, evaluations counted by eqs. (38) and (39). Prints the table of docs/papers/chen2010.md.
"""

from __future__ import annotations

import numpy as np

from benchmarks.accuracy.chen import results
from drumlin import TunableRBFClassifier, presets
from drumlin.experiments.complexity import fixed_evaluations, tunable_evaluations
from drumlin.search import BoostingSearch, SwarmSearch

SETS = {"breast": 200, "diabetes": 468, "thyroid": 140}
SEARCHES = {
    "swarm": SwarmSearch(10, 20, straight=True),
    "boosting": BoostingSearch(10, 7, n_boosts=10, closeness=0.0),
}


def model(name: str) -> TunableRBFClassifier:
    """The preset with another search."""
    return presets("chen2010").set_params(search=SEARCHES[name])


def main() -> None:
    """Print the table."""
    print("| set | search | error % | nodes | evaluations by (38) | fixed nodes, (39) |")
    print("|---|---|---|---|---|---|")
    for dataset, n_samples in SETS.items():
        for name in SEARCHES:
            found = results(lambda _, name=name: model(name), dataset, range(1, 11), range(3))
            errors, sizes = np.array(list(found)).T
            spread = errors.reshape(10, -1).mean(axis=1).std(ddof=1) / np.sqrt(10)
            count = tunable_evaluations(sizes.mean(), 20, 10)
            fixed = fixed_evaluations(sizes.mean(), n_samples)
            cells = f"{errors.mean():.1f} ± {spread:.1f} | {sizes.mean():.1f} | {count:.0f}"
            print(f"| {dataset} | {name} | {cells} | {fixed:.0f} |", flush=True)


if __name__ == "__main__":
    main()
