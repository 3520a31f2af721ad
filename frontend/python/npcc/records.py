"""Arrays of structured dtypes, and records of them, where compiled code takes and gives them.

Compiled code has an array for each field (frontend/importer/Records.h). An argument's are views of its memory, if compiled code can
address them: an array's elements lie at multiples of their size from each other. Fields of packed records mostly do not; then the
call works on copies (`Lent`), which are put back behind it."""
import ast
import contextlib
import ctypes
import functools
import threading

import numpy as np

ARRAY, RECORD, RECORD_ARRAY = range(3)
_known = {}  # a dtype -> the object that stands for all equal ones
_texts = {}


def is_structured(value):
    """Whether an argument is an array of a structured dtype, or a record."""
    return isinstance(value, (np.ndarray, np.void)) and value.dtype.names is not None


def interned(dtype):
    return _known.setdefault((dtype, dtype.type, dtype.isalignedstruct), dtype)


def structured(value):
    """The dtype that a value names, if it has fields; else None."""
    if not isinstance(value, (np.dtype, str, list, dict, tuple)) or not value and not isinstance(value, np.dtype):
        return None
    try:
        dtype = np.dtype(value)
    except (TypeError, ValueError):
        return None
    return interned(dtype) if dtype.names is not None else None


#---- Dtypes as text, which is part of compiled code ----


def text_of(dtype):
    key = dtype, dtype.type, dtype.isalignedstruct
    text = _texts.get(key)
    if text is None:
        text = _texts[key] = repr(_parts(dtype))
    return text


@functools.lru_cache(maxsize=None)
def dtype_of(text):
    return interned(_dtype(ast.literal_eval(text)))


def _parts(dtype):
    if dtype.subdtype is not None:
        return (_parts(dtype.subdtype[0]), dtype.subdtype[1])
    if dtype.names is None:
        return dtype.name if dtype.name == "bfloat16" else dtype.str
    formats, offsets = zip(*(dtype.fields[name][:2] for name in dtype.names))
    return dict(names=list(dtype.names), formats=list(map(_parts, formats)), offsets=list(map(int, offsets)), itemsize=dtype.itemsize,
                aligned=dtype.isalignedstruct, record=issubclass(dtype.type, np.record))


def _dtype(parts):
    if isinstance(parts, tuple):
        return np.dtype((_dtype(parts[0]), parts[1]))
    if parts == "bfloat16":
        import ml_dtypes
        return np.dtype(ml_dtypes.bfloat16)
    if isinstance(parts, str):
        return np.dtype(parts)
    keys = ("names", "offsets", "itemsize", "aligned")
    plain = {key: parts[key] for key in keys if key != "aligned"} | dict(formats=list(map(_dtype, parts["formats"])))
    dtype = np.dtype(plain, align=parts["aligned"])
    if not parts["aligned"]:
        with contextlib.suppress(ValueError):  # a dtype that is packed prints, and pickles, as a list
            packed = np.dtype([(name, format_) for name, format_ in zip(plain["names"], plain["formats"])])
            dtype = packed if packed == dtype else dtype
    return np.dtype((np.record, dtype)) if parts["record"] else dtype


#---- Arguments ----


class _Memory:
    """What NumPy makes an array of that lies in the memory of others."""

    def __init__(self, owner, address, shape, strides, dtype, writeable):
        self.owner = owner
        self.__array_interface__ = dict(version=3, data=(address, not writeable), shape=tuple(shape), strides=tuple(strides), typestr=f"|V{dtype.itemsize}")


def _view(owner, address, shape, strides, dtype, writeable):
    return np.asarray(_Memory(owner, address, shape, strides, dtype, writeable)).view(dtype)


def array_of(value):
    """The array that an argument is; of no axes for a record, in its memory."""
    if not isinstance(value, np.void):
        return value.view(np.ndarray)
    return _view(value, value.__array_interface__["data"][0], (), (), value.dtype, value.flags.writeable)


def form_of(value):
    return RECORD if isinstance(value, np.void) else RECORD_ARRAY if isinstance(value, np.recarray) else ARRAY


def leaves_of(array):
    """The array of each field, of fields inside of others in their place."""
    for name in array.dtype.names:
        field = array[name]
        if field.dtype.names is None:
            yield field
        else:
            yield from leaves_of(field)


