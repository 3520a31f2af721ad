"""Python's functions and list methods that go over items, for what has a length at run time only. The importer calls them for builtins;
where the length is known it goes over the items itself."""
import sys

import numpy as np

from npcc.library.routines import are_compared, called, is_known

EMPTY = "() arg is an empty sequence" if sys.version_info < (3, 12) else "() iterable argument is empty"

# What these compute are Python's ints: where they do not fit into 64 bits, that is an error.
PYTHONS_INTS = ("sum_of", "sum_of_ints")


def list_of(items):
    return [item for item in items]


def any_of(iterable):
    for item in iterable:
        if item:
            return True
    return False


def all_of(iterable):
    for item in iterable:
        if not item:
            return False
    return True


def sum_of(iterable, start):
    total = start
    for item in iterable:
        total = total + item
    return total


def sum_of_floats(items, start):
    """In the order of the items; from Python 3.12 on, what rounding takes away is added in the end."""
    if sys.version_info < (3, 12):
        return sum_of(items, start)
    if len(items) == 0:
        return start
    if not isinstance(items[0], float):
        return sum_of(items, start)
    total = start + 0.0
    lost = 0.0
    for item in items:
        longer = total + item
        lost += (total - longer) + item if abs(total) >= abs(item) else (item - longer) + total
        total = longer
    return total + lost if np.isfinite(lost) else total


def sum_of_ints(array):
    """Of int64, as Python's int: the sums of both halves of the bits do not overflow, and the product says whether the whole one does."""
    low = np.sum(array & 0xFFFFFFFF)
    high = np.sum(array >> 32) + (low >> 32)
    return int(high) * 2**32 + int(low & 0xFFFFFFFF)


def extremum(iterable, key, largest):
    """The first of the largest or smallest items, or of those for which `key` gives that."""
    items = list(iterable)
    if len(items) == 0:
        raise ValueError(("max" if largest else "min") + EMPTY)
    best = items[0]
    best_key = best if key is None else key(best)
    for k in range(1, len(items)):
        item_key = items[k] if key is None else key(items[k])
        if item_key > best_key if largest else item_key < best_key:
            best = items[k]
            best_key = item_key
    return best


def extremum_at_once(iterable, key, largest):
    """The same by a reduction, if numbers are compared. `key` is called once for each item."""
    items = list(iterable)
    if len(items) == 0:
        raise ValueError(("max" if largest else "min") + EMPTY)
    keys = items if key is None else [key(item) for item in items]
    if are_ordered(keys[0]) and not are_compared(keys):
        return items[place_of_extremum(np.array(keys), largest)]
    return items[extremum(range(len(keys)), lambda k: keys[k], largest)]


def extremum_of_array(numbers, largest):
    """Of an array with one axis. A NaN is passed over, but for one that comes first."""
    if len(numbers) == 0:
        raise ValueError(("max" if largest else "min") + EMPTY)
    if numbers.dtype.kind != "f":
        return np.max(numbers) if largest else np.min(numbers)
    best = np.nanmax(numbers) if largest else np.nanmin(numbers)
    return np.where(np.isnan(numbers[0]), numbers[0], best)[()]


def are_ordered(key):
    return isinstance(key, (int, float, np.integer, np.floating, np.bool_))


def place_of_extremum(numbers, largest):
    """Of the first of the largest or smallest numbers. A NaN is passed over, but for one that comes first."""
    if numbers.dtype.kind != "f":
        return np.argmax(numbers) if largest else np.argmin(numbers)
    known = np.where(np.isnan(numbers), -np.inf if largest else np.inf, numbers)
    place = np.argmax(known) if largest else np.argmin(known)
    return np.where(np.isnan(numbers[0]), 0, place)


def sorted_list(iterable, key, reverse):
    """In the order of the items, or of what `key` gives for them; equal ones stay in their order, reversed or not."""
    items = list(iterable)
    order = order_of(items if key is None else [key(item) for item in items], reverse)
    return [items[k] for k in order]


