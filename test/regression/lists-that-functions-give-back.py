# RUN: %python %s
"""A list of the caller's that a helper gave back, or that min(), map() and dict.get() gave, was another list in compiled code where it changed: the change was
not seen in the argument."""
import npcc


def same(a):
    return a


def first(a):
    return a[0]


def of_helper(rows):
    row = first(rows)
    row.append(5)


def of_same(row):
    other = same(row)
    other.append(5)
    same(other)[0] = 7


def of_lambda(rows):
    (lambda rows: rows[1])(rows).append(5)


def of_builtins(rows):
    min(rows, key=len).append(5)
    max(rows, key=len)[0] = 9
    for row in map(lambda row: row, rows):
        row.append(1)


def of_while(rows):
    waiting = list(rows)
    while waiting:
        row = waiting.pop()
        row.append(0)


def of_dict(rows, key):
    rows.get(key).append(3)
    rows.setdefault("a", []).append(4)


def of_rest(rows):
    one, *others = rows
    same(others).append([4])
    others[0].append(6)
    return len(others)


CASES = [(of_helper, lambda: ([[1], [2]],)), (of_same, lambda: ([1],)), (of_lambda, lambda: ([[1], [2]],)), (of_builtins, lambda: ([[1], [2]],)),
         (of_while, lambda: ([[1], [2]],)), (of_dict, lambda: ({"a": [1], "b": [2]}, "b")), (of_rest, lambda: ([[1], [2], [3]],)),
         (of_helper, lambda: ([[1, 2], [2]],))]
for function, arguments in CASES:
    for target in ("cpu", "debug"):
        expected, found = arguments(), arguments()
        assert npcc.jit(target=target)(function)(*found) == function(*expected), function.__name__
        assert found == expected, (function.__name__, target, found, expected)
