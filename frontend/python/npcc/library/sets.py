"""Sets and frozensets, as classes that are compiled with the functions that use them."""
import numpy as np

from npcc.library.dicts import Dict
from npcc.library.hashed import EMPTY, SMALLEST
from npcc.library.hashing import python_hash
from npcc.library.set_tables import LEFT, SetTable, as_set, hash_of_text, is_set

SPREAD = np.int64(89869747)
FACTOR = np.int64(3644798167)
LENGTHS = np.int64(1927868237)


def of_known(known):
    """A set of Python's that is known when the function is compiled."""
    return FrozenSet(known) if isinstance(known, frozenset) else Set(known)


class Set(SetTable):
    def new(self, iterable=()):
        return Set(iterable)

    def of_kind(self, other):
        return of_known(other)

    def copy(self):
        return Set(self)

    def add(self, key):
        self.put(key)

    def discard(self, key):
        self.drop(key)

    def update(self, *others):
        self.put_all(*others)

    def difference_update(self, *others):
        self.drop_all(*others)

    def remove(self, key):
        if key not in self:
            raise KeyError(key)
        self.discard(key)

    def pop(self):
        if self.used == 0:
            raise KeyError("pop from an empty set")
        place = self.finger & (len(self.table) - 1)
        while self.table[place] < 0:
            place = place + 1 if place + 1 < len(self.table) else 0
        key = self.names[self.table[place]]
        self.table[place] = LEFT
        self.used -= 1
        self.finger = place + 1
        return key

    def clear(self):
        self.names.clear()
        self.table = np.full(SMALLEST, EMPTY)
        self.used = self.fill = self.finger = 0

    def intersection_update(self, *others):
        self.become(self.intersection(*others))

    def symmetric_difference_update(self, other):
        for key in as_set(other):
            if key in self:
                self.discard(key)
            else:
                self.add(key)

    def become(self, other):
        """Takes over what another set holds."""
        kept = [key for key in other.names]
        self.names.clear()
        self.names.extend(kept)
        self.table = other.table.copy()
        self.used = other.used
        self.fill = other.fill

    def __ior__(self, other):
        if not is_set(other):
            return NotImplemented
        if other is not self:
            self.update(other)
        return self

    def __iand__(self, other):
        if not is_set(other):
            return NotImplemented
        self.intersection_update(other)
        return self

    def __isub__(self, other):
        if not is_set(other):
            return NotImplemented
        self.difference_update(other)
        return self

    def __ixor__(self, other):
        if not is_set(other):
            return NotImplemented
        self.symmetric_difference_update(other)
        return self

    def __repr__(self):
        if self.used == 0:
            return "set()"
        return "{" + ", ".join([repr(key) for key in self]) + "}"


class FrozenSet(SetTable):
    def new(self, iterable=()):
        return FrozenSet(iterable)

    def of_kind(self, other):
        return of_known(other)

    def copy(self):
        return self

    def __hash__(self):
        """As CPython's, which does not depend on the order of the keys."""
        result = np.int64(0)
        for key in self:
            one = python_hash(key, hash_of_text)
            result = result ^ (((one ^ SPREAD) ^ (one << np.int64(16))) * FACTOR)
        result = result ^ ((np.int64(self.used) + np.int64(1)) * LENGTHS)
        result = result ^ shifted(result, 11) ^ shifted(result, 25)
        result = result * np.int64(69069) + np.int64(907133923)
        return np.int64(590923713) if result == -1 else result

    def __repr__(self):
        if self.used == 0:
            return "frozenset()"
        return "frozenset({" + ", ".join([repr(key) for key in self]) + "})"


def views_and(one, other, is_view, is_other_view):
    """one & other, of which one at least is a dict, for its keys, or the items of one."""
    if is_view and is_other_view:
        if len(other) > len(one):
            return chosen(one, other)
        return chosen(other, one)
    if is_view:
        if isinstance(other, Set) and len(one) <= len(other):
            return chosen(one, other)
        return chosen(other, one)
    if isinstance(one, Set) and len(other) <= len(one):
        return chosen(other, one)
    return chosen(one, other)


def chosen(keys, others):
    """The keys that are among others, too."""
    result = Set()
    there = others if isinstance(others, (dict, Dict, SetTable)) else Set(others)
    for key in keys:
        if key in there:
            result.add(key)
    return result


def views_or(one, other, is_view, is_other_view):
    result = Set(one)
    for key in other:
        result.add(key)
    return result


def views_sub(one, other, is_view, is_other_view):
    result = Set(one)
    result.difference_update(other)
    return result


def views_xor(one, other, is_view, is_other_view):
    result = Set(one)
    result.symmetric_difference_update(other)
    return result


def shifted(number, places):
    """number >> places, of a number without a sign."""
    return (number >> np.int64(places)) & np.int64(2 ** (64 - places) - 1)


def given_Set(names):
    return set(names)


def given_FrozenSet(names):
    return frozenset(names)
