# RUN: %python %s
"""A dataclass that a function defines was a RecursionError: what the decorator reads leads to methods of C, whose own methods are made anew at each look."""
from dataclasses import dataclass, field

import npcc


def weighted(numbers):
    @dataclass(frozen=True)
    class Sample:
        value: float
        weight: float = 1.0

    @dataclass
    class Total:
        sum: float = 0.0
        seen: list = field(default_factory=list)

    total = Total()
    for k, number in enumerate(numbers):
        sample = Sample(number) if k % 2 else Sample(number, 0.5)
        total.sum += sample.value * sample.weight
        total.seen.append(sample.weight)
    return total.sum, total.seen, Sample(1.0) == Sample(1.0, 1.0)


assert npcc.jit(weighted, target="cpu")([1.0, 2.0, 4.0]) == weighted([1.0, 2.0, 4.0]) == (4.5, [0.5, 1.0, 0.5], True)
