"""The module bisect: places in lists and arrays that are in order."""
import bisect

from . import implements


@implements(bisect.bisect_left)
def bisect_left(a, x, lo=0, hi=None, *, key=None):
    """The first position whose item is not before `x`."""
    check(lo)
    low, high = lo, len(a) if hi is None else hi
    while low < high:
        middle = (low + high) // 2
        item = a[middle] if key is None else key(a[middle])
        if item < x:
            low = middle + 1
        else:
            high = middle
    return low


@implements(bisect.bisect_right)
def bisect_right(a, x, lo=0, hi=None, *, key=None):
    """The first position whose item is behind `x`."""
    check(lo)
    low, high = lo, len(a) if hi is None else hi
    while low < high:
        middle = (low + high) // 2
        item = a[middle] if key is None else key(a[middle])
        if x < item:
            high = middle
        else:
            low = middle + 1
    return low


def check(lo):
    if lo < 0:
        raise ValueError("lo must be non-negative")
