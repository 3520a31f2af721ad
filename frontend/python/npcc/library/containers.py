"""Dicts with computed keys, sets and deques: which of Python's classes each is, and what Python gets of lists."""
import collections

import numpy as np

from npcc.library.deques import Deque
from npcc.library.dicts import Counter, DefaultDict, Dict, OrderedDict
from npcc.library.sets import FrozenSet, Set


def given_row(*items):
    return list(items)


OF_PYTHON = {
    Dict: dict,
    OrderedDict: collections.OrderedDict,
    DefaultDict: collections.defaultdict,
    Counter: collections.Counter,
    Set: set,
    FrozenSet: frozenset,
    Deque: collections.deque,
}

SEEN_AS = dict(OF_PYTHON)  # what isinstance() and type() of a program know of these and of other classes of the library


def fill(given, holder):
    """Lets one of Python's containers hold what one of the classes above does."""
    given.clear()
    if isinstance(holder, Set):
        given.update(holder.parts()[0])
    elif isinstance(holder, Deque):
        given.extend(holder.names[holder.first :])
    else:
        dict.update(given, zip(holder.names, holder.held))
        if isinstance(holder, DefaultDict):
            given.default_factory = holder.default_factory


def given_mixed(names, places, bits, *objects):
    """A list of several types. `names`: their names. Of each item: `places`, which type it is, and `bits`, its bits as an int. `objects`: for each type
    of strings, tuples, arrays and objects the items of that type, at their places."""
    bits = np.array(bits, np.int64)
    kinds, objects = {}, iter(objects)
    for place, name in enumerate(names):
        if name == "tuple ":  # without items
            kinds[place] = [()] * len(bits)
        elif name == "str" or name.startswith(("array ", "tuple ", "row ")):
            kinds[place] = next(objects)
        elif name.startswith("numpy."):
            dtype = np.dtype(name[6:])
            kinds[place] = bits.astype(f"u{dtype.itemsize}").view(dtype)
        elif name == "None":
            kinds[place] = [None] * len(bits)
        elif name.startswith("member "):  # of an enumeration
            from ..tables import member

            kinds[place] = [member(name[7:])] * len(bits)
        else:
            kinds[place] = (bits.view(np.float64) if name == "float" else bits.astype(name)).tolist()
    return [kinds[place][k] for k, place in enumerate(places)]
