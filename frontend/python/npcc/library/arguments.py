"""What becomes of f(*values) where the number of values is known at run time only."""
import inspect
import string

import numpy as np


def taken(callee):
    """How many positional arguments a callable needs, and how many it takes; None if it takes any number, or does not say."""
    if isinstance(callee, np.ufunc):
        return callee.nin, callee.nin
    try:
        parameters = inspect.signature(callee).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(parameter.kind == parameter.VAR_POSITIONAL for parameter in parameters):
        return None
    positional = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return sum(one.default is one.empty for one in positional), len(positional)


def shown(text):
    """How many positional arguments a format takes: "{} {:{}}" three, "{2}" three as well."""
    count = most = 0
    fields = list(string.Formatter().parse(text))
    while fields:
        _, field, specification, _ = fields.pop(0)
        if field is None:
            continue
        name = field.split(".")[0].split("[")[0]
        if name == "":
            count += 1
        elif name.isdigit():
            most = max(most, int(name) + 1)
        fields[0:0] = string.Formatter().parse(specification)
    return max(count, most)


def shown_names(text):
    """The names that a format takes from its keyword arguments, each once: of "{a.real} {b:{width}}" a, b and width."""
    names = []
    fields = list(string.Formatter().parse(text))
    while fields:
        _, field, specification, _ = fields.pop(0)
        if field is None:
            continue
        name = field.split(".")[0].split("[")[0]
        if name and not name.isdigit() and name not in names:
            names.append(name)
        fields[0:0] = string.Formatter().parse(specification)
    return tuple(names)


def check_names(mapping, function, needed, optional, given):
    """Raises Python's error where the keys of a mapping are not the names of parameters that have no argument yet."""
    for key in mapping:
        if key in given:
            raise TypeError(function + "() got multiple values for argument '" + key + "'")
        if key not in needed and key not in optional:
            raise TypeError(function + "() got an unexpected keyword argument '" + key + "'")
    missing = ["'" + name + "'" for name in needed if name not in mapping]
    if len(missing) == 1:
        raise TypeError(function + "() missing 1 required positional argument: " + missing[0])
    if len(missing) > 1:
        names = missing[0] + " and " + missing[1] if len(missing) == 2 else ", ".join(missing[:-1]) + ", and " + missing[-1]
        raise TypeError(function + "() missing " + str(len(missing)) + " required positional arguments: " + names)


def check_given_once(mapping, name):
    """Raises Python's error where a mapping has the name of an argument that is given already."""
    if name in mapping:
        raise TypeError("str.format() got multiple values for keyword argument '" + name + "'")


def columns(rows):
    """zip(*rows) of lists."""
    shortest = len(rows[0]) if len(rows) > 0 else 0
    for row in rows:
        shortest = min(shortest, len(row))
    for place in range(shortest):
        yield tuple([row[place] for row in rows])
