# RUN: %python %s
"""`l * n` of a list whose length is known at run time only was a TypeError, and so was `l *= n`. An integer of NumPy's that is
known when the function is compiled multiplied the items of a list."""
import copy

import numpy as np

import npcc


def longer(l, n):
    return l * 2, n * l, np.int64(2) * l, tuple(l) * n, [n] * np.int8(2), l


def in_place(l, n):
    m = l
    l *= n
    return m is l, len(m)


def behind(l, n):
    l.append(l[0])
    if n > 1:
        l *= n
    l += [l[-1]]


def in_dict(d, n):
    d["x"] *= n
    d["x"] += d["x"][:1]


for function, given in ((longer, [1, 2]), (longer, [1.5, 2]), (longer, ["a", "b"]), (in_place, [1, 2]), (in_place, [[1], [2]]),
                        (in_place, [(1, 2)]), (behind, [1, 2, 3]), (in_dict, {"x": [1, 2]})):
    for n in (3, 0, -1):
        mine, theirs = copy.deepcopy(given), copy.deepcopy(given)
        if function is in_dict and n < 1:
            continue
        found, expected = npcc.jit(function, target="cpu")(mine, n), function(theirs, n)
        assert repr((found, mine)) == repr((expected, theirs)), (function.__name__, given, n, found, mine, expected, theirs)
