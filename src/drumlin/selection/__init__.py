"""Selection: which node comes next and when to stop. Knows no labels' names and no estimators."""

from drumlin.selection.candidates import CandidateColumns, InplaceCandidates, Inputs
from drumlin.selection.forward import Selection, Stopping, select_forward
from drumlin.selection.ladder import WidthLadder
from drumlin.selection.proposals import Proposal, Proposals, SamplePool
from drumlin.selection.recomputed import RecomputedCandidates
from drumlin.selection.scoring import Scoring
from drumlin.selection.tunable import NodeCost, NodeSpace, TunableNode

__all__ = [
    "CandidateColumns",
    "InplaceCandidates",
    "Inputs",
    "NodeCost",
    "NodeSpace",
    "Proposal",
    "Proposals",
    "RecomputedCandidates",
    "SamplePool",
    "Scoring",
    "Selection",
    "Stopping",
    "TunableNode",
    "WidthLadder",
    "select_forward",
]
