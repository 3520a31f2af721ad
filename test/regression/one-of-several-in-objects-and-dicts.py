# RUN: %python %s
# dict() and constructors were called once for each thing that an argument may be, and so a result had two objects where the program makes one. Beside
# objects that a result leads to, that was refused or took tables of objects.
from collections import namedtuple
from dataclasses import dataclass

import numpy as np

import npcc


@dataclass
class Limits:
    lower: float
    alarm: object = None


class Report:
    def __init__(self, alarm, limits):
        self.alarm, self.limits = alarm, limits


Pair = namedtuple("Pair", "alarm limits")


def first_above(x, limit):
    for k, value in enumerate(x):
        if value > limit:
            return k
    return None


def summary(x, limit):
    alarm, limits = first_above(x, limit), Limits(x.min())
    late = {k: value for k, value in enumerate(x)}
    return dict(alarm=alarm, sums={"all": x.sum()}, limits=(limits, Limits(limit, alarm)), late=late)


def objects(x, limit):
    alarm, limits = first_above(x, limit), Limits(x.min())
    report = Report(alarm, limits)
    report.limits.lower -= 1
    pair = Pair(alarm, limits)
    return report.alarm, limits, report.limits.lower, pair.alarm, isinstance(pair.alarm, int), vars(Report(alarm, 2))["alarm"]


for function in summary, objects:
    compiled = npcc.jit(target="cpu")(function)
    for limit in 2.0, 9.0:
        assert compiled(np.arange(5.0), limit) == function(np.arange(5.0), limit), (function, limit)
    assert not compiled.fallbacks
