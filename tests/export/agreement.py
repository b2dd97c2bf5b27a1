"""What every target must fulfil: Python's answers."""

from __future__ import annotations

import numpy as np

from tests.export.models import expected, sizes


def assert_agrees(model, rows, answers, tolerance, *, tie=1e-12, least=0.0):
    """Assert scores within a tolerance, relative to what was added up, and equal labels.

    What is below ``least`` counts as that.

    ``answers`` has scores (n, K) and, where the model has them, label, probabilities, novelty.
    """
    wanted = expected(model, rows)
    size = np.maximum(sizes(model, wanted["scores"], rows), least)
    scores = np.asarray(answers["scores"], dtype=np.float64).reshape(wanted["scores"].shape)
    error = np.abs(scores - wanted["scores"]) / np.where(size > 0.0, size, 1.0)
    assert error.max() <= tolerance, (error.max(), np.unravel_index(error.argmax(), error.shape))
    if "label" in wanted:
        ordered = np.sort(np.c_[np.zeros(len(scores)), scores] if scores.shape[1] == 1 else scores)
        clear = ordered[:, -1] - ordered[:, -2] > tie * np.maximum(1.0, size.max(axis=1))
        assert clear.mean() > 0.5
        assert (np.asarray(answers["label"])[clear] == wanted["label"][clear]).all()
        got = np.asarray(answers["probabilities"], dtype=np.float64)
        np.testing.assert_allclose(got, wanted["probabilities"], atol=100 * tolerance * size.max())
    if "novelty" in wanted and "novelty" in answers:
        # The quantile of a distance may be steep: a relative error of it is many of novelty's.
        np.testing.assert_allclose(answers["novelty"], wanted["novelty"], atol=1e6 * tolerance)
