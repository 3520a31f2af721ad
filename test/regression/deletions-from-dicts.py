# RUN: %python %s
"""What is taken out of a dict leaves the others in their order, and where they are found: also of those that stand behind others in the table."""
from collections import OrderedDict

import numpy as np

import npcc


def churn(keys, kinds):
    found = {}
    log = []
    for k in range(len(keys)):
        key = int(keys[k])
        if kinds[k] == 0:
            found[key] = k
        elif kinds[k] == 1 and key in found:
            log.append(found.pop(key))
        elif kinds[k] == 2 and len(found) > 3:
            last, value = found.popitem()
            log.append(last + value)
        elif key in found:
            del found[key]
    return found, log


def nested(keys, kinds):
    pairs = {}
    inside = {0: {}, 1: {}}
    ordered = OrderedDict()
    for k in range(len(keys)):
        name = "k" + str(int(keys[k]))
        pair = (int(keys[k]) % 7, name)
        if kinds[k] < 2:
            pairs[pair] = k
            inside[k % 2][name] = k / 2
            ordered[name] = k
            ordered.move_to_end(name)
        elif pair in pairs:
            del pairs[pair]
            if name in inside[0]:
                inside[0].pop(name)
            if name in ordered:
                ordered.move_to_end(name, last=False)
                ordered.popitem(last=False)
    return list(pairs.items()), inside[0], inside[1], list(ordered.items())


rng = np.random.RandomState(1)
for function in (churn, nested):
    compiled = npcc.jit(function)
    for count, most in ((10, 5), (300, 40), (2000, 200), (2000, 9)):
        keys, kinds = rng.randint(-most, most, count), rng.randint(0, 4, count)
        assert compiled(keys, kinds) == function(keys, kinds), (function, count, most)
