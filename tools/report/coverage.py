#!/usr/bin/env python3
"""Which functions of NumPy and Python npcc takes, with which keywords, on which targets, and which tests ran them: docs/coverage.md.

  coverage.py write docs/coverage.md --run               runs the tests first, which takes a quarter of an hour, and writes the page
  coverage.py write docs/coverage.md                     of what tests wrote down before
  coverage.py check                                      status 1 if a function of the table was not run by a test
  coverage.py compare docs/coverage.md                   status 1 if the page has other functions, keywords or reasons than a new one; runs no test

The table is the front end's own (`npcc.supported()`). Tests write down what they have compiled, run, and found to do what NumPy does
(test/run/executed.py), one file a test: those of test/run on the CPU and those of the front end, which `--run` asks CTest for.
"""
from __future__ import annotations

import argparse
import builtins
import difflib
import importlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import refused  # noqa: E402

TESTS = Path(__file__).resolve().parents[2] / "test"


def table(compiler="npcc"):
    """The front end's rows, or None with the reason why there are none."""
    try:
        module = importlib.import_module(compiler)
    except Exception as error:
        return None, f"{compiler} cannot be imported: {error}"
    if not hasattr(module, "supported"):
        return None, f"{compiler} has no supported()"
    return sorted(module.supported(), key=lambda row: plain(row["name"])), None


def plain(name):
    """`np.sum`, `numpy.sum` and `sum` are one function; methods keep their `ndarray.`."""
    return re.sub(r"^(numpy|np)\.", "", name)


def identity(name):
    """The same for all names of one function (abs and absolute, concat and concatenate)."""
    root, _, rest = plain(name).partition(".")
    value = {"builtins": builtins, "math": math}.get(root, None)
    if value is None:
        value, rest = np, plain(name)
    for part in rest.split("."):
        value = getattr(value, part, None)
    return plain(name) if value is None or plain(name).startswith("ndarray.") else id(value)


def executed(folder, tests=TESTS):
    """{identity: {test: (keywords, most positional arguments)}}; of tests that are gone nothing."""
    covered = {}
    for path in sorted(Path(folder).glob("*.json")):
        data = json.loads(path.read_text())
        if not (Path(tests) / data["test"]).exists():
            continue
        for name, calls in data["functions"].items():
            covered.setdefault(identity(name), {})[data["test"]] = set(calls["keywords"]), calls["positional"]
            if plain(name).startswith("ndarray."):  # a method: the function of its name does the work, with the array before the arguments
                function = identity(plain(name).removeprefix("ndarray."))
                covered.setdefault(function, {}).setdefault(data["test"], (set(calls["keywords"]), calls["positional"] + 1))
    return covered


def joined(rows, covered):
    """Each row of the table with the tests of it, and the keywords that no test gives."""
    for row in rows:
        found = covered.get(identity(row["name"]), {})
        names = list(row.get("keywords") or [])
        # A ufunc's keywords come after its operands, which have no names here.
        is_ufunc = names[:1] == ["out"]
        first = 1 if plain(row["name"]).startswith("ndarray.") else 0
        given = [keywords | set([] if is_ufunc else names[:positional + first]) for keywords, positional in found.values()]
        yield {"name": plain(row["name"]), "keywords": names, "targets": list(row.get("targets") or []), "tests": sorted(found),
               "untested": sorted(set(names).difference(*given))}


