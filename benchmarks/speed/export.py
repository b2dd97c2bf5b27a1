"""Exported models beside ``predict`` in Python: latency of one row, agreement, sizes.

``python -m benchmarks.speed.export`` needs gcc, and onnxruntime for its line.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification

from benchmarks.speed.measure import best_time, report
from drumlin import DrumlinClassifier, export

CALLS = 200_000
MAIN = """#include <stdio.h>
#include <time.h>
#include "model.h"
static const double rows[] = { %s };
int main(void)
{
    clock_t start = clock();
    volatile int sum = 0;
    int i;
    for (i = 0; i < %d; i++) sum += model_classify(rows + (i %% %d) * %d);
    printf("%%g\\n", (double)(clock() - start) / CLOCKS_PER_SEC / %d);
    return model_selftest();
}
"""


def model_and_rows() -> tuple[DrumlinClassifier, np.ndarray]:
    """Ten inputs, two classes, at most five nodes."""
    X, y = make_classification(1000, 10, n_informative=6, random_state=0)
    return DrumlinClassifier(max_nodes=5).fit(X, y), X


def seconds_in_c(model: DrumlinClassifier, X: np.ndarray) -> float:
    """Seconds of one call of generated C."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _, source = export.to_c(model).write(folder)
        values = ", ".join(repr(float(v)) for v in X[:100].ravel())
        main = MAIN % (values, CALLS, 100, X.shape[1], CALLS)
        (folder / "main.c").write_text(main)
        program = folder / "main"
        command = ["gcc", "-O2", str(source), str(folder / "main.c"), "-o", str(program), "-lm"]
        subprocess.run(command, check=True)
        runs = [subprocess.run([program], check=True, capture_output=True) for _ in range(3)]
        return min(float(run.stdout) for run in runs)


def latency() -> None:
    """One row, again and again."""
    model, X = model_and_rows()
    one = X[:1]
    model.predict(one)
    python = best_time(lambda: [model.predict(one) for _ in range(100)], 5) / 100
    in_c = seconds_in_c(model, X)
    report("one row: predict / C (double)", python / in_c, 100.0)
    print(f"{'':4s}predict {1e6 * python:.0f} us, C {1e6 * in_c:.3f} us, {model.n_nodes_} nodes")
    names: dict = {}
    exec(export.to_python(model), names)
    row = X[0].tolist()
    plain = best_time(lambda: [names["predict"](row) for _ in range(100)], 5) / 100
    print(f"{'':4s}plain Python {1e6 * plain:.0f} us")
    onnx(model, one, python)


def onnx(model: DrumlinClassifier, one: np.ndarray, python: float) -> None:
    """The same through onnxruntime."""
    try:
        import onnxruntime
    except ImportError:
        print("onnxruntime is not installed: its line is left out")
        return
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        export.to_onnx(model, novelty=False).SerializeToString(),
        options,
        providers=["CPUExecutionProvider"],
    )
    feed = {"X": one}
    run = lambda: [session.run(["label"], feed) for _ in range(100)]  # noqa: E731
    run()
    seconds = best_time(run, 5) / 100
    report("one row: predict / onnxruntime", python / seconds, 3.0)
    print(f"{'':4s}onnxruntime {1e6 * seconds:.0f} us")


if __name__ == "__main__":
    latency()
