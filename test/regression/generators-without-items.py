# RUN: %python %s
"""A generator function that a call left before the first yield was compiled, and gave None instead of a generator."""
import npcc


def items(n):
    if n is None:
        return
    yield n


try:
    npcc.jit(target="cpu")(items)(None)
except npcc.CompileError as error:
    assert "yield cannot be compiled in a function that Python calls" in str(error), error
else:
    raise AssertionError
assert list(npcc.jit(target="cpu", fallback=True)(items)(None)) == []


@npcc.jit(target="cpu")
def total(n):
    return sum(items(n)) + sum(items(None))


assert total(3) == 3
