#!/usr/bin/env python3
"""The package under another CPython than the one it was built with: the extension is one file for all of them (abi3), but what reads code objects, syntax
trees and tracebacks has to hold in each.

  other_python.py BUILD          the newest one that is on PATH or among pyenv's

Runs some of test/run and of the scripts that lit runs, in an environment of the build folder with the same NumPy. Exit status 77: there is no other CPython,
or no such environment can be made.
"""
import glob
import os
import shutil
import subprocess
import sys

import numpy as np

OLDEST = (3, 12)
MODULES = ["test_errors", "test_error_order", "test_parts", "test_generators", "test_recursion", "test_taking_apart"]
# Loops of a script that go on in compiled code, comprehensions, tracebacks, closures, `with`.
SCRIPTS = ["package/loops-in-parts.py", "package/run-short-calls.py", "regression/lambdas-of-one-line.py", "regression/decorated-helpers-in-the-digest.py",
           "regression/last-elements-of-other-calls.py"]
SKIPPED = 77


def version_of(python):
    """(3, 13) of an executable; None where it does not run or is no CPython: pyenv's stand-ins are there for versions that nobody chose."""
    asked = "import sys; print(sys.implementation.name, *sys.version_info[:2])"
    try:
        name, *numbers = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError, ValueError):
        return None
    return tuple(map(int, numbers)) if name == "cpython" else None


def find_other():
    """(version, executable) of the newest other CPython; None where there is none."""
    newest = [f"python3.{minor}" for minor in range(OLDEST[1], OLDEST[1] + 10)]
    root = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    places = [*filter(None, map(shutil.which, newest)), *glob.glob(os.path.join(root, "versions", "3.*", "bin", "python3"))]
    found = [(version, place) for place in places if (version := version_of(place)) and version >= OLDEST and version != sys.version_info[:2]]
    return max(found, default=None)


def make_environment(build, version, python):
    """The executable of an environment with this process's version of NumPy; None where it cannot be made."""
    folder = os.path.join(build, "other-python", ".".join(map(str, version)))
    executable = os.path.join(folder, "bin", "python3")
    has_numpy = [executable, "-c", f"import numpy; assert numpy.__version__ == {np.__version__!r}"]
    if os.path.exists(executable) and not subprocess.run(has_numpy, capture_output=True).returncode:
        return executable
    for command in ([python, "-m", "venv", "--clear", folder], [executable, "-m", "pip", "install", "-q", f"numpy=={np.__version__}"]):
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode:
            print(f"{' '.join(command)}: {(made.stderr or made.stdout).strip()}")
            return None
    return executable


def main(build):
    found = find_other()
    if found is None:
        print(f"skipped: no CPython of {'.'.join(map(str, OLDEST))} or later but this one is on PATH or in ~/.pyenv/versions")
        return SKIPPED
    version, python = found
    executable = make_environment(build, version, python)
    if executable is None:
        print(f"skipped: no environment with NumPy {np.__version__} could be made with {python}")
        return SKIPPED
    here = os.path.dirname(os.path.abspath(__file__))
    environment = dict(os.environ, PYTHONPATH=os.path.join(build, "python"), NPCC_CACHE_DIR=os.path.join(build, "test", "cache"), NPCC_TEST_TARGET="cpu")
    commands = [[os.path.join(here, "run", "run_all.py"), "--target", "cpu", *MODULES], *([os.path.join(here, script)] for script in SCRIPTS)]
    failed = [command for command in commands if subprocess.run([executable, *command], env=environment).returncode]
    for command in failed:
        print("failed:", executable, *command)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