def order_of(keys, reverse):
    """The positions of the keys in their order."""
    if len(keys) == 0:
        return np.zeros(0, np.int64)
    if are_compared(keys) or not are_numbers(keys[0]):
        return compared_order(keys, reverse)
    if isinstance(keys[0], tuple):
        columns = tuple([numbers_in(one)[-1 - place] for one in keys] for place in range(len(numbers_in(keys[0]))))
        columns = tuple(np.array(column)[::-1] if reverse else np.array(column) for column in columns)
        order = np.lexsort(columns)
    else:
        numbers = np.array(keys)
        order = np.argsort(numbers[::-1] if reverse else numbers, kind="stable")
    return len(keys) - 1 - order[::-1] if reverse else order


def are_numbers(key):
    if isinstance(key, tuple):
        return is_known(len(key)) and all([are_numbers(part) for part in key])
    return isinstance(key, (int, float, np.generic))


def numbers_in(key):
    """Those of a tuple and of the tuples in it: the first that differs says which of two such tuples is the lesser one."""
    if not isinstance(key, tuple):
        return (key,)
    found = ()
    for part in key:
        found = found + numbers_in(part)
    return found


@called()
def compared_order(keys, reverse):
    """As order_of, of keys that are compared one by one: runs that double are merged."""
    count = len(keys)
    order = np.arange(count)
    other = np.zeros(count, np.int64)
    width = 1
    while width < count:
        for start in range(0, count, 2 * width):
            middle = min(start + width, count)
            end = min(start + 2 * width, count)
            left = start
            right = middle
            for place in range(start, end):
                takes_right = left == middle
                if not takes_right and right < end:
                    mine = keys[order[left]]
                    others = keys[order[right]]
                    takes_right = mine < others if reverse else others < mine
                if takes_right:
                    other[place] = order[right]
                    right += 1
                else:
                    other[place] = order[left]
                    left += 1
        order, other = other.copy(), order
        width *= 2
    return order


def position_of(items, wanted, words):
    """Of the first item that equals `wanted`; ValueError with these words if there is none."""
    for k in range(len(items)):
        if items[k] == wanted:
            return k
    raise ValueError(words)


def position_between(items, wanted, words, start, stop=None):
    """The same among the items from `start` on and before `stop`, as slices have them."""
    count = len(items)
    first = max(start + count if start < 0 else start, 0)
    last = count
    if stop is not None:
        last = min(stop + count if stop < 0 else stop, count)
    for k in range(first, last):
        if items[k] == wanted:
            return k
    raise ValueError(words)


def place_of(items, wanted, words):
    """The same for items that are known one by one, which may be of several types."""
    place = 0
    for item in items:
        if item == wanted:
            return place
        place += 1
    raise ValueError(words)


def raise_key(key):
    raise KeyError(key)


def equal_lists(left, right):
    if len(left) != len(right):
        return False
    for k in range(len(left)):
        if left[k] != right[k]:
            return False
    return True


def less_list(left, right, or_equal):
    for k in range(min(len(left), len(right))):
        if left[k] != right[k]:
            return bool(left[k] < right[k])
    return len(left) <= len(right) if or_equal else len(left) < len(right)


def holds(items, wanted):
    for item in items:
        if item == wanted:
            return True
    return False


def is_among(numbers, wanted):
    """Whether one of an array of numbers is `wanted`."""
    for k in range(len(numbers)):
        if numbers[k] == wanted:
            return True
    return False


def is_in_array(array, wanted):
    """As NumPy has it for arrays of any axes."""
    return bool(np.any(array == wanted))


def value_of(keys, values, key):
    """What a dict of these keys and values has at `key`."""
    for k in range(len(keys)):
        if keys[k] == key:
            value = values[k]
            return value.item() if isinstance(values, np.ndarray) else value
    raise KeyError(key)


def count_of(items, wanted):
    count = 0
    for item in items:
        if item == wanted:
            count += 1
    return count


def mapped(function, items):
    return [function(item) for item in items]


def mapped_rows(function, iterables):
    return [function(*row) for row in zip(*iterables)]


def filtered(function, items):
    return [item for item in items if (item if function is None else function(item))]


def collected(iterable):
    """A list of what a generator gives."""
    items = []
    for item in iterable:
        items.append(item)
    return items


def enumerated(iterable, start):
    number = start
    for item in iterable:
        yield number, item
        number += 1


def repeated(items, times):
    """items * times, of a list or tuple."""
    result = []
    for _ in range(times):
        for item in items:
            result.append(item)
    return result


