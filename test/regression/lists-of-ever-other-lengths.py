# RUN: %python %s
# An object that keeps what each step gave in a list (NumPy's numbers, arrays) has a longer list in each call, so that each call was compiled anew: many times
# as slow as Python. Where that takes longer than Python takes for a call, Python runs it.
import numpy as np

import npcc
from npcc.lengths import MOST_LENGTHS, without_lengths


class Walk:
    def __init__(self):
        self.position, self.sums, self.places = np.zeros(3), [], []

    def step(self, by):
        self.position += by
        self.sums.append(np.sum(self.position))
        self.places.append(self.position.copy())
        return len(self.sums)


def walked(cls, steps):
    walk = cls()
    for k in range(steps):
        assert walk.step(0.5 * k) == k + 1
    return [*walk.sums, *walk.position, *np.ravel(walk.places)], [type(number) for number in walk.sums]


expected = walked(Walk, 2 * MOST_LENGTHS)
short = walked(Walk, MOST_LENGTHS)
Compiled = npcc.jit(target="cpu")(Walk)  # which is the class
assert walked(Compiled, 2 * MOST_LENGTHS) == expected
before = npcc.counters()["imports"]
assert walked(Compiled, MOST_LENGTHS) == short
assert npcc.counters()["imports"] == before, "lengths that there is code for"
assert any("another length" in str(reason) for reason in Compiled.step.fallbacks), Compiled.step.fallbacks

# A call that Python takes longer for than compiling takes is compiled, whatever its lengths.
assert without_lengths(("list", (("leaf",), ("leaf",)))) == without_lengths(("list", (("leaf",),))) != without_lengths(("list", ()))
from npcc.lengths import Lengths
made = []
lengths = Lengths()
for k in range(2 * MOST_LENGTHS):
    lengths.call((("list", (("leaf",),) * (k + 1)),), lambda: made.append("compiled"), lambda: (made.append("python"), sum(range(10**6))), lambda *_: None)
assert made.count("python") == 1 and made[MOST_LENGTHS] == "python", made
