"""What becomes of f(*values) where the number of values is known at run time only."""
import inspect

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


def columns(rows):
    """zip(*rows) of lists."""
    shortest = len(rows[0]) if len(rows) > 0 else 0
    for row in rows:
        shortest = min(shortest, len(row))
    for place in range(shortest):
        yield tuple([row[place] for row in rows])
