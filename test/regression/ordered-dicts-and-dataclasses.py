# RUN: %python %s
"""OrderedDict's own methods, dict.popitem(), and dataclasses that are compared by some of their fields."""
import heapq
from collections import OrderedDict
from dataclasses import dataclass, field

import npcc


def recently_used(keys, room):
    kept = OrderedDict()
    given = []
    for key in keys:
        if key in kept:
            kept.move_to_end(key)
            given.append(kept[key])
            continue
        kept[key] = key * key
        if len(kept) > room:
            kept.popitem(last=False)
    return given, list(kept), kept


def emptied(keys):
    found = {}
    for key in keys:
        found[key] = len(found)
    order = []
    while found:
        order.append(found.popitem())
    return order


@dataclass(order=True)
class Job:
    priority: int
    name: str = field(compare=False)
    cost: float = field(default=1.0, compare=False)


def queue(priorities):
    waiting = []
    for k, priority in enumerate(priorities):
        heapq.heappush(waiting, Job(priority, f"job {k}", priority * 1.5))
    done = []
    while waiting:
        job = heapq.heappop(waiting)
        done.append((job.name, job.cost))
    return done, Job(1, "a") == Job(1, "b"), Job(1, "a") < Job(2, "b"), max([Job(3, "x"), Job(2, "y")]).name


for function, *arguments in ((recently_used, [1, 2, 1, 3, 2, 3], 2), (emptied, [4, 2, 9]), (queue, [3, 1, 2])):
    got, want = npcc.jit(function, target="cpu")(*arguments), function(*arguments)
    assert repr(got) == repr(want), (function.__name__, got, want)
