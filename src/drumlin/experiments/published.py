"""What the papers print: test error in percent and size, with standard deviations if given."""

from __future__ import annotations

from typing import NamedTuple


class Figure(NamedTuple):
    """Mean test error in percent and mean size; standard deviations over realisations."""

    error: float
    nodes: float | None = None
    error_sd: float | None = None
    nodes_sd: float | None = None


CITATIONS = {
    "hong2008": "Hong, Chen, Harris, Int. J. Systems Science 39(2), 2008, tables 1-3",
    "hong2014": "Hong, Chen, Qatawneh et al., Applied Soft Computing, 2014, section 6, tables 2-10",
    "chen2010": "Chen, Hong, Harris, particle swarm optimisation aided orthogonal forward "
    "regression, 2010, tables I-III",
    "ando2004": "Ando, Imoto, Konishi, Bull. Inform. Cybernetics 36, 2004, tables 1-3",
    "haykin5": "Haykin, Neural Networks and Learning Machines, 3rd ed., 2009, section 5.8",
    "raetsch2001": "Rätsch, Onoda, Müller, Machine Learning 42(3), 2001 (as printed in hong2014)",
}

PUBLISHED: dict[str, dict[str, Figure]] = {
    "hong2008": {
        "breast": Figure(25.74, 6, 5.0, 2),
        "diabetes": Figure(23.0, 6, 1.7, 1),
        "heart": Figure(15.8, 10, 3.7, 3),
    },
    "hong2014": {
        "breast": Figure(26.1, 3.7, 4.7, 1.4),
        "diabetes": Figure(23.7, 3.7, 1.9, 0.8),
        "german": Figure(24.7, 4.9, 2.1, 1.4),
        "heart": Figure(16.2, 3.7, 3.4, 0.9),
        "flare": Figure(33.8, 3.9, 2.5, 1.0),
        "titanic": Figure(22.7, 3.3, 0.9, 0.9),
        "banana": Figure(10.8, 40.2, 0.6, 0.6),
        "waveform": Figure(10.5, 50.1, 0.6, 0.3),
        "thyroid": Figure(4.8, 100, 2.4, 0.2),
        "synth": Figure(9.7, 4),
    },
    "chen2010": {
        "breast": Figure(23.04, 2.8, 3.41, 0.9),
        "diabetes": Figure(21.87, 3.5, 1.24, 1.4),
        "thyroid": Figure(2.48, 3.5, 1.41, 0.8),
    },
    "ando2004": {
        "synth": Figure(9.3, 7),
        "pima": Figure(19.8),
        "vowel": Figure(41.0),
        "breiman-waveform": Figure(15.6),
    },
    "haykin5": {
        "double-moon-5": Figure(0.0, 20),
        "double-moon-6": Figure(0.5, 20),
    },
    "raetsch2001": {
        "breast": Figure(26.0, None, 4.7),
        "diabetes": Figure(23.5, None, 1.7),
        "german": Figure(23.6, None, 2.1),
        "heart": Figure(16.0, None, 3.3),
        "flare": Figure(32.4, None, 1.8),
        "titanic": Figure(22.4, None, 1.0),
        "banana": Figure(11.5, None, 0.7),
        "waveform": Figure(9.9, None, 0.4),
        "thyroid": Figure(4.8, None, 2.2),
    },
}
"""By citation and set; raetsch2001 is the RBF-kernel SVM."""
