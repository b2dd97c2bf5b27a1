"""Searches: they move points to lower costs and know no network."""

from drumlin.search.base import BatchCost, BitStrings, Box, Search, SearchResult

__all__ = ["BatchCost", "BitStrings", "Box", "Search", "SearchResult"]
