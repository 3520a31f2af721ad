# RUN: %python %s
"""A method of an object that is known when the function is compiled, which does something at each call, was an error: Python calls it."""
import io
import logging

import npcc

report = io.StringIO()
log = logging.getLogger("table")
kept = []


class Keeping(logging.Handler):
    def emit(self, record):
        kept.append(record.getMessage())


log.addHandler(Keeping())
log.setLevel(logging.INFO)


def table(rows, out=report):
    total = 0.0
    for name, value in rows:
        out.write(f"{name:<6}{value:8.3f}\n")
        total += value
    log.info("rows: %d, total %s", len(rows), total)
    return total


rows = [("one", 1.0), ("two", 2.5)]
for target in ("cpu", "debug"):
    texts = []
    for function in (table, npcc.jit(target=target)(table)):
        report.seek(0)
        report.truncate()
        assert function(rows) == 3.5
        texts.append(report.getvalue())
    assert texts[0] == texts[1] == "one      1.000\ntwo      2.500\n", texts
assert kept == ["rows: 2, total 3.5"] * 4, kept
