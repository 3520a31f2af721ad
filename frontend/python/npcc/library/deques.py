"""Deques, as a class that is compiled with the functions that use it."""
import collections

from npcc.library.routines import at_run_time


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

    def __delitem__(self, index):
        position = self.position(index)
        if position == self.first:
            self.popleft()
        else:
            self.names.pop(position)

    def __eq__(self, other):
        if not isinstance(other, Deque):
            return NotImplemented
        return len(self) == len(other) and all(self[k] == other[k] for k in range(len(self)))

    def __contains__(self, item):
        return item in self.names[self.first:]

    def count(self, item):
        return sum([1 for each in self if each == item])

    def position_of(self, item, start, stop):
        """Where the first one between two positions stands among the names, -1 if there is none."""
        for position in range(self.first + start, self.first + stop):
            if self.names[position] == item:
                return position
        return -1

    def index(self, item, start=0, stop=None):
        length = len(self)
        begin = max(start + length, 0) if start < 0 else start
        end = length if stop is None else min(max(stop + length, 0) if stop < 0 else stop, length)
        position = self.position_of(item, begin, end)
        if position < 0:
            raise ValueError(repr(item) + " is not in deque")
        return position - self.first

    def remove(self, item):
        position = self.position_of(item, 0, len(self))
        if position < 0:
            raise ValueError(repr(item) + " is not in deque")
        del self[position - self.first]

    def insert(self, index, item):
        if self.maxlen is not None and len(self) >= self.maxlen:
            raise IndexError("deque already at its maximum size")
        length = len(self)
        position = max(index + length, 0) if index < 0 else min(index, length)
        if position == 0:
            self.appendleft(item)
        else:
            self.names.insert(self.first + position, item)

    def reverse(self):
        items = self.names[self.first:]
        items.reverse()
        self.clear()
        self.extend(items)

    def __iter__(self):
        for position in range(self.first, len(self.names)):
            yield self.names[position]

    def __repr__(self):
        items = "[" + ", ".join([repr(item) for item in self]) + "]"
        return "deque(" + items + ")" if self.maxlen is None else "deque(" + items + ", maxlen=" + repr(self.maxlen) + ")"

    def parts(self):
        return self.names[self.first:], self.maxlen


def given_Deque(items, maxlen):
    return collections.deque(items, maxlen)
