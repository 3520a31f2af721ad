"""What sets and frozensets have in common, as a class that is compiled with the functions that use it."""
import numpy as np

from npcc.library.dicts import Dict
from npcc.library.hashed import EMPTY, SMALLEST, mixed
from npcc.library.hashing import LOWEST_59, holds_text, python_hash
from npcc.library.routines import at_run_time, called
from npcc.library.strings import number_of

LEFT = -2  # a key of a set that was removed
PROBES = 9  # entries of a set's table behind the first one that are looked at before it jumps


def hash_of_text(string):
    return mixed(np.int64(number_of(string)))


def size_above(least):
    """Of a table for more than `least` keys."""
    size = SMALLEST
    while size <= least:
        size *= 2
    return size


def is_set(value):
    """Whether a set's operators take it: its methods take whatever gives items."""
    return isinstance(value, (SetTable, set, frozenset))


class SetTable:
    """As CPython's set, without what changes it, so that its keys come in the same order: a table of positions in `names` with linear probes, where
    what is removed leaves a mark.
    The order of strings differs from process to process in Python; here they come in the order in which they were added."""

    def __init__(self, iterable=()):
        self.names = []  # in the order in which they were added, also those that have left
        self.table = np.full(SMALLEST, EMPTY)
        self.used = 0
        self.fill = 0  # with those that have left
        self.finger = 0  # where pop() goes on
        if isinstance(iterable, SetTable):
            self.start_as(iterable)
        else:
            self.put_all(iterable)

    def __len__(self):
        return self.used

    @called()
    def find(self, key):
        """The entry of the table that is the key's, or -1 minus the one that it would have."""
        mask = len(self.table) - 1
        perturb = int(python_hash(key, hash_of_text))
        start = perturb & mask
        found = EMPTY
        free = EMPTY
        position = EMPTY  # known in all iterations: a loop would carry whether it is bound
        looking = True
        while looking:
            last = start + PROBES if start + PROBES <= mask else start
            place = start
            while looking and place <= last:
                position = int(self.table[place])
                if position == EMPTY:
                    found = -1 - (place if free == EMPTY else free)
                    looking = False
                elif position == LEFT:
                    free = place
                elif self.names[position] == key:
                    found = place
                    looking = False
                place += 1
            perturb = (perturb >> 5) & LOWEST_59
            start = (start * 5 + 1 + perturb) & mask
        return found

    @called()
    def put_clean(self, key, position):
        """Into a table that does not have the key, and no marks."""
        mask = len(self.table) - 1
        perturb = int(python_hash(key, hash_of_text))
        start = perturb & mask
        looking = True
        while looking:
            last = start + PROBES if start + PROBES <= mask else start
            place = start
            while looking and place <= last:
                if self.table[place] == EMPTY:
                    self.table[place] = position
                    looking = False
                place += 1
            perturb = (perturb >> 5) & LOWEST_59
            start = (start * 5 + 1 + perturb) & mask

    def __contains__(self, key):
        if len(self.names) == 0:
            return False
        return self.find(key) >= 0

    @called(changes=True)
    def put(self, key):
        if len(self.names) == 0:
            self.names.append(key)
            self.put_clean(key, 0)
        else:
            place = self.find(key)
            if place >= 0:
                return
            is_reused = self.table[-1 - place] == LEFT
            self.table[-1 - place] = len(self.names)
            self.names.append(key)
            if is_reused:
                self.used += 1
                return
        self.used += 1
        self.fill += 1
        if self.fill * 5 >= (len(self.table) - 1) * 3:
            self.resize(self.used * 2 if self.used > 50000 else self.used * 4)

    @called(changes=True)
    def put_new(self, key):
        """A key that a set without marks does not have."""
        self.put_clean(key, len(self.names))
        self.names.append(key)
        self.used += 1
        self.fill += 1
        if self.fill * 5 >= (len(self.table) - 1) * 3:
            places = self.table[self.table >= 0]
            self.table = np.full(size_above(self.used * 2 if self.used > 50000 else self.used * 4), EMPTY)
            for position in places:
                self.put_clean(self.names[position], position)

    @called(changes=True)
    def resize(self, least):
        """A table for more than `least` keys, without marks."""
        places = self.table[self.table >= 0]  # before those that have left are forgotten
        self.table = np.full(size_above(least), EMPTY)
        self.fill = self.used
        if len(self.names) == 0:
            return
        if self.used < len(self.names):
            kept = np.sort(places)
            rest = [self.names[position] for position in kept]
            self.names.clear()
            self.names.extend(rest)
            places = np.searchsorted(kept, places)
        for position in places:
            self.put_clean(self.names[position], position)

    def positions(self):
        """Of the keys in `names`, in the order in which they come."""
        found = self.table[self.table >= 0]
        if len(self.names) > 0 and holds_text(self.names[0]):
            return np.sort(found)
        return found

    def put_all(self, *others):
        for iterable in others:
            if isinstance(iterable, SetTable):
                self.merge(iterable)
            elif isinstance(iterable, (dict, Dict)):
                if (self.fill + len(iterable)) * 5 >= (len(self.table) - 1) * 3:
                    self.resize((self.used + len(iterable)) * 2)
                for key in iterable:
                    self.put(key)
            else:
                for key in at_run_time(iterable):
                    self.put(key)

    def start_as(self, other):
        """A new set takes what another one holds: no key is looked for."""
        if len(other.names) == 0:
            return
        if other.used * 5 >= (SMALLEST - 1) * 3:
            self.table = np.full(size_above(other.used * 2), EMPTY)
        if len(self.table) == len(other.table) and other.fill == other.used:
            self.names.extend(other.names)
            self.table = other.table.copy()
        else:
            for key in other:
                self.put_clean(key, len(self.names))
                self.names.append(key)
        self.used = self.fill = other.used

    def merge(self, other):
        if (self.fill + other.used) * 5 >= (len(self.table) - 1) * 3:
            self.resize((self.used + other.used) * 2)
        if len(other.names) == 0:
            return
        if self.fill == 0 and len(self.table) == len(other.table) and other.fill == other.used:
            self.names.clear()
            self.names.extend(other.names)
            self.table = other.table.copy()
            self.used = self.fill = other.used
            return
        for key in other:
            self.put(key)

    def drop(self, key):
        if len(self.names) > 0:
            place = self.find(key)
            if place >= 0:
                self.table[place] = LEFT
                self.used -= 1

    def drop_all(self, *others):
        for other in others:
            for key in other:
                self.drop(key)
            if self.fill - self.used > (len(self.table) - 1) // 4:
                self.resize(self.used * 2 if self.used > 50000 else self.used * 4)

    def union(self, *others):
        result = self.new(self)
        for other in others:
            if other is not self:
                result.put_all(other)
        return result

    def intersection(self, *others):
        result = self
        for other in others:
            result = common(result, other)
        return result.copy() if len(others) == 0 else result

    def difference(self, *others):
        result = self.copy() if len(others) == 0 else without(self, others[0])
        for other in others[1:]:
            result.drop_all(other)
        return result

    def symmetric_difference(self, other):
        result = self.new(other)
        for key in self:
            if key in result:
                result.drop(key)
            else:
                result.put(key)
        return result

    def issubset(self, other):
        wanted = as_set(other)
        for key in self:
            if key not in wanted:
                return False
        return True

    def issuperset(self, other):
        for key in other:
            if key not in self:
                return False
        return True

    def isdisjoint(self, other):
        for key in other:
            if key in self:
                return False
        return True

    def __or__(self, other):
        return self.union(other) if is_set(other) else NotImplemented

    def __ror__(self, other):
        return self.of_kind(other).union(self) if is_set(other) else NotImplemented

    def __and__(self, other):
        return self.intersection(other) if is_set(other) else NotImplemented

    def __rand__(self, other):
        return self.of_kind(other).intersection(self) if is_set(other) else NotImplemented

    def __sub__(self, other):
        return self.difference(other) if is_set(other) else NotImplemented

    def __rsub__(self, other):
        return self.of_kind(other).difference(self) if is_set(other) else NotImplemented

    def __xor__(self, other):
        return self.symmetric_difference(other) if is_set(other) else NotImplemented

    def __rxor__(self, other):
        return self.of_kind(other).symmetric_difference(self) if is_set(other) else NotImplemented

    def __le__(self, other):
        return self.issubset(other) if is_set(other) else NotImplemented

    def __ge__(self, other):
        return self.issuperset(other) if is_set(other) else NotImplemented

    def __lt__(self, other):
        if not is_set(other):
            return NotImplemented
        return self.used < len(other) and self.issubset(other)

    def __gt__(self, other):
        if not is_set(other):
            return NotImplemented
        return self.used > len(other) and self.issuperset(other)

    def __eq__(self, other):
        if not is_set(other):
            return False
        return self.used == len(other) and self.issubset(other)

    def __iter__(self):
        for position in self.positions():
            yield self.names[position]

    def parts(self):
        """The keys, in the order in which they were added."""
        if self.used == 0:
            return ([],)
        return ([self.names[position] for position in np.sort(self.positions())],)


def common(one, other):
    """one & other"""
    if other is one:
        return one.copy()
    result = one.new()
    if isinstance(other, SetTable):
        if len(other) > len(one):
            for key in one:
                if key in other:
                    result.put_new(key)
        else:
            for key in other:
                if key in one:
                    result.put_new(key)
    else:
        for key in other:
            if key in one:
                result.put(key)
    return result


def without(one, other):
    """one - other"""
    unwanted = as_set(other)
    result = one.new()
    if not isinstance(other, SetTable) or len(one) // 4 > len(unwanted):
        result = one.new(one)
        result.drop_all(unwanted)
    else:
        for key in one:
            if key not in unwanted:
                result.put_new(key)
    return result


def as_set(other):
    return other if isinstance(other, SetTable) else SetTable(other)
