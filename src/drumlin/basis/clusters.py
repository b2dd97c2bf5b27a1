r"""Centers by clustering and widths from their spread (sections 5.5 and 5.7 of haykin5).

Looks at inputs only. Everything is Euclidean: inputs come standardised where that is wanted.
"""

from __future__ import annotations

import functools
import warnings

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.distance import pdist
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import ThreadpoolController

from drumlin._typing import FloatArray, IntArray
from drumlin.basis.placement import distinct_rows

NO_SPREAD = 1e-6
"""A spread below this part of the distance to the next center is rounding."""


def cluster_means(
    Z: FloatArray,
    weight: FloatArray,
    n_clusters: int,
    n_init: int,
    rng: np.random.RandomState,
) -> FloatArray:
    """Means (5.28) of the best of several K-means clusterings, those that differ.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_features)
        Distinct rows, at least ``n_clusters``.
    weight : ndarray of shape (n_samples,)
    n_clusters : int
    n_init : int
        Starts; the clustering of least cost (5.26) is kept.
    rng : RandomState

    See Also
    --------
    cluster_widths
    clustering_cost

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import cluster_means
    >>> Z = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> np.sort(cluster_means(Z, np.ones(4), 2, 3, np.random.RandomState(0)).ravel())
    array([ 0.5, 10.5])
    """
    from sklearn.cluster import KMeans  # on first use: slow to import, and few need it

    means = KMeans(n_clusters, n_init=n_init, random_state=rng)
    # Sums over threads would depend on their number; rows equal to rounding are one cluster.
    with _libraries().limit(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        centers = means.fit(Z, sample_weight=weight).cluster_centers_
    return np.asarray(centers[distinct_rows(centers)], dtype=np.float64)


@functools.cache
def _libraries() -> ThreadpoolController:
    """Those that K-means uses, once it is imported: to look for them takes milliseconds."""
    return ThreadpoolController()


def encoder(Z: FloatArray, centers: FloatArray) -> IntArray:
    """Cluster C(i) of every sample (n_samples,), eqs. (5.22), (5.29): the nearest center's.

    See Also
    --------
    cluster_means

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import encoder
    >>> encoder(np.array([[0.0], [1.0], [9.0]]), np.array([[0.0], [10.0]]))
    array([0, 0, 1])
    """
    return np.asarray(cKDTree(centers).query(Z)[1], dtype=np.int64)


def clustering_cost(Z: FloatArray, weight: FloatArray, centers: FloatArray) -> float:
    r"""Cost of the clusters, :math:`J(C) = \sum_j \sum_{C(i)=j} \|x_i - \mu_j\|^2` (5.26).

    Half the sum (5.23), (5.25) of all squared distances within a cluster is, for means, the same
    with every cluster multiplied by its number of samples: the book drops that factor.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_features)
    weight : ndarray of shape (n_samples,)
    centers : ndarray of shape (n_clusters, n_features)

    See Also
    --------
    cluster_means

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import clustering_cost
    >>> Z = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> clustering_cost(Z, np.ones(4), np.array([[0.5], [10.5]]))
    1.0
    """
    distance = cKDTree(centers).query(Z)[0]
    return float(weight @ distance**2)


def spread_width(centers: FloatArray) -> float:
    r"""Common width :math:`d_{\max}/\sqrt{2K}` (5.49), d_max the largest distance between centers.

    Zero where there is but one center.

    See Also
    --------
    cluster_widths

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import spread_width
    >>> spread_width(np.array([[0.0], [4.0]]))
    2.0
    """
    if len(centers) < 2:
        return 0.0
    return float(pdist(centers).max() / np.sqrt(2.0 * len(centers)))


def cluster_widths(Z: FloatArray, weight: FloatArray, centers: FloatArray) -> FloatArray:
    r"""Width of every node (n_nodes,): the root-mean-square distance of its samples to its center.

    :math:`\hat\sigma_j^2 = \frac{1}{N_j} \sum_{C(i)=j} \|x_i - \mu_j\|^2`, eq. (5.27) of haykin5
    with the missing factor; samples belong to the nearest center (5.29). A node without spread
    takes the distance to the nearest other center.

    See Also
    --------
    cluster_means
    spread_width

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import cluster_widths
    >>> Z = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> cluster_widths(Z, np.ones(4), np.array([[0.5], [10.5]]))
    array([0.5, 0.5])
    """
    tree = cKDTree(centers)
    distance, nearest = tree.query(Z)
    total = np.bincount(nearest, weight, minlength=len(centers))
    squares = np.bincount(nearest, weight * distance**2, minlength=len(centers))
    widths = np.sqrt(squares / np.maximum(total, np.finfo(float).tiny))
    if len(centers) > 1:
        apart = tree.query(centers, k=2)[0][:, 1]
        widths = np.where(widths > NO_SPREAD * apart, widths, apart)
    return np.asarray(widths)
