"""What functions made by npcc.vectorize and npcc.guvectorize do in compiled code: loops over elements, which become kernels and fuse with what is around them."""
import numpy as np

from . import ufunc_methods
from .shapes import product_of

# The kinds of dtypes that hold Python's numbers of a type, which take the dtype of the other operands.
HOLDING = ((bool, "biufc"), (int, "iufc"), (float, "fc"), (complex, "c"))


def is_weak(arg):
    return type(arg) in (bool, int, float, complex)


def takes(inputs, args, arrays):
    """Whether the arguments can be cast to the dtypes of a loop as NumPy casts them: safely, and Python's numbers by their kinds."""
    all_weak = True
    for arg in args:
        if not is_weak(arg):
            all_weak = False
    fits = True
    for k in tuple(range(len(inputs))):
        if is_weak(args[k]) and not all_weak:
            for kind, kinds in HOLDING:
                if type(args[k]) is kind and inputs[k].kind not in kinds:
                    fits = False
        elif not np.can_cast(arrays[k].dtype, inputs[k], "safe"):
            fits = False
    return fits


def is_exact(inputs, args, arrays):
    exact = True
    for k in tuple(range(len(inputs))):
        if is_weak(args[k]) or arrays[k].dtype != inputs[k]:
            exact = False
    return exact


def loop_for(ufunc, args, arrays):
    """The declared dtypes, (inputs, outputs), that NumPy would choose: those of the arguments, or else the first that these can be cast to. (None, None) where none
    are declared. TypeError if there are no such."""
    chosen = None
    for loop in ufunc.loops:
        if chosen is None and is_exact(loop[0], args, arrays):
            chosen = loop
    for loop in ufunc.loops:
        if chosen is None and takes(loop[0], args, arrays):
            chosen = loop
    if chosen is None and len(ufunc.loops) > 0:
        raise TypeError(f"ufunc '{ufunc.__name__}' not supported for the input types, and the inputs could not be safely coerced to any supported types "
                        "according to the casting rule ''safe''")
    return (None, None) if chosen is None else chosen


def looped(ufunc, arrays, shape, kind):
    """The function of each element, which becomes a kernel where what it does can."""
    function = ufunc.function
    lines = tuple([np.ravel(np.broadcast_to(a, shape)) for a in arrays])
    count = product_of(shape)
    if kind is None:
        if count == 0:
            raise ValueError(f"{ufunc.__name__}() of no elements has no dtype unless its types are declared")
        kind = np.asarray(function(*[line[0] for line in lines])).dtype
    results = np.empty(count, kind)
    for k in range(count):
        results[k] = function(*[line[k] for line in lines])
    return results.reshape(shape)


def operands_of(ufunc, args):
    """The operands as arrays of the dtypes that the function is called with, and the dtypes of its results, None where none are declared."""
    arrays = tuple([np.asarray(arg) for arg in args])
    inputs, kinds = loop_for(ufunc, args, arrays)
    if inputs is not None:
        arrays = tuple([arrays[k].astype(inputs[k]) for k in tuple(range(len(inputs)))])
    return arrays, kinds


def elementwise(ufunc, *args, out=None):
    """A function of npcc.vectorize, called."""
    if len(args) == ufunc.nin + 1 and out is None:
        out = args[-1]
        args = args[:-1]
    if len(args) != ufunc.nin:
        raise TypeError(f"{ufunc.__name__}() takes from {ufunc.nin} to {ufunc.nin + 1} positional arguments but {len(args)} were given")
    arrays, kind = operands_of(ufunc, args)
    function = ufunc.function
    if len(arrays) == 2:
        shape = np.equal(arrays[0], arrays[1]).shape  # a ufunc's words where they do not go together
    else:
        shape = np.broadcast_shapes(*[a.shape for a in arrays])
    if ufunc.is_elementary:
        results = np.asarray(function(*arrays))
        results = np.broadcast_to(results, shape).astype(results.dtype if kind is None else kind)
    else:
        results = looped(ufunc, arrays, shape, kind)
    if isinstance(out, tuple):
        out = out[0]
    if out is None:
        return results[()]
    if not np.can_cast(results.dtype, out.dtype, "same_kind"):
        raise TypeError(f"Cannot cast ufunc '{ufunc.__name__}' output from {results.dtype!r} to {out.dtype!r} with casting rule 'same_kind'")
    if out.shape != shape:
        raise ValueError(f"non-broadcastable output operand with shape {out.shape} doesn't match the broadcast shape {shape}")
    out[...] = results
    return out


