"""Families of calls (call_families.py) of functions that arrange, place, make and sum up elements, with several of their keywords at once."""

from __future__ import annotations

import numpy as np

FLAGS = ["True", "False"]
DTYPES = ["np.float64", "np.float32", "np.int32", "bool", "'c16'", "'u1'"]
CASTING = ["'unsafe'", "'no'", "'safe'", "'same_kind'"]
ORDERS = ["'C'", "'F'", "'A'"]
MODES = ["'raise'", "'wrap'", "'clip'", "'no'"]


def places(draw, extent, shape=None, outside=0.05):
    """An argument of positions along an axis of this extent; a few lie outside."""
    extent = max(extent, 1) + (1 if draw.chance(outside) else 0)
    shape = draw.pick((), (1,), (3,), (0,), (2, 2)) if shape is None else shape
    return draw.give(draw.laid_out(np.asarray(draw.numbers.integers(-extent, extent, shape)).astype(draw.pick("i8", "i8", "i4",
                                                            "u1") if extent < 100 and draw.chance(0.3) else "i8")))


def result(draw, call, shape):
    """The call, with an output of about this shape now and then."""
    if draw.chance(0.7):
        return call
    if draw.chance(0.1):
        shape = (*shape, 1)
    out = draw.give(draw.laid_out(np.asarray(draw.values(shape, draw.dtype()))))
    return f"r = {call[:-1]}, out={out}); (r, {out})"


def extent_of(array, axis):
    if axis == "None":
        return array.size
    return array.shape[int(axis)] if -array.ndim <= int(axis) < array.ndim else 1


def joined(draw):
    """Arrays one behind the other."""
    shape = draw.shape(1, 3)
    axis = draw.axis(len(shape))
    count, kind, parts = draw.pick(1, 2, 2, 3), draw.dtype(), []
    for _ in range(count):
        other = list(shape)
        if axis != "None" and draw.chance(0.5):
            other[int(axis) % len(shape)] = draw.pick(0, 1, 2, 3)
        parts.append(draw.array(shape=other, dtype=draw.pick(kind, kind, draw.dtype())))
    options = draw.keywords(dtype=DTYPES, casting=CASTING) if draw.chance(0.4) else ""
    parts = f"({', '.join(parts)},)"
    total = (sum(a.size for a in draw.arguments),) if axis == "None" else None
    if total is None:
        total = list(shape)
        total[int(axis) % len(shape)] = sum(extent_of(a, axis) for a in draw.arguments)
    whole = result(draw, f"np.concatenate({parts}, axis={axis}{options if 'dtype' not in options else ''})", total)
    return draw.pick(whole, whole, f"np.concatenate({parts}, axis={axis}{options})", f"np.stack({parts}, axis={axis if axis != 'None' else 0}{options})",
                     f"np.hstack({parts}{options})", f"np.vstack({parts}{options})", f"np.dstack({parts})", f"np.column_stack({parts})",
                     f"np.block([*{parts}])",
                     f"np.append({parts}[0], {parts}[-1]{draw.pick('', f', axis={axis}')})", f"np.unstack({parts}[0], axis={axis if axis != 'None' else 0})")


