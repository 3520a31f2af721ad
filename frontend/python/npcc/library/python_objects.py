"""Functions of Python's that make functions and dicts: operator.itemgetter(), operator.attrgetter(), dict.fromkeys()."""
import operator

from . import implements


@implements(operator.itemgetter)
def itemgetter(item, *items):
    if len(items) == 0:
        return lambda obj: obj[item]
    return lambda obj: (obj[item], *[obj[one] for one in items])


@implements(operator.attrgetter)
def attrgetter(attr, *attrs):
    if len(attrs) == 0:
        return lambda obj: _attribute(obj, attr)
    return lambda obj: (_attribute(obj, attr), *[_attribute(obj, one) for one in attrs])


def _attribute(obj, path):
    for name in path.split("."):
        obj = getattr(obj, name)
    return obj


@implements(dict.fromkeys)
def fromkeys(iterable, value=None):
    result = {}
    for key in iterable:
        result[key] = value
    return result
