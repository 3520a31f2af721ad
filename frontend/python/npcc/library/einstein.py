"""numpy.einsum: the subscripts are known at compile time, so what is left are transpositions, sums and matrix products."""

import numpy as np

from . import implements
from .routines import writable_diagonal


def _axes(term, letters):
    """Where `letters` are in a term."""
    axes = ()
    for letter in letters:
        axes = axes + (term.index(letter),)
    return axes


def _without(term, letters):
    rest = ""
    for letter in term:
        if letter not in letters:
            rest = rest + letter
    return rest


def _common(term, other):
    both = ""
    for letter in term:
        if letter in other:
            both = both + letter
    return both


def _extents(a, term, letters):
    shape = ()
    for axis in _axes(term, letters):
        shape = shape + (a.shape[axis],)
    return shape


def _product(shape):
    size = 1
    for extent in shape:
        size = size * extent
    return size


def _traced(a, term):
    """Repeated subscripts of one operand: its diagonal, as the last axis."""
    for letter in term:
        if term.count(letter) > 1:
            first = term.index(letter)
            second = term.index(letter, first + 1)
            a = writable_diagonal(a, first, second)
            term = term[:first] + term[first + 1:second] + term[second + 1:] + letter
    return a, term


def _summed(a, term, kept):
    """Sums over what nobody else needs."""
    lost = _without(term, kept)
    if lost == "":
        return a, term
    return np.sum(a, axis=_axes(term, lost), dtype=a.dtype), _without(term, lost)


def _pair(a, left, b, right, needed):
    """The product of two operands, summed over what is not needed after it."""
    a, left = _summed(a, left, right + needed)
    b, right = _summed(b, right, left + needed)
    both = _common(left, right)
    batch = _common(both, needed)
    inner = _without(both, needed)
    rows = _without(left, both)
    columns = _without(right, both)
    for letter in both:
        mine = a.shape[left.index(letter)]
        other = b.shape[right.index(letter)]
        if mine != other:
            if mine == 1 or other == 1:
                raise NotImplementedError("numpy.einsum with an axis of extent 1 beside a longer one of its name cannot be compiled")
            raise ValueError("operands could not be broadcast together with remapped shapes")
    if inner == "":
        wide = _extents(a, left, batch + rows) + (1,) * len(columns)
        other = _extents(b, right, batch) + (1,) * len(rows) + _extents(b, right, columns)
        product = np.transpose(a, _axes(left, batch + rows)).reshape(wide) * np.transpose(b, _axes(right, batch + columns)).reshape(other)
        return product, batch + rows + columns
    stack = _extents(a, left, batch)
    m = _product(_extents(a, left, rows))
    k = _product(_extents(a, left, inner))
    n = _product(_extents(b, right, columns))
    one = np.transpose(a, _axes(left, batch + rows + inner)).reshape(stack + (m, k))
    two = np.transpose(b, _axes(right, batch + inner + columns)).reshape(stack + (k, n))
    shape = stack + _extents(a, left, rows) + _extents(b, right, columns)
    return np.matmul(one, two).reshape(shape), batch + rows + columns


@implements(np.einsum)
def einsum(subscripts, *operands):
    text = subscripts.replace(" ", "")
    if "." in text:
        raise NotImplementedError("numpy.einsum with an ellipsis cannot be compiled")
    if "->" in text:
        inputs, output = text.split("->")
    else:
        inputs = text
        output = ""
        for letter in sorted(text.replace(",", "")):
            if text.count(letter) == 1:
                output = output + letter
    terms = inputs.split(",")
    if len(terms) != len(operands):
        raise ValueError("the number of operands does not match the subscripts")
    arrays = ()
    names = ()
    kind = np.asarray(operands[0]).dtype
    for k in tuple(range(len(terms))):
        a = np.asarray(operands[k])
        if a.ndim != len(terms[k]):
            raise ValueError(f"operand {k} has {a.ndim} dimensions and {len(terms[k])} subscripts")
        kind = np.result_type(kind, a.dtype)
        a, term = _traced(a, terms[k])
        arrays = arrays + (a,)
        names = names + (term,)
    result = arrays[0]  # of one operand, as long as nothing is summed, a view
    if len(arrays) > 1:
        result = result.astype(kind)
    term = names[0]
    for k in tuple(range(1, len(arrays))):
        needed = output
        for later in names[k + 1:]:
            needed = needed + later
        result, term = _pair(result, term, arrays[k].astype(kind), names[k], needed)
    result, term = _summed(result, term, output)
    if output == "":
        return result[()]
    return np.transpose(result, _axes(term, output))
