"""Dicts with computed keys, sets and deques, as classes that are compiled with the functions that use them.

What they hold lies in lists, in the order in which it came. A table of positions finds a key: open addressing, at most half full. Keys are
numbers, strings or tuples of them, all of one type."""
import builtins
import collections

import numpy as np

from npcc.library.strings import number_of

MULTIPLIER = np.int64(-7046029254386353131)  # 2**64 divided by the golden ratio
EMPTY = -1
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
            for key, value in items:
                self[key] = value

    def keys(self):
        return self.names

    def values(self):
        return self.held

    def items(self):
        return zip(self.names, self.held)

    def popitem(self):
        return self.popitem_at(len(self.names) - 1)

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


class OrderedDict(Dict):
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
            for key in iterable:
                self[key] = self.get(key, 0) + 1

    def subtract(self, iterable):
        if isinstance(iterable, (dict, Dict)):
            for key, count in iterable.items():
                self[key] = self.get(key, 0) - count
        else:
            for key in iterable:
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

    def total(self):
        return sum(self.held)

    def elements(self):
        for key, count in zip(self.names, self.held):
            for _ in range(count):
                yield key


def by_count(pair):
    return pair[1]


class Set(Hashed):
    def __init__(self, iterable=()):
        self.names = []
        self.table = np.full(SMALLEST, EMPTY)
        self.update(iterable)

    def add(self, key):
        if self.position_of(key) == EMPTY:
            self.add_name(key)

    def update(self, iterable):
        for key in iterable:
            self.add(key)

    def discard(self, key):
        position = self.position_of(key)
        if position != EMPTY:
            self.names.pop(position)
            self.rebuild(len(self.table))

    def remove(self, key):
        if self.position_of(key) == EMPTY:
            raise KeyError(key)
        self.discard(key)

    def pop(self):
        if len(self.names) == 0:
            raise KeyError("pop from an empty set")
        key = self.names[0]
        self.discard(key)
        return key

    def difference_update(self, other):
        for key in as_set(other):
            self.discard(key)

    def intersection_update(self, other):
        wanted = as_set(other)
        for key in self.copy():
            if key not in wanted:
                self.discard(key)

    def clear(self):
        self.clear_names()

    def copy(self):
        return Set(self.names)

    def union(self, other):
        result = Set(self.names)
        result.update(other)
        return result

    def intersection(self, other):
        wanted = as_set(other)
        result = Set()
        for key in self.names:
            if key in wanted:
                result.add(key)
        return result

    def difference(self, other):
        unwanted = as_set(other)
        result = Set()
        for key in self.names:
            if key not in unwanted:
                result.add(key)
        return result

    def symmetric_difference(self, other):
        result = self.difference(other)
        result.update(as_set(other).difference(self))
        return result

    def issubset(self, other):
        wanted = as_set(other)
        for key in self.names:
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

    __or__ = union
    __and__ = intersection
    __sub__ = difference
    __xor__ = symmetric_difference
    __le__ = issubset
    __ge__ = issuperset

    def __eq__(self, other):
        return len(self.names) == len(other) and self.issubset(other)

    def __iter__(self):
        yield from self.names

    def parts(self):
        return (self.names,)


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

    def append(self, item):
        self.names.append(item)
        if self.maxlen is not None and len(self) > self.maxlen:
            self.popleft()

    def extend(self, iterable):
        for item in iterable:
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
        for item in iterable:
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
    factory = None if default_factory is None else getattr(builtins, default_factory)
    return collections.defaultdict(factory, zip(names, held))


def given_Counter(names, held):
    return collections.Counter(dict(zip(names, held)))


def given_Set(names):
    return set(names)


def given_Deque(items, maxlen):
    return collections.deque(items, maxlen)


OF_PYTHON = {Dict: dict, OrderedDict: collections.OrderedDict, DefaultDict: collections.defaultdict, Counter: collections.Counter, Set: set, Deque: collections.deque}


def fill(given, holder):
    """Lets one of Python's containers hold what one of the classes above does."""
    given.clear()
    if isinstance(holder, Set):
        given.update(holder.names)
    elif isinstance(holder, Deque):
        given.extend(holder.names[holder.first :])
    else:
        dict.update(given, zip(holder.names, holder.held))
        if isinstance(holder, DefaultDict):
            given.default_factory = holder.default_factory


def given_mixed(names, places, bits, *objects):
    """A list of several types. `names`: their names. Of each item: `places`, which type it is, and `bits`, its bits as an int. `objects`: for each type
    of strings and arrays the items of that type, at their places."""
    import numpy as np

    bits = np.array(bits, np.int64)
    kinds, objects = {}, iter(objects)
    for place, name in enumerate(names):
        if name == "str" or name.startswith("array "):
            kinds[place] = next(objects)
        elif name.startswith("numpy."):
            dtype = np.dtype(name[6:])
            kinds[place] = bits.astype(f"u{dtype.itemsize}").view(dtype)
        elif name == "None":
            kinds[place] = [None] * len(bits)
        else:
            kinds[place] = (bits.view(np.float64) if name == "float" else bits.astype(name)).tolist()
    return [kinds[place][k] for k, place in enumerate(places)]