def moved(draw):
    """The same elements in another order or shape."""
    x = draw.array()
    array, rank = draw.last, draw.last.ndim
    axis, other = draw.axis(rank, False), draw.axis(rank, False)
    axes, more = draw.axes(rank), draw.axes(rank)
    count = max(len(eval(axes)), 1)
    shift = draw.pick("1", "-2", "5", "0", str(tuple(draw.random.randrange(-3, 4) for _ in range(count))))
    shapes = [str((-1,)), f"{array.shape[::-1]}", f"({array.size}, 1)", "(2, -1)", f"(1, {array.size})", "(-1, -1)", f"{array.shape + (1,)}"]
    pieces = draw.pick("2", "3", "[1, 2]", "[0]", "1", "[-1]", "0", "[2, 1]")
    return draw.pick(
        f"np.roll({x}, {shift}, axis={draw.pick(axes, axis, 'None')})", f"np.flip({x}, axis={draw.pick(axes, axis, 'None')})",
        f"np.rot90({x}, {draw.pick('1', '-1', '2', '7')}{draw.keywords(axes=[axes, '(0, 1)', '(1, 0)'])})",
        f"np.moveaxis({x}, {draw.pick(axes, axis)}, {draw.pick(more, other)})",
        f"np.swapaxes({x}, {axis}, {other})", f"np.transpose({x}, {draw.pick(axes, 'None')})", f"np.rollaxis({x}, {axis}, {draw.pick('0', '1', '2', '-1')})",
        f"np.expand_dims({x}, {draw.pick(axis, axes, '(0, -1)', '(0, 0)', '-1', '7')})", f"np.squeeze({x}{draw.keywords(axis=[axis, axes])})",
        f"np.reshape({x}, {draw.pick(*shapes)}{draw.keywords(order=ORDERS, copy=['True', 'None'])})", f"np.ravel({x}{draw.keywords(order=ORDERS)})",
        f"np.resize({x}, {draw.pick('(2, 3)', '5', '(0,)', '()', '(7,)')})",
        f"{x}.flatten({draw.pick('', *ORDERS)})", f"np.tile({x}, {draw.pick('2', '(2, 1)', '(1, 2, 2)', '0', '()', '(2, 0)')})",
        *(f"np.{name}({x}, {pieces}, axis={axis})" for name in ("split", "array_split")), f"np.{draw.pick('hsplit', 'vsplit', 'dsplit')}({x}, {pieces})",
        f"np.atleast_{draw.pick(1, 2, 3)}d({x})", f"np.diagonal({x}{draw.keywords(offset=['1', '-1', '5'], axis1=[axis], axis2=[other])})",
        f"np.trace({x}{draw.keywords(offset=['1', '-1'], axis1=[axis], axis2=[other], dtype=DTYPES)})",
        f"np.{draw.pick('tril', 'triu')}({x}{draw.keywords(k=['1', '-1', '7'])})", f"np.{draw.pick('diag', 'diagflat')}({x}{draw.keywords(k=['1', '-2'])})",
        f"np.trim_zeros({x}{draw.keywords(trim=[repr(k) for k in ('f', 'b', 'fb', 'x')], axis=[axis, axes])})",
        f"np.broadcast_to({x}, {draw.pick((2, *array.shape), array.shape, (3,), (*array.shape, 2))})", f"np.linalg.matrix_transpose({x})",
        f"np.linalg.diagonal({x}{draw.keywords(offset=['1', '-1'])})",
    )


