# RUN: %python %s
"""divmod() of Python's floats by zero has words of its own."""

import npcc


def both(x, y):
    return divmod(x, y)


def error_of(function, x, y):
    try:
        function(x, y)
    except ZeroDivisionError as error:
        return str(error)
    raise AssertionError((x, y))


for x, y in ((1.0, 0.0), (1.0, False), (3, 0.0), (3, 0), (True, False)):
    assert error_of(npcc.jit(both, target="cpu"), x, y) == error_of(both, x, y), (x, y)
assert npcc.jit(both, target="cpu")(7.5, 2) == divmod(7.5, 2)
