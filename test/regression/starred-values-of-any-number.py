# RUN: %python %s
# As many values as an array or a list has at run time, behind a star: in a tuple, in a format's values, and among
# others that print() writes. All were refused.
import contextlib
import io

import numpy as np

import npcc


def printed(name, row, more):
    print(name, *row)
    print(name, *("%6.1f" % value for value in row))
    print(*row, name, sep="|")
    print(*row, *more, name, 3, sep=", ")
    print(name, *more, 4, *row, end="!\n")
    print(*more, name, *more)


def formatted(place):
    table = np.zeros((4, 2))
    table[place] = place, 2.5
    return "%5d %8.4f %7.4f" % (place, *table[place]), "%s of %d" % (*table[place][:1], len(table))


def tuples(row):
    return (1, *row), (*row,), len((*row, *row))


def run(function, arguments):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        result = function(*arguments)
    return repr(result), text.getvalue()


for function, *cases in (
    (printed, ("x", np.array([1.5, 2, 3]), [1, 2]), ("x", np.array([]), [1])),
    (formatted, (2,)),
    (tuples, (np.array([1.5, 2.0]),), (np.array([]),)),
):
    compiled = npcc.jit(function)
    for arguments in cases:
        expected, result = run(function, arguments), run(compiled, arguments)
        assert result == expected, (function.__name__, arguments, result, expected)


def too_few(row):
    return "%5d %8.4f %7.4f" % (1, *row)


try:
    npcc.jit(too_few)(np.ones(1))
except TypeError as error:
    assert "not enough arguments for format string" in str(error), error
else:
    raise AssertionError("a format that takes more values than there are")
