"""Searches: they move points to lower costs and know no network."""

from drumlin.search.base import BatchCost, BitStrings, Box, Search, SearchResult, SubsetCost
from drumlin.search.genetic import GeneticSearch
from drumlin.search.greedy import GreedySearch

SUBSET_SEARCHES: dict[str, type[Search]] = {"genetic": GeneticSearch, "greedy": GreedySearch}
"""Searches over subsets by name."""

__all__ = [
    "SUBSET_SEARCHES",
    "BatchCost",
    "BitStrings",
    "Box",
    "GeneticSearch",
    "GreedySearch",
    "Search",
    "SearchResult",
    "SubsetCost",
]
