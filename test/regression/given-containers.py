# RUN: %python %s
"""Counters, defaultdicts, OrderedDicts and deques among the arguments left the whole function to Python."""
import copy
from collections import Counter, OrderedDict, defaultdict, deque

import npcc


class Log:
    def __init__(self):
        self.last, self.counts, self.lines = deque(maxlen=2), Counter(), defaultdict(list)


def count(counts, words):
    counts.update(words)
    counts["new"] += 2
    return counts.most_common(1), counts["none"], counts


def reached(near, start):
    seen, waiting = {start}, deque([start])
    while waiting:
        for there in sorted(near[waiting.popleft()]):
            if there not in seen:
                seen.add(there)
                waiting.append(there)
    return sorted(seen)


def remembered(cache, keys, most):
    hits = 0
    for key in keys:
        if key in cache:
            hits += 1
            cache.move_to_end(key)
        else:
            cache[key] = key * key
            if len(cache) > most:
                cache.popitem(last=False)
    return hits


def sums(totals, numbers):
    for k, number in enumerate(numbers):
        totals[k % 2] += number


def turned(queue, times):
    for _ in range(times):
        at, name = queue.popleft()
        queue.append((at + 1.5, name + "!"))
    return len(queue), queue[-1]


def logged(log, words):
    for word in words:
        log.last.append(len(word))
        log.counts[word] += 1
        log.lines[len(word)].append(word)


for function, arguments in (
    (count, (Counter("abca"), ["b", "b", "d"])),
    (reached, (defaultdict(set, {"a": {"b"}, "b": {"c", "a"}, "c": set()}), "a")),
    (remembered, (OrderedDict(), [1, 2, 3, 1, 4, 2, 1], 3)),
    (remembered, (OrderedDict({7: 1, 1: 1}), [1, 2, 3, 1], 2)),
    (sums, (defaultdict(float), [0.5, 1.5, 2.5])),
    (turned, (deque([(0.5, "a"), (1.0, "b")], maxlen=2), 3)),
    (logged, (Log(), ["a", "bb", "a"])),
):
    mine, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    wanted, got = function(*theirs), npcc.jit(function, target="cpu")(*mine)
    assert repr(got) == repr(wanted), (function.__name__, got, wanted)
    for one, other in zip(mine, theirs):
        are_equal_dicts = isinstance(one, dict) and one == other and list(one) == list(other)  # the order of a set is not given back
        same = repr(vars(one)) == repr(vars(other)) if isinstance(one, Log) else are_equal_dicts or repr(one) == repr(other)
        assert same and type(one) is type(other), (function.__name__, one, other)
counts = Counter("ab")
assert npcc.jit(count, target="cpu")(counts, ["a"])[2] is counts
