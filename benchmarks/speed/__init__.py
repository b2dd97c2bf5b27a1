"""Speed and memory as ratios measured in one run on one thread: ``make bench``."""
