# RUN: %python %s
"""A generator function that a call left before the first yield was compiled, and gave None instead of a generator."""
import npcc


def items(n):
    if n is None:
        return
    yield n


# What Python calls gives Python's generator, and says why; what goes over its items in a compiled function is compiled.
jitted = npcc.jit(target="cpu")(items)
for _ in range(2):
    assert type(jitted(None)).__name__ == "generator" and list(jitted(None)) == [] and list(jitted(3)) == [3]
assert all("yield cannot be compiled in a function that Python calls" in str(reason) for reason in jitted.fallbacks.values()) and len(jitted.fallbacks) == 2
try:
    jitted.explain(3)
except npcc.CompileError as error:
    assert "yield cannot be compiled in a function that Python calls" in str(error), error
else:
    raise AssertionError


@npcc.jit(target="cpu")
def total(n):
    return sum(items(n)) + sum(items(None))


assert total(3) == 3


@npcc.jit(target="cpu")
def total_of_jitted(n):
    return sum(jitted(n)) + sum(jitted(None))


assert total_of_jitted(3) == 3 and not total_of_jitted.fallbacks
