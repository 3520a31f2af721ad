"""Dicts with computed keys, sets and deques, as classes that are compiled with the functions that use them.

What they hold lies in lists, in the order in which it came. A table of positions finds a key: open addressing, at most half full. Keys are
numbers, strings or tuples of them, all of one type."""
import builtins
import collections
import sys

import numpy as np

from npcc.library.hashing import LOWEST_59, holds_text, python_hash
from npcc.library.routines import at_run_time
from npcc.library.strings import number_of

MULTIPLIER = np.int64(-7046029254386353131)  # 2**64 divided by the golden ratio
EMPTY = -1
LEFT = -2  # a key of a set that was removed
PROBES = 9  # entries of a set's table behind the first one that are looked at before it jumps
WHOLE = 2.0**52  # floats from here on have no fraction
SMALLEST = 8  # entries of a table


def mixed(number):
    """A 64-bit hash of an integer of NumPy's."""
    product = number * MULTIPLIER
    return product ^ (product >> np.int64(29))


def hash_of(key):
    """Equal for equal numbers and tuples of one type."""
    if isinstance(key, tuple):
        result = np.int64(len(key))
        for part in key:
            result = mixed(result ^ hash_of(part))
        return result
    if isinstance(key, str):
        return mixed(np.int64(number_of(key)))
    if isinstance(key, (float, np.floating)):
        if not np.isfinite(key):
            return np.int64(0)
        whole = np.floor(key)
        part = np.int64((key - whole) * WHOLE)
        return mixed(np.int64(np.fmod(whole, WHOLE)) ^ mixed(part))
    return mixed(np.int64(key))


class Hashed:
    """The keys, and a table of where they stand."""

    def __init__(self):
        self.names = []
        self.table = np.full(SMALLEST, EMPTY)

    def __len__(self):
        return len(self.names)

    def place_of(self, key):
        """The entry of the table that is the key's, or that it would have."""
        mask = len(self.table) - 1
        place = int(hash_of(key) & mask)
        while self.table[place] != EMPTY and self.names[self.table[place]] != key:
            place = (place + 1) & mask
        return place

    def position_of(self, key):
        """Where the key stands, -1 if it does not."""
        if len(self.names) == 0:
            return EMPTY
        return int(self.table[self.place_of(key)])

    def __contains__(self, key):
        return self.position_of(key) != EMPTY

    def add_name(self, key):
        """A key that is not there yet."""
        if 2 * len(self.names) >= len(self.table):
            self.rebuild(2 * len(self.table))
        mask = len(self.table) - 1
        place = int(hash_of(key) & mask)
        while self.table[place] != EMPTY:
            place = (place + 1) & mask
        self.table[place] = len(self.names)
        self.names.append(key)

    def rebuild(self, size):
        table = np.full(size, EMPTY)
        mask = size - 1
        for position in range(len(self.names)):
            place = int(hash_of(self.names[position]) & mask)
            while table[place] != EMPTY:
                place = (place + 1) & mask
            table[place] = position
        self.table = table

    def clear_names(self):
        self.names.clear()
        self.table = np.full(SMALLEST, EMPTY)


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
        position = self.position_of(key)
        if position == EMPTY:
            self.add_name(key)
            self.held.append(value)
        else:
            self.held[position] = value

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
        self.names.pop(position)
        value = self.held.pop(position)
        self.rebuild(len(self.table))
        return value

    def __delitem__(self, key):
        self.pop(key)

    def clear(self):
        self.clear_names()
        self.held.clear()

    def update(self, items):
        if isinstance(items, (dict, Dict)):
            for key, value in items.items():
                self[key] = value
        else:
            for key, value in at_run_time(items):
                self[key] = value

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
        key = self.names.pop(position)
        value = self.held.pop(position)
        self.rebuild(len(self.table))
        return key, value

    def copy(self):
        return Dict(self.items())

    def __iter__(self):
        yield from self.names

    def parts(self):
        return self.names, self.held


def shown_pairs(items):
    return [repr(key) + ": " + repr(value) for key, value in items.items()]


class OrderedDict(Dict):
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
        return None if self.default_factory is None else self.default_factory.__name__, self.names, self.held


class Counter(Dict):
    def __init__(self, iterable=()):
        self.names = []
        self.table = np.full(SMALLEST, EMPTY)
        self.held = []
        self.update(iterable)

    def __getitem__(self, key):
        return self.get(key, 0)

    def update(self, iterable):
        if isinstance(iterable, (dict, Dict)):
            for key, count in iterable.items():
                self[key] = self.get(key, 0) + count
        else:
            for key in at_run_time(iterable):
                self[key] = self.get(key, 0) + 1

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


