# RUN: %python %s
# An object that keeps what each step gave in a list (NumPy's numbers, arrays) has a longer list in each call, so that each call was compiled anew: many times
# as slow as Python. Where that takes longer than Python takes for a call, Python runs it.
import numpy as np

import npcc
from npcc import lengths as of_lengths
from npcc.lengths import MOST_LENGTHS, Lengths, without_lengths

of_lengths.MOST_SECONDS = float("inf")


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

# Pieces in rows of a board are one kind, wherever they lie.
assert without_lengths(("list", (("leaf",), ("leaf",)))) == without_lengths(("list", (("leaf",),))) != without_lengths(("list", ()))
none, piece = ("known", 0), ("object", ("leaf",))
boards = [("list", (("list", rows[0]), ("list", rows[1]))) for rows in (((none, piece), (none, none)), ((none, none), (piece, none)))]
assert without_lengths(boards[0]) == without_lengths(boards[1]) != without_lengths(("list", (("list", (none, none)),)))

# A call that Python takes longer for than compiling takes is compiled, whatever its lengths.
made = []
lengths = Lengths()
for k in range(2 * MOST_LENGTHS):
    lengths.call((("list", (("leaf",),) * (k + 1)),), lambda: made.append("compiled"), lambda: (made.append("python"), sum(range(10**6))), lambda *_: None)
assert made.count("python") == 1 and made[MOST_LENGTHS] == "python", made

# One that comes again is compiled.
made, forms = [], [(("list", (("leaf",),) * k),) for k in range(1, MOST_LENGTHS + 2)]
lengths = Lengths()
for form in (*forms, forms[-1], forms[-1]):
    lengths.call(form, lambda: (made.append("compiled"), sum(range(10**5))), lambda: made.append("python"), lambda *_: None)
assert made == ["compiled"] * MOST_LENGTHS + ["python", "compiled", "compiled"], made
