# RUN: %python %s
"""An error of compiled code had its place as a note, which doctest takes as part of the message: the place is a frame of the traceback."""
import doctest
import traceback

import npcc


@npcc.jit(target="cpu")
def root(n):
    """
    >>> root(4)
    2.0
    >>> root(-1)
    Traceback (most recent call last):
        ...
    ValueError: n is negative
    """
    if n < 0:
        raise ValueError("n is negative")
    return n**0.5


try:
    root(-4)
except ValueError as error:
    assert traceback.format_exception_only(error) == ["ValueError: n is negative\n"]
    frame = traceback.extract_tb(error.__traceback__)[-1]
    assert (frame.filename, frame.name, frame.line) == (__file__, "compiled code", 'raise ValueError("n is negative")'), frame
else:
    raise AssertionError("no error")

test = doctest.DocTestParser().get_doctest(root.__doc__, {"root": root}, "root", __file__, 1)
assert doctest.DocTestRunner().run(test) == (0, 2)
