"""Searches: they move points to lower costs and know no network."""

from drumlin.search.base import BoxSearch, PopulationSearch, Search, SubsetCost
from drumlin.search.boosting import BoostingSearch
from drumlin.search.evolution import DifferentialEvolution
from drumlin.search.genetic import GeneticSearch
from drumlin.search.greedy import GreedySearch
from drumlin.search.polish import PolishedSearch
from drumlin.search.spaces import BitStrings, Box
from drumlin.search.swarm import SwarmSearch
from drumlin.search.tracking import BatchCost, SearchResult, Tracker

BOX_SEARCHES: dict[str, type[BoxSearch]] = {
    "swarm": SwarmSearch,
    "polished_swarm": PolishedSearch,
    "differential_evolution": DifferentialEvolution,
    "boosting": BoostingSearch,
}
"""Searches of a box by name."""

SUBSET_SEARCHES: dict[str, type[Search]] = {"genetic": GeneticSearch, "greedy": GreedySearch}
"""Searches over subsets by name."""

__all__ = [
    "BOX_SEARCHES",
    "SUBSET_SEARCHES",
    "BatchCost",
    "BitStrings",
    "BoostingSearch",
    "Box",
    "BoxSearch",
    "DifferentialEvolution",
    "GeneticSearch",
    "GreedySearch",
    "PolishedSearch",
    "PopulationSearch",
    "Search",
    "SearchResult",
    "SubsetCost",
    "SwarmSearch",
    "Tracker",
]
