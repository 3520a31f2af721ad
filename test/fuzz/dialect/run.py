#!/usr/bin/env python3
"""Random IR of the `np` dialect through each pass of npcc-opt.

  run.py --opt build/bin/npcc-opt --count 50 --seed 1 [--passes npcc-compose-views,canonicalize] [--minutes N]

For each function and pass: npcc-opt must end well and in time, what it prints must verify again and, as long as it stays
within the dialects that can be interpreted, do what the function did before: results and arguments, bit for bit. The loop form is
interpreted too, the iterations of a kernel in random order. Every pass is run alone (passes.py says behind what) and in the order of the
pipelines. Exit status 1 with failures, 2 without npcc-opt.
"""
from __future__ import annotations

import argparse
import collections
import os
import re
import shutil
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
if __package__ in (None, ""):
    sys.path[0] = os.path.dirname(os.path.dirname(HERE))
    __package__ = "fuzz.dialect"
    import fuzz.dialect  # noqa: F401

from . import generate, passes as lists  # noqa: E402
from .batch import Batch  # noqa: E402
from .judging import FAILURES, execute, judge  # noqa: E402


BATCH = 40  # functions that npcc-opt is given at once


def blocks(lines):
    """(first, last) line of each loop or branch: from the line that opens its region to the one that closes it."""
    opened = []
    for i, line in enumerate(lines):
        if line.strip().startswith("})"):
            yield opened.pop(), i
        if line.rstrip().endswith("({"):
            opened.append(i)


def cuts(lines):
    """Ranges of lines to leave out: whole blocks, then single operations from the last to the first."""
    yield from sorted((b for b in blocks(lines) if b[0] > 1), key=lambda b: b[0] - b[1])
    for i in range(len(lines) - 4, 2, -1):
        if not (lines[i].rstrip().endswith("({") or lines[i].strip().startswith(("^", "}")) or "func.return" in lines[i]):
            yield i, i


def shrink(text, still_fails, attempts=250):
    """Drop lines while the text stays valid and fails alike; only operations whose results nothing uses can go."""
    lines, changed = text.splitlines(), True
    while changed and attempts > 0:
        changed = False
        for first, last in cuts(lines):
            rest = lines[:first] + lines[last + 1:]
            left = re.match(r"\s*(%[\w, %]+) = ", lines[first])
            if left and any(re.search(re.escape(n) + r"\b", line) for n in left[1].split(", ") for line in rest):
                continue
            attempts -= 1
            if attempts < 0:
                break
            if still_fails("\n".join(rest) + "\n"):
                lines, changed = rest, True
                break
    return "\n".join(lines) + "\n"


def words(detail):
    """The first line of a diagnostic without places and names: what makes two failures one."""
    return re.sub(r"[%\d:]+", "", detail.split("error:", 1)[-1].splitlines()[0] if "error:" in detail else "")


def blame(options, passes, text, arguments, expected):
    """The shortest beginning of the passes that fails: its last pass is the culprit."""
    for count in range(1, len(passes)):
        if judge(options.opt, passes[:count], text, arguments, expected, options.limit)[0] in FAILURES:
            return passes[:count]
    return passes


def shrunk(options, passes, verdict, detail, text, arguments):
    def still_fails(candidate):
        try:
            expected = execute(candidate, arguments)
        except Exception:  # the cut left IR that means nothing
            return False
        found, why = judge(options.opt, passes, candidate, arguments, expected, options.limit)
        return found == verdict and words(why) == words(detail)
    return shrink(text, still_fails, 0 if verdict == "hang" else 250)


def report(options, seed, passes, text, inputs, expected):
    """Print one failure, shrunk, with the shortest list of passes that shows it."""
    passes = blame(options, passes, text, inputs, expected)
    verdict, detail = judge(options.opt, passes, text, inputs, expected, options.limit)
    small = shrunk(options, passes, verdict, detail, text, inputs)
    command = " ".join(f"--{p}" for p in passes)
    shapes = ", ".join(f"{a.dtype}{a.shape}" for a in inputs)
    print(f"\n==== {verdict} by {passes[-1]}, seed {seed}\nnpcc-opt {command}\narguments: {shapes}\n{detail.strip()}\n{small}====\n", flush=True)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opt", default="build/bin/npcc-opt")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--passes", default=",".join(lists.ALL), help="comma-separated; also the pipelines of passes.py")
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--failures", type=int, default=10)
    parser.add_argument("--show", action="store_true", help="print the first function only")
    options = parser.parse_args(arguments)
    if options.show:
        print(generate.generate(f"{options.seed}:0")[0], end="")
        return 0
    if not shutil.which(options.opt):
        print(f"{options.opt} is not there: build it first", file=sys.stderr)
        return 2
    seen = set()
    counts, failures, stop = collections.Counter(), 0, time.monotonic() + (options.minutes or 1e6) * 60
    for first in range(0, 10**9 if options.minutes else options.count, BATCH):
        if time.monotonic() > stop or failures >= options.failures:
            break
        seeds = [f"{options.seed}:{number}" for number in range(first, first + BATCH if options.minutes else min(first + BATCH, options.count))]
        cases = [(text, inputs, execute(text, inputs)) for text, inputs in map(generate.generate, seeds)]
        batch = Batch(options.opt, cases, options.limit)
        for name in options.passes.split(","):
            for seed, case, (verdict, detail, chosen, text) in zip(seeds, cases, batch.verdicts(lists.ALL.get(name, [name]))):
                counts[name, verdict] += 1
                # One report for each kind, whatever its count.
                if verdict in FAILURES and failures < options.failures and (name, verdict, words(detail)) not in seen:
                    seen.add((name, verdict, words(detail)))
                    failures += 1
                    report(options, seed, chosen, text, *case[1:])
    for name in options.passes.split(","):
        print(f"{name:28s} " + ", ".join(f"{n} {v}" for (p, v), n in sorted(counts.items()) if p == name))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
