# RUN: not npcc %s -o %t.so 2>&1 | FileCheck %s
"""Ahead of time there is no Python that could look into a dict of a class with a way of its own."""
import collections

SEEN = collections.defaultdict(int)


# npcc export looked_up(int64)
def looked_up(n):
    return SEEN[n]


# CHECK: line 10
# CHECK: return SEEN[n]
# CHECK: a global defaultdict finds its items in a way of its own, which cannot be compiled
