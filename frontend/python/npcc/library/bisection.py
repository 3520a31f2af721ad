"""The module bisect: places in lists and arrays that are in order."""
import bisect

from . import implements


def _first(a, lo, hi, key, is_behind):
    """The first position from `lo` to `hi` whose item is behind the place that is looked for."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    low, high = lo, len(a) if hi is None else hi
    while low < high:
        middle = (low + high) // 2
        if is_behind(a[middle] if key is None else key(a[middle])):
            high = middle
        else:
            low = middle + 1
    return low


@implements(bisect.bisect_left)
def bisect_left(a, x, lo=0, hi=None, *, key=None):
    """The first position whose item is not before `x`."""
    return _first(a, lo, hi, key, lambda item: not item < x)


@implements(bisect.bisect_right)
def bisect_right(a, x, lo=0, hi=None, *, key=None):
    """The first position whose item is behind `x`."""
    return _first(a, lo, hi, key, lambda item: x < item)


@implements(bisect.insort_left)
def insort_left(a, x, lo=0, hi=None, *, key=None):
    """Puts `x` before the items that are equal to it."""
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


@implements(bisect.insort_right)
def insort_right(a, x, lo=0, hi=None, *, key=None):
    """Puts `x` behind the items that are equal to it."""
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)
