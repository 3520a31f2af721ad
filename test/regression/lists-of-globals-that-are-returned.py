# RUN: %python %s
"""A list that a global holds, or that lies in one, was returned as a copy where the function only looks at it; two of them together were refused."""
import npcc

ROWS = [[1, 2], [3, 4]]
TREE = {"a": [1], "b": {"c": [2, 3]}}


def inner():
    return ROWS[0]


def together():
    return ROWS[0], ROWS[1], ROWS


def of_dict():
    return TREE["a"], TREE["b"]["c"], TREE


def named():
    row = ROWS[1]
    return row, row


def copies():
    return list(ROWS[0]), ROWS[0][:], ROWS[0] + [1], [x for x in ROWS[0]]


def longest():
    best = ROWS[0]
    for row in ROWS:
        if len(row) > len(best):
            best = row
    return best


def parts(value):
    return value if isinstance(value, tuple) else (value,)


for function in inner, together, of_dict, named:
    compiled = npcc.jit(function, target="cpu")
    want, got = parts(function()), parts(compiled())
    assert len(want) == len(got) and all(map(lambda a, b: a is b, want, got)), (function.__name__, got)
assert npcc.jit(longest, target="cpu")() == longest()
got = npcc.jit(copies, target="cpu")()
assert got == copies() and all(one is not ROWS[0] for one in got)


def of_one_value():
    counts = dict.fromkeys("ab", [])
    counts["a"].append(1)
    return counts


got = npcc.jit(of_one_value, target="cpu")()
assert got == {"a": [1], "b": [1]} and got["a"] is got["b"]