def edited(draw):
    """np.insert, delete, repeat, take and their like."""
    x = draw.array()
    array, rank = draw.last, draw.last.ndim
    axis = draw.axis(rank)
    n = extent_of(array, axis)
    at = draw.pick(places(draw, n), "0", "-1", "[0, 0]", "slice(None, None, 2)", str(n), "[]", f"[{n}]")
    values = draw.array(shape=draw.pick((), (), (1,), (2,), array.shape), dtype=draw.pick(array.dtype, draw.dtype()))
    counts = draw.pick("2", "0", "-1", "1", draw.give(draw.numbers.integers(0, 4, n)), "[2]", "[1, 2]")
    mask = draw.give(draw.values((n + draw.pick(0, 0, -1 if n else 0, 1),), "?"))
    same = draw.give(draw.values(array.shape, "?"))
    index = places(draw, n, (n,) if axis == "None" else tuple(draw.pick(k, 1) for k in array.shape))
    whole = draw.give(draw.numbers.integers(0, max(array.size, 1), (2, 2)))
    return draw.pick(
        f"np.insert({x}, {at}, {values}, axis={axis})", f"np.delete({x}, {draw.pick(at, mask)}, axis={axis})", f"np.repeat({x}, {counts}, axis={axis})",
        result(draw, f"np.take({x}, {at}, axis={axis}{draw.keywords(mode=MODES)})", ()), f"np.take({x}, {at}, axis={axis}{draw.keywords(mode=MODES)})",
        result(draw, f"np.compress({mask}, {x}, axis={axis})", ()), f"np.extract({same}, {x})", f"(np.place({x}, {same}, {values}), {x})[1]",
        f"(np.putmask({x}, {same}, {values}), {x})[1]",
        f"(np.put({x}, {whole}, {values}{draw.keywords(mode=MODES)}), {x})[1]", f"np.take_along_axis({x}, {index}, axis={axis})",
        f"(np.put_along_axis({x}, {index}, {values}, axis={axis}), {x})[1]",
        f"(np.copyto({x}, {values}{draw.keywords(casting=CASTING, where=[same])}), {x})[1]",
        f"np.choose({whole}, [{values}, 1, 7]{draw.keywords(mode=MODES)})",
        f"np.select([{same}, ~{same}], [{x}, {values}]{draw.keywords(default=['7', '0.5'])})",
        f"(np.fill_diagonal({x}, {values}{draw.keywords(wrap=FLAGS)}), {x})[1]", f"np.where({same}, {x}, {values})",
        f"np.ediff1d({x}{draw.keywords(to_end=['[1, 2]', '7'], to_begin=['0'])})",
        f"np.diff({x}{draw.keywords(n=['0', '1', '2', '-1', '9'], axis=[axis if axis != 'None' else '0'], prepend=['0', values], append=['1'])})",
        f"np.unravel_index({whole}, {array.shape}{draw.keywords(order=ORDERS[:2])})",
        f"np.ravel_multi_index(({at}, {at}), (3, 4){draw.keywords(mode=MODES, order=ORDERS[:2])})",
        f"np.argpartition({x}, {draw.pick('0', '[0, 1]', '-1', '9')}, axis={axis}).shape", f"np.partition({x}, [0, {n - 1}], axis={axis})  # order {axis}",
    )


def made(draw):
    """Arrays that are made of numbers and shapes."""
    x = draw.array(0, 2, special=0.05)
    y = draw.array(shape=draw.pick((), draw.last.shape, (1,)), dtype=draw.dtype(), special=0.05)
    shape = draw.pick("None", "(2, 3)", "4", "()", "(0, 2)", "(-1,)")
    count = draw.pick("5", "1", "0", "2", "-1", "50")
    like = draw.keywords(dtype=DTYPES, order=ORDERS, shape=[shape])
    numbers = [draw.pick("0", "1", "5", "-3", "2.5", "10", "1e3", "0.1", "7") for _ in range(3)]
    return draw.pick(
        f"np.linspace({x}, {y}, {count}{draw.keywords(endpoint=FLAGS, retstep=FLAGS, dtype=DTYPES, axis=['0', '-1', '1', '5'])})",
        f"np.linspace({numbers[0]}, {numbers[1]}, {count}{draw.keywords(endpoint=FLAGS, retstep=FLAGS, dtype=DTYPES)})",
        f"np.logspace({numbers[0]}, {numbers[1]}, {count}{draw.keywords(endpoint=FLAGS, base=['2.0', '3'], dtype=DTYPES[:2])})",
        f"np.geomspace({numbers[0]}, {numbers[1]}, {count}{draw.keywords(endpoint=FLAGS)})",
        f"np.arange({', '.join(numbers[:draw.pick(1, 2, 3)])}{draw.keywords(dtype=DTYPES)})", *(f"np.{name}_like({x}{like})" for name in ("zeros", "ones")),
        f"np.full_like({x}, {y}{like})", f"np.full({shape}, {y}{draw.keywords(dtype=DTYPES, order=ORDERS[:2])})",
        f"np.eye({count}{draw.keywords(M=['3', '0', 'None'], k=['1', '-2'], dtype=DTYPES, order=ORDERS[:2])})",
        f"np.tri({count}{draw.keywords(M=['3', '0'], k=['1', '-2'], dtype=DTYPES)})", f"np.vander({y}{draw.keywords(N=['3', '0', '1'], increasing=FLAGS)})",
        f"np.meshgrid({x}, {y}{draw.keywords(indexing=[repr('ij'), repr('xy'), repr('no')], sparse=FLAGS, copy=FLAGS)})",
        f"np.indices({draw.pick('(2, 3)', '(0,)', '()')}{draw.keywords(dtype=DTYPES[:3], sparse=FLAGS)})", f"np.identity({count}{draw.keywords(dtype=DTYPES)})",
        *(f"np.{name}({draw.pick('3', '5', '0', '1')}{draw.keywords(k=['1', '-1'], m=['2', '4'])})" for name in ("tril_indices", "triu_indices")),
        f"np.diag_indices({draw.pick('3', '0')}{draw.keywords(ndim=['3', '1'])})", f"np.ix_({y}, [0, 2])",
        *(f"np.{name}({count})" for name in ("hanning", "hamming", "blackman", "bartlett")), f"np.kaiser({count}, {numbers[0]})",
        f"np.fft.{draw.pick('fftfreq', 'rfftfreq')}({count}{draw.keywords(d=['0.5', '2'])})",
        f"np.array({x}{draw.keywords(dtype=DTYPES, copy=FLAGS[:1], order=ORDERS, ndmin=['0', '2', '3'])})",
        f"np.asarray({x}{draw.keywords(dtype=DTYPES, order=ORDERS)})",
        f"{x}.astype({draw.pick(*DTYPES)}{draw.keywords(casting=CASTING, copy=FLAGS, order=ORDERS)})",
    )


