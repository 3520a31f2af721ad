#!/usr/bin/env python3
"""NumPy's own tests, those inside of the installed package, with every call compiled and compared: what `./dev conformance` runs.

  run.py                                all modules of numpy/{_core,lib,linalg,fft,random}/tests; writes docs/conformance.md with --page
  run.py --sample 0.05                  one in twenty of the call forms, the same in each run
  run.py --module numpy.fft.tests.test_helper --tests 'test_fftshift'     one module, the tests with this in their names
  run.py --strict                       status 1 where a call or test came out different, or a process ended: what the test suite runs

Each module runs in a process of its own, and in a new one behind each crash or hang. Exit status 0 unless --strict says otherwise.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.path.dirname(HERE)

import numpy as np  # noqa: E402

from conformance import report  # noqa: E402
from conformance.session import lines_of  # noqa: E402

FOLDERS = ("_core", "lib", "linalg", "fft", "random")
# Modules that compile C or C++ themselves, or look at the build: no array is computed in them.
APART = ("test_cython", "test_limited_api", "test_mem_policy", "test_extending", "test_simd", "test_simd_module", "test_cpu_features", "test_cpu_dispatcher", "test_multithreading")
MOST_STARTS = 25  # of a module, behind crashes
CALL_LIMIT = 60  # seconds of one call, compilation included, before it is a hang
TEST_LIMIT = 300  # of one test's time outside of calls


def modules():
    root = os.path.dirname(np.__file__)
    found = []
    for folder in FOLDERS:
        tests = os.path.join(root, folder, "tests")
        for name in sorted(os.listdir(tests)):
            if name.startswith("test_") and name.endswith(".py") and name[:-3] not in APART:
                found.append((os.path.getsize(os.path.join(tests, name)), f"numpy.{folder}.tests.{name[:-3]}"))
    return [name for _, name in sorted(found, reverse=True)]  # the longest first


class Module:
    """The runs of one test module."""

    def __init__(self, name, folder, options):
        self.name, self.options = name, options
        self.folder = os.path.join(folder, name)
        self.ends = []  # calls that ended a process

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self):
        os.makedirs(self.folder, exist_ok=True)
        self.end = time.monotonic() + self.options.limit
        for _ in range(MOST_STARTS):
            how = self.process()
            if how is None or time.monotonic() > self.end:
                break
            self.avoid(how)
        else:
            how = "started too often"
        records = lines_of(self.path("results"))
        failed = [r["test"] for r in records if r["outcome"] == "failed"]
        plain = self.again(failed, "plain")
        exact = self.again([test for test in failed if plain.get(test) == "passed"], "exact")
        for record in records:
            if record["outcome"] == "failed":
                # Without any compiled call it fails too, or with NumPy's results behind the stand-in; otherwise it asks for more than comparison.py does.
                record["outcome"] = "closer" if exact.get(record["test"]) == "passed" else "unfit"
        return dict(module=self.name, tests=records, ends=self.ends, complete=how is None)

    def command(self, *more):
        command = [sys.executable, os.path.join(HERE, "session.py"), self.name, self.folder, "--sample", str(self.options.sample), *more]
        return command + (["--only", self.options.tests] if self.options.tests else [])

    def process(self):
        """None where all tests ran; otherwise how the process ended."""
        with open(self.path("output"), "ab") as output:
            child = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment())
        seen, since = None, time.monotonic()
        while True:
            try:
                status = child.wait(0.2)
                return None if status == 0 else f"signal {-status}" if status < 0 else f"status {status}"
            except subprocess.TimeoutExpired:
                pass
            now, journal = time.monotonic(), self.journal()
            if journal != seen:
                seen, since = journal, now
            limit = CALL_LIMIT if journal[:1] == ["call"] else TEST_LIMIT
            if now - since > limit or now > self.end:
                child.kill()
                child.wait()
                return "no time is left" if now > self.end else "hang"

    def journal(self):
        try:
            with open(self.path("journal"), errors="replace") as file:
                return file.read().split("\t")
        except FileNotFoundError:
            return []

    def avoid(self, how):
        """What is not done again: the call that was made, or the test."""
        journal = self.journal()
        record = dict(test=journal[1] if len(journal) > 1 else "", how=how)
        if journal[:1] == ["call"] and len(journal) > 3:
            record["call"] = journal[3]
        self.ends.append(record)
        with open(self.path("avoid"), "a") as file:
            file.write(json.dumps(record) + "\n")

    def again(self, tests, way):
        """{test: outcome} of some tests, run with --plain or --exact."""
        if not tests:
            return {}
        with open(self.path("failed"), "w") as file:
            file.write(json.dumps(tests) + "\n")
        with open(self.path("output"), "ab") as output:
            command = self.command(f"--{way}", "--tests", self.path("failed"))
            try:
                subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment(), timeout=TEST_LIMIT)
            except subprocess.TimeoutExpired:
                pass
        return {record["test"]: record["outcome"] for record in lines_of(self.path(way))}


def environment():
    return dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", NPCC_NUM_THREADS="1", PYTHONHASHSEED="0")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--module", action="append", help="instead of all")
    parser.add_argument("--tests", help="only tests with this in their names")
    parser.add_argument("--sample", type=float, default=1.0, help="part of the call forms that is compiled")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=float, default=1800, help="seconds for a module")
    parser.add_argument("--folder", help="for results, kept; by default a temporary one")
    parser.add_argument("--page", help="file for the page of results")
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="npcc-conformance-") as temporary:
        folder = options.folder or temporary
        results = []
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            runs = [pool.submit(Module(name, folder, options).run) for name in options.module or modules()]
            for run in concurrent.futures.as_completed(runs):
                results.append(run.result())
                print(report.line(results[-1]), flush=True)
    results.sort(key=lambda r: r["module"])
    with open(os.path.join(folder, "all.json"), "w") if options.folder else open(os.devnull, "w") as file:
        json.dump(results, file)
    print(report.summary(results))
    if options.page:
        with open(options.page, "w") as file:
            file.write(report.page(results, options.sample))
    sys.exit(1 if options.strict and report.is_bad(results) else 0)


if __name__ == "__main__":
    main()
