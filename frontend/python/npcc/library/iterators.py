"""The module itertools, and what else makes items one after the other, as generators that are compiled with the loops over them."""
import functools
import itertools
import operator

import numpy as np

from . import implements
from .routines import is_known, is_resumed


# What these compute of the program's numbers are Python's ints.
PYTHONS_INTS = ("reduce", "accumulate", "__next__")


def known_items(iterable):
    """Something that can be gone over again and again, and read at positions."""
    return [item for item in iterable]


# What loops go over is made by functions that call themselves, which become loops in loops. Where it is asked for item by item, by next(), each of their
# calls would be a generator of its own: there positions say what comes next.
@implements(itertools.product)
def product(*iterables, repeat=1):
    if is_resumed():
        yield from _in_turn(tuple([known_items(pool) for pool in iterables * repeat]))
    else:
        yield from _nested(iterables * repeat)


def _in_turn(pools):
    count = len(pools)
    positions = np.zeros(count, np.int64)
    lengths = np.array([len(pool) for pool in pools], np.int64)
    is_more = np.all(lengths > 0)
    while is_more:
        yield tuple([pools[j][positions[j]] for j in range(count)])
        place = count - 1
        while place >= 0 and positions[place] == lengths[place] - 1:
            positions[place] = 0
            place -= 1
        is_more = place >= 0
        if is_more:
            positions[place] += 1


def _nested(pools):
    if len(pools) == 0:
        yield ()
    else:
        for first in pools[0]:
            for rest in _nested(pools[1:]):
                yield (first,) + rest


@implements(itertools.combinations)
def combinations(iterable, r):
    if r < 0:
        raise ValueError("r must be non-negative")
    items = known_items(iterable)
    if is_known(r) and not is_resumed():
        yield from _chosen(items, 0, r, 1)
    elif r <= len(items):
        yield from _chosen_at_run_time(items, r, 1)


@implements(itertools.combinations_with_replacement)
def combinations_with_replacement(iterable, r):
    if r < 0:
        raise ValueError("r must be non-negative")
    items = known_items(iterable)
    if is_known(r) and not is_resumed():
        yield from _chosen(items, 0, r, 0)
    elif r == 0 or len(items) > 0:
        yield from _chosen_at_run_time(items, r, 0)


def _chosen(items, start, r, step):
    """Tuples of `r` items in their order, each at least `step` positions behind the one before."""
    if r == 0:
        yield ()
    else:
        for k in range(start, len(items)):
            for rest in _chosen(items, k + step, r - 1, step):
                yield (items[k],) + rest


def _chosen_at_run_time(items, r, step):
    """The same by their positions, from the first ones to the last ones."""
    positions = np.arange(r) * step
    is_more = True
    while is_more:
        yield tuple([items[positions[j]] for j in range(r)])
        place = r - 1
        while place >= 0 and positions[place] == len(items) - 1 - (r - 1 - place) * step:
            place -= 1
        is_more = place >= 0
        if is_more:
            positions[place:] = positions[place] + 1 + np.arange(r - place) * step


@implements(itertools.permutations)
def permutations(iterable, r=None):
    items = known_items(iterable)
    if is_known(len(items) if r is None else r) and not is_resumed():
        yield from _permuted(items, (), len(items) if r is None else r)
    else:
        yield from _permuted_at_run_time(items, len(items) if r is None else r)


@implements(itertools.groupby)
def groupby(iterable, key=None):
    """Each group is a list: it stays what it is when the next one has begun."""
    items = list(iterable)
    start = 0
    while start < len(items):
        first = items[start] if key is None else key(items[start])
        end = start + 1
        while end < len(items) and (items[end] if key is None else key(items[end])) == first:
            end += 1
        yield first, items[start:end]
        start = end


def _permuted(items, taken, r):
    if r == 0:
        yield tuple(items[k] for k in taken)
    else:
        for k in range(len(items)):
            if k not in taken:
                yield from _permuted(items, taken + (k,), r - 1)


