"""Leave-one-out by refits in decimal numbers of sixty digits: no shortcut, no underflow.

Nothing of the library is used but the definition: a refit keeps the triangle A of the full fit and
penalises ``alpha * |A coef|^2``.
"""

from __future__ import annotations

from decimal import Decimal, localcontext

DIGITS = 60


def activations(x, centers, width):
    """Rows of exp(-r^2/2), one a center, for inputs of one dimension."""
    with localcontext() as context:
        context.prec = DIGITS
        x, centers = [Decimal(float(v)) for v in x], [Decimal(float(c)) for c in centers]
        s = Decimal(float(width))
        return [[(-(((v - c) / s) ** 2) / 2).exp() for v in x] for c in centers]


def loo_predictions(columns, targets, weight, alphas):
    """Prediction of every sample by the model that never saw it."""
    with localcontext() as context:
        context.prec = DIGITS
        t, s = [Decimal(float(v)) for v in targets], [Decimal(float(v)) for v in weight]
        A = _triangle(columns, s)
        k, n = len(columns), len(t)
        penalty = [
            [sum(Decimal(float(alphas[m])) * A[m][i] * A[m][j] for m in range(k)) for j in range(k)]
            for i in range(k)
        ]
        predictions = []
        for left in range(n):
            rows = [i for i in range(n) if i != left]  # sums without the sample: no cancellation
            G = [
                [penalty[a][b] + _dot(columns[a], columns[b], s, rows) for b in range(k)]
                for a in range(k)
            ]
            coef = _solve(G, [_dot(column, t, s, rows) for column in columns])
            predictions.append(sum(c[left] * w for c, w in zip(columns, coef, strict=True)))
        return predictions


def _dot(a, b, s, rows):
    return sum((s[i] * a[i] * b[i] for i in rows), Decimal(0))


def _triangle(columns, s):
    """Unit upper triangular A of Gram-Schmidt on the weighted columns."""
    rows, k = range(len(s)), len(columns)
    W, A = [], [[Decimal(int(i == j)) for j in range(k)] for i in range(k)]
    for j, column in enumerate(columns):
        w = list(column)
        for i, q in enumerate(W):
            A[i][j] = _dot(q, w, s, rows) / _dot(q, q, s, rows)
            w = [v - A[i][j] * u for v, u in zip(w, q, strict=True)]
        W.append(w)
    return A


def _solve(G, b):
    """Gaussian elimination of a small positive definite system."""
    k, M = len(b), [[*row, v] for row, v in zip(G, b, strict=True)]
    for i in range(k):
        for r in range(i + 1, k):
            factor = M[r][i] / M[i][i]
            M[r] = [v - factor * u for v, u in zip(M[r], M[i], strict=True)]
    x = [Decimal(0)] * k
    for i in reversed(range(k)):
        x[i] = (M[i][k] - sum(M[i][j] * x[j] for j in range(i + 1, k))) / M[i][i]
    return x
