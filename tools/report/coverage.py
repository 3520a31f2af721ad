#!/usr/bin/env python3
"""Which functions of NumPy and Python npcc takes, with which keywords, on which targets, and which tests ran them: docs/coverage.md.

  coverage.py write docs/coverage.md --executed build/test/executed
  coverage.py check --executed build/test/executed      status 1 if a function of the table was not run by a test

The table is the front end's own (`npcc.supported()`). Tests write down what they have compiled, run, and found to do what NumPy does
(test/run/executed.py), one file a test.
"""
from __future__ import annotations

import argparse
import builtins
import importlib
import json
import math
import os
import re
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


def is_compiled(rows):
    """Whether a name of NumPy's is in the table, by itself, by another name of the function, or as the function of a method."""
    identities = {identity(row["name"]) for row in rows}
    return lambda name: identity(name) in identities or (name.startswith("ndarray.") and identity(name.removeprefix("ndarray.")) in identities)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("write", "check"):
        command = commands.add_parser(name)
        if name == "write":
            command.add_argument("page")
        command.add_argument("--executed", default="build/test/executed", help="what tests wrote down")
        command.add_argument("--tests", default=str(TESTS))
        command.add_argument("--compiler", default="npcc")
        command.add_argument("--names", action="store_true", help="names of NumPy's that are neither compiled nor refused with a reason fail the check too")
        command.add_argument("--keywords", action="store_true", help="keywords that no test gives fail the check too")
    options = parser.parse_args(arguments)
    rows, missing = table(options.compiler)
    covered = executed(options.executed, options.tests)
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
