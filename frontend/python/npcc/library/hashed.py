"""The keys of dicts, and where they stand: a table of positions finds a key, by open addressing, at most half full. Keys are numbers, strings or tuples of
them, all of one type."""
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
    if isinstance(key, (int, np.integer, np.bool_)):
        return mixed(np.int64(key))
    if isinstance(key, (complex, np.complexfloating)):
        return mixed(hash_of(float(key.real)) ^ mixed(hash_of(float(key.imag))))
    return mixed(np.int64(hash(key)))


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
