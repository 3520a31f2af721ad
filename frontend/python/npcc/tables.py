"""Objects and lists of which compiled code makes any number, when Python gets them.

In compiled code each is a row of a table, known by its number (npcc/library/tables.py). A result that leads to some comes with their tables, and with
those that their rows lead to. Of the rows, which may be many more, those are made that the result leads to: each is made empty, and what it holds is
put in later, so that they may refer to each other."""
import ast
import importlib
import threading

from .library import containers
from .library.exceptions import has_own_methods
from .library.sets import FrozenSet
from .structures import argument

_made = threading.local()  # what `make` made, for the result that is read behind it


class Rows:
    """Rows of table `number`, where it is made; a number below 0 stands for None."""

    def __init__(self, number, rows):
        self.number = number
        self.rows = rows

    def taken(self, which):
        return members(self.number, taken(self.rows, which))


class Mixed:
    """A list of several types, rows of tables among them (containers.given_mixed)."""

    def __init__(self, names, places, bits, *objects):
        self.parts = names, places, bits
        self.objects = objects

    def taken(self, which):
        names, places, bits = self.parts
        return containers.given_mixed(names, taken(places, which), taken(bits, which), *(taken(one, which) for one in self.objects))


class Tuples:
    """Tuples, of their columns; named ones of the class of this name."""

    def __init__(self, name, *columns):
        self.make = Same(name).value._make if name else tuple
        self.columns = columns

    def taken(self, which):
        return list(map(self.make, zip(*(taken(column, which) for column in self.columns))))


class Late:
    """An attribute that some objects lack: the others' values, and for each object whether it has one. Both end where the last one has."""

    def __init__(self, values, marks):
        self.values = values
        self.marks = marks

    def taken(self, which):
        have = [k < len(self.marks) and bool(self.marks[k]) for k in which]
        values = iter(taken(self.values, [k for k, one in zip(which, have) if one]))
        return [next(values) if one else ABSENT for one in have]


ABSENT = object()


class Same:
    """One function or class for all objects, by its name; None where it has none by which it can be found."""

    def __init__(self, name):
        module, _, path = name.partition(":")
        self.value = importlib.import_module(module)
        for part in path.split("."):
            self.value = getattr(self.value, part, None)

    def taken(self, which):
        return [self.value] * len(which)


def member(name):
    """A member of an enumeration, by its name."""
    return Same(name).value


def exception(name, is_shown, text, *held):
    """One that the program made or caught, by its class, its text, and names and values of what it holds: its arguments, and attributes. `is_shown`: the text
    is what repr() gives of a key."""
    cls, held = Same(name).value, dict(zip(held[::2], held[1::2]))
    args = held.pop("args", None)
    if args is None:  # its text is all that is known
        return cls(ast.literal_eval(text) if is_shown else text)
    if not has_own_methods(cls):
        return cls(*args)
    made = cls.__new__(cls, *args)
    made.args = args
    vars(made).update(held)
    return made


def taken(column, which):
    """What the column of a table holds in some rows, a list or range of them."""
    if column is None:
        return [None] * len(which)
    if isinstance(column, (Rows, Mixed, Tuples, Late, Same)):
        return column.taken(which)
    return column[which.start : which.stop] if isinstance(which, range) else [column[k] for k in which]


def members_of(table):
    """The lists or objects of a table; of a dict, set or deque of the library's Python's own. Of a table that nothing leads to, which is None, nothing is
    made."""
    if table is None:
        return None
    if isinstance(table[0], tuple):
        return Unmade(table)
    if isinstance(table[0], Places):
        return UnmadePlaces(table)
    return UnmadeSets(table) if type(table[0]) is FrozenSet else Members(table)


