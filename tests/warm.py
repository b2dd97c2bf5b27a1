"""Processes that start in milliseconds: forks of one that has imported other people's libraries.

``run_warm`` runs a program in such a fork. It is a process of its own, with its own descriptors,
folder, signals and exit code, and it ends as every Python does; drumlin itself is imported by the
fork, so that whoever lies in wait for an import of ours still meets it. With ``ready=True`` it is a
fork of a process that has imported drumlin, too, and has fitted with it: no kernel has to be found.
What is about the start of Python, its encodings, closed streams or libraries not yet imported, has
to start from nothing.
"""

from __future__ import annotations

import atexit
import functools
import gc
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import threading
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIBRARIES = (
    "jinja2", "numba", "numpy", "pandas", "rich.progress", "rich.table", "scipy.optimize",
    "scipy.special", "scipy.stats", "sklearn.calibration", "sklearn.compose", "sklearn.datasets",
    "sklearn.dummy", "sklearn.ensemble", "sklearn.impute", "sklearn.inspection",
    "sklearn.model_selection", "sklearn.multiclass", "sklearn.pipeline", "sklearn.svm", "typer",
)  # fmt: skip
GET_READY = """
import os, socket, sys
from tests import warm
if os.fork():
    os._exit(0)  # the child goes on by itself
null = os.open(os.devnull, os.O_RDWR)
for number in range(3):
    os.dup2(null, number)
warm.get_ready()
asked, given = warm.serve(socket.socket(fileno=int(sys.argv[1])))
warm.become(asked, given)
exec(compile(asked["program"], "<warm>", "exec"), {"__name__": "__main__"})
"""
LONGEST = 1 << 16  # bytes of a message
PATIENCE = 300.0  # seconds until a process counts as hanging; no result depends on it


# ------------------------------------------------------------------ those who ask
def end_by_signals():
    """Signals end this process even where the tests run in the background, or under nohup."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@functools.cache
def _server(ready):
    """Start the process that forks, once; it ends with this one."""
    ours, theirs = socket.socketpair()
    if ready:
        code, _, told = run_warm(GET_READY, theirs.fileno(), pass_fds=[theirs.fileno()])
        assert code == 0, told
        theirs.close()
        atexit.register(ours.shutdown, socket.SHUT_RDWR)
        return ours, ours.makefile("r")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.warm", str(theirs.fileno())],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[theirs.fileno()],
        cwd=ROOT,
        preexec_fn=end_by_signals,
    )
    theirs.close()
    atexit.register(process.wait)
    atexit.register(ours.shutdown, socket.SHUT_RDWR)  # comes first, and ends it
    return ours, ours.makefile("r")


def run_warm(program, *arguments, stdin=None, stdout=None, pass_fds=(), encoding=None, ready=False):
    """Run Python code with ``sys.argv[1:]`` in a fork; return exit code, output and messages.

    ``stdin`` and ``stdout`` may be open files; ``pass_fds`` keep their numbers; ``encoding`` is
    that of the streams, as the variable PYTHONIOENCODING sets it; ``ready`` is above.
    """
    connection, answers = _server(ready)
    out, err = _Pipe(), _Pipe()
    request = {
        "program": program,
        "arguments": list(map(str, arguments)),
        "folder": os.getcwd(),
        "fds": [0, 1, 2, *pass_fds],
        "encoding": encoding,
    }
    with open(os.devnull, "rb") as nothing:
        streams = [stdin or nothing, stdout or out.writer, err.writer]
        fds = [*(stream.fileno() for stream in streams), *pass_fds]
        socket.send_fds(connection, [json.dumps(request).encode()], fds)
    child = int(answers.readline())
    try:
        said, told = out.read(), err.read()
    except TimeoutError:
        os.kill(child, signal.SIGKILL)
        raise
    return int(answers.readline()), said, told


class _Pipe:
    """A pipe that a thread empties."""

    def __init__(self):
        self._reader, writer = os.pipe()
        self.writer = open(writer, "wb")  # noqa: SIM115
        self._got = []
        self._thread = threading.Thread(target=self._empty, daemon=True)
        self._thread.start()

    def _empty(self):
        with open(self._reader, "rb") as file:
            self._got.append(file.read())

    def read(self):
        """Text of all that was written, when the last writer has closed its end."""
        self.writer.close()
        self._thread.join(PATIENCE)
        if not self._got:
            raise TimeoutError(f"The process has not ended after {PATIENCE} s.")
        return self._got[0].decode()


# ------------------------------------------------------------------ the process that forks
def get_ready():
    """Import all of drumlin that commands need, and load the kernels of small fits."""
    import numpy as np

    import drumlin
    import drumlin.cli
    import drumlin.report

    for module in pkgutil.iter_modules(drumlin.cli.__path__):
        import_module(f"drumlin.cli.{module.name}")
    X, y = np.random.default_rng(0).standard_normal((40, 2)), np.arange(40) % 2
    for model in (drumlin.DrumlinClassifier(), drumlin.ForwardRBFClassifier(max_nodes=3)):
        fitted = model.fit(X, y)
        fitted.predict_proba(X)
        fitted.novelty(X)
        fitted.gradient(X)
    drumlin.DrumlinRegressor(max_nodes=2).fit(X, X[:, 0] ** 2)
    assert threading.active_count() == 1  # a fork has no other


def serve(connection):
    """Fork for every request, tell its number and its exit code; return the request in the fork."""
    for name in filter(find_spec, LIBRARIES):
        import_module(name)
    gc.freeze()  # else a fork that ends looks through all of it, page by page: .7 s
    while True:
        message, fds, _, _ = socket.recv_fds(connection, LONGEST, 16)
        if not message:
            raise SystemExit
        child = os.fork()
        if child == 0:
            connection.close()
            return json.loads(message), fds
        for fd in fds:
            os.close(fd)
        connection.sendall(f"{child}\n".encode())
        _, status = os.waitpid(child, 0)
        connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())


def become(request, fds):
    """Put descriptors, folder and arguments in their places."""
    import fcntl  # which Windows has not

    wanted = request["fds"]
    free = max(wanted) + 1
    kept = [fcntl.fcntl(fd, fcntl.F_DUPFD, free) for fd in fds]  # out of each other's way
    for fd in fds:
        os.close(fd)
    for number, fd in zip(wanted, kept, strict=True):
        os.dup2(fd, number)
        os.close(fd)
    for number, name in enumerate(("stdin", "stdout", "stderr")):  # as Python does when it starts
        old, mode, buffering = getattr(sys, name), "r" if number == 0 else "w", 1 - 2 * (number < 2)
        encoding = request["encoding"] or old.encoding
        stream = open(number, mode, buffering, encoding, old.errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    os.chdir(request["folder"])
    sys.argv = ["-c", *request["arguments"]]


if __name__ == "__main__":
    asked, given = serve(socket.socket(fileno=int(sys.argv[1])))
    become(asked, given)
    exec(compile(asked["program"], "<warm>", "exec"), {"__name__": "__main__"})
