"""What the library's functions ask of the runtime: in compiled code `routine` is a call of it, here NumPy does the same."""

import math
import types

import numpy as np


def writable_diagonal(a, axis1, axis2):
    """numpy.diagonal as numpy.einsum gives it: a view that may be stored into."""
    diagonal = np.diagonal(a, 0, axis1, axis2)
    if a.flags.writeable:
        diagonal.flags.writeable = True
    return diagonal


def is_known(value):
    """Whether compiled code knows a value when it is made; Python itself knows them all."""
    return True


def is_resumed():
    """Whether a generator is asked for its items one by one (npcc/resumption.py), and is no part of a loop over them."""
    return False


def is_turned(array, order):
    """Whether `order`, which is 'A' or 'K', of this array is F; refused where it is not known how the array lies in memory."""
    return array.ndim > 1 and array.flags.f_contiguous and not array.flags.c_contiguous


def is_contiguous(array, order):
    """Whether the elements lie one behind the other in C order ("C") or Fortran order ("F"), as NumPy's flags say. Known at compile time or not."""
    return array.flags.c_contiguous if order == "C" else array.flags.f_contiguous


def is_read_only(array):
    """Whether stores into an array, or into a scalar of NumPy's, are refused. Known at compile time or not."""
    return not array.flags.writeable


def require(condition, words):
    """A limit of compiled code that Python has not: where the condition does not hold, Python makes the call once more, if nobody has seen what it did."""
    if not condition:
        raise OverflowError(words)


def are_compared(items):
    """Whether compiled code has items of several types, which make no array of numbers."""
    return False


def runs_on_gpu():
    """Whether this is code for a GPU, where a routine of a library may be better than a loop that fuses with what is around it."""
    return False


def is_caught(error):
    """Whether a clause of the program would take an error of this name here: what a routine finds late is looked for before, then."""
    return False


def planned(condition, what):
    """A condition that decides between alternatives: compiled code has the one that its first call takes, where extents and integers of the call decide."""
    return condition


def planned_if_known(condition, what):
    """Such a condition for what is worth its code only where it is taken: it is false in code that is made for all calls."""
    return condition


def called(changes=False, compares=True, keeps=None):
    """A function that compiled code has once for each way in which the types of its arguments differ, and calls; others are imported where they are called.
    It raises nothing that a program could see. `changes`: lists that it is given. `compares`: it may call methods of its items' classes, as __eq__.
    `keeps`: the parameter whose value it puts into a list."""

    def mark(function):
        function.npcc_is_called = types.SimpleNamespace(changes=changes, compares=compares, keeps=keeps)
        return function

    return mark


def at_run_time(items):
    """What to go over, where each item is treated alike: compiled code then has one loop, and not code for each of many items that it knows."""
    return items


def keeps_arrays(items):
    """Whether compiled code has the items of a list as arrays of any extents, and not as rows of one array."""
    return isinstance(items, list)


def dtype_of_items(arrays):
    """What numpy.concatenate makes of the arrays of such a list."""
    return np.result_type(*arrays)


def mantissa_of(x):
    return np.frexp(x)[0]


def exponent_of(x):
    """Of the type of `x`."""
    return np.frexp(x)[1].astype(x.dtype)


def erf_of(x):
    return np.vectorize(math.erf, "d")(x)


def erfc_of(x):
    return np.vectorize(math.erfc, "d")(x)


def stretched(array, shape):
    """numpy.broadcast_to as numpy.broadcast_arrays gives it: a view that may be stored into."""
    return np.broadcast_arrays(array, np.empty(shape))[0]


def search(a, v, side):
    """numpy.searchsorted of arrays of one dtype."""
    return np.searchsorted(a, v, side)


def random_bits(key, start, shape):
    """Numbers `start`, `start` + 1, ... of the stream of Philox 2x32-10 with a key of 32 bits, in C order: uint64. Of no axes a NumPy scalar."""
    number = np.arange(np.prod(shape, dtype=np.int64), dtype=np.uint64) + np.uint64(start)
    left, right = number & np.uint64(0xFFFFFFFF), number >> np.uint64(32)
    for turn in range(10):
        product = left * np.uint64(0xD256D193)
        left = (product >> np.uint64(32)) ^ np.uint64((key + turn * 0x9E3779B9) & 0xFFFFFFFF) ^ right
        right = product & np.uint64(0xFFFFFFFF)
    return (right << np.uint64(32) | left).reshape(shape)[()]


