"""Generators whose items are asked for one by one, by next() and send(): objects that know where the generator stands (npcc/resumption.py)."""
import types

import numpy as np

from .iteration import Iterator


class Finished(Exception):
    """There are no more items."""


class Resumable:
    """What is kept is in further attributes, which `resume` reads and stores."""

    def __init__(self, resume):
        self.resume = resume
        self.state = 0

    def __iter__(self):
        while True:
            try:
                item = self.__next__()
            except StopIteration:
                break
            yield item

    def __next__(self):
        return self.send(None)

    def next_or(self, otherwise):
        """next(self, otherwise)"""
        try:
            return self.send(None)
        except StopIteration:
            return otherwise

    def send(self, value):
        if value is not None and self.state == 0:
            raise TypeError("can't send non-None value to a just-started generator")
        try:
            return self.resume(self, value, Finished, items_of)
        except Finished:
            pass
        except StopIteration:
            raise RuntimeError("generator raised StopIteration")
        raise StopIteration

    def close(self):
        self.state = -1


class Ahead:
    """The items of an iterator, of which it is asked first whether there are more."""

    def __init__(self, iterator):
        self.iterator = iterator

    def is_more(self):
        try:
            self.item = self.iterator.__next__()
        except StopIteration:
            return False
        return True

    def __next__(self):
        return self.item


def items_of(iterable):
    """What a loop of a generator goes over."""
    if isinstance(iterable, (list, tuple, str, range, np.ndarray)):
        return Iterator(iterable)
    if isinstance(iterable, types.GeneratorType) or hasattr(iterable, "__next__"):
        return Ahead(iterable)
    iterator = iter(iterable)
    return iterator if isinstance(iterator, Iterator) else Ahead(iterator)


def zipped_in_turn(*iterables):
    """zip() of several iterators."""
    sources = tuple(items_of(iterable) for iterable in iterables)
    while True:
        row = ()
        for source in sources:
            if not source.is_more():
                return
            row += (source.__next__(),)
        yield row
