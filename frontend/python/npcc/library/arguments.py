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


def columns(rows):
    """zip(*rows) of lists."""
    shortest = len(rows[0]) if len(rows) > 0 else 0
    for row in rows:
        shortest = min(shortest, len(row))
    for place in range(shortest):
        yield tuple([row[place] for row in rows])
