"""All execution tests: python3 test/run/run_all.py --target cpu|cuda [names]. Needs npcc importable, and no build tree."""
import argparse
import os
import sys
import unittest
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--failfast", action="store_true")
    parser.add_argument("names", nargs="*", help="modules, classes or tests; default: all")
    options = parser.parse_args()
    os.environ["NPCC_TEST_TARGET"] = options.target
    here = Path(__file__).resolve().parent
    sys.path.insert(0, str(here))
    import npcc
    if options.target == "cuda" and len(npcc.devices()) < 2:
        print("no GPU can be used:", npcc._npcc.cuda_unavailable_reason())
        return 77
    loader = unittest.defaultTestLoader
    tests = loader.loadTestsFromNames(options.names) if options.names else loader.discover(str(here))
    result = unittest.TextTestRunner(verbosity=2, failfast=options.failfast).run(tests)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
