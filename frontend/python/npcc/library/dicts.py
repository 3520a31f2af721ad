"""Dicts with computed keys, as classes that are compiled with the functions that use them.

What they hold lies in lists, in the order in which it came."""
import builtins
import collections
import sys

import numpy as np

from npcc.library.hashed import EMPTY, SMALLEST, Hashed, stored
from npcc.library.routines import at_run_time


class Dict(Hashed):
    def __init__(self, items=()):
        self.names = []
        self.table = np.full(SMALLEST, EMPTY)
        self.held = []
        self.update(items)

    def __getitem__(self, key):
        position = self.position_of(key)
        if position == EMPTY:
            raise KeyError(key)
        return self.held[position]

    def __setitem__(self, key, value):
        self.take_table(stored(self.names, self.table, self.held, key, value))

    def get(self, key, default=None):
        position = self.position_of(key)
        if position == EMPTY:
            return default
        return self.held[position]

    def setdefault(self, key, default=None):
        position = self.position_of(key)
        if position == EMPTY:
            self.add_name(key)
            self.held.append(default)
            return default
        return self.held[position]

    def pop(self, key, *default):
        position = self.position_of(key)
        if position == EMPTY:
            if len(default) == 0:
                raise KeyError(key)
            return default[0]
        self.remove_at(position)
        return self.held.pop(position)

    def __delitem__(self, key):
        self.pop(key)

    def clear(self):
        self.clear_names()
        self.held.clear()

    def update(self, items=None, **named):
        if isinstance(items, (dict, Dict)):
            for key, value in items.items():
                self[key] = value
        elif items is not None:
            for key, value in at_run_time(items):
                self[key] = value
        for key, value in named.items():
            self[key] = value

    def __eq__(self, other):
        if not isinstance(other, (dict, Dict)):
            return NotImplemented
        return len(self) == len(other) and all_are_in(other, self)

    def __or__(self, other):
        result = self.copy()
        result.update(other)
        return result

    def __ior__(self, other):
        self.update(other)
        return self

    def keys(self):
        return self.names

    def values(self):
        return self.held

    def items(self):
        return zip(self.names, self.held)

    def popitem(self):
        return self.popitem_at(len(self.names) - 1)

    def __repr__(self):
        return "{" + ", ".join(shown_pairs(self)) + "}"

    def popitem_at(self, position):
        if len(self.names) == 0:
            raise KeyError("dictionary is empty")
        key = self.names[position]
        self.remove_at(position)
        return key, self.held.pop(position)

    def copy(self):
        return Dict(self.items())

    def __iter__(self):
        yield from self.names

    def parts(self):
        return self.names, self.held


def shown_pairs(items):
    return [repr(key) + ": " + repr(value) for key, value in items.items()]


def all_are_in(one, other):
    """Whether what one dict holds, the other one holds under the same keys."""
    for key, value in one.items():
        if key not in other or not other[key] == value:
            return False
    return True


class OrderedDict(Dict):
    def __init__(self, items=(), **named):
        self.names = []
        self.table = np.full(SMALLEST, EMPTY)
        self.held = []
        self.update(items, **named)

    def __eq__(self, other):
        """Of two of these the order counts."""
        if isinstance(other, OrderedDict) and not all(mine == its for mine, its in zip(self.keys(), other.keys())):
            return False
        return Dict.__eq__(self, other)

    def copy(self):
        return OrderedDict(self.items())

    def __repr__(self):
        if len(self) == 0:
            return "OrderedDict()"
        if sys.version_info < (3, 12):
            return "OrderedDict([" + ", ".join(["(" + repr(key) + ", " + repr(value) + ")" for key, value in self.items()]) + "])"
        return "OrderedDict({" + ", ".join(shown_pairs(self)) + "})"

    def move_to_end(self, key, last=True):
        value = self.pop(key)
        if last:
            self[key] = value
        else:
            self.names.insert(0, key)
            self.held.insert(0, value)
            self.rebuild(len(self.table))

    def popitem(self, last=True):
        return self.popitem_at(len(self.names) - 1 if last else 0)


