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
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
if __package__ in (None, ""):
    sys.path[0] = os.path.dirname(os.path.dirname(HERE))
    __package__ = "fuzz.dialect"
    import fuzz.dialect  # noqa: F401

import numpy as np  # noqa: E402

from . import generate, interpret, loops, parse, passes as lists  # noqa: E402


class Guarded(Exception):
    """The pass made a version for extents that these arguments do not have (np.guards): it would not be called."""


def optimize(opt, passes, text, limit, *flags):
    """(status, output, diagnostics) of npcc-opt; status None when it passed the limit."""
    command = [opt, "--mlir-print-op-generic", *(f"--{p}" for p in passes), *flags]
    try:
        ran = subprocess.run(command, input=text, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return None, "", f"over {limit:.0f} s"
    return ran.returncode, ran.stdout, ran.stderr


def execute(text, arguments):
    """("value", results, arguments after) or ("raises", name, text)."""
    function = parse.functions(text)["f"]
    guards = function.attributes.get("np.guards") or []
    for i, j, k, m in zip(*[iter(guards)] * 4):
        if (j if i < 0 else arguments[i].shape[j]) != arguments[k].shape[m]:
            raise Guarded(f"this version is for equal extents of argument {i}, axis {j} and argument {k}, axis {m}")
    mine = [a.copy() for a in arguments]
    has_memory = "memref" in function.attributes["function_type"]
    memory = [loops.Memory.of(a) for a in mine]
    try:
        if has_memory:
            results = loops.LoopInterpreter().run(function.regions[0], list(memory))
        else:
            results = interpret.Interpreter().run(function.regions[0], mine)
    except interpret.Raised as raised:
        return "raises", *raised.args
    if has_memory:
        mine = [m.array() for m in memory]
    return "value", [r.array() if isinstance(r, loops.Memory) else np.array(r) for r in results], mine


def same(a, b, exact=True):
    if a[0] != b[0]:
        return False
    if a[0] == "raises":
        return a[1] == b[1]  # the words are the front end's matter: passes may merge two checks
    pairs = [*zip(a[1], b[1]), *zip(a[2], b[2])]
    return len(a[1]) == len(b[1]) and all(same_elements(x, y, exact) for x, y in pairs)


def same_elements(x, y, exact):
    """Bit for bit. Not `exact`, for the loop form: but for rounding, since its sums are in any order, and with bool and unsigned integers as memory has them."""
    if x.shape != y.shape or (x.dtype != y.dtype and (exact or x.dtype.kind not in "bu" or y.dtype != np.dtype(f"i{x.dtype.itemsize}"))):
        return False
    if x.dtype.kind == "f" and not exact:
        return np.allclose(x, y, rtol={2: 1e-2, 4: 1e-5, 8: 1e-12}[x.dtype.itemsize], atol=0, equal_nan=True)
    return np.array_equal(x, y.view(x.dtype), equal_nan=x.dtype.kind == "f")


def judge(opt, passes, text, arguments, expected, limit):
    """(verdict, detail); verdicts: pass, verified (left the dialect), guarded, declined (the program is none for several devices), or a failure."""
    status, out, errors = optimize(opt, passes, text, limit)
    if status is None:
        return "hang", errors
    if status < 0 or status in (132, 134, 136, 139) or "PLEASE submit a bug report" in errors or "Assertion" in errors:
        return "crash", errors[-1500:]
    if status and "error: cannot be distributed" in errors:
        return "declined", errors[:600]
    if status:
        return ("internal error" if "internal:" in errors else "refused" if "error:" in errors else "crash"), errors[:600]
    again, _, problem = optimize(opt, [], out, limit)
    if again:
        return "invalid output", problem[-800:]
    return compare(passes, out, arguments, expected)


def compare(passes, out, arguments, expected):
    """(verdict, detail) of what the passes printed, which verifies."""
    if lists.BEYOND.intersection(passes):
        return "verified", ""
    try:
        got = execute(out, arguments)
    except interpret.Unknown as other:
        return "verified", str(other)
    except Guarded as other:
        return "guarded", str(other)
    except (interpret.Invalid, parse.ParseError) as broken:
        return "invalid output", f"{type(broken).__name__}: {broken}"
    if not same(expected, got, exact="memref<" not in out):
        return "wrong", f"before: {expected}\nafter: {got}"
    return "pass", ""


def judge_all(opt, passes, cases, limit):
    """judge() of many cases (text, arguments, expected): npcc-opt takes them at once, in halves where it fails, since starting it is most of the work."""
    if len(cases) == 1:
        return [judge(opt, passes, *cases[0], limit)]
    status, out, errors = optimize(opt, passes, SPLIT.join(case[0] for case in cases), limit, "--split-input-file")
    outputs = out.split(SPLIT.strip())
    if status == 0 and not errors and len(outputs) == len(cases) and optimize(opt, [], out, limit, "--split-input-file")[0] == 0:
        return [compare(passes, output, *case[1:]) for output, case in zip(outputs, cases)]
    middle = len(cases) // 2
    return judge_all(opt, passes, cases[:middle], limit) + judge_all(opt, passes, cases[middle:], limit)


SPLIT = "\n// -----\n"
BATCH = 20  # programs that npcc-opt is given at once
FAILURES = {"crash", "hang", "invalid output", "wrong", "refused", "internal error"}


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
        for name in options.passes.split(","):
            chosen = lists.ALL.get(name, [name])
            for seed, case, (verdict, detail) in zip(seeds, cases, judge_all(options.opt, chosen, cases, options.limit)):
                counts[name, verdict] += 1
                # One report for each kind, whatever its count.
                if verdict in FAILURES and failures < options.failures and (name, verdict, words(detail)) not in seen:
                    seen.add((name, verdict, words(detail)))
                    failures += 1
                    report(options, seed, chosen, *case)
    for name in options.passes.split(","):
        print(f"{name:28s} " + ", ".join(f"{n} {v}" for (p, v), n in sorted(counts.items()) if p == name))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
