#!/usr/bin/env python3
"""Measure rounding errors of a compiler's functions, and write docs/accuracy.md from the data.

  accuracy.py measure --compiler npcc --target cpu --json accuracy-cpu.json     (numpy: plain NumPy as the compiler)
  accuracy.py write docs/accuracy.md accuracy-cpu.json [accuracy-cuda.json]
  accuracy.py check accuracy-cpu.json        measure a sample again: status 1 if an error is larger than the data's, or beyond the bounds

The exact values are mpmath's: without it nothing is measured, and the status is 77. `measure` and `check` take the target's own data: "cuda" needs
a GPU, NumPy and mpmath, and no LLVM.
"""
from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
if __package__ in (None, ""):
    sys.path[0] = os.path.dirname(HERE)
    sys.path += [os.path.dirname(os.path.dirname(HERE)), os.path.join(os.path.dirname(os.path.dirname(HERE)), "test", "run")]
    __package__ = "report"
    import report  # noqa: F401

import numpy as np  # noqa: E402

from . import growth, ulp  # noqa: E402

# Units in the last place that a function may be off, per dtype. What CUDA's own library promises at most in its tables is 4
# for the real functions used here but a few; half precision is computed in single, hence nearly exact.
BOUNDS = {"float16": 1.0, "float32": 4.5, "float64": 4.5, "complex64": 16.0, "complex128": 16.0}


def applier(compiler, target):
    """apply(name, arrays): one compiled function a name, as a user would write it."""
    if compiler == "numpy":
        return (lambda name, arrays: _quiet(getattr(np, name), arrays)), np.__version__
    import lines
    module = importlib.import_module(compiler)
    compiled = {}

    def apply(name, arrays):
        if name not in compiled:
            parameters = ", ".join("xy"[:len(arrays)])
            function, = lines.functions(f"accuracy of {name}", [(parameters, f"np.{name}({parameters})")])
            compiled[name] = module.jit(target=target)(function)
        return _quiet(compiled[name], arrays)
    return apply, getattr(module, "__version__", "development")


def _quiet(function, arrays):
    with np.errstate(all="ignore"):
        return function(*arrays)


def measure(compiler, target, count, lengths):
    from benchmarks import machine
    apply, version = applier(compiler, target)
    return {"compiler": compiler, "version": version, "target": target, "machine": machine.describe(), "count": count,
            "elementwise": list(ulp.elementwise(apply, count)), "specials": list(ulp.specials(apply)),
            "growth": list(growth.rows(apply, lengths=lengths))}


def failures(data):
    """What is beyond the bounds: elementwise errors, special values, and reductions clearly less accurate than NumPy's."""
    for row in data["elementwise"]:
        if row.get("max", 0) > BOUNDS[row["dtype"]]:
            yield f"{row['function']} {row['dtype']}: {row['max']:.2f} ULP at {row['worst']}, bound {BOUNDS[row['dtype']]}"
    for row in data["specials"]:
        yield f"{row['function']} {row['dtype']} of {row['input']}: NumPy gives {row['numpy']}, got {row['got']}"
    for row in data["growth"]:
        if row.get("error", 0) > 2 * row["numpy"] + 4:
            yield f"{row['reduction']} {row['dtype']} of {row['length']}: {row['error']:.1f} eps, NumPy {row['numpy']:.1f}"


SAMPLE = 20  # one of so many random inputs is judged again by `check`
SLACK = 0.25  # units, for processors that round vectors of additions and multiplications otherwise


def worse(data, apply):
    """What is less accurate now than in the data, on a sample of its inputs. The C library's functions of vectors err otherwise with the vector instructions
    of another processor: there the bounds decide. Reductions add up in one order on all processors."""
    from benchmarks import machine
    is_same = data["target"] != "cpu" or machine.describe()["cpu"] == data["machine"]["cpu"]
    known = {(r["function"], r["dtype"]): r for r in data["elementwise"]}
    for row in ulp.elementwise(apply, data["count"], step=SAMPLE):
        before = known.pop((row["function"], row["dtype"]), {})
        if "unsupported" in row and "max" in before:
            yield f"{row['function']} {row['dtype']}: {row['unsupported']}"
        elif row.get("max", 0) > (before.get("max", BOUNDS[row["dtype"]]) if is_same else BOUNDS[row["dtype"]]) + SLACK:
            yield f"{row['function']} {row['dtype']}: {row['max']:.2f} ULP at {row['worst']}, was {before.get('max', math.nan):.2f}"
    yield from (f"{name} {dtype}: not measured any more" for name, dtype in known)
    special = [(r["function"], r["dtype"], r["input"]) for r in data["specials"]]
    yield from (f"{r['function']} {r['dtype']} of {r['input']}: NumPy gives {r['numpy']}, got {r['got']}" for r in ulp.specials(apply)
                if (r["function"], r["dtype"], r["input"]) not in special)
    grown = {(r["reduction"], r["dtype"], r["length"]): r for r in data["growth"]}
    lengths = [n for n in sorted({r["length"] for r in data["growth"]}) if n <= 1000]
    for row in growth.rows(apply, lengths=lengths):
        before = grown.get((row["reduction"], row["dtype"], row["length"]), {})
        if "unsupported" in row and "error" in before:
            yield f"{row['reduction']} {row['dtype']}: {row['unsupported']}"
        elif row.get("error", 0) > before.get("error", 4) + SLACK:
            yield f"{row['reduction']} {row['dtype']} of {row['length']}: {row['error']:.2f} eps, was {before.get('error', math.nan):.2f}"


