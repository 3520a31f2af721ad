"""One process: the tests of one module of Numba's. Started by run.py, again behind each crash.

  session.py MODULE FOLDER     in FOLDER `results` gets a line of JSON for each test, `begun` the name of the test that runs
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import traceback
import unittest
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.path.dirname(os.path.dirname(HERE))

from conformance.threads import standin  # noqa: E402

TEST_LIMIT = 120  # seconds


class Result(unittest.TestResult):
    """What came of one test: an outcome and words that say why."""

    def __init__(self):
        super().__init__()
        self.outcome, self.words = "passed", ""

    def note(self, outcome, words):
        if self.outcome in ("passed", "skipped"):
            self.outcome, self.words = outcome, words

    def addFailure(self, test, error):
        self.note("failed", words_of(error))

    addError = addFailure

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.note("failed", words_of(error))

    def addSkip(self, test, reason):
        self.note("skipped", reason)

    def addExpectedFailure(self, test, error):
        self.note("passed", "")

    def addUnexpectedSuccess(self, test):
        self.note("passed", "")


def words_of(error):
    lines = [line for line in traceback.format_exception_only(error[0], error[1]) if line.strip()]
    text = "".join(lines).strip()
    return text if len(text) < 600 else text[:600] + " ..."


def tests_in(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from tests_in(one)
        else:
            yield one


def late(*_):
    raise TimeoutError(f"the test took more than {TEST_LIMIT} s")


def main():
    name, folder = sys.argv[1:3]
    only = sys.argv[3] if len(sys.argv) > 3 else ""
    warnings.simplefilter("ignore")
    path = os.path.join(folder, "results")
    done = set()
    if os.path.exists(path):
        with open(path) as file:
            done = {json.loads(line)["test"] for line in file}
    standin.install()
    results = open(path, "a")

    def write(test, outcome, words):
        results.write(json.dumps(dict(test=test, outcome=outcome, words=words)) + "\n")
        results.flush()

    try:
        module = importlib.import_module(name)
    except unittest.SkipTest as reason:
        return write(name, "skipped", str(reason))
    except Exception as error:  # the module cannot even be imported
        traceback.print_exc()
        return write(name, "failed", words_of((type(error), error)))
    signal.signal(signal.SIGALRM, late)
    for test in tests_in(unittest.defaultTestLoader.loadTestsFromModule(module)):
        known = test.id()
        if known in done or only not in known:
            continue
        with open(os.path.join(folder, "begun"), "w") as file:
            file.write(known)
        result = Result()
        signal.alarm(TEST_LIMIT)
        try:
            test.run(result)
        except BaseException as error:  # noqa: BLE001: an alarm between the test's own clauses
            result.note("failed", words_of((type(error), error)))
        finally:
            signal.alarm(0)
        write(known, result.outcome, result.words)


if __name__ == "__main__":
    main()
    # Fibers and devices that a test left are not waited for.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
