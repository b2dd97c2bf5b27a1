"""Load files in a process that may take no more memory and time than is promised.

    python -m tests.io.limited good.drumlin file ...

prints a JSON line for every file: what came of it, megabytes and seconds. Each is loaded in a fork
of a process that has loaded the good one, so that neither imports nor compilation count.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
import warnings

MEMORY, MEMORY_PER_BYTE = 50_000_000, 20
SECONDS, SECONDS_PER_BYTE = 2.0, 1e-6


def allowed(n_bytes):
    """Bytes and seconds that a file of a size may take."""
    return MEMORY + MEMORY_PER_BYTE * n_bytes, SECONDS + SECONDS_PER_BYTE * n_bytes


def virtual_bytes(name):
    """Bytes of address space, now ("VmSize") or at most so far ("VmPeak")."""
    with open("/proc/self/status") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith(name))


def _outcome(path):
    from drumlin.io import ModelFileError, describe, load

    outcomes = []
    for function in (describe, load):
        try:
            function(path)
            outcomes.append("loads")
        except ModelFileError as error:
            outcomes.append(str(error).partition(": ")[2])
        except Exception as error:
            outcomes.append(f"raises {type(error).__name__}: {error}")
    return outcomes


def measure(path):
    """Load a file in a fork of this process, under limits.

    Returns
    -------
    dict
        outcome of describe and of load (or a signal), megabytes, seconds.
    """
    memory, seconds = allowed(os.path.getsize(path))
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        before, start = virtual_bytes("VmSize"), time.process_time()
        resource.setrlimit(resource.RLIMIT_AS, (before + memory,) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (2 * int(seconds) + 1,) * 2)
        outcome = _outcome(path)
        taken = time.process_time() - start
        grown = virtual_bytes("VmPeak") - before
        report = {"outcome": outcome, "MB": round(grown / 1e6, 1), "s": round(taken, 3)}
        os.write(writer, json.dumps(report | {"in time": taken <= seconds}).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        text = file.read()
    _, status = os.waitpid(child, 0)
    if not text:
        return {
            "outcome": [f"signal {os.WTERMSIG(status)}"],
            "MB": None,
            "s": None,
            "in time": False,
        }
    return json.loads(text)


def main(good, *paths):
    """Measure some files."""
    import drumlin

    warnings.simplefilter("ignore")
    drumlin.load(good)
    for path in paths:
        print(json.dumps({"path": path, "n_bytes": os.path.getsize(path), **measure(path)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
