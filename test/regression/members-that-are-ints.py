# RUN: %python %s
"""A member of an IntEnum that was an argument was its number only: it had no name and was returned as an int; one could not be an item of a list."""
from enum import IntEnum, IntFlag

import numpy as np

import npcc


class Light(IntEnum):
    RED = 1
    GREEN = 2


class Right(IntFlag):
    READ = 1
    WRITE = 2


NEXT = {Light.RED: Light.GREEN, Light.GREEN: Light.RED}


class Lane:
    def __init__(self, left):
        self.light, self.left = Light.RED, left

    def tick(self):
        self.left -= 1
        if self.left == 0:
            self.light, self.left = NEXT[self.light], 2


def shown(light):
    return light, light.name, light + 1, light == Light.RED, f"{light} {light!r}", [light, Light.GREEN]


def simulate(count, steps):
    lanes = [Lane(k + 1) for k in range(count)]
    history, log, counts = np.zeros((count, steps), int), [], {}
    for step in range(steps):
        for k, lane in enumerate(lanes):
            lane.tick()
            history[k, step] = lane.light
            log.append((step * 0.5, lane.light))
            counts[lane.light] = counts.get(lane.light, 0) + 1
    return history.tolist(), log, counts, [lane.light for lane in lanes], sum(lane.light for lane in lanes), np.array([Light.RED] * count).tolist()


def rights(given):
    return given & Right.READ, bool(given & Right.WRITE), (given | Right.WRITE).value


def summed(numbers):
    level, total = Light.RED, 0
    for number in numbers:
        level = Light.GREEN if number > 3 else Light.RED
        total += level
    return level, total, total - level


for function, cases in ((summed, [([1, 4, 9],)]), (shown, [(Light.RED,), (Light.GREEN,)]), (simulate, [(2, 3), (3, 5)]),
                        (rights, [(Right.READ,), (Right.READ | Right.WRITE,)])):
    compiled = npcc.jit(function, target="cpu")
    for arguments in cases:
        assert repr(compiled(*arguments)) == repr(function(*arguments)), (function.__name__, compiled(*arguments), function(*arguments))
