# RUN: %python %s
"""A member of an enumeration that was an argument, or an attribute of one, was no member in compiled code: `is` and == gave False."""
from dataclasses import dataclass
from enum import Enum, Flag, IntEnum, auto

import npcc


class Mode(Enum):
    ALPHA = "a"
    STABLE = "-"

    @property
    def shown(self):
        return self.name.lower()


class Rights(Flag):
    READ = auto()
    WRITE = auto()


class Level(IntEnum):
    LOW = 1
    HIGH = 2


@dataclass
class Nuclide:
    mode: Mode
    half_life: float = 2.0

    @property
    def rate(self):
        return 0.0 if self.mode is Mode.STABLE else 1.0 / self.half_life


def alone(member):
    return member is Mode.STABLE, member == Mode.ALPHA, member.value, member.name, member.shown, member


def held(nuclides):
    rates = []
    for one in nuclides:
        rates.append(one.rate)
    return rates, [one.mode == Mode.ALPHA for one in nuclides], {one.mode: one.rate for one in nuclides}


def change(nuclide):
    nuclide.mode = Mode.STABLE if nuclide.mode is Mode.ALPHA else Mode.ALPHA
    return nuclide.rate


def chosen(modes, table):
    return [table[mode] for mode in modes], Mode.STABLE in modes


def others(level, rights):
    return level is Level.HIGH, level + 1, rights == Rights.READ, rights is Rights.WRITE


def same(f, arguments):
    expected, found = f(*arguments()), npcc.jit(target="cpu")(f)
    for _ in range(2):
        given = arguments()
        assert found(*given) == expected, (f.__name__, expected)


both = list(Mode)
for member in both:
    same(alone, lambda: (member,))
    same(change, lambda: (Nuclide(member),))
compiled = npcc.jit(target="cpu")(alone)  # one function for both
assert [compiled(member) for member in both] == [alone(member) for member in both]
nuclide = Nuclide(Mode.ALPHA)
assert npcc.jit(target="cpu")(change)(nuclide) == 0.0 and nuclide.mode is Mode.STABLE
same(held, lambda: ([Nuclide(member) for member in both],))
same(chosen, lambda: (both, {Mode.ALPHA: 1.5, Mode.STABLE: 2.5}))
same(others, lambda: (Level.HIGH, Rights.READ))
