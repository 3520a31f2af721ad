"""One process: the tests of one module with compiled calls. Started by run.py, again after each crash.

  session.py MODULE FOLDER [--plain | --exact] [--sample X] [--tests FILE]

In FOLDER: `results` gets a line of JSON for each test, `journal` what is being done at present; `avoid` holds calls and tests that ended earlier
processes. With --plain nothing is compiled: the tests of FILE run through the changed modules alone. With --exact calls are compiled and compared, and the tests of
FILE go on with what NumPy gives.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.path.dirname(HERE)

import numpy  # noqa: E402
import pytest  # noqa: E402

from conformance import rewrite  # noqa: E402
from conformance.standin import StandIn  # noqa: E402

MEMORY = 8 << 30  # bytes of addresses: what asks for more gets a MemoryError, compiled or not


def lines_of(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [json.loads(line) for line in file]


class Plugin:
    """Runs the tests that have no result yet, and writes down what came of each."""

    def __init__(self, options, stand_in):
        self.options, self.stand_in = options, stand_in
        done = [] if options.tests else lines_of(os.path.join(options.folder, "results"))
        self.done = {record["test"] for record in done}
        self.done |= {record["test"] for record in lines_of(os.path.join(options.folder, "avoid")) if "call" not in record}
        self.chosen = set(lines_of(options.tests)[0]) if options.tests else None
        self.outcome = None

    def pytest_collection_modifyitems(self, items):
        wanted = [i for i in items if i.nodeid not in self.done and not i.get_closest_marker("slow") and self.is_chosen(i.nodeid)]
        items[:] = wanted

    def is_chosen(self, test):
        return self.options.only in test and (self.chosen is None or test in self.chosen)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        self.stand_in.begin(item.nodeid)
        self.stand_in.note("idle", item.nodeid)
        self.outcome, self.words = "passed", ""
        self.stand_in.active = not self.options.plain
        try:
            return (yield)
        finally:
            self.stand_in.active = False
            self.write(item.nodeid)

    def pytest_runtest_logreport(self, report):
        if report.failed or report.skipped:
            self.outcome = "failed" if report.failed else "skipped"
            crash = getattr(report.longrepr, "reprcrash", None)
            self.words = crash.message[:600] if crash else ""

    def write(self, test):
        of = self.stand_in
        record = dict(test=test, outcome=self.outcome, words=self.words if self.outcome == "failed" else "", calls=of.calls, reasons=of.reasons, failures=of.failures)
        record["forms"] = [[text, list(map(str, types)), verdict] for (text, types, *_), verdict in of.forms.items() if not isinstance(types, str)]
        name = "plain" if self.options.plain else "exact" if self.options.exact else "results"
        with open(os.path.join(self.options.folder, name), "a") as file:
            file.write(json.dumps(record) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("module")
    parser.add_argument("folder")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--sample", type=float, default=1.0)
    parser.add_argument("--tests", help="file with a list of tests")
    parser.add_argument("--only", default="", help="tests with this in their names")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    journal = os.open(os.path.join(options.folder, "journal"), os.O_RDWR | os.O_CREAT)
    avoid = [record["call"] for record in lines_of(os.path.join(options.folder, "avoid")) if "call" in record]
    stand_in = StandIn(journal, options.sample, avoid, options.exact)
    rewrite.install(stand_in.names())
    arguments = ["--pyargs", options.module, "-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--assert=plain", "--tb=line", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    arguments += ["--rootdir", os.path.dirname(os.path.dirname(numpy.__file__))]
    status = pytest.main(arguments, plugins=[Plugin(options, stand_in)])
    sys.exit(0 if status in (0, 1, 5) else int(status))


if __name__ == "__main__":
    main()
