#!/usr/bin/env python3
"""Random NumPy programs through CPython and through a compiler, compared.

  run.py --minutes 5 --seed 7                      as many programs as fit
  run.py --count 300 --seed 1 --target cuda        a bounded number: what the test suite runs
  run.py --replay 7:42                             one program again: print it, judge it, shrink it
  run.py --file program.py                         a stored program (`program` and `arguments`) again: status 0 only if it passes
  run.py --show 7:42                               print the program only
  run.py --probes ...                              no programs: every function with every dtype (see probes.py)
  run.py --calls ...                               no programs: random calls of functions behind libraries (see calls.py)

Exit status 0: no difference. 1: differences, printed shrunk and ready for test/regression. 2: the compiler cannot be loaded.
Refused programs (the compiler's located CompileError) are counted apart, by reason, and are never a pass.
"""
from __future__ import annotations

import argparse
import collections
import concurrent.futures
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.path.dirname(HERE)

from fuzz import regression  # noqa: E402
from fuzz.generator import FEATURES, LEVELS, can_start, generate  # noqa: E402
from fuzz.judge import PASS, UNFIT, UNSUPPORTED, Judge, Verdict  # noqa: E402
from fuzz.pool import WorkerFailed  # noqa: E402
from fuzz.shrink import shrink  # noqa: E402


def parse(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, help="stop after this long")
    parser.add_argument("--count", type=int, help="stop after this many programs (default 200 without --minutes)")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--level", type=int, choices=LEVELS,
                        help="1: one expression … 5: a page; 6: control flow over scalars; 7: loops over arrays; 8: several types, objects, lists, "
                             "exceptions; 9: iterations over whole arrays; 10: searches; 11: arrays that grow and shrink; default: 1 to 8")
    parser.add_argument("--without", default="", help=f"features to leave out, comma-separated: {', '.join(FEATURES)}")
    parser.add_argument("--compiler", default="npcc", help="module with a `jit`; `reference` must pass, `wrong` must fail")
    parser.add_argument("--target", default="", help="cpu, cuda or debug: passed to jit")
    parser.add_argument("--limit", type=float, default=20, help="seconds before a program counts as hanging")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--failures", type=int, default=10, help="stop after this many")
    parser.add_argument("--shrink", type=float, default=60, help="seconds to spend on shrinking each failure; 0: none")
    parser.add_argument("--save", help="folder for shrunk failures")
    parser.add_argument("--json", help="file for the counts, reasons and failures")
    parser.add_argument("--verbose", action="store_true", help="a line for each program")
    parser.add_argument("--replay", help="SEED:NUMBER")
    parser.add_argument("--show", help="SEED:NUMBER")
    parser.add_argument("--file")
    return parser.parse_args(arguments)


class Run:
    """The state shared by the workers' threads of one run."""

    def __init__(self, options):
        self.options = options
        self.without = tuple(x for x in options.without.split(",") if x)
        self.counts, self.reasons, self.unfit = collections.Counter(), collections.Counter(), collections.Counter()
        self.examples, self.failures, self.number = {}, [], options.first
        self.count = options.count if options.count or options.minutes else 200
        self.end = time.monotonic() + options.minutes * 60 if options.minutes else None

    def numbers(self):
        """The next program's number, as long as the run goes on. Threads share this under the interpreter's lock."""
        while True:
            number, self.number = self.number, self.number + 1
            if self.count and number - self.options.first >= self.count:
                return
            if self.end and time.monotonic() > self.end or len(self.failures) >= self.options.failures:
                return
            yield number

    def thread(self):
        options = self.options
        with Judge(options.compiler, options.target, options.limit) as judge:
            for number in self.numbers():
                seed = f"{options.seed}:{number}"
                program = judge.draw(seed, options.level, self.without)
                verdict = judge(program) if program else Verdict(UNFIT, "NumPy itself crashes")
                self.note(judge, seed, program, verdict)

    def note(self, judge, seed, program, verdict):
        if verdict.failed:
            again = judge(program, fresh=True)
            if again.kind != verdict.kind:
                verdict = Verdict(verdict.kind, f"{verdict.detail} (in a fresh process: {again.kind}; earlier programs matter)", verdict.raises)
            self.failures.append(report(judge, program, verdict, again.kind == verdict.kind, self.options))
        self.counts[verdict.kind] += 1
        if verdict.kind == UNSUPPORTED:
            self.reasons[verdict.detail] += 1
            self.examples.setdefault(verdict.detail, seed)
        elif verdict.kind == UNFIT:
            self.unfit[verdict.detail.splitlines()[0]] += 1
        if self.options.verbose:
            print(f"{seed} {verdict.kind} {verdict.detail.splitlines()[0] if verdict.detail else ''}", flush=True)


