# RUN: %python %s
# Lists of more than 16 named tuples were taken apart one by one, as lists of plain tuples are not: code for 140 of them
# took half a minute to compile.
from collections import namedtuple

import npcc
from npcc import structures

Row = namedtuple("Row", "day hour temperature name")
rows = [Row(k // 6, k % 6, 0.5 * k, f"n{k % 7}") for k in range(40)]


def daily(rows):
    out = {}
    for row in rows:
        out.setdefault(row.day, []).append(row)
    return out


def warmest(rows):
    best = max(rows, key=lambda row: row.temperature)
    return best, best._replace(hour=0), str(best), rows[3], [row.name for row in rows if row.hour == 2]


def appended(rows):
    rows.append(Row(1, 2, 3.5, "last"))
    return len(rows), rows[-1].name


for function in daily, warmest, appended:
    given, other = list(rows), list(rows)
    expected, found = function(given), npcc.jit(target="cpu")(function)(other)
    assert repr(found) == repr(expected) and other == given, (function.__name__, found, expected)

(kind, ((rows_kind, cls, columns),)), = structures.Taken(("rows",), (rows,)).form
assert (kind, rows_kind, cls, len(columns)) == ("many", "rows", Row, 4)
