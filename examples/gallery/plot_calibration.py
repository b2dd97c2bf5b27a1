"""
Probabilities that can be believed
==================================

Of the samples to which a model gives 80 %, 80 % should be right. The network learns by maximum
likelihood with a penalty, so its probabilities are honest without a second step; an SVC gives none,
and calibrating it costs held-out folds.
"""

from sklearn.datasets import make_moons

from drumlin import DrumlinClassifier
from drumlin.plotting import CalibrationDisplay

X, y = make_moons(4400, noise=0.4, random_state=0)
model = DrumlinClassifier().fit(X[:400], y[:400])

CalibrationDisplay.from_estimator(model, X[400:], y[400:])
