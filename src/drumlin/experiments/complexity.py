"""Cost evaluations of forward selection as chen2010 counts them; each is O(n_samples)."""

from __future__ import annotations


def tunable_evaluations(n_nodes: float, n_iterations: int, n_particles: int) -> float:
    r"""Evaluations for M tunable nodes, :math:`(M + 1) I_{max} S`, eq. (38) of chen2010.

    The stage that fails to improve is counted, the first positions of every swarm are not:
    ``SwarmSearch`` evaluates them too, :math:`(I_{max} + 1) S` points for a node.

    Parameters
    ----------
    n_nodes : float
        The M of the formula: a size, or a mean of sizes.
    n_iterations, n_particles : int
    """
    return (n_nodes + 1.0) * n_iterations * n_particles


def fixed_evaluations(n_nodes: float, n_candidates: int) -> float:
    r"""Evaluations for M' nodes on candidates, :math:`(M' + 1) N`, eq. (39) of chen2010.

    Parameters
    ----------
    n_nodes : float
    n_candidates : int
        All samples, in the paper.
    """
    return (n_nodes + 1.0) * n_candidates
