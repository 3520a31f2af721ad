# RUN: %python %s
# A defaultdict whose factory is a function could not be returned.
from collections import defaultdict

import npcc


def counted(words):
    follow = defaultdict(lambda: defaultdict(int))
    for a, b in zip(words, words[1:]):
        follow[a][b] += 1
    return follow


words = [f"w{k * k % 5}" for k in range(20)]
result, expected = npcc.jit(target="cpu")(counted)(words), counted(words)
assert result == expected and type(result) is defaultdict and result["none"] == {}
