# RUN: %python %s
# Tuples that hold None could be no items of a list of several types, so that what a recursive function gives could not be remembered; and
# one that calls itself with other known strings was imported anew for each of them, with all that it calls.
from functools import lru_cache

import npcc


@lru_cache(maxsize=None)
def best(heap, player):
    """Whoever takes the last one wins: (who wins, the first move)."""
    if heap == "":
        return ("B" if player == "A" else "A"), None
    found = None
    for k in (1, 2, 3):
        if k <= len(heap):
            winner, _ = best(heap[k:], "B" if player == "A" else "A")
            if found is None or winner == player != found[0]:
                found = winner, k
    return found


def game(n):
    return [best("o" * k, "A") for k in range(n)]


expected = game(9)
best.cache_clear()
assert npcc.jit(target="cpu")(game)(9) == expected


def kinds(n):
    found = {}
    for k in range(n):
        found[k, "a"] = None if k == 2 else ((None, None) if k % 2 else (k, 2.5))
    return found, found[2, "a"], found[3, "a"][0], [value is None for value in found.values()]


assert repr(npcc.jit(target="cpu")(kinds)(5)) == repr(kinds(5))


def later(n, word):
    if n == 0:
        return ("B" if word == "A" else "A"), None
    found = None
    for k in range(n):
        if k % 2:
            found = word, k
    return found


for arguments in ((0, "A"), (3, "B"), (1, "B")):
    assert npcc.jit(target="cpu")(later)(*arguments) == later(*arguments)