def has_arguments(program):
    """Whether a shrunk program's arguments can still be made: a base may have become too small for its layout."""
    return can_start(program.bases, program.arguments) and (not program.later or can_start(*program.later))


def report(judge, program, verdict, reproduces, options):
    """Shrink, print and store one failure."""
    small = program
    if reproduces and options.shrink:
        small = shrink(program, lambda p: has_arguments(p) and judge(p).kind == verdict.kind, options.shrink)
        verdict = judge(small, fresh=True) if small is not program else verdict
        if not verdict.failed:
            small, verdict = program, judge(program, fresh=True)
    body = regression.text(verdict, small, options.compiler, options.target)
    print(f"\n==== {verdict.kind}, seed {program.seed}\n{body}====\n", flush=True)
    entry = {"seed": program.seed, "kind": verdict.kind, "detail": verdict.detail, "program": body, "reproduces": reproduces}
    if options.save:
        entry["file"] = regression.save(options.save, verdict, small, options.compiler, options.target)
    return entry


def summary(run):
    counts = run.counts
    judged = sum(counts.values()) - counts[UNFIT]
    print(f"{sum(counts.values())} programs: {counts[PASS]} pass, {counts[UNSUPPORTED]} unsupported, {len(run.failures)} fail, "
          f"{counts[UNFIT]} unfit to judge" + (f"; {counts[PASS] / judged:.1%} of those judged pass" if judged else ""))
    for title, table in (("unsupported", run.reasons), ("unfit", run.unfit)):
        for text, count in table.most_common(40):
            example = f"   (seed {run.examples[text]})" if text in run.examples else ""
            print(f"  {title} {count:5d}  {text[:140]}{example}")
    for failure in run.failures:
        print(f"  FAIL {failure['kind']}: seed {failure['seed']}: {' '.join(failure['detail'].split())[:140]}")


def main(arguments=None):
    given = sys.argv[1:] if arguments is None else list(arguments)
    if "--probes" in given:
        from fuzz import probes
        return probes.main([a for a in given if a != "--probes"])
    if "--calls" in given:
        from fuzz import calls
        return calls.main([a for a in given if a != "--calls"])
    options = parse(arguments)
    without = tuple(x for x in options.without.split(",") if x)
    if options.show:
        print(generate(options.show, options.level, without).source(), end="")
        return 0
    if options.replay or options.file:
        return replay(options, without)
    run = Run(options)
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as threads:
            for done in [threads.submit(run.thread) for _ in range(options.jobs)]:
                done.result()
    except WorkerFailed as failure:
        print(failure, file=sys.stderr)
        return 2
    summary(run)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"compiler": options.compiler, "target": options.target, "seed": options.seed, "counts": run.counts,
                       "unsupported": run.reasons, "unfit": run.unfit, "failures": run.failures}, file, indent=1)
    return 1 if run.failures else 0


def replay(options, without):
    if options.file:
        return replay_file(options)
    program = generate(options.replay, options.level, without)
    print(program.source())
    with Judge(options.compiler, options.target, options.limit) as judge:
        verdict = judge(program, fresh=True)
        print(f"{verdict.kind}: {verdict.detail}")
        if verdict.failed:
            report(judge, program, verdict, True, options)
    return 1 if verdict.failed else 0


def replay_file(options):
    with Judge(options.compiler, options.target, options.limit) as judge:
        verdict = judge.file(os.path.abspath(options.file), fresh=True)
    print(f"{verdict.kind}: {verdict.detail}")
    return 0 if verdict.kind == PASS else 1  # a regression test once passed: refused or unfit is a failure too


if __name__ == "__main__":
    sys.exit(main())
