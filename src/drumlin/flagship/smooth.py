r"""Smooth networks: nodes share their widths, and weights have the prior of a Gaussian process.

With the kernel K between nodes and the ratio :math:`\tau` of noise to signal variance, the weights
minimise the penalised squares

.. math:: R = \min_{w, b} \sum_n s_n (y_n - b - \varphi_n' w)^2 + \tau w' K w

(the subset of regressors: what is rough is shrunk most). Widths and :math:`\tau` minimise Titsias'
bound on the negative log evidence of the Gaussian process with all N samples as nodes, the noise
R / (N - 1) and the intercept integrated out, with :math:`B = \Phi' S \Phi + \tau K`, columns
centered,

.. math:: \tfrac12 \Big[ (N-1) \log R + \log|B| - \log|\tau K|
    + \tau^{-1} \sum_n s_n (1 - \varphi_n' K^{-1} \varphi_n)
    + \sum_i (\log s_i - \overline{\log s})^2 \Big]

The sum over n is the variance that the nodes cannot explain: without it widths would be fitted to
what the nodes happen to be good at. The last term is a weak prior: widths differ by a factor of e.

References
----------
M. Titsias, Variational learning of inducing variables in sparse Gaussian processes, AISTATS 2009,
eq. 9. J. Quiñonero-Candela, C. E. Rasmussen, A unifying view of sparse approximate Gaussian process
regression, JMLR 6 (2005), eq. 16.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from scipy.optimize import fmin_l_bfgs_b

from drumlin._kernels import NodeParameters
from drumlin._typing import FloatArray
from drumlin.basis import gaussian_activations
from drumlin.flagship.recipe import SmoothRule
from drumlin.laplace import Slopes
from drumlin.linear.factors import cholesky_factor
from drumlin.sample import Sample

LEAST_NOISE = 1e-8
"""Least noise variance, in units of the targets' variance."""

_TOLERANCE = 1e-6
_INTERCEPT = 1e-6  # precision of the intercept, and of a scale common to all widths


@dataclass(frozen=True)
class Smooth:
    """A smooth network and the quadratic form that its weights were penalised with.

    Parameters
    ----------
    centers : ndarray of shape (n_nodes, n_features)
    shape : ndarray of shape (n_features + 1,)
        Logarithms of the widths, then of tau.
    coef : ndarray of shape (n_nodes, 1)
    intercept : ndarray of shape (1,)
    noise : float
        Variance of the noise.
    nugget : float
        What the diagonal of K was raised by.
    """

    centers: FloatArray
    shape: FloatArray
    coef: FloatArray
    intercept: FloatArray
    noise: float
    nugget: float

    @property
    def size(self) -> int:
        """Number of variables: intercept, weights, log-widths."""
        return len(self.centers) + len(self.shape)

    def nodes(self) -> NodeParameters:
        """Return the network."""
        inv_widths = _inv_widths(self.centers, self.shape)
        return NodeParameters(self.centers, inv_widths, self.coef, self.intercept)

    def jacobian(self, Z: FloatArray) -> FloatArray:
        """Derivatives (n_samples, n_variables) of the score in intercept, weights, log-widths."""
        inv_widths = _inv_widths(self.centers, self.shape)
        return Slopes.of(Z, self.centers, inv_widths, self.coef).rows(shared=True)

    @property
    def shares_widths(self) -> bool:
        """All nodes share their widths."""
        return True

    def chain(self) -> FloatArray:
        """Variables are what slopes are with respect to."""
        return np.eye(self.size)

    def precision(self) -> FloatArray:
        """Matrix of the penalties of the variables, in units of the noise."""
        m, d = self.centers.shape
        precision = np.zeros((self.size, self.size))
        precision[0, 0] = _INTERCEPT
        precision[1 : m + 1, 1 : m + 1] = self.weight_penalties()[:-1, :-1]
        precision[m + 1 :, m + 1 :] = (1.0 + _INTERCEPT) * np.eye(d) - 1.0 / d
        return precision

    def weight_penalties(self) -> FloatArray:
        """Matrix of the penalties of the weights and, last, the intercept."""
        m = len(self.centers)
        penalties = np.zeros((m + 1, m + 1))
        ratio = np.exp(self.shape[-1]) / self.noise
        penalties[:-1, :-1] = ratio * _kernel(self.centers, self.shape, self.nugget)
        penalties[-1, -1] = _INTERCEPT
        return penalties


def smooth_network(sample: Sample, centers: FloatArray, shape: FloatArray, nugget: float) -> Smooth:
    """Weights and noise of nodes with known widths.

    Parameters
    ----------
    sample : Sample
        One output.
    centers : ndarray of shape (n_nodes, n_features)
    shape : ndarray of shape (n_features + 1,)
    nugget : float
        See ``Smooth``.
    """
    solved = _solve(sample, centers, shape, nugget, _memory(sample, centers))
    share = sample.weight / sample.total
    intercept = share @ sample.codes - solved.coef @ (solved.Phi @ share)
    noise = max(solved.noise, LEAST_NOISE)
    return Smooth(centers, shape, solved.coef[:, None], intercept, noise, nugget)


def fit_shape(
    sample: Sample, centers: FloatArray, shape: FloatArray, nugget: float, rule: SmoothRule
) -> FloatArray:
    """Minimise the bound over the logarithms of widths and tau, starting from ``shape``."""
    found, _, _ = fmin_l_bfgs_b(
        evidence_bound,
        shape,
        args=(sample, centers, nugget, _memory(sample, centers)),
        bounds=[rule.log_widths] * (len(shape) - 1) + [rule.log_ratios],
        factr=_TOLERANCE / np.finfo(float).eps,
        maxiter=rule.iterations,
    )
    return np.asarray(found)


