"""Experiments: published settings by citation, and the papers' tables."""

from drumlin.experiments.presets import presets

__all__ = ["presets"]
