#!/usr/bin/env python3
"""Numba's own tests of CUDA kernels, those inside of its installed package, through npcc.cuda: what `./dev kernel-conformance` runs.

  run.py                                 all modules of numba/cuda/tests; writes docs/kernel-conformance.md with --page
  run.py --module cudapy.test_atomics --tests add     one module, the tests with this in their names
  run.py --gpu --save benchmarks/data/kernel-conformance-cuda.json     on a GPU: the page of the next run on the CPU gives both (--beside)

Numba is found in the folder that --numba names (pip install --target). Each module runs in a process of its own, and in a new one behind each crash. The
target is the CPU, or a GPU with --gpu. Exit status 0.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import signal
import subprocess
import sys
import tempfile
from importlib.metadata import distributions

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.path.dirname(os.path.dirname(HERE))

from conformance.threads import report  # noqa: E402

FOLDERS = ("cudapy", "cudadrv", "doc_examples", "nocuda")
MOST_STARTS = 12  # of a module, behind crashes
LIMIT = 600  # seconds of one process


def modules(numba):
    for folder in FOLDERS:
        tests = os.path.join(numba, "numba", "cuda", "tests", folder)
        for name in sorted(os.listdir(tests)):
            if name.startswith("test_") and name.endswith(".py"):
                yield f"{folder}.{name[:-3]}"


def lines_of(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [json.loads(line) for line in file]


def run(name, options, folder):
    """The records of a module's tests."""
    place = os.path.join(folder, name)
    os.makedirs(place, exist_ok=True)
    results, begun = os.path.join(place, "results"), os.path.join(place, "begun")
    variables = dict(os.environ, NUMBA_DISABLE_PERFORMANCE_WARNINGS="1")
    variables["PYTHONPATH"] = os.pathsep.join([os.path.join(HERE, "site"), variables.get("PYTHONPATH", ""), options.numba])
    variables["NPCC_STANDIN_FOR_NUMBA"] = os.path.dirname(os.path.dirname(HERE))
    if not options.gpu:
        variables["NPCC_CUDA_TARGET"] = "cpu"
    command = [sys.executable, os.path.join(HERE, "session.py"), f"numba.cuda.tests.{name}", place, options.tests]
    for _ in range(MOST_STARTS):
        if os.path.exists(begun):
            os.remove(begun)
        with open(os.path.join(place, "output"), "ab") as output:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=variables)
            try:
                status = child.wait(LIMIT)
            except subprocess.TimeoutExpired:
                child.kill()
                status = child.wait()
        if status == 0:
            break
        test = f"numba.cuda.tests.{name}"
        if os.path.exists(begun):
            with open(begun) as file:
                test = file.read()
        how = f"the process ended by {signal.Signals(-status).name}" if status < 0 else f"the process ended with status {status}"
        if test in {record["test"] for record in lines_of(results)}:  # behind the test, at the end of the process
            break
        with open(results, "a") as file:
            file.write(json.dumps(dict(test=test, outcome="crashed", words=how)) + "\n")
    return dict(module=name, tests=lines_of(results))


def device(options):
    """What the tests ran on, as the page calls it."""
    if not options.gpu:
        return "the CPU"
    names = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True)
    return names.stdout.splitlines()[0] if names.returncode == 0 and names.stdout else "a GPU"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--numba", required=True, help="the folder in which Numba is installed")
    parser.add_argument("--module", action="append", help="instead of all: cudapy.test_atomics")
    parser.add_argument("--tests", default="", help="only tests with this in their names")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--folder", help="for results, kept; by default a temporary one")
    parser.add_argument("--page", help="file for the page of results")
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--save", help="file for what a page needs of this run")
    parser.add_argument("--beside", help="such a file, of a run on a GPU, whose results the page gives beside these")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="npcc-kernels-") as temporary:
        folder = options.folder or temporary
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            runs = [pool.submit(run, name, options, folder) for name in options.module or modules(options.numba)]
            results = []
            for done in concurrent.futures.as_completed(runs):
                results.append(done.result())
                print(report.line(results[-1]), flush=True)
    results.sort(key=lambda result: result["module"])
    print(report.summary(results))
    if options.folder:
        with open(os.path.join(folder, "all.json"), "w") as file:
            json.dump(results, file)
    if options.save:
        with open(options.save, "w") as file:
            json.dump(report.compact(results, device(options)), file, separators=(",", ":"))
    if options.page:
        runs = {device(options): results}
        if options.beside:
            with open(options.beside) as file:
                saved = json.load(file)
            runs[saved["device"]] = report.expand(saved)
        version = next((d.version for d in distributions(path=[options.numba]) if d.metadata["Name"].lower() == "numba"), "")
        with open(options.page, "w") as file:
            file.write(report.page(runs, version))


if __name__ == "__main__":
    main()
