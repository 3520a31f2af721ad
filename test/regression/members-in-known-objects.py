# RUN: %python %s
"""Members of enumerations in attributes of objects that are known one by one, and taken out of their list at run time. They were Python's."""
import importlib
from enum import Enum

import npcc

importlib.import_module("npcc.jit").Specialiser.may_use_python = False


class Route(Enum):
    VEIN = 1
    MOUTH = 2


class Dose:
    def __init__(self, time, amount, route=Route.MOUTH):
        self.time, self.amount, self.route = time, amount, route


def given(steps):
    doses = [Dose(0.0, 100.0, Route.VEIN)] + [Dose(8.0 * k, 50.0) for k in range(1, 4)]
    pending = sorted(doses, key=lambda dose: dose.time)
    amounts = [0.0, 0.0]
    for i in range(steps):
        while pending and pending[0].time <= i:
            dose = pending.pop(0)
            amounts[0 if dose.route is Route.VEIN else 1] += dose.amount
    return amounts, len(pending), dose.route, [dose.route.name for dose in pending]


for steps in 1, 9, 30:
    assert npcc.jit(given)(steps) == given(steps), (npcc.jit(given)(steps), given(steps))
