"""Our genetic search beside PyGAD's with the same settings: the time around the cost itself.

    pip install pygad; python -m benchmarks.speed.genetic

The cost is a lookup (distance to a fixed subset), evaluated for a whole generation at once in both,
so what is timed is drawing parents, crossing, mutating and remembering. Not a part of ``make
bench``: PyGAD is no dependency.
"""

from __future__ import annotations

import inspect

import numpy as np
import pygad

from benchmarks.speed.measure import best_time, report
from drumlin.search import BitStrings, GeneticSearch, genetic

N_BITS = 250


def compare() -> None:
    """Print the ratio of times and the length of ours."""
    target = np.random.default_rng(0).uniform(size=N_BITS) < 0.05

    def cost(subsets):
        return (subsets != target).sum(axis=1).astype(float)

    def ours():
        GeneticSearch().minimize(cost, BitStrings(N_BITS), np.random.RandomState(0))

    def fitness(ga, solutions, indices):
        costs = cost(np.atleast_2d(solutions).astype(bool))
        return np.exp(-0.5 * (costs - costs.min())).tolist()

    def theirs():
        pygad.GA(
            num_generations=100, num_parents_mating=100, sol_per_pop=100, num_genes=N_BITS,
            fitness_func=fitness, fitness_batch_size=100, gene_space=[0, 1], gene_type=int,
            parent_selection_type="rws", crossover_type="single_point", crossover_probability=0.5,
            mutation_type="random", mutation_num_genes=1, mutation_probability=None,
            keep_elitism=1, random_seed=0, suppress_warnings=True,
        ).run()  # fmt: skip

    report(
        "genetic search: PyGAD / ours, 100 x 100, 250 bits", best_time(theirs) / best_time(ours), 1
    )
    print(f"    ours: {len(inspect.getsource(genetic).splitlines())} lines with documentation")


if __name__ == "__main__":
    compare()
