#!/usr/bin/env python3
"""NPBench (spcl/npbench): its 54 kernels as plain, unmodified NumPy, beside its own ports to other frameworks.

  npbench.py --checkout DIR [kernels] --target cpu|cuda --preset S|M|L|paper [--peers cupy,jax,numba,pythran] [--limit SECONDS]

Nothing of the suite is stored here: a checkout is read. Its rules hold: inputs are copied to the device before the clock, the
first (compiling) run is apart, the figure is the median of the repeats, and results are validated against NumPy by its own
tolerances. Each framework runs in a process that is killed at its limits: one for what it compiles and its first run, another for
the repeats. A kernel over a limit is a row, and so is one that the time for the whole run did not reach.
"""
from __future__ import annotations

import argparse
import glob
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
if __package__ in (None, ""):
    sys.path[0] = os.path.dirname(HERE)

from benchmarks import machine, table  # noqa: E402
from benchmarks.child import Child  # noqa: E402

PRESETS = ["S", "M", "L", "paper"]


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("--checkout", required=True)
    parser.add_argument("--compiler", default="npcc", help="module with a `jit`")
    parser.add_argument("--target", choices=["cpu", "cuda"])
    parser.add_argument("--preset", choices=PRESETS, default="S")
    parser.add_argument("--peers", default="", help="frameworks of NPBench: cupy, jax, numba, pythran, dace_cpu, …")
    parser.add_argument("--limit", type=float, default=15, help="seconds for the repeats of one kernel and framework")
    parser.add_argument("--compile-limit", type=float, default=90, help="seconds in which it is compiled and runs for the first time")
    parser.add_argument("--reference-limit", type=float, default=60, help="seconds for NumPy, whose results validate the others")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--total", type=float, default=3600, help="seconds for the whole run")
    parser.add_argument("--json")
    parser.add_argument("--picture", metavar="FILE.svg")
    options = parser.parse_args(arguments)
    options.checkout = os.path.abspath(options.checkout)
    options.target = options.target or ("cuda" if machine.gpu() else "cpu")
    known = sorted(os.path.basename(f)[:-5] for f in glob.glob(os.path.join(options.checkout, "bench_info", "*.json")))
    if not known:
        parser.error(f"{options.checkout} holds no bench_info: not a checkout of NPBench")
    unknown = set(options.kernels) - set(known)
    if unknown:
        parser.error(f"no such kernel: {', '.join(sorted(unknown))}")
    options.kernels = options.kernels or known
    options.peers = [p for p in options.peers.split(",") if p]
    return options


def ask(child, request, limits, deadline):
    """The child's row. A kernel that the end of the whole run cuts short is one that was not reached: it may be well within its limits."""
    left = deadline - time.monotonic()
    if left < 2:
        return {"unreached": "no time left"}
    row = child.ask(request, min(limits["compile"], left), limits, deadline)
    return {"unreached": row["error"]} if "error" in row and time.monotonic() >= deadline else row


def run_kernels(options, say):
    """{kernel: {framework: row}}. NumPy first: it stores what the others are validated against."""
    import tempfile
    deadline = time.monotonic() + options.total
    frameworks = ["numpy", options.compiler, *options.peers]
    rows = {k: {} for k in options.kernels}
    missing = {}
    with tempfile.TemporaryDirectory() as folder:
        children = {}
        for name in frameworks:
            environment = {"JAX_PLATFORMS": options.target} if name == "jax" else {}
            child = Child([os.path.join(HERE, "npbench_child.py"), options.checkout, name, options.target, folder], environment)
            greeting = child.start()
            if "ready" in greeting:
                children[name] = child
            else:
                missing[name] = greeting.get("missing") or greeting.get("error")
                child.close()
        for kernel in options.kernels:
            for name, child in children.items():
                limit = options.reference_limit if name == "numpy" else options.limit
                request = {"kernel": kernel, "preset": options.preset, "repeats": options.repeats, "seconds": limit / 3}
                row = ask(child, request, {"compile": options.compile_limit, "run": limit}, deadline)
                rows[kernel][name] = row
                say(f"{kernel:24s} {name:8s} " + (f"{row['ms']:10.3f} ms  first {row['first_ms']:.0f} ms  {row['validation']}" if "ms" in row
                                                  else "; ".join(f"{k}: {v}" for k, v in row.items())))
            for stored in os.listdir(folder):
                os.unlink(os.path.join(folder, stored))
        for child in children.values():
            child.close()
    return rows, [n for n in frameworks if n in children], missing


