"""Running one program once, and what there is to compare afterwards."""
from __future__ import annotations

import dataclasses
import importlib.util
import inspect
import itertools
import sys
import warnings

import numpy as np


@dataclasses.dataclass
class Outcome:
    """`value` and `arguments` are plain copies; `shares` lists which pairs of them are one memory; `error` is (type, text)."""
    value: object = None
    arguments: list = dataclasses.field(default_factory=list)
    shares: list = dataclasses.field(default_factory=list)
    error: tuple | None = None
    refused: str | None = None  # the compiler's located refusal: neither right nor wrong


def load(path, name):
    """Import a program from its file: compilers look for a function's source there."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def leaves(value, path="result"):
    """The arrays and numbers of a nested result, each with the path to it."""
    if isinstance(value, (tuple, list)):
        for i, item in enumerate(value):
            yield from leaves(item, f"{path}[{i}]")
    else:
        yield path, value


def plain(value):
    """A picklable copy that remembers the exact type of each leaf. A device array comes back as what its host copy is."""
    if isinstance(value, (tuple, list)):
        items = [plain(item) for item in value]
        return value._make(items) if hasattr(value, "_make") else type(value)(items)
    if isinstance(value, np.ndarray):
        return np.array(value, order="C", copy=True)
    if value is None or isinstance(value, (bool, int, float, complex, str, np.generic)):
        return value
    if hasattr(value, "__array__"):
        return np.array(value)
    # A helper is a function of Python's in the reference, and what `jit` made of it in the compiled module.
    return "<function>" if inspect.isfunction(getattr(value, "__wrapped__", value)) else f"<{type(value).__name__}>"


def sharing(value, arguments):
    arrays = [(path, leaf) for path, leaf in itertools.chain(leaves(value), *(leaves(a, f"argument {i}") for i, a in enumerate(arguments)))
              if isinstance(leaf, np.ndarray) and leaf.size]
    return [(p, q) for (p, a), (q, b) in itertools.combinations(arrays, 2) if np.may_share_memory(a, b) and np.shares_memory(a, b, max_work=10**6)]


def observe(function, arguments, refusal=()):
    """Call the function; whatever happens becomes an Outcome. `refusal` are the exception types of an unsupported program."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            value, error = function(*arguments), None
        except refusal as refused:
            return Outcome(refused=reason(refused))
        except Exception as raised:
            value, error = None, (type(raised).__name__, str(raised))
            if refusal and is_limit(*error):
                return Outcome(refused=error[1], error=error)
    shares = [] if error else sharing(value, arguments)
    return Outcome(plain(value), [plain(a) for a in arguments], shares, error)


def is_limit(kind, words):
    """Whether a compiled function says at run time that it cannot: Python's integers have no end, compiled ones do, and
    what a name holds has one type."""
    return (
        kind == "NotImplementedError"
        or words == "an int of the compiled program does not fit into 64 bits: compute with floats, or leave the function to Python"
        or words.endswith(", which it has here with another value of its name")
    )


def reason(refused):
    """The compiler's own words, without the place."""
    text = getattr(refused, "msg", None) or str(refused)
    return text.strip().splitlines()[0] if text.strip() else type(refused).__name__
