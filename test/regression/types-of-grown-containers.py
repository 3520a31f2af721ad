# RUN: %python %s
"""A dict, set or deque that grows said that it was none, to isinstance(), type() and __class__."""
import collections

import npcc


@npcc.jit(target="cpu")
def kinds(n):
    counts, seen, queue = {}, set(), collections.deque()
    for i in range(n):
        counts[i % 3] = i
        seen.add(i)
        queue.append(i)
    every = counts, seen, queue, collections.Counter([n, n])
    return (
        [isinstance(one, dict) for one in every],
        [isinstance(one, (set, collections.deque)) for one in every],
        [type(one) is collections.Counter for one in every],
        [one.__class__.__name__ for one in every],
        [n].__class__ is list and (n,).__class__ is tuple and n.__class__ is int,
    )


assert kinds(5) == kinds.py_func(5), kinds(5)
