"""What fitted classifiers answer."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from drumlin import DrumlinClassifier
from drumlin.datasets import make_waveform
from tests.helpers import EXACT, assert_close


def test_it_learns(classifier):
    model, (X, y) = classifier
    assert 0 < model.n_nodes_ <= 20
    assert model.score(X, y) > (0.9 if len(model.classes_) < 4 else 0.6)


def test_few_rows_of_three_classes_are_not_overfitted():
    """Breiman's waveforms: 300 rows, 21 noisy inputs. A linear model is hard to beat there."""
    losses = []
    for draw in range(4):
        X, y = make_waveform(1300, random_state=draw)
        models = DrumlinClassifier(), make_pipeline(StandardScaler(), LogisticRegression())
        fitted = [model.fit(X[:300], y[:300]) for model in models]
        losses.append([log_loss(y[300:], model.predict_proba(X[300:])) for model in fitted])
    ours, linear = np.mean(losses, axis=0)
    assert ours < linear


def test_the_skewed_problem_is_whitened(fitted_to):
    """Other tests rely on it."""
    assert fitted_to("mixed").network_.inputs.matrix is not None


def test_probabilities(classifier):
    model, (X, _) = classifier
    p = model.predict_proba(X)
    assert p.shape == (len(X), len(model.classes_))
    assert_close(p.sum(axis=1), 1.0, EXACT)
    np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))
    scores = model.decision_function(X)
    if len(model.classes_) == 2:
        assert scores.shape == (len(X),)
        assert_close(scores, np.log(p[:, 1] / p[:, 0]))
        np.testing.assert_array_equal(model.predict(X), model.classes_[(scores > 0).astype(int)])
    else:
        assert_close(scores - scores.mean(axis=1, keepdims=True),
                     np.log(p) - np.log(p).mean(axis=1, keepdims=True))  # fmt: skip


@pytest.mark.parametrize("names", [["no", "yes"], ["a", "bb", "ccc", "dddd"]], ids=["two", "four"])
def test_labels_may_be_words(names, moons, blobs, fitted_to):
    X, y = moons if len(names) == 2 else blobs
    model = DrumlinClassifier().fit(X, np.array(names)[y])
    same = fitted_to("two" if len(names) == 2 else "four")
    np.testing.assert_array_equal(model.classes_, names)
    np.testing.assert_array_equal(model.predict(X), np.array(names)[same.predict(X)])


def test_leave_one_out_is_honest(classifier):
    """As cross-validation says, within its own error (more than two classes: of the start)."""
    model, (X, y) = classifier
    p = cross_val_predict(DrumlinClassifier(), X, y, cv=5, method="predict_proba")
    own = np.log(p[np.arange(len(y)), y])
    standard_error = own.std() / np.sqrt(len(y))
    allowed = 3.0 * standard_error + (0.0 if len(model.classes_) == 2 else 0.1)
    assert abs(model.loo_log_loss_ + own.mean()) < allowed
    wrong = (p.argmax(axis=1) != y).mean()
    assert abs(model.loo_error_ - wrong) < 3.0 * np.sqrt(wrong * (1.0 - wrong) / len(y)) + 1e-9
    assert model.loo_log_loss_ > log_loss(y, model.predict_proba(X))


def test_reject(classes):
    X, y = classes
    names = np.array(["one", "two", "three", "four"])
    model = DrumlinClassifier().fit(X, names[y])
    p, labels = model.predict_proba(X).max(axis=1), model.predict(X)
    assert labels.dtype.kind == "U"
    for threshold in (0.0, 0.6, 0.9, np.float32(0.9), 1, True):
        answers = model.predict(X, reject=threshold)
        assert answers.dtype == object
        refused = np.array([answer is None for answer in answers])
        np.testing.assert_array_equal(refused, p < threshold)  # no training sample is too far
        np.testing.assert_array_equal(answers[~refused], labels[~refused])
    far = X.mean(axis=0) + 100.0 * X.std(axis=0)
    assert model.predict([far], reject=0.0)[0] is None
    assert model.predict([far])[0] in names


@pytest.mark.parametrize("reject", [-0.1, 1.5, np.nan, "often", [0.5]], ids=str)
def test_bad_reject(reject, moons, fitted_to):
    model = fitted_to("two")
    with pytest.raises(ValueError, match=r"'reject' parameter of .* range \[0, 1\]. Got"):
        model.predict(moons[0], reject=reject)
