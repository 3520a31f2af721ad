# RUN: %python %s
# explain() took no keywords, left out the defaults that a call hands over, and refused functions with **keywords; of a function that nobody
# kept, with containers among the arguments, it was a TypeError.
import numpy as np

import npcc


def scaled(x, factor=2.0, *, power=1, count=3):
    for _ in range(count):
        x = x * factor**power
    return x


def chosen(x, **options):
    return x * options["factor"] if options else x


class Field:
    def __init__(self, n):
        self.u = np.ones(n)


def doubled(field, factor=2):
    return field.u * factor


compiled = npcc.jit(target="cpu")(scaled)
text = str(compiled.explain(np.ones(5), count=4))
assert "count: 4" in text and "map over 5" in text, text
compiled(np.ones(5), count=4)
assert str(compiled.explain()) == text
assert "map over 7" in str(npcc.jit(target="cpu")(chosen).explain(np.ones(7), factor=3.0))
assert "map over 6" in str(npcc.jit(target="cpu")(doubled).explain(Field(6), factor=3))
try:
    compiled.explain(np.ones(5), number=4)
except TypeError as error:
    assert "number" in str(error)
else:
    assert False