def hash_of_text(string):
    return mixed(np.int64(number_of(string)))


class Set:
    """As CPython's set, so that its keys come in the same order: a table of positions in `names` with linear probes, where what is removed leaves a mark.
    The order of strings differs from process to process in Python; here they come in the order in which they were added."""

    def __init__(self, iterable=()):
        self.names = []  # in the order in which they were added, also those that have left
        self.table = np.full(SMALLEST, EMPTY)
        self.used = 0
        self.fill = 0  # with those that have left
        self.finger = 0  # where pop() goes on
        self.update(iterable)

    def __len__(self):
        return self.used

    def find(self, key):
        """The entry of the table that is the key's, or -1 minus the one that it would have."""
        mask = len(self.table) - 1
        perturb = int(python_hash(key, hash_of_text))
        start = perturb & mask
        found = EMPTY
        free = EMPTY
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

    def add(self, key):
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

    def resize(self, least):
        """A table for more than `least` keys, without marks."""
        size = SMALLEST
        while size <= least:
            size *= 2
        places = self.table[self.table >= 0]  # before those that have left are forgotten
        self.table = np.full(size, EMPTY)
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

    def update(self, *others):
        for iterable in others:
            if isinstance(iterable, Set):
                self.merge(iterable)
            elif isinstance(iterable, (dict, Dict)):
                if (self.fill + len(iterable)) * 5 >= (len(self.table) - 1) * 3:
                    self.resize((self.used + len(iterable)) * 2)
                for key in iterable:
                    self.add(key)
            else:
                for key in at_run_time(iterable):
                    self.add(key)

    def merge(self, other):
        if (self.fill + other.used) * 5 >= (len(self.table) - 1) * 3:
            self.resize((self.used + other.used) * 2)
        if len(other.names) == 0:
            return
        if self.fill > 0:
            for key in other:
                self.add(key)
            return
        self.names.clear()
        copies = len(self.table) == len(other.table) and other.fill == other.used
        self.used = self.fill = other.used
        if copies:
            self.names.extend(other.names)
            self.table = other.table.copy()
            return
        for place in other.table:
            if place >= 0:
                self.names.append(other.names[place])
                self.put_clean(other.names[place], len(self.names) - 1)

    def discard(self, key):
        if len(self.names) > 0:
            place = self.find(key)
            if place >= 0:
                self.table[place] = LEFT
                self.used -= 1

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

    def copy(self):
        return Set(self)

    def union(self, *others):
        result = Set(self)
        for other in others:
            if other is not self:
                result.update(other)
        return result

    def intersection(self, *others):
        result = self
        for other in others:
            result = common(result, other)
        return result.copy() if len(others) == 0 else result

    def difference(self, *others):
        result = self.copy() if len(others) == 0 else without(self, others[0])
        for other in others[1:]:
            result.difference_update(other)
        return result

    def symmetric_difference(self, other):
        result = Set(other)
        for key in self:
            if key in result:
                result.discard(key)
            else:
                result.add(key)
        return result

    def difference_update(self, *others):
        for other in others:
            for key in other:
                self.discard(key)
            if self.fill - self.used > (len(self.table) - 1) // 4:
                self.resize(self.used * 2 if self.used > 50000 else self.used * 4)

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

    def __ior__(self, other):
        if other is not self:
            self.update(other)
        return self

    def __iand__(self, other):
        self.intersection_update(other)
        return self

    def __isub__(self, other):
        self.difference_update(other)
        return self

    def __ixor__(self, other):
        self.symmetric_difference_update(other)
        return self

    __or__ = union
    __and__ = intersection
    __sub__ = difference
    __xor__ = symmetric_difference
    __le__ = issubset
    __ge__ = issuperset

    def __eq__(self, other):
        return self.used == len(other) and self.issubset(other)

    def __iter__(self):
        for position in self.positions():
            yield self.names[position]

    def __repr__(self):
        if self.used == 0:
            return "set()"
        return "{" + ", ".join([repr(key) for key in self]) + "}"

    def parts(self):
        """The keys, in the order in which they were added."""
        if self.used == 0:
            return ([],)
        return ([self.names[position] for position in np.sort(self.positions())],)


def common(one, other):
    """one & other"""
    if other is one:
        return one.copy()
    result = Set()
    if isinstance(other, Set):
        if len(other) > len(one):
            for key in one:
                if key in other:
                    result.add(key)
        else:
            for key in other:
                if key in one:
                    result.add(key)
    else:
        for key in other:
            if key in one:
                result.add(key)
    return result