def routine(name, inputs, outputs):
    """Runs a routine of the runtime (runtime/Fourier.h, runtime/LinearAlgebra.h, runtime/Partition.h, runtime/Sparse.h) on arrays, of which the inputs are
    only read. Of linear algebra: on stacks of column-major matrices; the number, from 1, of the first one that has no result, or 0."""
    if "fft" in name:
        _transform(name, inputs[0], outputs[0])
        return 0
    if name == "partition":
        outputs[0].partition(inputs[0], axis=-1)
        return 0
    if name == "select":
        outputs[0][...] = np.take(np.partition(inputs[1], inputs[0], axis=-1), inputs[0], axis=-1)
        return 0
    if name == "argpartition":
        outputs[0][...] = np.argpartition(inputs[1], inputs[0], axis=-1)
        return 0
    if name == "sparse_columns":
        ends, places, data, factors = inputs
        data = data.reshape((-1,) + (1,) * (factors.ndim - 1))
        np.add.at(outputs[0], places, data * np.repeat(factors, np.diff(ends), axis=0))
        return 0
    arrays = inputs + outputs
    failed = 0
    for k in range(arrays[0].shape[0]):
        try:
            _run(name, *(a[k].T for a in arrays))
        except np.linalg.LinAlgError:
            failed = failed or k + 1
            for a in outputs:
                a[k] = np.nan if a.dtype.kind in "fc" else 0
    return failed


def check_reduced(operand, axes, keepdims, result, out):
    """The error of an output, of as many axes as the result of a reduction has, whose extents are others: NumPy's iterator names the operand in it."""


def check_writable(array, words):
    """ValueError with these words where the array is read-only."""
    if not array.flags.writeable:
        raise ValueError(words)


def check_writable_first(array, words):
    """The same where an error may follow before anything is stored."""
    check_writable(array, words)


def check_operands(operands, dtype, out, name, casting):
    """The errors of the ufunc of this name: of operands that do not meet, and of an output that cannot hold the result, which is of this dtype."""


def check_reduceat(operand, starts, axis, out):
    """The error of an output that reduceat() cannot store into."""


def stored_as_ufunc(result, out, name):
    """Stores the result into `out` and gives that, as the ufunc of this name does: an UFuncTypeError where the kinds do not fit."""
    np.copyto(out, result, casting="same_kind")
    return out


def _transform(name, a, out):
    if name == "fft":
        out[...] = np.fft.fft(a, out.shape[-1])
    elif name == "ifft":
        out[...] = np.fft.ifft(a, out.shape[-1], norm="forward")
    elif name[-1] in "23":
        axes = tuple(range(-int(name[-1]), 0))
        points = out.shape[-len(axes):]
        out[...] = np.fft.fftn(a, points, axes) if name[0] == "f" else np.fft.ifftn(a, points, axes, norm="forward")
    elif name == "irfft":
        out[...] = np.fft.irfft(a, out.shape[-1], norm="forward")
    else:
        out[...] = np.fft.rfft(a, 2 * out.shape[-1] - (2 if name == "rfft_even" else 1))


def _run(name, a, *others):
    name = name.removeprefix("host.")
    if name == "cholesky":
        a[...] = np.linalg.cholesky(a)
    elif name == "lu":
        # The factors themselves are LAPACK's: what is read of them is the determinant.
        sign, logarithm = np.linalg.slogdet(a)
        a[...] = 0
        a.flat[:: a.shape[0] + 1] = 1
        if a.shape[0]:
            a[0, 0] = np.exp(logarithm)
        others[0][...] = sign
    elif name == "solve":
        others[0][...] = np.linalg.solve(a, others[0])
    elif name == "solve_rows":
        others[0][...] = np.linalg.solve(a.T, others[0])
    elif name.startswith("eigvalsh"):
        others[0][...] = np.linalg.eigvalsh(a, "U" if name.endswith("upper") else "L")
    elif name.startswith("eigh"):
        others[0][...], a[...] = np.linalg.eigh(a, "U" if name.endswith("upper") else "L")
    elif name == "eig":
        others[0][...], others[1][...] = np.linalg.eig(a)
    elif name == "eigvals":
        others[0][...] = np.linalg.eigvals(a)
    elif name == "qr_raw":
        h, others[0][...] = np.linalg.qr(a, "raw")
        a[...] = h.T
    elif name == "qr":
        tau, q = others
        q[...] = _unit_columns(a, q.shape, tau)
    elif name == "svd":
        u, s, v = others
        u[...], s[...], v[...] = np.linalg.svd(a, u.shape[0] == u.shape[1] and v.shape[0] == v.shape[1])
    else:
        others[0][...] = np.linalg.svdvals(a)


def _unit_columns(a, shape, tau):
    """The product of the reflectors below the diagonal of a."""
    q = np.eye(*shape, dtype=a.dtype)
    for k in reversed(range(len(tau))):
        v = np.concatenate((np.zeros(k), np.ones(1), a[k + 1:, k]))
        q = q - tau[k] * np.outer(v, np.conj(v) @ q)
    return q
