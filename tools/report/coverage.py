#!/usr/bin/env python3
"""Which NumPy functions npcc takes, with which keywords, on which targets, and which test shows it: docs/coverage.md.

  coverage.py write docs/coverage.md --tests test [--ran results.json]
  coverage.py check --tests test [--ran results.json]      status 1 if a function of the table has no test

The table is the front end's own (`npcc.supported()`); the tests are found by reading them: calls of NumPy functions, methods
of arrays, names given to `getattr(np, …)`, and `# covers: np.sin, np.cos` comments. With `--ran` (lit's `-o` file, or a
list of paths, one a line) only tests that passed count.
"""
from __future__ import annotations

import argparse
import ast
import importlib
import json
import os
import re
import sys


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


class Reader(ast.NodeVisitor):
    """Collects {function: set of keywords} of one test's text."""

    def __init__(self):
        self.modules, self.names, self.found, self.dynamic = {}, {}, {}, False

    def visit_Import(self, node):
        for alias in node.names:
            if alias.name.split(".")[0] == "numpy":
                self.modules[alias.asname or alias.name.split(".")[0]] = alias.name if alias.asname else "numpy"

    def visit_ImportFrom(self, node):
        if (node.module or "").split(".")[0] == "numpy":
            for alias in node.names:
                self.names[alias.asname or alias.name] = plain(f"{node.module}.{alias.name}")

    def function(self, node):
        """NumPy's name of an expression, or None."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id) or (self.modules[node.id] if node.id in self.modules else None)
        if isinstance(node, ast.Attribute):
            inner = self.function(node.value)
            return plain(f"{inner}.{node.attr}") if inner else None
        return None

    def note(self, name, keywords=()):
        self.found.setdefault(name, set()).update(keywords)

    def visit_Attribute(self, node):
        name = self.function(node)
        self.note(name or "ndarray." + node.attr)
        self.generic_visit(node)

    def visit_Name(self, node):
        if node.id in self.names:
            self.note(self.names[node.id])

    def visit_Call(self, node):
        keywords = {k.arg for k in node.keywords if k.arg}
        name = self.function(node.func)
        if name:
            self.note(name, keywords)
        elif isinstance(node.func, ast.Attribute):
            self.note("ndarray." + node.func.attr, keywords)
        if isinstance(node.func, ast.Name) and node.func.id == "getattr" and node.args and self.function(node.args[0]):
            self.dynamic = True
        self.generic_visit(node)


def functions_of(text):
    """{function: keywords} that a test's text uses."""
    reader = Reader()
    try:
        tree = ast.parse(text)
    except SyntaxError:  # tests of syntax errors hold some
        return {}
    reader.visit(tree)
    if reader.dynamic:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"[a-z_][\w.]*", node.value):
                reader.note(plain(node.value))
    for line in re.findall(r"^\s*#\s*covers:\s*(.+)$", text, re.MULTILINE):
        for name in re.split(r"[,\s]+", line.strip()):
            if name:
                reader.note(plain(name))
    return reader.found


def tests(folder, ran=None):
    """{function: {test: keywords}} over the tests below the folder that passed. The generators' own tests are not among them."""
    passed = passing(ran) if ran else None
    covered = {}
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f not in ("fuzz", "proving", "__pycache__"))
        for name in sorted(files):
            path = os.path.join(place, name)
            relative = os.path.relpath(path, folder)
            if not name.endswith(".py") or (passed is not None and relative not in passed):
                continue
            with open(path, encoding="utf8", errors="replace") as file:
                for function, keywords in functions_of(file.read()).items():
                    covered.setdefault(function, {})[relative] = keywords
    return covered


def passing(path):
    """Relative paths of the tests that passed: from lit's JSON, or a list of paths."""
    with open(path) as file:
        text = file.read()
    if text.lstrip().startswith("{"):
        return {t["name"].split(" :: ")[-1] for t in json.loads(text)["tests"] if t["code"] in ("PASS", "FLAKYPASS")}
    return {line.strip() for line in text.splitlines() if line.strip()}


def joined(rows, covered):
    """Each row of the table with the tests of it, and the keywords that no test uses."""
    for row in rows:
        name = plain(row["name"])
        found = covered.get(name, {})
        used = set().union(*found.values()) if found else set()
        yield {"name": name, "keywords": list(row.get("keywords") or []), "targets": list(row.get("targets") or []), "tests": sorted(found),
               "untested": sorted(set(row.get("keywords") or []) - used)}


def page(rows, missing, covered, ran):
    out = ["# NumPy functions that npcc compiles", "", "Written by `tools/report/coverage.py` from the front end's tables and the tests; do not edit.", ""]
    if rows is None:
        return "\n".join([*out, f"There is no table yet: {missing}.", ""])
    rows = list(joined(rows, covered))
    shown = sum(bool(r["tests"]) for r in rows)
    out += [f"{len(rows)} functions, {shown} with a test" + (" that passed." if ran else " (whether it passed is not recorded here)."), "",
            "| function | keywords (no test uses those in italics) | targets | tests |", "|---|---|---|---|"]
    for r in rows:
        keywords = ", ".join(f"*{k}*" if k in r["untested"] else f"`{k}`" for k in r["keywords"])
        listed = ", ".join(r["tests"][:3]) + (f" and {len(r['tests']) - 3} more" if len(r["tests"]) > 3 else "")
        out.append(f"| `{r['name']}` | {keywords} | {', '.join(r['targets'])} | {listed or '**none**'} |")
    return "\n".join(out) + "\n"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("write", "check"):
        command = commands.add_parser(name)
        if name == "write":
            command.add_argument("page")
        command.add_argument("--tests", default="test")
        command.add_argument("--ran", help="lit's -o file, or a list of passed tests")
        command.add_argument("--compiler", default="npcc")
        command.add_argument("--keywords", action="store_true", help="keywords without a test fail the check too")
    options = parser.parse_args(arguments)
    rows, missing = table(options.compiler)
    covered = tests(options.tests, options.ran)
    if options.command == "write":
        with open(options.page, "w") as file:
            file.write(page(rows, missing, covered, options.ran))
        return 0
    if rows is None:
        print(f"no table to check: {missing}")
        return 0
    bad = [f"{r['name']}: no test" for r in joined(rows, covered) if not r["tests"]]
    if options.keywords:
        bad += [f"{r['name']}: no test uses {', '.join(r['untested'])}" for r in joined(rows, covered) if r["tests"] and r["untested"]]
    print("\n".join(bad) or f"all {len(rows)} functions have a test")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