def without(one, other):
    """one - other"""
    unwanted = as_set(other)
    result = Set()
    if not isinstance(other, Set) or len(one) // 4 > len(unwanted):
        result = one.copy()
        result.difference_update(unwanted)
    else:
        for key in one:
            if key not in unwanted:
                result.add(key)
    return result


def as_set(other):
    return other if isinstance(other, Set) else Set(other)


class Deque:
    """A list, and how many of its first items have left."""

    def __init__(self, iterable=(), maxlen=None):
        self.names = []
        self.first = 0
        self.maxlen = maxlen
        self.extend(iterable)

    def __len__(self):
        return len(self.names) - self.first

    def copy(self):
        return Deque(self, self.maxlen)

    def append(self, item):
        self.names.append(item)
        if self.maxlen is not None and len(self) > self.maxlen:
            self.popleft()

    def extend(self, iterable):
        for item in at_run_time(iterable):
            self.append(item)

    def appendleft(self, item):
        if self.first > 0:
            self.first -= 1
            self.names[self.first] = item
        else:
            self.names.insert(0, item)
        if self.maxlen is not None and len(self) > self.maxlen:
            self.names.pop()

    def extendleft(self, iterable):
        for item in at_run_time(iterable):
            self.appendleft(item)

    def pop(self):
        if len(self) == 0:
            raise IndexError("pop from an empty deque")
        return self.names.pop()

    def popleft(self):
        if len(self) == 0:
            raise IndexError("pop from an empty deque")
        item = self.names[self.first]
        self.first += 1
        if 2 * self.first > len(self.names) + 32:  # what has left takes no more room than what is there
            rest = self.names[self.first:]
            self.names.clear()
            self.names.extend(rest)
            self.first = 0
        return item

    def clear(self):
        self.names.clear()
        self.first = 0

    def rotate(self, n=1):
        if len(self) > 0:
            for _ in range(abs(n)):
                if n > 0:
                    self.appendleft(self.pop())
                else:
                    self.append(self.popleft())

    def position(self, index):
        if index < -len(self) or index >= len(self):
            raise IndexError("deque index out of range")
        return index + self.first if index >= 0 else index + len(self.names)

    def __getitem__(self, index):
        return self.names[self.position(index)]

    def __setitem__(self, index, value):
        self.names[self.position(index)] = value

    def __contains__(self, item):
        return item in self.names[self.first:]

    def __iter__(self):
        for position in range(self.first, len(self.names)):
            yield self.names[position]

    def __repr__(self):
        items = "[" + ", ".join([repr(item) for item in self]) + "]"
        return "deque(" + items + ")" if self.maxlen is None else "deque(" + items + ", maxlen=" + repr(self.maxlen) + ")"

    def parts(self):
        return self.names[self.first:], self.maxlen


# What Python gets of them.


def given_row(*items):
    return list(items)


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


def given_Set(names):
    return set(names)


def given_Deque(items, maxlen):
    return collections.deque(items, maxlen)


OF_PYTHON = {Dict: dict, OrderedDict: collections.OrderedDict, DefaultDict: collections.defaultdict, Counter: collections.Counter, Set: set, Deque: collections.deque}

SEEN_AS = dict(OF_PYTHON)  # what isinstance() and type() of a program know of these and of other classes of the library


def fill(given, holder):
    """Lets one of Python's containers hold what one of the classes above does."""
    given.clear()
    if isinstance(holder, Set):
        given.update(holder.parts()[0])
    elif isinstance(holder, Deque):
        given.extend(holder.names[holder.first :])
    else:
        dict.update(given, zip(holder.names, holder.held))
        if isinstance(holder, DefaultDict):
            given.default_factory = holder.default_factory


def given_mixed(names, places, bits, *objects):
    """A list of several types. `names`: their names. Of each item: `places`, which type it is, and `bits`, its bits as an int. `objects`: for each type
    of strings, tuples, arrays and objects the items of that type, at their places."""
    import numpy as np

    bits = np.array(bits, np.int64)
    kinds, objects = {}, iter(objects)
    for place, name in enumerate(names):
        if name == "tuple ":  # without items
            kinds[place] = [()] * len(bits)
        elif name == "str" or name.startswith(("array ", "tuple ", "row ")):
            kinds[place] = next(objects)
        elif name.startswith("numpy."):
            dtype = np.dtype(name[6:])
            kinds[place] = bits.astype(f"u{dtype.itemsize}").view(dtype)
        elif name == "None":
            kinds[place] = [None] * len(bits)
        elif name.startswith("member "):  # of an enumeration
            from ..tables import member

            kinds[place] = [member(name[7:])] * len(bits)
        else:
            kinds[place] = (bits.view(np.float64) if name == "float" else bits.astype(name)).tolist()
    return [kinds[place][k] for k, place in enumerate(places)]