def is_addressable(array):
    """Whether compiled code can address the elements of an array: it counts strides in elements."""
    return array.flags.aligned and all(stride % array.itemsize == 0 for stride, extent in zip(array.strides, array.shape) if extent > 1)


def is_compiled(dtype):
    return dtype.base.isnative and (dtype.base.kind in "biufc" and dtype.base.name not in ("longdouble", "clongdouble", "float128", "complex256")
                                    or dtype.base.name == "bfloat16")


_lent = threading.local()


class Lent:
    """The copies that one call works on: `with` it, they are put back at its end."""

    def __init__(self):
        self.arguments, self.arrays = [], []  # all that are taken, and as arrays
        self.owners = []  # the arrays of those whose fields are copied
        self.pairs = []  # (copy, the field)

    def fields(self, value):
        """The fields of an argument as compiled code takes them, and whether they are copies; what it cannot take at all is None."""
        array = array_of(value)
        self.arrays.append(array)
        self.arguments.append(value)
        leaves = [leaf if is_compiled(leaf.dtype) else None for leaf in leaves_of(array)]
        if all(leaf is None or is_addressable(leaf) for leaf in leaves):
            return leaves, False
        self.owners.append(array)
        copies = [None if leaf is None else _copied(leaf) for leaf in leaves]
        self.pairs += [(copy, leaf) for copy, leaf in zip(copies, leaves) if copy is not None]
        return copies, True

    def check(self, leaves):
        """Copies of what several arguments share would not be one memory."""
        if not self.owners:
            return
        arrays = [*self.owners, *(leaf for leaf in leaves if isinstance(leaf, np.ndarray))]
        for owner in self.owners:
            if sum(_shares(owner, array) for array in arrays) > 1:
                raise TypeError("arguments that share memory with an array of packed records cannot be compiled: "
                                "let the dtype be aligned (np.dtype(..., align=True))")

    def __enter__(self):
        self.before = getattr(_lent, "calls", None)
        _lent.calls = self
        return self

    def __exit__(self, *_):
        _lent.calls = self.before
        for copy, field in self.pairs:
            if field.flags.writeable:
                field[...] = copy

    def returned(self, value):
        """A result, with the arguments' own memory where it is of copies."""
        return _returned(self.pairs, value)


def _original(pairs, array):
    """An array of the copies', as the fields have it; any other as it is."""
    for copy, field in pairs:
        if isinstance(array, np.ndarray) and array.size and np.may_share_memory(array, copy):
            return _mapped(array, copy, field)
    return array


def _returned(pairs, value):
    if not pairs:
        return value
    if isinstance(value, np.ndarray) and value.dtype.names is None:
        return _original(pairs, value)
    if type(value) in (list, tuple):
        return type(value)(_returned(pairs, item) for item in value)
    if type(value) is dict:
        return {key: _returned(pairs, item) for key, item in value.items()}
    return value


def _shares(owner, other):
    if not np.may_share_memory(owner, other):
        return False
    try:
        return np.shares_memory(owner, other, max_work=10**6)
    except Exception:  # too hard to tell: NumPy's TooHardError, which has moved
        return True


def _copied(leaf):
    copy = np.array(leaf, order="C", copy=True)
    copy.flags.writeable = leaf.flags.writeable
    return copy


def _mapped(array, copy, field):
    """The elements of `field` that are those of a contiguous copy which `array` shows."""
    low, high = np.lib.array_utils.byte_bounds(array)
    first, last = np.lib.array_utils.byte_bounds(copy)
    if not copy.flags.c_contiguous or low < first or high > last:
        raise NotImplementedError("an array of records and a part of it are returned: return the whole first, or copies")
    first, part = divmod(array.__array_interface__["data"][0] - copy.__array_interface__["data"][0], copy.itemsize)  # a part: of complex numbers
    position = np.unravel_index(first, copy.shape) if copy.ndim else ()
    address = field.__array_interface__["data"][0] + part + sum(int(p) * s for p, s in zip(position, field.strides))
    strides = []
    for stride, extent in zip(array.strides, array.shape):
        steps = _steps(stride, extent, copy, field, position)
        if steps is None:
            raise NotImplementedError("a view of packed records, which no strides describe, cannot be returned: return a copy")
        strides.append(steps)
    if part + array.itemsize > copy.itemsize:
        raise NotImplementedError("a view of packed records of another dtype cannot be returned: return a copy")
    return _view(field, address, array.shape, strides, array.dtype, array.flags.writeable)