def _permuted_at_run_time(items, r):
    count = len(items)
    positions = np.arange(r)
    is_taken = np.arange(count) < r
    is_more = r <= count
    while is_more:
        yield tuple([items[positions[j]] for j in range(r)])
        place = r - 1
        is_more = False
        while place >= 0 and not is_more:
            is_taken[positions[place]] = False
            free = positions[place] + 1
            while free < count and is_taken[free]:
                free += 1
            is_more = free < count
            if is_more:
                positions[place] = free
                is_taken[free] = True
            else:
                place -= 1
        for later in range(place + 1, r if is_more else 0):
            free = 0
            while is_taken[free]:
                free += 1
            positions[later] = free
            is_taken[free] = True


@implements(itertools.accumulate)
def accumulate(iterable, func=operator.add, *, initial=None):
    if initial is not None:
        total = initial
        yield total
        for item in iterable:
            total = func(total, item)
            yield total
    else:
        items = known_items(iterable)
        if len(items) > 0:
            total = items[0]
            yield total
            for k in range(1, len(items)):
                total = func(total, items[k])
                yield total


@implements(itertools.chain)
def chain(*iterables):
    for iterable in iterables:
        yield from iterable


@implements(itertools.chain.from_iterable)
def chain_from_iterable(iterable):
    for items in iterable:
        yield from items


class Count:
    def __init__(self, number, step):
        self.number = number
        self.step = step

    def __iter__(self):
        while True:
            yield self.__next__()

    def __next__(self):
        number = self.number
        self.number = number + self.step
        return number


@implements(itertools.count)
def count(start=0, step=1):
    return Count(start, step)


class Cycle:
    def __init__(self, items):
        self.items = items
        self.place = 0

    def __iter__(self):
        while len(self.items) > 0:
            yield self.__next__()

    def __next__(self):
        if len(self.items) == 0:
            raise StopIteration
        item = self.items[self.place]
        self.place = (self.place + 1) % len(self.items)
        return item


@implements(itertools.cycle)
def cycle(iterable):
    return Cycle(known_items(iterable))


@implements(itertools.repeat)
def repeat(object, times=None):
    if times is None:
        while True:
            yield object
    else:
        for _ in range(times):
            yield object


@implements(itertools.islice)
def islice(iterable, *bounds):
    start = 0 if len(bounds) == 1 or bounds[0] is None else bounds[0]
    stop = bounds[0] if len(bounds) == 1 else bounds[1]
    step = 1 if len(bounds) < 3 or bounds[2] is None else bounds[2]
    position = 0
    if stop is None or stop > 0:
        for item in iterable:
            if position >= start and (position - start) % step == 0:
                yield item
            position += 1
            if stop is not None and position >= stop:
                break


@implements(itertools.takewhile)
def takewhile(predicate, iterable):
    for item in iterable:
        if not predicate(item):
            break
        yield item


@implements(itertools.dropwhile)
def dropwhile(predicate, iterable):
    drops = True
    for item in iterable:
        drops = drops and predicate(item)
        if not drops:
            yield item


@implements(itertools.filterfalse)
def filterfalse(function, iterable):
    for item in iterable:
        if not (item if function is None else function(item)):
            yield item


@implements(itertools.compress)
def compress(data, selectors):
    for item, is_chosen in zip(data, selectors):
        if is_chosen:
            yield item


@implements(itertools.starmap)
def starmap(function, iterable):
    for arguments in iterable:
        yield function(*arguments)


@implements(itertools.pairwise)
def pairwise(iterable):
    items = known_items(iterable)
    for k in range(1, len(items)):
        yield items[k - 1], items[k]


@implements(itertools.zip_longest)
def zip_longest(*iterables, fillvalue=None):
    lists = tuple([known_items(iterable) for iterable in iterables])
    longest = 0
    for items in lists:
        longest = max(longest, len(items))
    for k in range(longest):
        yield tuple([items[k] if k < len(items) else fillvalue for items in lists])


@implements(functools.reduce)
def reduce(function, iterable, *initial):
    items = known_items(iterable)
    if len(initial) > 0:
        total = initial[0]
        for item in items:
            total = function(total, item)
        return total
    if len(items) == 0:
        raise TypeError("reduce() of empty iterable with no initial value")
    total = items[0]
    for k in range(1, len(items)):
        total = function(total, items[k])
    return total
