"""numpy.einsum: the subscripts are known at compile time, so what is left are transpositions, sums and matrix products."""

import numpy as np

from . import implements
from .routines import check_writable, is_known, writable_diagonal
from .shapes import spelled


# Products of a stack have at least so many columns each: with fewer of them, one product of all is faster, though it needs copies.
_FEWEST_COLUMNS = 256


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


def _traced(a, term, operand):
    """Repeated subscripts of one operand: its diagonal, as the last axis."""
    for axis in tuple(range(len(term))):
        first = term.index(term[axis])
        if a.shape[first] != a.shape[axis]:
            raise ValueError(f"dimensions in {operand} for collapsing index '{term[axis]}' don't match ({a.shape[first]} != {a.shape[axis]})")
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
    if inner == "":
        kept = len(batch) + len(rows)
        wide = np.expand_dims(np.transpose(a, _axes(left, batch + rows)), tuple(range(kept, kept + len(columns))))
        other = np.expand_dims(np.transpose(b, _axes(right, batch + columns)), tuple(range(len(batch), kept)))
        return wide * other, batch + rows + columns
    # Where one operand has no axes of its own, each element of the other one counts once: a sum, which needs no copy of an operand in
    # another order and fuses with what makes it. A matrix with a vector is a product for libraries.
    if columns == "" and (batch != "" or left not in (rows + inner, inner + rows)):
        return _summed_product(a, left, b, right, batch + rows, inner)
    if rows == "" and (batch != "" or right not in (columns + inner, inner + columns)):
        return _summed_product(b, right, a, left, batch + columns, inner)
    # An axis of extent 1 goes with one of any; products repeat it themselves where it stays.
    a = _widened(a, left, b, right, inner)
    b = _widened(b, right, a, left, inner)
    before, behind = _around(left, batch, inner)
    first, second = _around(right, batch, inner)
    term = batch + rows + columns
    if before != "" and behind != "" and _product(_extents(a, left, behind)) >= _FEWEST_COLUMNS:
        result = _stack(a, left, b, right, batch, columns, inner, before, behind, needed, term)
    elif first != "" and second != "" and _product(_extents(b, right, second)) >= _FEWEST_COLUMNS:
        result = _stack(b, right, a, left, batch, rows, inner, first, second, needed, term)
    else:
        result = _flat(a, left, b, right, batch, rows, columns, inner)
    return result, term


def _flat(a, left, b, right, batch, rows, columns, inner):
    """One product of matrices for each position along `batch`."""
    m = _product(_extents(a, left, rows))
    n = _product(_extents(b, right, columns))
    k = _product(_extents(a, left, inner))
    one = np.transpose(a, _axes(left, batch + rows + inner)).reshape(_extents(a, left, batch) + (m, k))
    two = np.transpose(b, _axes(right, batch + inner + columns)).reshape(_extents(b, right, batch) + (k, n))
    product = np.matmul(one, two)
    stack = product.shape[: len(batch)]
    return product.reshape(stack + _extents(a, left, rows) + _extents(b, right, columns))


def _around(term, batch, inner):
    """The axes before `inner` and behind it, where all of these stand together behind `batch`; otherwise none."""
    if term[: len(batch)] != batch or inner not in term:
        return "", ""
    rest = term[len(batch):]
    return rest[: rest.index(inner)], rest[rest.index(inner) + len(inner):]


def _stack(a, left, b, right, batch, columns, inner, before, behind, needed, term):
    """A product for each position along `before`, too ("nchw,oc->nohw" is one for each n). One product of all of them needs the first
    operand in another order, and gives its result in another one than is wanted."""
    is_last = columns == "" or needed.index(columns[0]) < needed.index(behind[0])  # whether `behind` is
    k = _product(_extents(a, left, inner))
    stack = _extents(a, left, batch)
    one = a.reshape(stack + (_product(_extents(a, left, before)), k, _product(_extents(a, left, behind))))
    two = np.transpose(b, _axes(right, batch + columns + inner)).reshape(_extents(b, right, batch) + (1, _product(_extents(b, right, columns)), k))
    product = np.matmul(two, one) if is_last else np.matmul(np.swapaxes(one, -1, -2), np.swapaxes(two, -1, -2))
    order = batch + before + (columns + behind if is_last else behind + columns)
    shape = product.shape[: len(batch)] + _extents(a, left, before)
    for letter in order[len(shape):]:
        shape = shape + (a.shape[left.index(letter)] if letter in behind else b.shape[right.index(letter)],)
    return np.transpose(product.reshape(shape), _axes(order, term))


