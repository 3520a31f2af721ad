#!/usr/bin/env python3
"""How long functions of 10 to 5,000 lines take to compile, phase by phase.

  run.py                           all styles (benchmarks/compile/styles.py)
  run.py chain stores --lines 10,1000
  run.py --json FILE               the data go there too

Prints seconds; a phase that several threads run counts once for each. `call` is the first call from outside:
compiling, loading and running. A style that grows no worse than its length has the same milliseconds a line in each
row. The last column says whether the result is NumPy's.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.path.dirname(os.path.dirname(HERE))
from benchmarks.compile.styles import STYLES  # noqa: E402

CHILD = """
import copy, importlib.util, sys, time
import numpy as np
sys.path[0] = sys.argv[1]
import npcc
from benchmarks.compile.styles import STYLES
style, lines, path, target = sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5]
source, arguments = STYLES[style](lines)
open(path, "w").write(source)
spec = importlib.util.spec_from_file_location("program", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
wanted = module.f(*copy.deepcopy(arguments))
start = time.perf_counter()
got = npcc.jit(target=target)(module.f)(*copy.deepcopy(arguments))
print("call", time.perf_counter() - start, bool(np.allclose(np.asarray(got), wanted, rtol=1e-9, equal_nan=True)))
"""


def measure(style, lines, target, limit):
    """Seconds by phase in a process of its own with an empty cache; None for `call` if it did not finish."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, NPCC_TIME="1", NPCC_CACHE_DIR=folder)
        command = [sys.executable, "-c", CHILD, sys.path[0], style, str(lines), os.path.join(folder, "program.py"), target]
        row = {"style": style, "lines": lines, "call": None, "equal": None, "phases": {}}
        try:
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            row["failure"] = f"more than {limit} s"
            return row
    for phase, milliseconds in re.findall(r"npcc: (\S+) +([0-9.]+) ms", done.stderr):
        row["phases"][phase] = row["phases"].get(phase, 0.0) + float(milliseconds) / 1000
    found = re.search(r"^call (\S+) (\S+)$", done.stdout, re.MULTILINE)
    if not found:
        row["failure"] = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        return row
    row["call"], row["equal"] = float(found[1]), found[2] == "True"
    return row


def show(rows):
    phases = list(dict.fromkeys(phase for row in rows for phase in row["phases"]))
    print(f"{'style':10} {'lines':>6} {'call':>8} {'ms/line':>8}  " + " ".join(f"{phase:>12}" for phase in phases) + "  equal")
    for row in rows:
        if row["call"] is None:
            print(f"{row['style']:10} {row['lines']:6}  {row['failure']}")
            continue
        times = " ".join(f"{row['phases'].get(phase, 0.0):12.3f}" for phase in phases)
        print(f"{row['style']:10} {row['lines']:6} {row['call']:8.2f} {row['call'] / row['lines'] * 1000:8.2f}  {times}  {row['equal']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("styles", nargs="*", help=f"default: all of {' '.join(STYLES)}")
    parser.add_argument("--lines", default="10,100,1000,5000", help="comma-separated")
    parser.add_argument("--depth", type=int, default=10, help="of the style nest")
    parser.add_argument("--target", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--limit", type=float, default=600, help="seconds for one function")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    unknown = set(options.styles) - set(STYLES)
    if unknown:
        parser.error(f"no such style: {', '.join(sorted(unknown))}; there are {' '.join(STYLES)}")
    rows = []
    for style in options.styles or STYLES:
        for lines in [options.depth] if style == "nest" else map(int, options.lines.split(",")):
            print(f"{style} of {lines} lines ...", file=sys.stderr)
            rows.append(measure(style, lines, options.target, options.limit))
    show(rows)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)
            file.write("\n")
    return 0 if all(row["equal"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
