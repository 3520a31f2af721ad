#!/usr/bin/env python3
"""benchmarks/data/kernels.txt: how many kernels, launches and bytes the programs of benchmarks/ are on a GPU.

    python3 tools/report/kernels.py write     writes the table
    python3 tools/report/kernels.py check     fails where a program has become something else, and shows what

A pass that no longer makes one kernel of two fails here, though all results are right. The compiler alone says the figures (f.explain()): nothing is
run, neither a GPU nor its driver is needed, and the arguments are as large as in the benchmarks, of zeros.
"""
import argparse
import collections
import concurrent.futures
import difflib
import importlib
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "benchmarks" / "data" / "kernels.txt"
SUITES = ("programs", "more_programs", "wide_programs", "fresh_programs", "further_programs", "varied_programs", "distinct_programs",
          "assorted_programs", "sundry_programs", "mingled_programs", "selection_programs", "shape_programs", "search_programs", "growing_programs",
          "pair_programs", "point_programs", "shrinking_programs", "element_programs", "loop_programs", "unseen_programs")


class Zeros:
    """A generator of random numbers, as far as extents and dtypes are asked for."""

    def random(self, size=None, dtype=np.float64):
        return np.zeros(size, dtype) if size is not None else 0.0

    def integers(self, low, high=None, size=None, dtype=np.int64):
        return np.zeros(size, dtype) if size is not None else 0

    def __getattr__(self, name):  # standard_normal and the others: all of float64
        def draw(*arguments, size=None, dtype=np.float64):
            size = arguments[-1] if size is None and arguments else size
            return np.zeros(size, dtype)
        return draw


def find_programs():
    """(suite, name) of all programs."""
    sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks" / "array_programs")]
    from benchmarks import programs
    found = [("benchmarks", name) for name in programs.NAMES]
    return found + [(suite, name) for suite in SUITES for name in importlib.import_module(suite).PROGRAMS]


def load(suite, name):
    """A function and its arguments."""
    if suite != "benchmarks":
        function, make, _ = importlib.import_module(suite).PROGRAMS[name]
        return function, make(Zeros())
    from benchmarks import programs
    program = programs.load(name)
    return program.run, program.inputs(program.SIZES["cpu"], lambda shape, low=0, high=1, dtype=np.float64: np.zeros(shape, dtype))


def describe(program):
    """The program's line of the table."""
    np.seterr(all="ignore")  # logarithms of zeros
    import npcc
    suite, name = program
    function, arguments = load(suite, name)
    try:
        explanation = npcc.jit(function, target="cuda", arch="sm_90").explain(*arguments, device="H100")
    except Exception as error:  # a program that the compiler refuses is a line too
        return f"{suite}/{name}: {type(error).__name__}: {str(error).splitlines()[0]}"
    kernels = [kernel for said in explanation.functions for kernel in said.kernels if kernel.is_taken]

    def total(amounts):
        amounts = list(amounts)
        return f"{sum(amount for amount in amounts if amount is not None):,}" + (" and more" if None in amounts else "")
    kinds = collections.Counter(kernel.kind + (" on the grid" if kernel.node.get("runner") == "grid" else
                                               " by rows" if kernel.node.get("runner") == "rows" else "") for kernel in kernels)
    made = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "none"
    return (f"{suite}/{name}: {made}; launches {total(kernel.launches for kernel in kernels)}; "
            f"read {total(kernel.read for kernel in kernels)}; written {total(kernel.written for kernel in kernels)}")


def make_table(jobs):
    programs = find_programs()
    with concurrent.futures.ProcessPoolExecutor(jobs, initializer=find_programs) as pool:
        return "\n".join(pool.map(describe, programs, chunksize=4)) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("write", "check"))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    table = make_table(options.jobs)
    if options.command == "write":
        TABLE.write_text(table)
        return 0
    if TABLE.read_text() == table:
        return 0
    sys.stdout.writelines(difflib.unified_diff(TABLE.read_text().splitlines(True), table.splitlines(True), "benchmarks/data/kernels.txt", "now", n=0))
    print("Where this is meant: python3 tools/report/kernels.py write")
    return 1


if __name__ == "__main__":
    sys.exit(main())