def _steps(stride, extent, copy, field, position):
    """The stride in the field for one in the copy: it goes along one axis, or along all of them where they are one."""
    if extent <= 1 or stride == 0:
        return 0
    for axis, (step, own) in enumerate(zip(copy.strides, field.strides)):
        times, rest = divmod(stride, step)
        last = position[axis] + (extent - 1) * times
        if rest == 0 and times and 0 <= last < copy.shape[axis]:
            return times * own
    for step, own in zip(copy.strides, field.strides):  # over rows that follow on each other
        if stride % step == 0 and all(field.strides[k] * copy.itemsize == copy.strides[k] * field.strides[-1] for k in range(field.ndim)):
            return stride // step * own
    return None


#---- Results ----

_results = threading.local()


def begin():
    """Before a result with records is put together: what is made for it."""
    _results.made = Lent()


def finished(_, value):
    """The result; where it has arrays that share memory with those that records were made of, they share that of the records."""
    made, _results.made = _results.made, None
    return _returned(made.pairs, value)


def argument(number):
    """The argument that is number `number` of those with records."""
    return _lent.calls.arguments[number]


def given(text, form, *fields):
    """The array or record whose fields a compiled function gives: a view where they lie as those of records do, else a new array."""
    dtype = dtype_of(text)
    calls, made = getattr(_lent, "calls", None), _results.made
    for known in (calls, made) if calls else (made,):
        fields = [_original(known.pairs, field) for field in fields]
    result = _in_place(dtype, fields, made.arrays + (calls.arrays if calls else []))
    if result is None:
        fields = [None if field is None else np.asarray(field) for field in fields]
        result = np.zeros(_shape(dtype, fields), dtype)
        for place, field in zip(leaves_of(result), fields):
            if field is None:
                raise NotImplementedError(f"compiled code makes no array of {dtype}: some of the fields are of dtypes that it does not know; return the others")
            place[...] = field
            made.pairs.append((field, place))
        made.arrays.append(result)
    if form == RECORD:
        return result[()]
    return result.view(np.recarray) if form == RECORD_ARRAY else result


def _fields(dtype, offset=0, shape=(), strides=()):
    """(offset, shape, strides, dtype) of each field in the bytes of one record."""
    for name in dtype.names:
        inner, at = dtype.fields[name][:2]
        steps = np.empty(inner.shape, np.dtype((np.void, inner.base.itemsize))).strides if 0 not in inner.shape else (0,) * inner.ndim
        if inner.base.names is None:
            yield offset + at, shape + inner.shape, strides + steps, inner.base
        else:
            yield from _fields(inner.base, offset + at, shape + inner.shape, strides + steps)


def _shape(dtype, fields):
    for (_, shape, _, _), field in zip(_fields(dtype), fields):
        if field is not None:
            return field.shape[:field.ndim - len(shape)]
    return ()


def _in_place(dtype, fields, arguments):
    """The array whose fields these are, in an argument's memory; None where they lie elsewhere."""
    places = set()
    writeable = True
    for (offset, shape, strides, base), field in zip(_fields(dtype), fields):
        if field is None:
            continue
        if not isinstance(field, np.ndarray) or field.dtype != base or not field.size:
            return None
        axes = field.ndim - len(shape)
        if tuple(field.strides[axes:]) != strides and field.size:
            return None
        steps = tuple(0 if extent <= 1 else step for step, extent in zip(field.strides, field.shape[:axes]))
        places.add((field.__array_interface__["data"][0] - offset, field.shape[:axes], steps))
        writeable &= field.flags.writeable
    if len(places) != 1:
        return None
    address, shape, strides = places.pop()
    for array in arguments:
        low, high = np.lib.array_utils.byte_bounds(array)
        if low <= address and address + dtype.itemsize <= high:
            return _view(array, address, shape, strides, dtype, writeable)
    return None


#---- What npcc.library.records has of the compiler: frontend/importer/RecordFunctions.cpp ----


def fields(array):
    """In compiled code the arrays of an array of records."""
    raise RuntimeError("fields() is for compiled code")


def records(arrays, dtype, form):
    """In compiled code the array of records whose fields these are."""
    raise RuntimeError("records() is for compiled code")
