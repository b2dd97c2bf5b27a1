"""The command as a process of its own, which may be struck by signals at exact moments.

Import with ``from tests.cli.processes import ...``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial

from tests.warm import PATIENCE, end_by_signals, run_warm

run_ready = partial(run_warm, ready=True)

# A moment is "import <module>", or "before|after <module>:<attribute> <n>": its n-th call.
AMBUSHED = """
import importlib, os, sys
import drumlin  # before anything can be done about it

def strike():
    os.kill(os.getpid(), number)

class Finder:
    def __init__(self, name):
        self.name = name

    def find_spec(self, name, path=None, target=None):
        if name == self.name:
            self.name = None
            strike()

def lie_in_wait(when, place, n):
    module, _, names = place.partition(":")
    owner = importlib.import_module(module)
    *parents, name = names.split(".")
    for parent in parents:
        owner = getattr(owner, parent)
    original, calls = getattr(owner, name), []

    def struck(*args, **kwargs):
        calls.append(1)
        if when == "before" and len(calls) == n:
            strike()
        result = original(*args, **kwargs)
        if when == "after" and len(calls) == n:
            strike()
        return result

    setattr(owner, name, struck)

number, moments = int(sys.argv.pop(1)), sys.argv.pop(1)
for moment in moments.split(","):
    when, place, *n = moment.split()
    if when == "import":
        sys.meta_path.insert(0, Finder(place))
    else:
        lie_in_wait(when, place, int(n[0]) if n else 1)
from drumlin.__main__ import main
main()
"""


def start(*arguments, **options):
    """Start the command; it can be interrupted."""
    command = [
        sys.executable,
        *(arguments if arguments[0] == "-c" else ("-m", "drumlin", *arguments)),
    ]
    usual = {
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "preexec_fn": end_by_signals,
    }
    return subprocess.Popen([os.fsencode(str(part)) for part in command], **usual | options)


def finish(process):
    """Exit code, output and messages."""
    try:
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return process.returncode, (out or b"").decode(), (err or b"").decode()


def run_process(*arguments, **options):
    return finish(start(*arguments, **options))


def run_code(code, *arguments):
    return run_process("-c", code, *arguments)


def run_command(*arguments, **options):
    """Run the command in a process that has imported all it needs already."""
    return run_ready("from drumlin.__main__ import main; main()", *arguments, **options)


def run_ambushed(number, moments, *arguments, run=run_ready):
    """Run the command; it gets the signal at all these moments."""
    return run(AMBUSHED, int(number), ",".join(moments), *arguments)
