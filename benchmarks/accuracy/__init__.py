"""Accuracy on real data; every table of the documentation comes from here."""
