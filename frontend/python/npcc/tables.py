"""Objects and lists of which compiled code makes any number, when Python gets them.

In compiled code each is a row of a table, known by its number (npcc/library/tables.py). A result that leads to some comes with their tables, and with those that their rows lead to: first
every object and list is made, then what they hold is put in, so that they may refer to each other."""
import importlib
import itertools
import threading

from .library import containers
from .library.sets import FrozenSet
from .structures import argument

_made = threading.local()  # what `make` made, for the result that is read behind it


class Rows:
    """Rows of table `number`, where it is made; a number below 0 stands for None."""

    def __init__(self, number, rows):
        self.number = number
        self.rows = rows

    def resolved(self):
        return rows(self.number, self.rows)


class Mixed:
    """A list of several types, rows of tables among them (containers.given_mixed)."""

    def __init__(self, names, places, bits, *objects):
        self.parts = names, places, bits
        self.objects = objects
        self.items = None

    def resolved(self):
        if self.items is None:
            self.items = containers.given_mixed(*self.parts, *map(resolved, self.objects))
        return self.items

    def part(self, start, stop):
        names, places, bits = self.parts
        return containers.given_mixed(names, places[start:stop], bits[start:stop], *(part(one, start, stop) for one in self.objects))


class Tuples:
    """Tuples, of their columns; named ones of the class of this name."""

    def __init__(self, name, *columns):
        self.make = Same(name).value._make if name else tuple
        self.columns = columns

    def resolved(self):
        return list(map(self.make, zip(*(resolved(column) for column in self.columns))))

    def part(self, start, stop):
        return list(map(self.make, zip(*(part(column, start, stop) for column in self.columns))))


class Late:
    """An attribute that some objects lack: the others' values, and for each object whether it has one."""

    def __init__(self, values, marks):
        self.values = values
        self.marks = marks

    def resolved(self):
        return (value if mark else ABSENT for value, mark in zip(resolved(self.values), self.marks))


ABSENT = object()


class Same:
    """One function or class for all objects, by its name; None where it has none by which it can be found."""

    def __init__(self, name):
        module, _, path = name.partition(":")
        self.value = importlib.import_module(module)
        for part in path.split("."):
            self.value = getattr(self.value, part, None)

    def resolved(self):
        return itertools.repeat(self.value)


def member(name):
    """A member of an enumeration, by its name."""
    return Same(name).value


def resolved(column):
    if column is None:
        return itertools.repeat(None)
    return column.resolved() if isinstance(column, (Rows, Mixed, Tuples, Late, Same)) else column


def members_of(table):
    """The lists or objects of a table, not filled yet; of a dict, set or deque of the library's Python's own. Tuples and frozensets are made where they are
    asked for: what they hold has to be there before them. Of a table that nothing leads to, which is None, nothing is made."""
    if table is None:
        return None
    if isinstance(table[0], list):
        return [[] for _ in table[1]]
    if isinstance(table[0], tuple):
        return Unmade(table)
    if isinstance(table[0], Places):
        return UnmadePlaces(table)
    cls, count = type(table[0]), table[1]
    if cls is FrozenSet:
        return UnmadeSets(table)
    if cls not in containers.OF_PYTHON:
        return [cls.__new__(cls) for _ in range(count)]
    lengths = dict(zip(table[2::2], table[3::2])).get("maxlen")
    return [containers.OF_PYTHON[cls]() if limit is None else containers.OF_PYTHON[cls](maxlen=limit) for limit in itertools.islice(resolved(lengths), count)]


class Unmade:
    """The tuples of a table, each made when it is first asked for."""

    def __init__(self, table):
        self.table = table
        self.made = {}

    def __getitem__(self, which):
        if which not in self.made:
            self.made[which] = self.make(which)
        return self.made[which]

    def __setitem__(self, which, value):
        self.made[which] = value

    def make(self, which):
        return tuple(items_of(self.table, which))


class Places:
    """What a table of tuples of one length begins with, which has a column for each of their places."""


class UnmadePlaces(Unmade):
    """A tuple holds such as were made before it: these are made first, so that no call waits in a call for each level of a deep tree."""

    def __init__(self, table):
        super().__init__(table)
        self.next = 0

    def __getitem__(self, which):
        while self.next < which:
            self.next += 1
            if self.next - 1 not in self.made:
                self.made[self.next - 1] = self.make(self.next - 1)
        return super().__getitem__(which)

    def make(self, which):
        return tuple(part(column, which, which + 1)[0] for column in self.table[3::2])


class UnmadeSets(Unmade):
    """Frozensets. The lists of their keys may not be filled yet, so what these are made of is read."""

    def make(self, which):
        attributes = dict(zip(self.table[2::2], self.table[3::2]))
        lists = attributes.pop("names")
        holder = object.__new__(FrozenSet)
        for attribute, column in attributes.items():
            setattr(holder, attribute, resolved(column)[which])
        holder.names = items_of(_made.given[lists.number], lists.rows[which])
        return frozenset(holder.parts()[0])


def items_of(table, which):
    """What a list or tuple of a table holds."""
    _, starts, lengths, items = table
    return part(items, starts[which], starts[which] + lengths[which])


def part(column, start, stop):
    """What resolved(column)[start:stop] is."""
    if isinstance(column, Rows):
        return rows(column.number, column.rows[start:stop])
    if isinstance(column, (Mixed, Tuples)):
        return column.part(start, stop)
    if column is None or isinstance(column, Same):
        return list(itertools.islice(resolved(column), stop - start))
    return resolved(column)[start:stop]


def make(given, *tables):
    """`given`: of the rows that are arguments, or lie in some, (number of the container, of the table, of the row). A table of lists is ([], starts, lengths, items), of tuples ((), starts, lengths, items), one of objects (an object, count, attribute, values, attribute, values, ...), where None
    stands for as many; of tuples of one length it begins with Places."""
    _made.given = tables
    _made.tables = [members_of(table) for table in tables]
    for number, table, row in given:
        _made.tables[table][row] = argument(number)
    behind = []  # a key that is a string or tuple must be there before a dict takes it
    for table, members in zip(tables, _made.tables):
        if members is None or isinstance(members, Unmade):
            continue
        if isinstance(table[0], list):
            items = resolved(table[3])
            for member, start, length in zip(members, table[1], table[2]):
                member[:] = items[start : start + length]
            continue
        is_container = type(table[0]) in containers.OF_PYTHON
        holders = [object.__new__(type(table[0])) for _ in members] if is_container else members
        for attribute, column in zip(table[2::2], table[3::2]):
            for holder, value in zip(holders, resolved(column)):
                if value is ABSENT:
                    continue
                if isinstance(holder, dict):
                    holder[attribute] = value
                else:
                    object.__setattr__(holder, attribute, value)
        if is_container:
            behind.extend(zip(members, holders))
    for member, holder in behind:
        containers.fill(member, holder)


def row(number, which):
    return _made.tables[number][which]


def rows(number, which):
    members = _made.tables[number]
    return [None if k < 0 else members[k] for k in which]


def built(_, value):
    """The result, behind its tables."""
    del _made.tables, _made.given
    return value