def page(runs):
    from benchmarks import machine
    out = ["# Accuracy", ""]
    for data in runs:
        what = "**Plain NumPy, not npcc**: these are the figures of the reference itself." if data["compiler"] == "numpy" else \
            f"{data['compiler']} {data['version']}, target `{data['target']}`."
        out += [f"{what} {data['count']} random inputs a function and dtype, uniform and spread over magnitudes, hard cases and their neighbours "
                f"beside them. {machine.line(data['machine'])}.", ""]
    out += ["Written by `tools/report/accuracy.py`; do not edit. An error of 0.5 is correct rounding. The exact values are mpmath's at 240 bits.",
            "", "## Elementwise functions: largest (mean) error in units in the last place", ""]
    for data in runs:
        dtypes = list(dict.fromkeys(r["dtype"] for r in data["elementwise"]))
        names = list(dict.fromkeys(r["function"] for r in data["elementwise"]))
        cells = {(r["function"], r["dtype"]): r for r in data["elementwise"]}
        out += [f"### {data['compiler']}, {data['target']}", "", "| function | " + " | ".join(dtypes) + " |", "|---" * (len(dtypes) + 1) + "|"]
        out += [f"| `{n}` | " + " | ".join(_cell(cells.get((n, d))) for d in dtypes) + " |" for n in names] + [""]
        out += [_specials(data["specials"]), ""]
    out += ["## Reductions: relative error in units of epsilon, worst of three seeds", "",
            "Uniform numbers in [0, 1); for `prod`, factors whose product stays near one. NumPy's own error stands beside.", ""]
    for data in runs:
        lengths = list(dict.fromkeys(r["length"] for r in data["growth"]))
        out += [f"### {data['compiler']}, {data['target']}", "", "| reduction | dtype | " + " | ".join(f"{n:,}" for n in lengths) + " |",
                "|---" * (len(lengths) + 2) + "|"]
        keys = list(dict.fromkeys((r["reduction"], r["dtype"]) for r in data["growth"]))
        cells = {(r["reduction"], r["dtype"], r["length"]): r for r in data["growth"]}
        for name, dtype in keys:
            parts = [cells[name, dtype, n] for n in lengths]
            out.append(f"| `{name}` | {dtype} | " + " | ".join("unsupported" if "unsupported" in p else f"{p['error']:.1f} (NumPy {p['numpy']:.1f})"
                                                               for p in parts) + " |")
        out.append("")
    beyond = [f"- {data['compiler']}, {data['target']}: {line}" for data in runs for line in failures(data)]
    bounds = ", ".join(f"{d} {b}" for d, b in BOUNDS.items())
    out += ["## Beyond the bounds", "", f"Bounds, ULP: {bounds}. Reductions: twice NumPy's error and four.", ""] + (beyond or ["None."])
    return "\n".join(out) + "\n"


def _cell(row):
    if row is None:
        return ""
    return "unsupported" if "unsupported" in row else f"{row['max']:.2f} ({row['mean']:.2f})" if row["max"] < 1e4 else f"**{row['max']:.1e}**"


def _specials(rows):
    if not rows:
        return "Zeros of either sign, infinities, nan, 1 and -1 give what NumPy gives."
    return "Other than NumPy: " + "; ".join(f"`{r['function']}({r['input']})` {r['dtype']}: {r['got']}, NumPy {r['numpy']}" for r in rows) + "."


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("measure")
    one.add_argument("--compiler", default="npcc")
    one.add_argument("--target", default="cpu")
    one.add_argument("--count", type=int, default=2000)
    one.add_argument("--lengths", type=lambda t: [int(n) for n in t.split(",")], default=growth.LENGTHS)
    one.add_argument("--json", required=True)
    two = commands.add_parser("write")
    two.add_argument("page")
    two.add_argument("data", nargs="+")
    three = commands.add_parser("check")
    three.add_argument("data", nargs="+")
    options = parser.parse_args(arguments)
    if options.command != "write" and not importlib.util.find_spec("mpmath"):
        print("mpmath, which gives the exact values, is not installed: nothing is measured")
        return 77
    if options.command == "measure":
        with open(options.json, "w") as file:
            json.dump(measure(options.compiler, options.target, options.count, options.lengths), file, indent=1)
        return 0
    runs = []
    for path in options.data:
        with open(path) as file:
            runs.append(json.load(file))
    if options.command == "write":
        with open(options.page, "w") as file:
            file.write(page(runs))
        return 0
    found = []
    for data in runs:
        found += [*failures(data), *worse(data, applier(data["compiler"], data["target"])[0])]
    print("\n".join(found) or "no error is larger than in the data")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
