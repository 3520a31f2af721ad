# RUN: %python %s
"""`remove` of a list whose items are known changed a copy of it, and searching a list at run time ended the process where no function of the
library had been used before; `extend` of such a list by one of any length was a TypeError."""
import numpy as np

import npcc


def known():
    items = [1, 2, 3, 2]
    items.remove(2)
    return items


def computed(x):
    items = [x[0], x[1], x[2]]
    items.remove(x[1])
    return len(items), items[0], items[1]


def missing():
    items = [1, 2]
    items.remove(3)
    return items


def chosen(k):
    items = [1.0, 2.0, 3.0]
    return items.pop(k), len(items)


def emptied():
    items = [1]
    items.pop()
    return items.pop()


def extended(n):
    items = [1]
    items.extend([k * k for k in range(n)])
    return items, len(items)


assert npcc.jit(extended)(3) == extended(3)
x = np.array([1.0, 2.0, 3.0])
assert npcc.jit(computed)(x) == computed(x)
assert npcc.jit(known)() == known()
for k in (0, -1):
    assert npcc.jit(chosen)(k) == chosen(k)
for function in (missing, emptied):
    try:
        function()
    except (ValueError, IndexError) as expected:
        try:
            npcc.jit(function)()
            raise AssertionError("no error")
        except type(expected) as error:
            assert str(error) == str(expected), error