def _summed_product(a, left, b, right, kept, inner):
    """The sum over `inner` of the product, where all of the second operand's axes are the first one's too."""
    present = ""
    missing = ()
    for axis in tuple(range(len(left))):
        present = present + (left[axis] if left[axis] in right else "")
        missing = missing + (() if left[axis] in right else (axis,))
    other = np.expand_dims(np.transpose(b, _axes(right, present)), missing)
    # The axes that are summed need not stand last: no array is made in another order.
    term = _without(left, inner)
    product = np.sum(a * other, axis=_axes(left, inner), dtype=a.dtype)
    return np.transpose(product, _axes(term, kept)), kept


def _widened(a, term, other, names, letters):
    """The array with the other's extents along `letters`, where its own are 1."""
    shape = ()
    is_wider = False
    for axis in tuple(range(len(term))):
        extent = a.shape[axis]
        if term[axis] in letters:
            wide = other.shape[names.index(term[axis])]
            if _is_one(extent):
                extent = wide
                is_wider = True
            elif not _is_one(wide) and extent != wide:
                raise NotImplementedError("numpy.einsum with an axis of extent 1 beside a longer one of its name cannot be compiled")
        shape = shape + (extent,)
    return np.broadcast_to(a, shape) if is_wider else a


def _is_one(extent):
    """Whether it is known, when this is compiled, to be 1."""
    return is_known(extent) and extent == 1


# Subscripts for the axes of an ellipsis: what a user's subscript cannot be.
_AXES_OF_ELLIPSIS = "0123456789"


def _subscript(number):
    if number is Ellipsis:
        return "..."
    if not isinstance(number, int):
        raise TypeError("each subscript must be either an integer or an ellipsis")
    if number < 0 or number >= 52:
        raise ValueError("subscript is not within the valid range [0, 52)")
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[number]


def _as_text(operands):
    """einsum(a, [0, 1], b, [1, 2], [0, 2]) as the subscripts and the operands."""
    text = ""
    arrays = ()
    pairs = len(operands) // 2
    for k in tuple(range(pairs)):
        arrays = arrays + (operands[2 * k],)
        if k > 0:
            text = text + ","
        if not isinstance(operands[2 * k + 1], (list, tuple)):
            raise NotImplementedError("numpy.einsum takes lists of subscripts that are known in compiled code")
        for number in operands[2 * k + 1]:
            text = text + _subscript(number)
    if len(operands) % 2 == 1:
        text = text + "->"
        for number in operands[-1]:
            text = text + _subscript(number)
    return text, arrays


def _check_letters(term, place):
    """What is not a letter is one ellipsis."""
    rest = term.replace("...", "", 1)
    for letter in rest:
        if letter == ".":
            raise ValueError(f"einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...') in {place}")
        if not letter.isalpha():
            raise ValueError(f"invalid subscript '{letter}' in einstein sum subscripts string, subscripts must be letters")


def _input(term, ndim, operand):
    """The operand's subscripts, an ellipsis written out."""
    _check_letters(term, f"operand {operand}")
    letters = term.replace("...", "")
    if len(letters) > ndim:
        raise ValueError(f"einstein sum subscripts string contains too many subscripts for operand {operand}")
    if "..." in term:
        return letters, ndim - len(letters)
    if len(letters) < ndim:
        raise ValueError(
            "operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to broadcast the extra dimensions."
        )
    return letters, 0


def _output(text, inputs, used, broad):
    """The subscripts of the result; without '->' those that occur once, in order."""
    if text is None:
        output = broad
        for letter in sorted(used):
            if used.count(letter) == 1:
                output = output + letter
        return output
    _check_letters(text, "the output")
    letters = text.replace("...", "")
    for letter in letters:
        if letters.count(letter) > 1:
            raise ValueError(f"einstein sum subscripts string includes output subscript '{letter}' multiple times")
        if letter not in used:
            raise ValueError(f"einstein sum subscripts string included output subscript '{letter}' which never appeared in an input")
    if "..." not in text and broad != "":
        raise ValueError(
            "output has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to broadcast the extra dimensions."
        )
    return text.replace("...", broad)


def _remapped(a, term, order):
    text = "("
    shown = 0
    for letter in order:
        if letter in term:
            text = text + ("," if shown > 0 else "") + f"{a.shape[term.index(letter)]}"
            shown = shown + 1
        elif shown > 0:  # new axes before the others are not shown
            text = text + ",newaxis"
            shown = shown + 1
    return text + (",)" if len(order) == 1 else ")")