def evidence_bound(
    shape: FloatArray,
    sample: Sample,
    centers: FloatArray,
    nugget: float,
    memory: FloatArray | None = None,
) -> tuple[float, FloatArray]:
    """Value and gradient of the bound on the negative log evidence (up to a constant).

    Parameters
    ----------
    shape : ndarray of shape (n_features + 1,)
    sample : Sample
    centers : ndarray of shape (n_nodes, n_features)
    nugget : float
        See ``Smooth``.
    memory : ndarray of shape (3, n_nodes, n_samples) or None
        Scratch memory. New memory for every value takes the time of all products of matrices.
    """
    memory = _memory(sample, centers) if memory is None else memory
    solved = _solve(sample, centers, shape, nugget, memory)
    K, w, noise, to_nodes = solved.K, solved.coef, solved.noise, solved.whitener
    weight, tau, n_samples = sample.weight, np.exp(shape[-1]), sample.total
    m, mean = len(centers), solved.mean
    half = solve_triangular(solved.factor, np.eye(m), lower=True, check_finite=False)
    B_inv = half.T @ half  # where K is the identity
    known = solved.gram + n_samples * np.outer(mean, mean)  # sum_n s_n phi_n phi_n', there too
    unexplained = (n_samples - np.trace(known)) / tau
    deviation = shape[:-1] - shape[:-1].mean()
    value = 0.5 * (
        _freedom(sample) * np.log(noise)
        + 2.0 * np.log(np.diag(solved.factor)).sum()
        - m * shape[-1]
        + unexplained
        + deviation @ deviation
    )
    # Halves of the derivatives in Phi and K, times Phi and K: what log-widths act on.
    d_Phi = np.matmul(to_nodes.T @ (B_inv - np.eye(m) / tau), solved.white, out=memory[1])
    d_Phi -= np.multiply(w[:, None], solved.residual / noise, out=memory[2])
    d_Phi -= (mean @ to_nodes / tau)[:, None]
    d_Phi *= solved.Phi
    d_Phi *= weight
    d_K = tau * np.outer(w, w) / noise + to_nodes.T @ (
        (tau * B_inv - np.eye(m) + known / tau) @ to_nodes
    )
    d_K *= 0.5 * K
    moved = _summed_squares(d_Phi, centers, sample.X) + _summed_squares(d_K, centers, centers)
    d_ratio = tau * (w @ K @ w / noise + np.trace(B_inv)) - m - unexplained
    return float(value), np.append(np.exp(-2.0 * shape[:-1]) * moved + deviation, 0.5 * d_ratio)


class _Solved(NamedTuple):
    """Weights for given nodes and widths, and what the bound needs besides."""

    Phi: FloatArray  # (n_nodes, n_samples)
    K: FloatArray
    whitener: FloatArray  # L^-1, where L L' = K
    white: FloatArray  # (n_nodes, n_samples), centered, in the basis in which K is the identity
    mean: FloatArray  # of the activations, in that basis
    gram: FloatArray  # white S white'
    factor: FloatArray  # Cholesky factor of L^-1 B L'^-1
    coef: FloatArray
    residual: FloatArray
    noise: float


def _memory(sample: Sample, centers: FloatArray) -> FloatArray:
    return np.empty((3, len(centers), len(sample.X)))


def _solve(
    sample: Sample, centers: FloatArray, shape: FloatArray, nugget: float, memory: FloatArray
) -> _Solved:
    """Solve for the weights in the basis in which K is the identity: K is nearly singular."""
    weight, tau = sample.weight, np.exp(shape[-1])
    share = weight / sample.total
    y = sample.codes[:, 0] - share @ sample.codes[:, 0]
    Phi = gaussian_activations(sample.X, centers, _inv_widths(centers, shape), memory[0]).T
    K, identity = _kernel(centers, shape, nugget), np.eye(len(centers))
    L = cholesky_factor(K)
    whitener = solve_triangular(L, identity, lower=True, check_finite=False)
    mean = Phi @ share
    centered = np.subtract(Phi, mean[:, None], out=memory[1])
    white = np.matmul(whitener, centered, out=memory[2])
    rooted = np.multiply(white, np.sqrt(weight), out=memory[1])
    gram = rooted @ rooted.T
    factor = cholesky_factor(gram + tau * identity)
    white_coef = cho_solve((factor, True), white @ (weight * y), check_finite=False)
    residual = y - white_coef @ white
    penalized = weight @ residual**2 + tau * white_coef @ white_coef
    noise = float(penalized) / _freedom(sample)
    coef = whitener.T @ white_coef
    return _Solved(Phi, K, whitener, white, whitener @ mean, gram, factor, coef, residual, noise)


def _freedom(sample: Sample) -> float:
    """Degrees of freedom: of the samples, less one for the intercept."""
    return max(sample.total - 1.0, 1.0)


def _inv_widths(centers: FloatArray, shape: FloatArray) -> FloatArray:
    return np.tile(np.exp(-shape[:-1]), (len(centers), 1))


def _kernel(centers: FloatArray, shape: FloatArray, nugget: float) -> FloatArray:
    K = gaussian_activations(centers, centers, _inv_widths(centers, shape))
    return K + nugget * np.eye(len(centers))


def _summed_squares(M: FloatArray, A: FloatArray, B: FloatArray) -> FloatArray:
    """Return ``sum_nj M_nj (A_ni - B_ji)^2`` for every input i."""
    cross = ((M.T @ A) * B).sum(axis=0)
    return np.asarray(M.sum(axis=1) @ A**2 - 2.0 * cross + M.sum(axis=0) @ B**2)
