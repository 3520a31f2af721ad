"""The arguments of a later call: the same dtypes and ranks, but other extents, layouts, overlaps or numbers.

What is compiled for the first call takes some of that for granted: axes that were equally long, arrays that share no memory,
rows that lie one behind the other. A later call must get NumPy's answer all the same.
"""
from __future__ import annotations

import dataclasses
import math
import re

EXTENTS = [0, 1, 2, 3, 4, 5, 6, 8, 9, 13]


def resized(base, shape):
    """The base with another shape, and its own values over again, which are as tame as they were."""
    if base.values is None or shape == base.shape:
        return dataclasses.replace(base, shape=shape)
    values = base.values or ([False] if base.dtype == "bool_" else [1])
    size = math.prod(shape)
    if size > 600:
        return base
    return dataclasses.replace(base, shape=shape, values=[values[(k + k // len(values)) % len(values)] for k in range(size)])


def _together(random, bases, arguments):
    """Every axis that had one extent has another one: what was equal stays equal."""
    extents = sorted({n for b in bases for n in b.shape if n != 1})
    if not extents:
        return None
    new = {n: random.choice(EXTENTS) for n in random.sample(extents, random.randint(1, len(extents)))}
    return [resized(b, tuple(new.get(n, n) for n in b.shape)) for b in bases], arguments


def _apart(random, bases, arguments):
    """One axis of one base has another extent: what was equal is so no longer."""
    axes = [(i, axis) for i, b in enumerate(bases) for axis, n in enumerate(b.shape) if n != 1]
    if not axes:
        return None
    i, axis = random.choice(axes)
    n = bases[i].shape[axis]
    new = random.choice([n - 1, n + 1, n + 1, 2 * n + 1, 0, random.choice(EXTENTS)])
    shape = (*bases[i].shape[:axis], max(new, 0), *bases[i].shape[axis + 1:])
    return [*bases[:i], resized(bases[i], shape), *bases[i + 1:]], arguments


def _of_bases(bases, arguments):
    """The places of arguments that are arrays, each with its base."""
    named = {b.name: b for b in bases}
    found = ((i, re.search(r"\bbase\d+\b", text)) for i, (_, text) in enumerate(arguments))
    return [(i, named[match[0]]) for i, match in found if match and match[0] in named]


def _laid_out(random, bases, arguments):
    """One array with other strides. Its elements are in another order at most, or lie elsewhere."""
    places = [i for i, b in _of_bases(bases, arguments) if b.shape]
    if not places:
        return None
    i = random.choice(places)
    name, text = arguments[i]
    form = random.choice(["np.asfortranarray({0})", "({0})[::-1]", "({0})[..., ::-1]", "np.repeat({0}, 2, axis=-1)[..., ::2]",
                          "np.concatenate([{0}, {0}])[:len({0})]", "({0}).T.copy().T", "np.repeat({0}, 3, axis=0)[1::3]"])
    return bases, [*arguments[:i], (name, form.format(text)), *arguments[i + 1:]]


def _shared(random, bases, arguments):
    """One array is another one, or a part of the memory that another one is a part of, too."""
    places = _of_bases(bases, arguments)
    pairs = [(i, k, b) for i, b in places for k, c in places if i != k and b.dtype == c.dtype and len(b.shape) == len(c.shape)]
    if not pairs:
        return None
    i, k, base = random.choice(pairs)
    one, other = "{0}", "{0}"
    if base.shape and base.shape[0] > 1:
        one, other = random.choice([("{0}", "{0}"), ("{0}", "{0}[::-1]"), ("{0}[1:]", "{0}[:-1]"), ("{0}[:-1]", "{0}[1:]"), ("{0}", "{0}[1:]"),
                                    ("{0}[::2]", "{0}[1::2]")])
    changed = list(arguments)
    changed[i] = (arguments[i][0], one.format(base.name))
    changed[k] = (arguments[k][0], other.format(base.name))
    return bases, changed


def _numbers(random, bases, arguments):
    """Other integers, where there are some."""
    places = [i for i, (_, text) in enumerate(arguments) if re.fullmatch(r"-?\d+", text)]
    if not places:
        return None
    chosen = set(random.sample(places, random.randint(1, len(places))))
    return bases, [(name, str(random.randint(-3, 9)) if i in chosen else text) for i, (name, text) in enumerate(arguments)]


def draw_later(random, program, makes, may_be_empty=True):
    """The program with the arguments of a later call, or as it is where nothing about its arguments can differ.

    `makes` tells whether bases and arguments can be made: a view may have been of an extent that its base has no longer.
    """
    later = None
    for change in random.choices([_together, _apart, _laid_out, _shared, _numbers], [4, 4, 2, 3, 2], k=random.choice([1, 1, 2])):
        later = change(random, *(later or (program.bases, program.arguments))) or later
    is_empty = later and any(0 in b.shape for b in later[0])
    return program.replace(later=later) if later and makes(*later) and (may_be_empty or not is_empty) else program
