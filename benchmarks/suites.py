#!/usr/bin/env python3
"""Real programs by other people, through the compiler: verdicts with the machine and versions they were reached on.

  suites.py --programs FOLDER --checkouts FOLDER [--target cpu|cuda] [-k NAME] [--json FILE]

`--programs` holds the list of programs and its runner (run.py, programs.py, builder.py), `--checkouts` the public repositories
that it reads. Neither is part of this project, and nothing of them is stored: only verdicts are.
"""
from __future__ import annotations

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
if __package__ in (None, ""):
    sys.path[0] = os.path.dirname(HERE)

from benchmarks import machine, table  # noqa: E402


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--checkouts", required=True)
    parser.add_argument("--compiler", default="npcc")
    parser.add_argument("--target", default="")
    parser.add_argument("-k", action="append", default=[])
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--json")
    options = parser.parse_args(arguments)
    runner = os.path.join(options.programs, "run.py")
    if not os.path.exists(runner):
        parser.error(f"{runner} does not exist")
    with tempfile.TemporaryDirectory() as build:
        results = os.path.join(build, "results.json")
        command = [sys.executable, runner, "--compiler", options.compiler, "-j", str(options.j), "--timeout", str(options.timeout),
                   "--build", build, "--json", results, *(word for k in options.k for word in ("-k", k))]
        if options.target:
            command += ["--jit-args", json.dumps({"target": options.target})]
        ran = subprocess.run(command, env=dict(os.environ, SUITES_ROOT=os.path.abspath(options.checkouts)), check=False)
        if not os.path.exists(results):
            return ran.returncode or 1
        with open(results) as file:
            rows = json.load(file)
    data = {"machine": machine.describe(), "compiler": options.compiler, "target": options.target, "programs": rows}
    if options.json:
        with open(options.json, "w") as file:
            json.dump(data, file, indent=1)
    print("\n" + report(data))
    return 0


def report(data):
    rows = data["programs"]
    verdicts = list(dict.fromkeys(r["verdict"] for r in rows))
    suites = list(dict.fromkeys(r["suite"] for r in rows))
    count = collections.Counter((r["suite"], r["verdict"]) for r in rows)
    body = [[s, *(count[s, v] or "" for v in verdicts)] for s in suites] + [["all", *(sum(r["verdict"] == v for r in rows) for v in verdicts)]]
    reasons = collections.Counter(" ".join(r.get("msg", "").split())[:110] for r in rows if r["verdict"] == "compile error")
    why = [f"{n:4d}  {text}" for text, n in reasons.most_common(25)]
    return "\n".join([machine.line(data["machine"]), *(["", "refused:", *why] if why else []), "", table.text(["suite", *verdicts], body)])


if __name__ == "__main__":
    sys.exit(main())