class DefaultDict(Dict):
    def __init__(self, default_factory=None, items=()):
        self.names = []
        self.table = np.full(SMALLEST, EMPTY)
        self.held = []
        self.default_factory = default_factory
        self.update(items)

    def __getitem__(self, key):
        position = self.position_of(key)
        if position == EMPTY:
            if self.default_factory is None:
                raise KeyError(key)
            value = self.default_factory()
            self.add_name(key)
            self.held.append(value)
            return value
        return self.held[position]

    def copy(self):
        return DefaultDict(self.default_factory, self.items())

    def __repr__(self):
        factory = "None" if self.default_factory is None else repr(self.default_factory)
        return "defaultdict(" + factory + ", {" + ", ".join(shown_pairs(self)) + "})"

    def parts(self):
        # A type's: functions that are compiled have no such name, and are not for Python to take.
        return None if self.default_factory is None else self.default_factory.__qualname__, self.names, self.held


class Counter(Dict):
    def __eq__(self, other):
        """Of two Counters a key that is missing counts 0."""
        if not isinstance(other, Counter):
            return Dict.__eq__(self, other)
        return agree(self, other) and agree(other, self)

    def __init__(self, iterable=()):
        self.names = []
        self.table = np.full(SMALLEST, EMPTY)
        self.held = []
        self.update(iterable)

    def __getitem__(self, key):
        return self.get(key, 0)

    def update(self, iterable=None, **named):
        if isinstance(iterable, (dict, Dict)):
            for key, count in iterable.items():
                self[key] = self.get(key, 0) + count
        elif iterable is not None:
            for key in at_run_time(iterable):
                self[key] = self.get(key, 0) + 1
        for key, count in named.items():
            self[key] = self.get(key, 0) + count

    def subtract(self, iterable):
        if isinstance(iterable, (dict, Dict)):
            for key, count in iterable.items():
                self[key] = self.get(key, 0) - count
        else:
            for key in at_run_time(iterable):
                self[key] = self.get(key, 0) - 1

    def copy(self):
        return Counter(self)

    def __add__(self, other):
        result = Counter()
        for key, count in self.items():
            if count + other[key] > 0:
                result[key] = count + other[key]
        for key, count in other.items():
            if key not in self and count > 0:
                result[key] = count
        return result

    def __sub__(self, other):
        result = Counter()
        for key, count in self.items():
            if count > other[key]:
                result[key] = count - other[key]
        for key, count in other.items():
            if key not in self and count < 0:
                result[key] = -count
        return result

    def __iadd__(self, other):
        for key, count in other.items():
            self[key] = self[key] + count
        self.keep_positive()
        return self

    def __isub__(self, other):
        for key, count in other.items():
            self[key] = self[key] - count
        self.keep_positive()
        return self

    def keep_positive(self):
        kept = [(key, count) for key, count in self.items() if count > 0]
        self.clear()
        for key, count in kept:
            self[key] = count

    def __and__(self, other):
        result = Counter()
        for key, count in self.items():
            if min(count, other[key]) > 0:
                result[key] = min(count, other[key])
        return result

    def __or__(self, other):
        result = Counter()
        for key, count in self.items():
            if max(count, other[key]) > 0:
                result[key] = max(count, other[key])
        for key, count in other.items():
            if key not in self and count > 0:
                result[key] = count
        return result

    def most_common(self, n=None):
        pairs = sorted(zip(self.names, self.held), key=by_count, reverse=True)
        return pairs if n is None else pairs[:n]

    def __repr__(self):
        if len(self) == 0:
            return "Counter()"
        return "Counter({" + ", ".join([repr(key) + ": " + repr(count) for key, count in self.most_common()]) + "})"

    def total(self):
        return sum(self.held)

    def elements(self):
        for key, count in zip(self.names, self.held):
            for _ in range(count):
                yield key


def by_count(pair):
    return pair[1]


#---- What Python gets of them ----


def given_Dict(names, held):
    return dict(zip(names, held))


def given_OrderedDict(names, held):
    return collections.OrderedDict(zip(names, held))


def given_DefaultDict(default_factory, names, held):
    """`default_factory`: the name of a type of Python's, or None."""
    factory = None if default_factory is None else getattr(builtins, default_factory, None) or getattr(collections, default_factory)
    return collections.defaultdict(factory, zip(names, held))


def given_Counter(names, held):
    return collections.Counter(dict(zip(names, held)))


def agree(one, other):
    """Whether the other Counter has the counts of this one."""
    for key, count in one.items():
        if other[key] != count:
            return False
    return True
