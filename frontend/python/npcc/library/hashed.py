"""The keys of dicts, and where they stand: a table of positions finds a key, by open addressing, at most half full. Keys are numbers, strings or tuples of
them, all of one type."""
import numpy as np

from npcc.library.routines import called
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
    if isinstance(key, (int, np.integer, np.bool_)):
        return mixed(np.int64(key))
    if isinstance(key, (complex, np.complexfloating)):
        return mixed(hash_of(float(key.real)) ^ mixed(hash_of(float(key.imag))))
    return mixed(np.int64(hash(key)))


@called()
def found(names, table, key):
    """Where a key stands among the names, -1 if it does not."""
    mask = len(table) - 1
    place = int(hash_of(key) & mask)
    while table[place] != EMPTY and names[table[place]] != key:
        place = (place + 1) & mask
    return int(table[place])


@called(changes=True)
def entered(names, table, key):
    """Adds a key that is not there yet, and gives the table: another one where there was no room in it."""
    if 2 * len(names) >= len(table):
        table = rebuilt(names, 2 * len(table))
    mask = len(table) - 1
    place = int(hash_of(key) & mask)
    while table[place] != EMPTY:
        place = (place + 1) & mask
    table[place] = len(names)
    names.append(key)
    return table


@called(changes=True, keeps="value")
def stored(names, table, held, key, value):
    """Puts a value where the dict's key has it, and gives the table."""
    position = EMPTY if len(names) == 0 else found(names, table, key)
    if position == EMPTY:
        table = entered(names, table, key)
        held.append(value)
    else:
        held[position] = value
    return table


@called(changes=True)
def remove(names, table, position):
    """Takes out a name. Those behind it move up by one, and in the table those that were put behind its place because that was taken."""
    mask = len(table) - 1
    hole = int(hash_of(names[position]) & mask)
    while table[hole] != position:
        hole = (hole + 1) & mask
    place = (hole + 1) & mask
    while table[place] != EMPTY:
        wanted = int(hash_of(names[table[place]]) & mask)
        if (place - wanted) & mask >= (place - hole) & mask:
            table[hole] = table[place]
            hole = place
        place = (place + 1) & mask
    table[hole] = EMPTY
    if position < len(names) - 1:
        table[:] = np.where(table > position, table - 1, table)
    names.pop(position)


@called()
def rebuilt(names, size):
    """A table of where the names stand."""
    table = np.full(size, EMPTY)
    mask = size - 1
    for position in range(len(names)):
        place = int(hash_of(names[position]) & mask)
        while table[place] != EMPTY:
            place = (place + 1) & mask
        table[place] = position
    return table


class Hashed:
    """The keys, and a table of where they stand."""

    def __init__(self):
        self.names = []
        self.table = np.full(SMALLEST, EMPTY)

    def __len__(self):
        return len(self.names)

    def position_of(self, key):
        """Where the key stands, -1 if it does not."""
        if len(self.names) == 0:
            return EMPTY
        return found(self.names, self.table, key)

    def __contains__(self, key):
        return self.position_of(key) != EMPTY

    def add_name(self, key):
        """A key that is not there yet."""
        self.take_table(entered(self.names, self.table, key))

    def take_table(self, table):
        """The one that it has, or a larger one."""
        if len(table) != len(self.table):
            self.table = table

    def rebuild(self, size):
        self.table = rebuilt(self.names, size)

    def remove_at(self, position):
        remove(self.names, self.table, position)

    def clear_names(self):
        self.names.clear()
        self.table = np.full(SMALLEST, EMPTY)