def summed_up(draw):
    """Statistics with weights, bins and parameters."""
    x = draw.array(special=0.05)
    array, rank = draw.last, draw.last.ndim
    axis, axes = draw.axis(rank), draw.axes(rank)
    n = extent_of(array, axis)
    weights = draw.give(draw.laid_out(np.asarray(draw.numbers.integers(0, 5, draw.pick(array.shape, (n,), (n,)))).astype(draw.pick("f8", "i8", "f4"))))
    whole = draw.give(draw.laid_out(draw.numbers.integers(draw.pick(0, 0, 0, -1), 9, draw.pick(0, 1, 5, 20))))
    of_whole = draw.give(draw.numbers.normal(size=len(draw.arguments[-1])).astype(draw.pick("f8", "f4")))
    plane = draw.array(shape=(draw.pick(1, 2, 3), draw.pick(1, 2, 5)), dtype=draw.pick("f8", "f4", "i8", "c16"), special=0)
    times = draw.give(draw.numbers.integers(1, 4, draw.last.shape[1]))
    where = draw.give(draw.values(array.shape, "?"))
    numeric = draw.keywords(axis=[axis, axes], keepdims=FLAGS)
    low, high = draw.pick("-1", "0", "0.5", "None"), draw.pick("1", "2.5", "None", "-2")
    return draw.pick(
        f"np.average({x}{draw.keywords(weights=[weights], axis=[axis, axes], returned=FLAGS, keepdims=FLAGS)})",
        f"np.average({x}, weights={weights}, axis={axis}{draw.keywords(returned=FLAGS, keepdims=FLAGS)})",
        f"np.bincount({whole}{draw.keywords(weights=[of_whole], minlength=['0', '12', '-1'])})",
        f"np.cov({plane}{draw.keywords(rowvar=FLAGS, bias=FLAGS, ddof=['0', '1', '2'], fweights=[times], aweights=[times], dtype=['np.float32'])})",
        f"np.corrcoef({plane}{draw.keywords(rowvar=FLAGS, dtype=['np.float32'])})",
        f"np.clip({x}, {low}, {high}{draw.keywords(dtype=['np.float64'], where=[where])})", result(draw, f"np.clip({x}, {low}, {high})", array.shape),
        f"np.nan_to_num({x}{draw.keywords(copy=FLAGS, nan=['1', '-2.5'], posinf=['9'], neginf=['-9'])})",
        f"np.isclose({x}, {x}[::-1] if {x}.ndim else 1{draw.keywords(rtol=['0.5', '0'], atol=['1', '0'], equal_nan=FLAGS)})",
        f"np.allclose({x}, {x} + 1{draw.keywords(rtol=['0.5'], atol=['1', '0.5'], equal_nan=FLAGS)})",
        f"np.array_equal({x}, {x}{draw.keywords(equal_nan=FLAGS)})",
        f"np.{draw.pick('cumulative_sum', 'cumulative_prod')}({x}{draw.keywords(axis=[axis, '0'], dtype=DTYPES, include_initial=FLAGS)})",
        result(draw, f"np.{draw.pick('cumsum', 'cumprod')}({x}, axis={axis}{draw.keywords(dtype=DTYPES)})", array.shape if axis != "None" else (array.size,)),
        result(draw, f"np.round({x}, {draw.pick('0', '1', '-1', '2')})", array.shape),
        *(result(draw, f"np.{name}({x}, axis={axis}, keepdims=True{draw.keywords(where=[where], initial=['0'])})",
                 tuple(1 for _ in array.shape)) for name in ("sum", "max", "min", "prod")),
        *(f"np.{name}({x}{numeric}{draw.keywords(where=[where], ddof=['1', '2'], correction=['0.5'])}"
          f"{draw.keywords(mean=[f'np.mean({x}, axis={axis}, keepdims=True)'])})" for name in ("var", "std", "nanvar", "nanstd")),
        *(f"np.{name}({x}{numeric}{draw.keywords(where=[where], initial=['2'])})" for name in ("nansum", "nanmax", "nanmin", "nanprod", "nanmean")),
        *(f"np.{name}({x}{numeric})" for name in ("argmax", "argmin", "count_nonzero", "ptp", "nanargmin")),
        f"np.trapezoid({x}{draw.keywords(dx=['0.5'], axis=['0', '-1', '1'])})",
        f"np.unwrap({x}{draw.keywords(period=['2', '3.5'], discont=['1'], axis=['0'])})",
        f"np.gradient({x}{draw.keywords(axis=[axis, axes], edge_order=['2'])})",
        f"np.histogram2d({of_whole}, {of_whole}{draw.keywords(bins=['3', '[2, 4]'], range=['[[-1, 1], [0, 2]]'], density=FLAGS)})",
        f"np.histogram({of_whole}, 4{draw.keywords(weights=[whole], density=FLAGS, range=['(-1, 1)'])})", f"np.apply_over_axes(np.sum, {x}, {axes})",
        f"np.cross({plane}, {plane}{draw.keywords(axis=['0', '1', '-1'])})",
        f"np.linalg.vector_norm({x}{draw.keywords(axis=[axis, axes], ord=['1', '2', 'np.inf', '0', '3', '-1'], keepdims=FLAGS)})",
        f"np.linalg.multi_dot([{plane}, {plane}.T, {plane}])",
        f"np.packbits({where}{draw.keywords(axis=[axis], bitorder=[repr('little'), repr('big')])})",
        f"np.unpackbits({where}.view(np.uint8){draw.keywords(axis=[axis], count=['3', '-2', '20', 'None'], bitorder=[repr('little')])})",
        f"np.nonzero({x})", f"np.argwhere({x})", f"({x}.sort({draw.pick('', 'axis=0', 'axis=-1', 'axis=1')}), {x})[1]",
        f"np.piecewise({x}, [{where}, ~{where}], [1, 2])", f"np.polyfit({of_whole}, {whole}, 1)", f"np.real_if_close({x}{draw.keywords(tol=['0.5', '1000'])})",
    )


KEYWORDS = {family.__name__: family for family in (joined, moved, edited, made, summed_up)}
