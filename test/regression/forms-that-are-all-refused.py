# RUN: %python %s
# A function with fallback=True that cannot be compiled for any form of its arguments was tried for each new one, and the arguments of all later calls were
# taken apart for nothing: hundreds of times as slow as Python. After some forms Python runs all calls, until something that the function depends on is
# bound anew.
import struct

import npcc
from npcc.attempts import MOST_REFUSED


def size(shape):
    return len(struct.pack("f", shape["data"]))


def size_of(shape):
    return measured(shape), len(shape)


measured = size


def settings(first, count):
    return [{"data": 0.5, f"key{k}": 1.0} for k in range(first, first + count)]


compiled = npcc.jit(size_of, target="cpu", fallback=True)
for one in settings(0, MOST_REFUSED):
    assert compiled(one) == (4, 2)
before = npcc.counters()["imports"]
assert before
for one in settings(MOST_REFUSED, 20):
    assert compiled(one) == (4, 2)
assert npcc.counters()["imports"] == before and len(compiled.fallbacks) <= MOST_REFUSED, compiled.fallbacks

measured = len
assert compiled({"key0": 1.0}) == (1, 1)
assert npcc.counters()["imports"] > before and not compiled.fallbacks
