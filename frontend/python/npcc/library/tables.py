"""Lists and objects of which a program makes any number: each is a row of a table, and known by its number."""

from npcc.library.routines import called


class Objects:
    """Objects of one class: `count` of them, and a list for each of their attributes."""


class Tuples:
    """Tuples of one type: a list for each of their places. Row 0 is nobody's."""


class Lists:
    """Lists. `items` holds the items of all of them: those of row k begin at starts[k], are lengths[k], and have room for rooms[k]."""

    def made_of(self, values):
        """The number of a new list with these items."""
        row = len(self.starts)
        self.starts.append(0)
        self.lengths.append(0)
        self.rooms.append(0)
        self.extend(row, values)
        return row

    def widen(self, row, value):
        """Makes room for more items like `value`. The list moves behind all others, where it can grow."""
        length = self.lengths[row]
        start = self.starts[row]
        if start + length != len(self.items):
            self.starts[row] = len(self.items)
            for item in self.items[start : start + length]:
                self.items.append(item)
        room = max(4, 2 * length)
        for k in range(room - length):
            self.items.append(value)
        self.rooms[row] = room

    @called(changes=True, compares=False, keeps="value")
    def append(self, row, value):
        length = self.lengths[row]
        if length == self.rooms[row]:
            self.widen(row, value)
        self.items[self.starts[row] + length] = value
        self.lengths[row] = length + 1

    def extend(self, row, values):
        for value in values:
            self.append(row, value)

    def repeat(self, row, count):
        """list *= count"""
        more = self.lengths[row] * (count - 1)
        if count < 1:
            self.lengths[row] = 0
        for k in range(more):
            self.append(row, self.items[self.starts[row] + k])

    def assign(self, row, values):
        self.lengths[row] = 0
        self.extend(row, values)

    def clear(self, row):
        self.lengths[row] = 0

    def position(self, row, at, words):
        length = self.lengths[row]
        found = at + length if at < 0 else at
        if found < 0 or found >= length:
            raise IndexError(words)
        return self.starts[row] + found

    def store(self, row, at, value):
        place = self.position(row, at, "list assignment index out of range")
        self.items[place] = value

    def pop(self, row, at=-1):
        if self.lengths[row] == 0:
            raise IndexError("pop from empty list")
        place = self.position(row, at, "pop index out of range")
        value = self.items[place]
        for k in range(place, self.starts[row] + self.lengths[row] - 1):
            self.items[k] = self.items[k + 1]
        self.lengths[row] -= 1
        return value

    @called(changes=True, compares=False, keeps="value")
    def insert(self, row, at, value):
        length = self.lengths[row]
        found = max(at + length, 0) if at < 0 else min(at, length)
        self.append(row, value)
        start = self.starts[row]
        for k in range(length, found, -1):
            self.items[start + k] = self.items[start + k - 1]
        self.items[start + found] = value

    def remove(self, row, value):
        start = self.starts[row]
        for k in range(self.lengths[row]):
            if self.items[start + k] == value:
                self.pop(row, k)
                return
        raise ValueError("list.remove(x): x not in list")


def pass_unfinished(column, row, value):
    """Gives a value to objects before this one that lack the attribute, which nobody reads: what says whether they have it lies beside it, or nobody
    has them, because their constructors raised exceptions."""
    while len(column) < row:
        column.append(value)


def mark_set(marks, row):
    """`marks`: for each object whether it has got an attribute; those behind the last one have not."""
    while len(marks) <= row:
        marks.append(False)
    marks[row] = True


def is_set(marks, row):
    return row < len(marks) and marks[row]


def lists_of_rows(array):
    """array.tolist(), whose lists are lists of their own."""
    return [row.tolist() for row in array]


def stacked(rows):
    """The array of the rows' items; ValueError where their lengths differ."""
    import numpy as np

    first = np.array(rows[0])
    result = np.empty((len(rows),) + first.shape, first.dtype)
    for k in range(len(rows)):
        row = rows[k]
        if len(row) != len(first):
            raise ValueError(
                "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. "
                f"The detected shape was ({len(rows)},) + inhomogeneous part."
            )
        result[k] = np.array(row)
    return result
