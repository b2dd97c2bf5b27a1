"""Selection: which node comes next and when to stop. Knows no labels' names and no estimators."""

from drumlin.selection.candidates import CandidateColumns, InplaceCandidates, Inputs
from drumlin.selection.forward import Selection, Stopping, select_forward
from drumlin.selection.ladder import WidthLadder
from drumlin.selection.proposals import Proposal, Proposals, SamplePool
from drumlin.selection.recomputed import RecomputedCandidates
from drumlin.selection.scoring import Scoring

__all__ = [
    "CandidateColumns",
    "InplaceCandidates",
    "Inputs",
    "Proposal",
    "Proposals",
    "RecomputedCandidates",
    "SamplePool",
    "Scoring",
    "Selection",
    "Stopping",
    "WidthLadder",
    "select_forward",
]
