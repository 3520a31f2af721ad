# RUN: %python %s
"""A defaultdict whose factory is a class of collections could not be returned."""
from collections import Counter, defaultdict, deque

import npcc


def followers(words):
    table, places = defaultdict(Counter), defaultdict(deque)
    for a, b in zip(words, words[1:]):
        table[a][b] += 1
    for place, word in enumerate(words):
        places[word].append(place)
    return table, places


words = "to be or not to be or".split()
for target in ("cpu", "debug"):
    table, places = npcc.jit(target=target)(followers)(words)
    assert (table, places) == followers(words)
    assert table.default_factory is Counter and table["be"].most_common(1) == [("or", 2)] and places["to"] == deque([0, 4])
