"""Searches: they move points to lower costs and know no network."""

from drumlin.search.base import (
    BatchCost,
    BitStrings,
    Box,
    BoxSearch,
    Search,
    SearchResult,
    Tracker,
)
from drumlin.search.evolution import DifferentialEvolution
from drumlin.search.polish import PolishedSearch
from drumlin.search.swarm import SwarmSearch

BOX_SEARCHES: dict[str, type[BoxSearch]] = {
    "swarm": SwarmSearch,
    "polished_swarm": PolishedSearch,
    "differential_evolution": DifferentialEvolution,
}
"""Searches of a box by name."""

__all__ = [
    "BOX_SEARCHES",
    "BatchCost",
    "BitStrings",
    "Box",
    "BoxSearch",
    "DifferentialEvolution",
    "PolishedSearch",
    "Search",
    "SearchResult",
    "SwarmSearch",
    "Tracker",
]
