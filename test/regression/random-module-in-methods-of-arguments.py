# RUN: %python %s
# Methods of an object that is an argument draw from Python's module `random`, of which the function itself names nothing: its state was not lent to the call,
# which went on from that of an earlier one, and the module's stayed as it was.
import random

import npcc


class Die:
    def __init__(self, sides):
        self.sides = sides

    def roll(self):
        return random.randint(1, self.sides)

    def rolls(self, n):
        return [self.roll() for _ in range(n)]


def rolled(die, n):
    return die.rolls(n)


def drawn(rolls):
    random.seed(4)
    return [rolls(3), random.random(), rolls(2), random.getstate()]


die = Die(20)
expected = drawn(die.rolls)
compiled = npcc.jit(target="cpu")(rolled)
assert drawn(lambda n: compiled(die, n)) == expected
Compiled = npcc.jit(target="cpu")(Die)
assert drawn(Compiled(20).rolls) == expected and drawn(Compiled(20).rolls) == expected