def zipped(generator, place, others):
    """zip() of what a generator gives, at this place, and of others that have lengths."""
    position = 0
    if not any(position >= len(one) for one in others[:place]):
        for item in generator:
            if any(position >= len(one) for one in others[place:]):
                break
            row = tuple(one[position] for one in others)
            yield row[:place] + (item,) + row[place:]
            position += 1
            if any(position >= len(one) for one in others[:place]):  # the generator is not asked then
                break


def length_of_range(start, stop, step):
    """len(range(start, stop, step))"""
    if step > 0:
        return (stop - start + step - 1) // step if stop > start else 0
    if step < 0:
        return (start - stop - step - 1) // -step if start > stop else 0
    raise ValueError("range() arg 3 must not be zero")


def item_of_range(start, stop, step, index):
    """range(start, stop, step)[index]"""
    length = length_of_range(start, stop, step)
    position = index + length if index < 0 else index
    if position < 0 or position >= length:
        raise IndexError("range object index out of range")
    return start + position * step


def range_holds(start, stop, step, item):
    """item in range(start, stop, step)"""
    is_between = start <= item < stop if step > 0 else stop < item <= start
    return is_between and (item - start) % step == 0


def part_of_range(start, stop, step, first, last, stride):
    """range(start, stop, step)[first:last:stride]"""
    chosen = positions_of(slice(first, last, stride), length_of_range(start, stop, step))
    return range(start + chosen.start * step, start + chosen.stop * step, chosen.step * step)


def positions_of(chosen, length):
    """range(*chosen.indices(length))"""
    step = 1 if chosen.step is None else chosen.step
    if step == 0:
        raise ValueError("slice step cannot be zero")
    least, most = (0, length) if step > 0 else (-1, length - 1)  # what bounds are clipped to
    first, last = (least, most) if step > 0 else (most, least)
    if chosen.start is not None:
        first = min(max(chosen.start + length if chosen.start < 0 else chosen.start, least), most)
    if chosen.stop is not None:
        last = min(max(chosen.stop + length if chosen.stop < 0 else chosen.stop, least), most)
    return range(first, last, step)


def first_of(generator, *otherwise):
    """next(generator, *otherwise)"""
    for item in generator:
        return item
    if len(otherwise) == 0:
        raise StopIteration
    return otherwise[0]


def stepped(iterator):
    """The items of an object that gives one at each call."""
    while True:
        try:
            item = iterator.__next__()
        except StopIteration:
            break
        yield item


def next_or(iterator, otherwise):
    try:
        return iterator.__next__()
    except StopIteration:
        return otherwise


class Iterator:
    """iter() of what has a length and positions."""

    def __init__(self, items):
        self.items = items
        self.position = 0

    def __iter__(self):
        while self.position < len(self.items):
            self.position += 1
            yield self.items[self.position - 1]

    def is_more(self):
        return self.position < len(self.items)

    def __next__(self):
        if self.position >= len(self.items):
            raise StopIteration
        self.position += 1
        return self.items[self.position - 1]

    def next_or(self, otherwise):
        """next(self, otherwise)"""
        if self.position >= len(self.items):
            return otherwise
        return self.__next__()


def iterator_over(iterable):
    if isinstance(iterable, Iterator):
        return iterable
    has_positions = isinstance(iterable, (list, tuple, str, range, np.ndarray))
    return Iterator(iterable if has_positions else list(iterable))


def store_extended(items, start, stop, step, values):
    """items[start:stop:step] = values, of a step that is not 1."""
    places = positions_of(slice(start, stop, step), len(items))
    if len(values) != len(places):
        raise ValueError(f"attempt to assign sequence of size {len(values)} to extended slice of size {len(places)}")
    for k in range(len(places)):
        items[places.start + k * step] = values[k]


def delete_extended(items, start, stop, step):
    """del items[start:stop:step], of a step that is not 1."""
    places = positions_of(slice(start, stop, step), len(items))
    items[:] = [items[k] for k in range(len(items)) if k not in places]


def growing_enumerate(items, start):
    """enumerate() of a list whose length changes meanwhile."""
    position = 0
    while position < len(items):
        yield start + position, items[position]
        position += 1


def growing_items(items):
    """The items of a list, also those that are added meanwhile."""
    position = 0
    while position < len(items):
        yield items[position]
        position += 1
