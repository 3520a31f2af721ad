# RUN: %python %s
"""Where the first objects of a table got an attribute and later ones did not, the result was an IndexError."""
import npcc


class Part:
    pass


def first(n):
    outer = Part()
    outer.inner = Part()
    for k in range(n):
        outer.inner.last = k, 1.5
    return outer, outer.inner


for n in (3, 0):
    found, expected = npcc.jit(first, target="cpu")(n), first(n)
    assert found[0].inner is found[1] and vars(found[1]) == vars(expected[1]) and list(vars(found[0])) == ["inner"], vars(found[1])
