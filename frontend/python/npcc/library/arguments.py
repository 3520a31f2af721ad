"""What becomes of f(*values) where the number of values is known at run time only."""
import inspect

import numpy as np


def needed(callee):
    """How many positional arguments a callable needs; None if it takes any number, or does not say."""
    if isinstance(callee, np.ufunc):
        return callee.nin
    try:
        parameters = inspect.signature(callee).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(parameter.kind == parameter.VAR_POSITIONAL for parameter in parameters):
        return None
    return sum(parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD) and parameter.default is parameter.empty
               for parameter in parameters)


def columns(rows):
    """zip(*rows) of lists."""
    shortest = len(rows[0]) if len(rows) > 0 else 0
    for row in rows:
        shortest = min(shortest, len(row))
    for place in range(shortest):
        yield tuple([row[place] for row in rows])
