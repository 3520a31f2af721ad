# RUN: %python %s
"""A list of many tuples was taken apart, and its columns were looked at, by Python code, which took longer than short loops over them in Python."""
from collections import namedtuple

import npcc
from npcc import _npcc, structures

Edge = namedtuple("Edge", "u v w")


@npcc.jit(target="cpu")
def weight(edges):
    total = 0
    for u, v, w in edges:
        total += u * w - v
    return total, len(edges)


def rows(kind, n=20):
    return [kind(k, k + 1, k * 0.5) for k in range(n)]


for edges in (
    rows(lambda *row: row),
    rows(Edge),
    rows(lambda *row: row, 3),
    rows(lambda *row: row, 19) + [(1, 2, 3)],
    rows(lambda u, v, w: (u, v, True)),
    rows(lambda u, v, w: (float(u), v, w)),
):
    assert repr(weight(edges)) == repr(weight.py_func(edges)), edges

pairs = [(k, "a") for k in range(20)]
assert structures.columns_of(pairs) == [list(range(20)), ["a"] * 20]
for others in (pairs + [(1,)], pairs + [[1, "a"]], pairs + [(1, None)], pairs + [(2**70, "a")], [(k, []) for k in range(20)]):
    assert structures.columns_of(others) is None, others
assert _npcc.columns_of([(1, 2), (3, 4)], tuple, 2) == [[1, 3], [2, 4]] and _npcc.columns_of([(1, 2), [3, 4]], tuple, 2) is None
assert [_npcc.is_uniform(given) for given in ([1.0, 2.0], [1, 2], [1, 2.0], [1, 2**63], [True], [], (1, 2), [None])] == [True, True] + [False] * 6
