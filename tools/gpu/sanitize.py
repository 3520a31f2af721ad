"""Runs the programs of test/run under NVIDIA's compute-sanitizer, and writes what it found: a line for each kind of report, and a table of the modules last.

    sanitize.py [--tool memcheck --tool racecheck --tool initcheck] [--jobs 12] [--seconds 250] [--logs FOLDER] [modules of test/run]

memcheck finds positions that are not in any allocation, racecheck threads of a block that meet in shared memory without waiting for each other, initcheck
elements that are read before anything was written to them; there the host reads single elements, where it otherwise takes along what lies around them.
Only the process of the tests itself is looked at: what tests make fail on purpose, they do in processes of their own. What the driver answers to a call with an
error is no report: tests ask for things that it refuses. When a check of a kernel fails, the host hears of it later, and what was launched meanwhile reads
what the kernel left out: so initcheck's reports in tests of errors (which have that in their names) are counted apart, as "behind errors".
A module that takes longer than --seconds is stopped, and the table says so. Exit status 0: every module was run to its end, and no other report was made.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOLS = ("memcheck", "racecheck", "initcheck")
# The first line of a report, behind what a test may have printed, and what names its kernel.
REPORT = re.compile(r"={9} (?:Error: |Warning: )?((?:Invalid|Misaligned|Uninitialized|Race reported|Potential|Barrier error|Address|Divergent|Host API)\b.*)")
TEST = re.compile(r"^(test_\w+) \(")
KERNEL = re.compile(r"\bat (\w[^+\n]*)\+0x[0-9a-f]+")


def kinds(lines):
    """How often the sanitizer said what, of which kernel, in which test."""
    found, test = collections.Counter(), "-"
    for place, line in enumerate(lines):
        if began := TEST.match(line):
            test = began.group(1)
        said = REPORT.search(line)
        if said is None:
            continue
        kernel = next((match.group(1) for near in lines[place : place + 3] if (match := KERNEL.search(near))), "-")
        words = re.sub(r"0x[0-9a-f]+|\b\d+\b", "N", said.group(1)).split(" at ")[0].split(" access")[0].strip()
        found[words, kernel.strip(), test] += 1
    return found


def is_behind_error(tool, test):
    return tool == "initcheck" and "error" in test


def run(tool, module, options):
    """What became of the module's tests under the tool, and the kinds of its reports."""
    log = os.path.join(options.logs, f"{module}.{tool}")
    command = ["compute-sanitizer", "--tool", tool, "--target-processes", "application-only", "--print-limit", "1000"]
    command += ["--report-api-errors", "no"] if tool == "memcheck" else []
    command += [sys.executable, "run_all.py", "--target", "cuda", module]
    began = time.monotonic()
    variables = dict(os.environ, NPCC_ELEMENT_WINDOWS="0") if tool == "initcheck" else None
    with open(log, "wb") as output:
        child = subprocess.Popen(command, cwd=os.path.join(ROOT, "test", "run"), stdout=output, stderr=output, env=variables, start_new_session=True)
        try:
            child.wait(options.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            child.wait()
    with open(log, errors="replace") as file:
        lines = file.read().splitlines()
    reports = kinds(lines)
    if child.returncode == -9:
        verdict = "not done"
    elif not any(re.match(r"OK\b", line) for line in lines):
        verdict = "tests failed"
    else:
        verdict = "clean"
    behind = sum(times for (_, _, test), times in reports.items() if is_behind_error(tool, test))
    faults = sum(reports.values()) - behind
    if faults:
        verdict = f"{faults} reports" + (", " + verdict if verdict != "clean" else "")
    if behind:
        verdict += f", {behind} behind errors"
    print(f"{module} {tool}: {verdict}, {time.monotonic() - began:.0f} s", flush=True)
    return tool, module, verdict, reports


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", action="append", choices=TOOLS, help="by default all three")
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=250, help="for one module under one tool")
    parser.add_argument("--logs", default="/tmp/npcc-sanitizer", help="folder for what the sanitizer wrote")
    parser.add_argument("modules", nargs="*")
    options = parser.parse_args()
    os.makedirs(options.logs, exist_ok=True)
    tools = options.tool or list(TOOLS)
    here = os.path.join(ROOT, "test", "run")
    modules = options.modules or sorted(name[:-3] for name in os.listdir(here) if re.fullmatch(r"test_\w+\.py", name))
    results, reports = {}, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(run, tool, module, options) for tool in tools for module in modules]
        for done in concurrent.futures.as_completed(runs):
            tool, module, verdict, found = done.result()
            results[module, tool] = verdict
            for (words, kernel, test), times in found.items():
                reports[tool, words, kernel, f"{module}.{test}"] += times
    for (tool, words, kernel, test), times in sorted(reports.items()):
        print(f"{tool}: {words}, kernel {kernel}, {test}: {times}")
    width = max(len(module) for module in modules)
    print(f"{'':{width}}  " + "  ".join(f"{tool:24}" for tool in tools))
    for module in modules:
        print(f"{module:{width}}  " + "  ".join(f"{results[module, tool]:24}" for tool in tools).rstrip())
    bad = sum(not verdict.startswith("clean") for verdict in results.values())
    print(f"{len(results) - bad} of {len(results)} clean")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
