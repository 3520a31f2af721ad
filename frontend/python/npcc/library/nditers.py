"""numpy.nditer as a class that is compiled with the functions that use it: of one array, or of several that broadcast, element by element."""
import numpy as np

from . import implements
from .containers import SEEN_AS
from .routines import is_turned

# What these flags ask for makes no difference to compiled code, which knows the dtypes and holds no objects.
WITHOUT_EFFECT = ("refs_ok", "reduce_ok", "copy_if_overlap", "buffered", "growinner", "delay_bufalloc", "grow_inner")
OF_OPERANDS = ("readonly", "readwrite", "writeonly", "aligned", "nbo", "contig", "copy", "updateifcopy", "no_broadcast", "allocate", "no_subtype")


class ArrayIterator:
    """`arrays`: the operands, broadcast, in a tuple. `turned`: whether the first axis is the innermost one, not the last one."""

    def __init__(self, arrays, turned, is_one, indexed):
        self.arrays = arrays
        self.turned = turned
        self.is_one = is_one
        self.indexed = indexed
        self.extents = arrays[0].shape
        self.itersize = arrays[0].size
        self.iterindex = 0

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return None

    def close(self):
        return None

    def parts(self):
        raise NotImplementedError("numpy.nditer cannot be a result of compiled code: return what it gives")

    def __iter__(self):
        while self.iterindex < self.itersize:
            yield self._at(self._position())
            self.iterindex += 1

    def __len__(self):
        return len(self.arrays)

    def __getitem__(self, number):
        self._check()
        return self.arrays[number][(*self._position(), ...)]

    def iternext(self):
        self.iterindex += 1
        return self.iterindex < self.itersize

    def reset(self):
        self.iterindex = 0

    @property
    def finished(self):
        return self.iterindex >= self.itersize

    @property
    def shape(self):
        self._check()
        return self.extents

    @property
    def value(self):
        self._check()
        return self._at(self._position())

    @property
    def multi_index(self):
        if "multi_index" not in self.indexed:
            raise ValueError("Iterator is not tracking a multi-index")
        self._check()
        return self._position()

    @property
    def index(self):
        if "c_index" not in self.indexed and "f_index" not in self.indexed:
            raise ValueError("Iterator does not have an index")
        self._check()
        position = self._position()
        index = 0
        for axis in range(self.ndim) if "c_index" in self.indexed else range(self.ndim - 1, -1, -1):
            index = index * self.extents[axis] + position[axis]
        return index

    @property
    def has_multi_index(self):
        return "multi_index" in self.indexed

    @property
    def has_index(self):
        return "c_index" in self.indexed or "f_index" in self.indexed

    @property
    def ndim(self):
        return self.arrays[0].ndim

    @property
    def nop(self):
        return len(self.arrays)

    @property
    def dtypes(self):
        return tuple([array.dtype for array in self.arrays])

    def _check(self):
        if self.iterindex >= self.itersize:
            raise ValueError("Iterator is past the end")

    def _at(self, position):
        place = (*position, ...)
        if self.is_one:
            return self.arrays[0][place]
        return tuple([array[place] for array in self.arrays])

    def _position(self):
        if self.ndim == 0:
            return ()
        rest, position = self.iterindex, ()
        if self.turned:
            for axis in range(self.ndim - 1):
                position = (*position, rest % self.extents[axis])
                rest = rest // self.extents[axis]
            return (*position, rest)
        for axis in range(self.ndim - 1, 0, -1):
            position = (rest % self.extents[axis], *position)
            rest = rest // self.extents[axis]
        return (rest, *position)


SEEN_AS[ArrayIterator] = np.nditer


@implements(np.nditer)
def nditer(op, flags=None, op_flags=None, op_dtypes=None, order="K", casting="safe", op_axes=None, itershape=None, buffersize=0):
    if op_dtypes is not None or op_axes is not None or itershape is not None:
        raise NotImplementedError("op_dtypes, op_axes and itershape of numpy.nditer cannot be compiled")
    indexed = ()
    for flag in () if flags is None else flags:
        if flag in ("multi_index", "c_index", "f_index"):
            indexed = (*indexed, flag)
        elif flag in ("external_loop", "ranged", "common_dtype"):
            raise NotImplementedError("numpy.nditer goes over elements in compiled code: external_loop, ranged and common_dtype cannot be compiled")
        elif flag not in WITHOUT_EFFECT and flag != "zerosize_ok":
            raise ValueError("Unexpected iterator global flag \"" + flag + "\"")
    is_one = not isinstance(op, (list, tuple))
    given = (np.asarray(op),) if is_one else tuple([np.asarray(one) for one in op])
    if len(given) == 0:
        raise ValueError("Must provide at least one operand")
    for_all = op_flags is None or len(op_flags) == 0 or isinstance(op_flags[0], str)
    arrays = ()
    for k in range(len(given)):
        own = () if op_flags is None else op_flags if for_all else op_flags[k]
        for flag in own:
            if flag in ("allocate", "copy", "updateifcopy") or flag not in OF_OPERANDS:
                raise NotImplementedError("this flag of an operand of numpy.nditer cannot be compiled")
        if "readwrite" in own or "writeonly" in own:
            arrays = (*arrays, given[k])
        else:
            arrays = (*arrays, np.broadcast_to(given[k], given[k].shape))  # which nothing is stored into
    if len(given) > 1:
        shape = np.broadcast_shapes(*[one.shape for one in given])
        arrays = tuple([array if array.ndim == len(shape) and array.shape == shape else np.broadcast_to(array, shape) for array in arrays])
    if "zerosize_ok" not in (() if flags is None else flags) and arrays[0].size == 0:
        raise ValueError("Iteration of zero-sized operands is not enabled")
    return ArrayIterator(arrays, _is_turned(given, order), is_one, indexed)


def _is_turned(arrays, order):
    """Whether the first axis is the innermost one. How arrays lie in memory must be known when the function is compiled, unless the order is C or F."""
    if order == "C" or order == "F":
        return order == "F"
    for array in arrays:
        if array.ndim == 1 and array.strides[0] < 0 and order != "A":
            raise NotImplementedError("numpy.nditer over an array that lies backwards in memory cannot be compiled: say order='C'")
    turned = [is_turned(array, order) for array in arrays if array.ndim > 0]
    if any(turned) and not all(turned):
        raise NotImplementedError("numpy.nditer over arrays that lie in different ways cannot be compiled: say order='C'")
    return any(turned)