def good(row):
    """A time that counts: the kernel ran and its results are right, or there was no reference to hold them against."""
    return row.get("ms") if row.get("validation") != "wrong" else None


def cell(row):
    if "ms" in row:
        return table.milliseconds(row["ms"]) + {"wrong": " WRONG", "valid": "", "unvalidated": " ?"}[row["validation"]]
    if "unsupported" in row:
        return "unsupported"
    if "unreached" in row:
        return "not reached"
    return ">limit" if "over the limit" in row.get("error", "") else "none" if "none" in row else "failed"


def report(data):
    names, rows, mine = data["frameworks"], data["rows"], data["compiler"]
    others = [n for n in names if n != mine]
    lines = [machine.line(data["machine"]), f"NPBench preset {data['preset']}, target {data['target']}, ms (median)"]
    lines += [f"{n}: not measured: {reason}" for n, reason in data["missing"].items()]
    body = []
    for kernel, row in rows.items():
        own = good(row[mine]) if mine in row else None
        body.append([kernel, *(cell(row[n]) for n in names), *(f"{good(row[n]) / own:.2f}x" if own and good(row[n]) else "" for n in others)])
    reasons = [f"  {k} {n}: {r.get('unsupported') or r.get('error')}" for k, row in rows.items() for n, r in row.items()
               if n == mine and ("unsupported" in r or "error" in r)]
    out = lines + (["", f"{mine} did not run:", *reasons] if reasons else [])
    out += ["", table.text(["kernel", *names, *(f"{n}/{mine}" for n in others)], body), ""]
    ran = [k for k, row in rows.items() if mine in row and "ms" in row[mine]]
    unreached = [k for k, row in rows.items() if "unreached" in row.get(mine, {})]
    valid = [k for k in ran if rows[k][mine]["validation"] == "valid"]
    out.append(f"{mine}: {len(ran)} of {len(rows)} kernels run, {len(valid)} validated" + (f", {len(unreached)} not reached" if unreached else ""))
    for n in others:
        both = [good(row[n]) / good(row[mine]) for row in rows.values() if mine in row and good(row.get(n, {})) and good(row[mine])]
        if both:
            ahead = sum(r > 1 for r in both)
            out.append(f"over {n}: geometric mean {table.geometric_mean(both):.2f}x over {len(both)} of {len(rows)} kernels, ahead on {ahead}")
    return "\n".join(out)


def main(arguments=None):
    options = parse(arguments)
    rows, frameworks, missing = run_kernels(options, lambda line: print(line, flush=True))
    data = {"machine": machine.describe(), "preset": options.preset, "target": options.target, "compiler": options.compiler,
            "frameworks": frameworks, "missing": missing, "rows": rows}
    for path in filter(None, [options.json, os.environ.get("OUT") and os.path.join(os.environ["OUT"], f"npbench_{options.target}_{options.preset}.json")]):
        with open(path, "w") as file:
            json.dump(data, file, indent=1)
    if options.picture:
        ratios = {k: {n: good(row[n]) / good(row[options.compiler]) for n in frameworks if n != options.compiler and good(row.get(n, {}))}
                  for k, row in rows.items() if good(row.get(options.compiler, {}))}
        table.picture(f"NPBench {options.preset}: time over {options.compiler}'s", ratios, options.picture, machine.line(data["machine"]))
    print("\n" + report(data))
    return 0


if __name__ == "__main__":
    sys.exit(main())
