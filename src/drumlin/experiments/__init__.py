"""Experiments: the papers' tables, rerun beside our defaults and today's rivals."""
