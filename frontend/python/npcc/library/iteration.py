"""Python's functions and list methods that go over items, for what has a length at run time only. The importer calls them for builtins;
where the length is known it goes over the items itself."""
import numpy as np


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


def smallest(iterable, key):
    items = list(iterable)
    if len(items) == 0:
        raise ValueError("min() iterable argument is empty")
    best = items[0]
    for k in range(1, len(items)):
        if (items[k] if key is None else key(items[k])) < (best if key is None else key(best)):
            best = items[k]
    return best


def largest(iterable, key):
    items = list(iterable)
    if len(items) == 0:
        raise ValueError("max() iterable argument is empty")
    best = items[0]
    for k in range(1, len(items)):
        if (items[k] if key is None else key(items[k])) > (best if key is None else key(best)):
            best = items[k]
    return best


def sorted_list(iterable, key, reverse):
    """In the order of the items, or of what `key` gives for them; equal ones stay in their order, reversed or not."""
    items = list(iterable)
    order = order_of(items if key is None else [key(item) for item in items], reverse)
    return [items[k] for k in order]


def order_of(keys, reverse):
    """The positions of the keys in their order: numbers, or tuples of numbers."""
    if len(keys) == 0:
        return np.zeros(0, np.int64)
    if isinstance(keys[0], tuple):
        columns = tuple([one[-1 - place] for one in keys] for place in range(len(keys[0])))
        columns = tuple(np.array(column)[::-1] if reverse else np.array(column) for column in columns)
        order = np.lexsort(columns)
    else:
        numbers = np.array(keys)
        order = np.argsort(numbers[::-1] if reverse else numbers, kind="stable")
    return len(keys) - 1 - order[::-1] if reverse else order


def position_of(items, wanted):
    for k in range(len(items)):
        if items[k] == wanted:
            return k
    raise ValueError("list.index(x): x not in list")


def removed_position_of(items, wanted):
    for k in range(len(items)):
        if items[k] == wanted:
            return k
    raise ValueError("list.remove(x): x not in list")


def holds(items, wanted):
    for item in items:
        if item == wanted:
            return True
    return False


def count_of(items, wanted):
    count = 0
    for item in items:
        if item == wanted:
            count += 1
    return count


def mapped(function, items):
    return [function(item) for item in items]


def filtered(function, items):
    return [item for item in items if (item if function is None else function(item))]
