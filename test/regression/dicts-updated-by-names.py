# RUN: %python %s
"""`d.update(name=value)` of a dict whose keys are computed, and of a Counter, was a TypeError."""
from collections import Counter, OrderedDict

import npcc


def updated(words, given):
    lengths = {}
    for word in words:
        lengths[word] = len(word)
    lengths.update(z=1)
    lengths.update([("y", 2)], z=3)
    lengths.update({"w": 5}, a=4)
    lengths.update()
    counts = Counter(words)
    counts.update(["a", "b"], z=2)
    counts.update(b=1)
    ordered = OrderedDict((word, 0) for word in words)
    ordered.update(b=7)
    for key in list(given):
        if key == "p":
            del given[key]
    given.update(q=[1])
    return lengths, counts, ordered


arguments = [["a", "bc", "a"], {"p": [2], "r": [3]}]
others = [["a", "bc", "a"], {"p": [2], "r": [3]}]
found, expected = npcc.jit(updated, target="cpu")(*arguments), updated(*others)
assert repr((found, arguments)) == repr((expected, others)), (found, arguments, expected, others)