class Members:
    """The members of a table. One is made when something leads to it, and then waits to be filled."""

    MOST = 100  # times that some are filled: then all are, for each might lead to the next one only

    def __init__(self, table):
        self.table = table
        self.is_list = isinstance(table[0], list)
        self.cls = type(table[0])
        self.is_container = self.cls in containers.OF_PYTHON
        self.count = len(table[1]) if self.is_list else table[1]
        self.made = [None] * self.count
        self.waiting = []
        self.times = 0

    def __getitem__(self, which):
        member = self.made[which]
        if member is None:
            member = self.made[which] = self.empty(which)
            self.waiting.append(which)
        return member

    def __setitem__(self, which, member):
        self.made[which] = member
        self.waiting.append(which)

    def empty(self, which):
        if self.is_list:
            return []
        if not self.is_container:
            return self.cls.__new__(self.cls)
        limits = dict(zip(self.table[2::2], self.table[3::2])).get("maxlen")
        limit = taken(limits, [which])[0]
        return containers.OF_PYTHON[self.cls]() if limit is None else containers.OF_PYTHON[self.cls](maxlen=limit)

    def fill(self):
        """Fills those that wait. Gives containers and what they are to hold: a key that is a string or tuple must be there before a dict takes it."""
        self.times += 1
        if self.times > self.MOST:
            for which in range(self.count):
                self[which]
        which, self.waiting = self.waiting, []
        if len(which) == self.count:
            which = range(self.count)
        filled = [self.made[k] for k in which]
        if self.is_list:
            self.fill_lists(filled, which)
            return []
        holders = [object.__new__(self.cls) for _ in which] if self.is_container else filled
        for attribute, column in zip(self.table[2::2], self.table[3::2]):
            for holder, value in zip(holders, taken(column, which)):
                if value is ABSENT:
                    continue
                if isinstance(holder, dict):
                    holder[attribute] = value
                else:
                    object.__setattr__(holder, attribute, value)
        return zip(filled, holders) if self.is_container else []

    def fill_lists(self, lists, which):
        _, starts, lengths, items = self.table
        values = taken(items, [k for row in which for k in range(starts[row], starts[row] + lengths[row])])
        start = 0
        for member, row in zip(lists, which):
            member[:] = values[start : start + lengths[row]]
            start += lengths[row]


class Unmade:
    """The tuples of a table, each made when it is first asked for: what it holds has to be there before it. None of them waits to be filled."""

    waiting = ()

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
        return tuple(taken(column, [which])[0] for column in self.table[3::2])


class UnmadeSets(Unmade):
    """Frozensets. The lists of their keys may not be filled yet, so what these are made of is read."""

    def make(self, which):
        attributes = dict(zip(self.table[2::2], self.table[3::2]))
        lists = attributes.pop("names")
        holder = object.__new__(FrozenSet)
        for attribute, column in attributes.items():
            setattr(holder, attribute, taken(column, [which])[0])
        holder.names = items_of(_made.given[lists.number], lists.rows[which])
        return frozenset(holder.parts()[0])


def items_of(table, which):
    """What a list or tuple of a table holds."""
    _, starts, lengths, items = table
    return taken(items, range(starts[which], starts[which] + lengths[which]))


def fill():
    """Fills all that waits, and what that leads to."""
    behind = []
    while unfilled := [members for members in _made.tables if members is not None and members.waiting]:
        for members in unfilled:
            behind.extend(members.fill())
    for member, holder in behind:
        containers.fill(member, holder)


def make(given, *tables):
    """`given`: of the rows that are arguments, or lie in some, (number of the container, of the table, of the row). A table of lists is ([], starts, lengths, items), of tuples ((), starts, lengths, items), one of objects (an object, count, attribute, values, attribute, values, ...), where None
    stands for as many; of tuples of one length it begins with Places."""
    _made.given = tables
    _made.tables = [members_of(table) for table in tables]
    for number, table, row in given:
        _made.tables[table][row] = argument(number)
    fill()


def row(number, which):
    member = _made.tables[number][which]
    fill()
    return member


def members(number, which):
    """The members of some rows of a table; a number below 0 stands for None."""
    table = _made.tables[number]
    return [None if k < 0 else table[k] for k in which]


def rows(number, which):
    found = members(number, which)
    fill()
    return found


def built(_, value):
    """The result, behind its tables."""
    del _made.tables, _made.given
    return value
