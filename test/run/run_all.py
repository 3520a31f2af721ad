"""All execution tests: python3 test/run/run_all.py --target cpu|cuda|debug [names]. Needs npcc importable, and no build tree."""
import argparse
import concurrent.futures
import os
import subprocess
import sys
import unittest
from pathlib import Path


def run_modules(target, jobs, modules):
    """Every module in a process of its own, several at a time: compiling takes most of the time, and the device is shared."""
    here = Path(__file__).resolve()

    def run(module):
        command = [sys.executable, str(here), "--target", target, module]
        return module, subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")

    failed = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as threads:
        for done in concurrent.futures.as_completed([threads.submit(run, module) for module in modules]):
            module, process = done.result()
            lines = process.stdout.splitlines()
            print(f"{module}: {lines[-1] if lines else 'no output'}", flush=True)
            if process.returncode:
                failed.append(module)
                print("\n".join(lines[-80:]), flush=True)
    print(f"{len(modules) - len(failed)} passed, {len(failed)} failed {' '.join(failed)}")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", choices=("cpu", "cuda", "debug"), default="cpu")
    parser.add_argument("--failfast", action="store_true")
    parser.add_argument("--jobs", type=int, default=1, help="modules at a time, each in a process of its own")
    parser.add_argument("names", nargs="*", help="modules, classes or tests; default: all")
    options = parser.parse_args()
    os.environ["NPCC_TEST_TARGET"] = options.target
    here = Path(__file__).resolve().parent
    sys.path.insert(0, str(here))
    import npcc
    if options.target == "cuda" and len(npcc.devices()) < 2:
        print("no GPU can be used:", npcc._npcc.cuda_unavailable_reason())
        return 77
    modules = sorted(path.stem for path in here.glob("test_*.py"))
    if options.jobs > 1 and not options.names:
        return run_modules(options.target, options.jobs, modules)
    tests = unittest.defaultTestLoader.loadTestsFromNames(options.names or modules)
    result = unittest.TextTestRunner(verbosity=2, failfast=options.failfast).run(tests)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
