"""A small network that imitates another model."""
