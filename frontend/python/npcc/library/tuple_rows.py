"""What Python does with tuples that hold tuples of their own kind, however deep (frontend/importer/TabledTuples.h): functions that call themselves."""


def equal(left, right):
    if len(left) != len(right):
        return False
    for x, y in zip(left, right):
        if x != y:
            return False
    return True


def not_equal(left, right):
    return not equal(left, right)


def less(left, right, or_equal):
    """left < right, or left <= right."""
    for x, y in zip(left, right):
        if x != y:
            return x < y
    return len(left) <= len(right) if or_equal else len(left) < len(right)


def greater(left, right, or_equal):
    for x, y in zip(left, right):
        if x != y:
            return x > y
    return len(left) >= len(right) if or_equal else len(left) > len(right)


def shown(row):
    """repr(row)"""
    items = [repr(item) for item in row]
    return "(" + ", ".join(items) + (",)" if len(items) == 1 else ")")
