# RUN: %python %s
"""Dicts whose keys are computed, Counters and deques were equal to nothing but themselves."""
from collections import Counter, OrderedDict, defaultdict, deque

import npcc


def compared(n, words):
    one, two, three = {k: [k] for k in range(n)}, {k: [k] for k in range(n)}, {k: [0] for k in range(n)}
    mixed, others = {k: (1 if k else "x") for k in range(n)}, {k: (1 if k else "x") for k in range(n)}
    results = [one == two, one != two, one == three, mixed == others, one is two, {0: [0], 1: [1]} == one, one == {}]
    two[n] = [1]
    results += [one == two, two == one, one in [three, dict(one)]]
    counts, lengths = defaultdict(int), {}
    for word in words:
        counts[word] += 1
        lengths[word] = len(word)
    results += [counts == Counter(words), Counter(words) == Counter(words[::-1]), Counter(words) == lengths, counts == lengths, counts == {"a": 2, "bc": 1}]
    first, last = OrderedDict((word, 1) for word in words), OrderedDict((word, 1) for word in words[::-1])
    results += [first == last, first == OrderedDict((word, 1) for word in words), first == dict(last)]
    line = deque(words)
    results += [line == deque(words), line == deque(words[1:]), line != deque(words)]
    return results


arguments = 2, ["a", "bc", "a"]
found, expected = npcc.jit(compared, target="cpu")(*arguments), compared(*arguments)
assert found == expected, (found, expected)
