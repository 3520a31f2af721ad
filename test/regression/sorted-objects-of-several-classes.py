# RUN: %python %s
"""Sorting objects of two classes made all of them objects of the first one's class, with the attributes that they had as numbers."""
import npcc


class Item:
    def __init__(self, key):
        self.key = key

    def __lt__(self, other):
        return self.key < other.key


class Large(Item):
    pass


def by_comparison(key):
    return [type(one).__name__ for one in sorted([Item(key), Large(1)])]


def by_key(key):
    return [(type(one).__name__, one.key) for one in sorted([Item(key), Large(1)], key=lambda one: one.key)]


def in_place(key):
    items = [Item(key), Large(1)]
    items.sort()
    return items[0].key, type(items[0]).__name__


for function in (by_comparison, by_key, in_place):
    for key in (0, 2):
        assert npcc.jit(target="cpu")(function)(key) == function(key)
