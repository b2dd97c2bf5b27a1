"""Models in use: from a table to a model, and from new rows to answers.

``train`` understands the columns of a table, fits and judges; ``Deployed`` is a model that knows
what its columns are. Neither prints anything: what is worth knowing is a ``TableWarning``.
"""

from drumlin.deploy.deployed import Deployed
from drumlin.deploy.drift import Drift, check
from drumlin.deploy.options import Options
from drumlin.deploy.training import Trained, train

__all__ = ["Deployed", "Drift", "Options", "Trained", "check", "train"]
