"""Objects and lists of which compiled code makes any number, when Python gets them.

In compiled code each is a row of a table, known by its number (npcc/library/tables.py). A result that leads to some comes with all tables: first
every object and list is made, then what they hold is put in, so that they may refer to each other."""
import itertools
import threading

_made = threading.local()  # what `make` made, for the result that is read behind it


class Rows:
    """Rows of table `number`, where it is made; a number below 0 stands for None."""

    def __init__(self, number, rows):
        self.number = number
        self.rows = rows

    def resolved(self):
        return rows(self.number, self.rows)


class Tuples:
    def __init__(self, *columns):
        self.columns = columns

    def resolved(self):
        return list(zip(*(resolved(column) for column in self.columns)))


def resolved(column):
    return column.resolved() if isinstance(column, (Rows, Tuples)) else column


def make(*tables):
    """A table of lists is ([], starts, lengths, items), one of objects (an object, count, attribute, values, attribute, values, ...), where None
    stands for as many."""
    _made.tables = [
        [[] for _ in table[1]] if isinstance(table[0], list) else [object.__new__(type(table[0])) for _ in range(table[1])] for table in tables
    ]
    for table, members in zip(tables, _made.tables):
        if isinstance(table[0], list):
            items = resolved(table[3])
            for member, start, length in zip(members, table[1], table[2]):
                member.extend(items[start : start + length])
            continue
        for attribute, column in zip(table[2::2], table[3::2]):
            values = itertools.repeat(None) if column is None else resolved(column)
            for member, value in zip(members, values):
                object.__setattr__(member, attribute, value)


def row(number, which):
    return _made.tables[number][which]


def rows(number, which):
    members = _made.tables[number]
    return [None if k < 0 else members[k] for k in which]


def built(_, value):
    """The result, behind its tables."""
    del _made.tables
    return value
