"""The flagship: from a table to a refined network, step by step."""
