# RUN: %python %s
"""A statement that is imported again, because it raises an exception on some paths, found what it had appended at first in the list of the function that
has called its own: values of code that was taken back, which ended the process."""
import numpy as np

import npcc


def play(rng, log):
    total = 0
    for turn in range(5):
        dice = [int(v) for v in rng.integers(1, 4, 3)]
        options = {k: dice.count(k) for k in range(1, 4) if dice.count(k) > 1}
        if not options:
            log.append(("none", 0))
            continue
        name = max(options, key=lambda k: (options[k], k))
        total += options[name]
        log.append((str(name), options[name]))
    return total


def main(n):
    rng = np.random.default_rng(17)
    log = []
    totals = [play(rng, log) for _ in range(n)]
    return totals, log[:3], len(log)


for n in 1, 3, 20:
    for value in npcc.jit(main, target="cpu", cache=False), npcc.jit(main, target="cpu", cache=False, fallback=True):
        assert value(n) == main(n)