def page(rows, missing, covered):
    out = ["# NumPy functions that npcc compiles", "", "Written by `tools/report/coverage.py` from the front end's table and from what the tests ran; "
           "do not edit.", ""]
    if rows is None:
        return "\n".join([*out, f"There is no table yet: {missing}.", ""])
    rows = list(joined(rows, covered))
    out += [f"{len(rows)} functions, {sum(bool(r['tests']) for r in rows)} of them compiled, run and compared by a test.", "",
            "| function | keywords (no test gives those in italics) | targets | tests |", "|---|---|---|---|"]
    for r in rows:
        keywords = ", ".join(f"*{k}*" if k in r["untested"] else f"`{k}`" for k in r["keywords"])
        listed = ", ".join(r["tests"][:3]) + (f" and {len(r['tests']) - 3} more" if len(r["tests"]) > 3 else "")
        out.append(f"| `{r['name']}` | {keywords} | {', '.join(r['targets'])} | {listed or '**none**'} |")
    out += ["", "## What is not compiled, and why", "", "Of NumPy's functions about numbers and the methods of arrays:", "", "| reason | names |", "|---|---|"]
    out += [f"| {reason} | {' '.join(f'`{name}`' for name in listed.split())} |" for reason, listed in refused.REASONS.items()]
    out += ["", "## What differs from NumPy, and why", "", "| names | what differs | why |", "|---|---|---|"]
    out += [f"| {' '.join(f'`{name}`' for name in listed.split())} | {what} | {why} |" for listed, (what, why) in refused.DIFFERENCES.items()]
    return "\n".join(out) + "\n"


def without_tests(text):
    """The lines of a page without what tests decide: which of them ran a function, with which keywords, and how many functions that are."""
    for line in text.splitlines():
        if re.fullmatch(r"\d+ functions, \d+ of them compiled, run and compared by a test.", line):
            continue
        cells = line.split(" | ")
        if line.startswith("| `") and len(cells) == 4:
            yield " | ".join([cells[0], re.sub(r"\*(\w+)\*", r"`\1`", cells[1]), cells[2]])
        else:
            yield line


def run_tests(folder):
    """Runs all tests that write down what they have compiled, into an empty folder of a build; False if one fails."""
    shutil.rmtree(folder, ignore_errors=True)
    tests = ["ctest", "--test-dir", Path(folder).resolve().parents[1], "-R", "^(run-cpu-.*|lit-frontend)$", "--output-on-failure", "--timeout", "10000"]
    return subprocess.run(tests, check=False).returncode == 0


def is_compiled(rows):
    """Whether a name of NumPy's is in the table, by itself, by another name of the function, or as the function of a method."""
    identities = {identity(row["name"]) for row in rows}
    return lambda name: identity(name) in identities or (name.startswith("ndarray.") and identity(name.removeprefix("ndarray.")) in identities)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("write", "check", "compare"):
        command = commands.add_parser(name)
        if name != "check":
            command.add_argument("page")
        if name == "write":
            command.add_argument("--run", action="store_true", help="run the tests first")
        command.add_argument("--executed", default="build/test/executed", help="what tests wrote down")
        command.add_argument("--tests", default=str(TESTS))
        command.add_argument("--compiler", default="npcc")
        command.add_argument("--names", action="store_true", help="names of NumPy's that are neither compiled nor refused with a reason fail the check too")
        command.add_argument("--keywords", action="store_true", help="keywords that no test gives fail the check too")
    options = parser.parse_args(arguments)
    if options.command == "write" and options.run and not run_tests(options.executed):
        print("a test fails: the page stays as it is")
        return 1
    rows, missing = table(options.compiler)
    covered = executed(options.executed, options.tests)
    if options.command == "compare":
        new, old = ("\n".join(without_tests(text)).splitlines(True) for text in (page(rows, missing, covered), Path(options.page).read_text()))
        sys.stdout.writelines(difflib.unified_diff(old, new, options.page, "now", n=0))
        return 1 if new != old else 0
    if options.command == "write":
        with open(options.page, "w") as file:
            file.write(page(rows, missing, covered))
        return 0
    if rows is None:
        print(f"no table to check: {missing}")
        return 1
    bad = [f"{r['name']}: no test" for r in joined(rows, covered) if not r["tests"]]
    if options.names:
        bad += [f"{name}: neither compiled nor refused with a reason (refused.py)" for name in refused.unexplained(is_compiled(rows))]
    if options.keywords:
        bad += [f"{r['name']}: no test gives {', '.join(r['untested'])}" for r in joined(rows, covered) if r["tests"] and r["untested"]]
    print("\n".join(bad) or f"all {len(rows)} functions have a test")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