def reduce(ufunc, array, axis=0, dtype=None, out=None, keepdims=False, initial=np._NoValue):
    return ufunc_methods.reduce(ufunc, array, axis, dtype, out, keepdims, initial)


def accumulate(ufunc, array, axis=0, dtype=None, out=None):
    return ufunc_methods.accumulate(ufunc, array, axis, dtype, out)


def reduceat(ufunc, array, indices, axis=0, dtype=None, out=None):
    return ufunc_methods.reduceat(ufunc, array, indices, axis, dtype, out)


def outer(ufunc, A, B):
    return ufunc_methods.outer(ufunc, A, B)


def at(ufunc, a, indices, b=None):
    ufunc_methods.at(ufunc, a, indices, b)


def generalized(ufunc, *args, out=None):
    """A function of npcc.guvectorize, called: a kernel with a thread for each position of the loops around it."""
    if len(args) == ufunc.nin + ufunc.nout and out is None:
        out = args[ufunc.nin:]
        args = args[:ufunc.nin]
    if len(args) != ufunc.nin:
        raise TypeError(f"{ufunc.__name__}() takes from {ufunc.nin} to {ufunc.nin + ufunc.nout} positional arguments but {len(args)} were given")
    arrays, kinds = operands_of(ufunc, args)
    extents = ()  # of the layout's names, in their order
    for name in ufunc.dimensions:
        extent = -1
        for k in tuple(range(ufunc.nin)):
            core = ufunc.input_axes[k]
            for j in tuple(range(len(core))):
                if core[j] == name:
                    given = arrays[k].shape[arrays[k].ndim - len(core) + j]
                    if extent >= 0 and given != extent:
                        raise ValueError(f"{ufunc.__name__}: Input operand {k} has a mismatch in its core dimension {j}, with gufunc signature {ufunc.signature} "
                                         f"(size {given} is different from {extent})")
                    extent = given
        extents = extents + (extent,)
    around = ()
    for k in tuple(range(ufunc.nin)):
        around = around + (arrays[k].shape[:arrays[k].ndim - len(ufunc.input_axes[k])],)
    shape = np.broadcast_shapes(*around)
    operands = ()
    for k in tuple(range(ufunc.nin)):
        core = arrays[k].shape[arrays[k].ndim - len(ufunc.input_axes[k]):]
        operand = np.broadcast_to(arrays[k], shape + core)
        # A number that is declared as an array is one of a single element.
        operands = operands + (np.reshape(operand, shape + (1,)) if ufunc.in_arrays[k] else operand,)
    results = ()
    for k in tuple(range(ufunc.nout)):
        core = ()
        for name in ufunc.output_axes[k]:
            core = core + (extents[ufunc.dimensions.index(name)],)
        given = out[k] if isinstance(out, tuple) else out
        if given is not None:
            if given.shape != shape + core:
                raise ValueError(f"non-broadcastable output operand with shape {given.shape} doesn't match the broadcast shape {shape + core}")
            results = results + (given,)
        elif kinds is None:
            raise TypeError(f"{ufunc.__name__}() has no declared types: give it arrays for its results")
        else:
            results = results + (np.empty(shape + core, kinds[k]),)
    count = product_of(shape)
    if count > 0:
        places = ()
        for k in tuple(range(ufunc.nout)):
            places = places + (results[k] if len(ufunc.output_axes[k]) > 0 else results[k][..., None],)
        ufunc.kernels[len(shape)][(count + 127) // 128, 128](count, shape, *operands, *places)
    return results[0] if ufunc.nout == 1 else results