def _check_extents(arrays, names, output, letters):
    """Axes of one name have one extent, or 1."""
    order = output + _without(letters, output)
    shown = ""
    for k in tuple(range(len(arrays))):
        shown = shown + spelled(arrays[k].shape) + "->" + _remapped(arrays[k], names[k], order) + " "
    for letter in letters:
        widest = 1
        for k in tuple(range(len(arrays))):
            if letter in names[k]:
                extent = arrays[k].shape[names[k].index(letter)]
                if extent != 1 and widest != 1 and extent != widest:
                    raise ValueError("operands could not be broadcast together with remapped shapes [original->remapped]: " + shown)
                widest = extent if widest == 1 else widest


@implements(np.einsum)
def einsum(*operands, out=None, optimize=False, dtype=None, order="K", casting="safe"):
    # `optimize` says in which order to compute, not what.
    if order not in (None, "K", "C", "A", "F"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got '{order}')")
    if casting not in ("no", "equiv", "safe", "same_kind", "unsafe"):
        raise ValueError(f"casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got '{casting}')")
    if len(operands) < 2:
        raise ValueError("must specify the einstein sum subscripts string and at least one operand")
    if isinstance(operands[0], str):
        text = operands[0].replace(" ", "")
        operands = operands[1:]
    else:
        text, operands = _as_text(operands)
    result_text = None
    if "->" in text:
        parts = text.split("->", 1)
        text = parts[0]
        result_text = parts[1]
    elif "-" in text:
        raise ValueError("einstein sum subscript string does not contain proper '->' output specified")
    terms = text.split(",")
    if len(terms) != len(operands):
        more = "more" if len(terms) > len(operands) else "fewer"
        raise ValueError(f"{more} operands provided to einstein sum function than specified in the subscripts string")
    most = 0
    used = ""
    counts = ()
    for k in tuple(range(len(terms))):
        letters, count = _input(terms[k], np.ndim(operands[k]), k)
        used = used + letters
        counts = counts + (count,)
        most = max(most, count)
    broad = _AXES_OF_ELLIPSIS[:most]
    output = _output(result_text, text, used, broad)
    arrays = ()
    names = ()
    kind = np.asarray(operands[0]).dtype
    for k in tuple(range(len(terms))):
        a = np.asarray(operands[k])
        kind = np.result_type(kind, a.dtype)
        term = terms[k].replace("...", broad[most - counts[k]:])
        is_view = len(terms) == 1 and out is None and _without(term, output) == ""
        a, term = _traced(a, term, "single operand" if is_view else f"operand {k}")
        arrays = arrays + (a,)
        names = names + (term,)
    if len(arrays) > 1:
        letters = ""
        for letter in sorted(broad + used):
            letters = letters + ("" if letter in letters else letter)
    else:
        letters = names[0]
    if out is None:
        if len(arrays) > 1:
            _check_extents(arrays, names, output, letters)
    else:
        if not isinstance(out, np.ndarray):
            raise TypeError("keyword parameter out must be an array for einsum")
        if out.ndim != len(output):
            raise ValueError(f"out parameter does not have the correct number of dimensions, has {out.ndim} but should have {len(output)}")
        _check_extents(arrays + (out,), names + (output,), output, letters)
        if dtype is None:  # the output is one of NumPy's operands, which all have one dtype
            kind = np.result_type(kind, out.dtype)
    if not is_view:
        if dtype is not None:
            kind = np.dtype(dtype)
        for k in tuple(range(len(arrays))):
            if not np.can_cast(arrays[k].dtype, kind, casting):
                raise TypeError(
                    f"Iterator operand {k} dtype could not be cast from {arrays[k].dtype!r} to {kind!r} according to the rule '{casting}'"
                )
    if out is not None and not np.can_cast(kind, out.dtype, casting):
        raise TypeError(
            f"Iterator requested dtype could not be cast from {kind!r} to {out.dtype!r}, the operand {len(arrays)} dtype, "
            f"according to the rule '{casting}'"
        )
    result = arrays[0]
    if not is_view:
        result = result.astype(kind)
    term = names[0]
    for k in tuple(range(1, len(arrays))):
        needed = output
        for later in names[k + 1:]:
            needed = needed + later
        result, term = _pair(result, term, arrays[k].astype(kind), names[k], needed)
    result, term = _summed(result, term, output)
    if output == "":
        result = result[()]
    else:
        result = np.transpose(result, _axes(term, output))
    if out is None:
        return np.array(result, order="F") if order == "F" and output != "" and not is_view else result
    check_writable(out, "operand array with iterator write flag set is read-only")
    out[...] = result
    return out
