"""Arrays of structured dtypes in kernels. Compiled code has an array of records as an array of bytes with one axis more, and each field as what lies in some of the
bytes; so fields, nested records and arrays in records are read and written in place, whatever the layout is."""
import ctypes
import functools
from collections import namedtuple

import numpy as np

from .names import ThreadName

# The dtype and offset of a field of a known dtype; elements of a type and shape in the bytes of a record.
member, field = ThreadName("member"), ThreadName("field")


def held(data, dtype, alignment):
    """What the bytes of one element are: a record, an array, or a number."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        if base.fields is not None:
            return Records(data.reshape(shape + (base.itemsize,)), base, bytes_dtype(aligned(alignment, base.itemsize)))
        return field(data, base, shape, alignment)
    if dtype.fields is not None:
        # As bytes side by side, whatever the array of records is, so that branches and loops carry records of several arrays.
        return Record(field(data, BYTE, (dtype.itemsize,), 1), dtype, bytes_dtype(alignment))
    return field(data, dtype, (), alignment)[()]


def put(data, dtype, alignment, value):
    """Stores into the bytes of one element."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        if base.fields is not None:
            copy(data, bytes_of(value, base))
        else:
            field(data, base, shape, alignment)[...] = value
    elif dtype.fields is not None:
        copy(data, bytes_of(value, dtype))
    else:
        field(data, dtype, (), alignment)[()] = value


def put_all(data, dtype, alignment, value):
    """Stores a record, or a number, into each element."""
    if data.ndim == 1:
        put(data, dtype, alignment, value)
    elif data.ndim == 2:
        for i in range(data.shape[0]):
            put(data[i], dtype, alignment, value)
    elif data.ndim == 3:
        for i in range(data.shape[0]):
            for j in range(data.shape[1]):
                put(data[i, j], dtype, alignment, value)
    else:
        raise TypeError("arrays of records with more than two axes are stored element by element")


def copy(data, source):
    """Byte by byte: both may be of one array."""
    for k in range(data.shape[0]):
        data[k] = source[k]


def bytes_of(value, dtype):
    if not isinstance(value, Record):
        raise TypeError("only records can be stored as records: store numbers into their fields")
    if value.dtype != dtype:
        raise TypeError("records of another dtype cannot be stored: store their fields")
    return value.npcc_data


def aligned(alignment, offset):
    """The largest power of two that divides both."""
    both = alignment | offset
    return both & -both


BYTE = np.dtype(np.uint8)
# Numbers of bytes travel as dtypes of so many, by which the numbers are known when a kernel is compiled; one object for each, as the paths of a program compare them.
UNITS = tuple([np.dtype(("V", count)) for count in range(17)])


def bytes_dtype(count):
    return UNITS[count]


class Record(namedtuple("Record", "npcc_data dtype npcc_unit")):
    """One of them, in place: its fields are attributes and items. (A named tuple in what it is made of, so that branches and loops carry it.)"""

    def __getitem__(self, key):
        inner, offset = member(self.dtype, self.dtype.names[key] if isinstance(key, int) else key)
        return held(self.npcc_data[offset:offset + inner.itemsize], inner, aligned(self.npcc_unit.itemsize, offset))

    def __setitem__(self, key, value):
        inner, offset = member(self.dtype, self.dtype.names[key] if isinstance(key, int) else key)
        put(self.npcc_data[offset:offset + inner.itemsize], inner, aligned(self.npcc_unit.itemsize, offset), value)

    def __getattr__(self, name):
        if name.startswith("__"):  # what Python asks objects for
            raise AttributeError(name)
        return self[name]

    def __setattr__(self, name, value):
        self[name] = value

    def __len__(self):
        return len(self.dtype.names)


class Records(namedtuple("Records", "npcc_data dtype npcc_unit")):
    """An array of them, or of one of their fields: items are records, what a field holds, or such arrays again."""

    @property
    def ndim(self):
        return self.npcc_data.ndim - 1

    @property
    def shape(self):
        return self.npcc_data.shape[:-1]

    @property
    def size(self):
        count = 1
        for extent in self.npcc_data.shape[:-1]:
            count = count * extent
        return count

    def __len__(self):
        return self.npcc_data.shape[0]

    def __getitem__(self, key):
        if isinstance(key, str):
            return whole(self, key)
        part = self.npcc_data[key]
        if part.ndim == 1:
            return held(part, self.dtype, self.npcc_unit.itemsize)
        return Records(part, self.dtype, self.npcc_unit)

    def __setitem__(self, key, value):
        if isinstance(key, str):
            fields = whole(self, key)
            put_all(fields.npcc_data, fields.dtype, fields.npcc_unit.itemsize, value)
        else:
            put_all(self.npcc_data[key], self.dtype, self.npcc_unit.itemsize, value)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return whole(self, name)

    def __setattr__(self, name, value):
        self[name] = value


def whole(records, name):
    """A field of all records."""
    inner, offset = member(records.dtype, name)
    return Records(records.npcc_data[..., offset:offset + inner.itemsize], inner, bytes_dtype(aligned(records.npcc_unit.itemsize, offset)))


#---- Arguments ----

def is_record(value):
    """Whether an argument is of a structured dtype: an array, a record, or either on a device."""
    dtype = getattr(value, "dtype", None)
    return isinstance(dtype, np.dtype) and dtype.fields is not None


def argument(value):
    """A NumPy array of records, or a record, as kernels have it: its bytes in place. TypeError for dtypes with Python objects or text."""
    dtype = value.dtype
    if dtype.hasobject:
        raise TypeError(f"kernels take no Python objects: {dtype}")
    if isinstance(value, DeviceRecords):
        return value.in_kernels()
    if isinstance(value, np.void):
        address = value.__array_interface__["data"][0]
        data = np.frombuffer((ctypes.c_uint8 * dtype.itemsize).from_address(address), np.uint8)
        return Record(data, plain(dtype), bytes_dtype(alignment_of(data)))
    array = np.asarray(value)
    data = array[..., np.newaxis].view(np.uint8) if array.ndim else array.reshape(1).view(np.uint8)
    return (Records if array.ndim else Record)(data, plain(dtype), bytes_dtype(alignment_of(data)))


@functools.lru_cache(maxsize=None)
def plain(dtype):
    """The dtype without the scalar type that records of recarrays have, so that one kernel serves both; one object for all equal dtypes."""
    return np.dtype((np.void, dtype)) if dtype.type is not np.void else dtype


def alignment_of(data):
    """By which power of two up to 16 all addresses of records in bytes can be divided, however many of them are taken: all arrays of a dtype have the same as a rule."""
    bits = data.ctypes.data | data.shape[-1] | 16
    for stride, extent in zip(data.strides[:-1], data.shape):
        if extent > 1:
            bits |= abs(stride)
    return bits & -bits


def field_value(part, dtype):
    """What the bytes of a field are: on the GPU arrays of numbers and records in place, one number or text as it is now."""
    base, shape = dtype.subdtype or (dtype, ())
    if base.fields is not None:
        steps = np.empty(shape + (base.itemsize,), np.uint8).strides
        return DeviceRecords(part._view(0, part.shape[:-1] + shape + (base.itemsize,), part.strides[:-1] + steps), base)
    if part.ndim == 1 and not shape or base.kind in "SU":
        found = np.ascontiguousarray(part.get()).view(base).reshape(part.shape[:-1] + shape)
        return found[()]
    numbers = part.view(base)
    return numbers._view(0, part.shape[:-1] + shape, numbers._steps()[:-1] + tuple(s // base.itemsize for s in np.empty(shape, base).strides))


class DeviceRecords:
    """An array of records, or one record, on a GPU: what npcc.cuda.device_array and to_device give for structured dtypes. `shape`, `dtype`, `size`, `ndim`,
    `copy_to_host(ary=None, stream=None)`, `copy_to_device(ary, stream=None)`; items and slices are views. An item of a field's name is an array on the GPU in place where the
    field has more than one number; one number, or text, is copied."""

    def __init__(self, data, dtype):
        self.data, self.dtype = data, dtype

    shape = property(lambda self: self.data.shape[:-1])
    strides = property(lambda self: self.data.strides[:-1])
    ndim = property(lambda self: self.data.ndim - 1)
    size = property(lambda self: int(np.prod(self.shape, dtype=np.int64)))
    nbytes = property(lambda self: self.data.nbytes)
    device = property(lambda self: self.data.device)
    gpu_data = ptr = property(lambda self: self.data.ptr)
    device_ctypes_pointer = property(lambda self: self.data.device_ctypes_pointer)
    alloc_size = property(lambda self: sum((extent - 1) * abs(stride) for extent, stride in zip(self.shape, self.strides)) + self.dtype.itemsize
                          if self.size else 0)

    @property
    def _numba_type_(self):
        """What numba.typeof() gives for it."""
        from numba.core import types
        from numba.np.numpy_support import from_dtype
        record = from_dtype(self.dtype)
        return types.Array(record, self.ndim, "C" if self.data.is_c_contiguous() else "A") if self.ndim else record

    def __len__(self):
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def in_kernels(self):
        made = Records if self.ndim else Record
        return made(self.data, plain(self.dtype), bytes_dtype(aligned(16, self.dtype.itemsize)))

    @property
    def __cuda_array_interface__(self):
        interface = dict(self.data.__cuda_array_interface__)
        return interface | dict(shape=self.shape, strides=None, typestr=self.dtype.str, descr=self.dtype.descr)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.copy_to_host(), dtype)

    def copy_to_host(self, ary=None, stream=None):
        data = self.data.copy_to_host(stream=stream)
        records = np.ascontiguousarray(data).view(self.dtype).reshape(self.shape)
        if ary is None:
            return records if self.ndim else records[()]
        if isinstance(ary, np.void):
            argument(ary).npcc_data[...] = data
        else:
            ary[...] = records
        return ary

    def copy_to_device(self, ary, stream=None):
        source = ary.data if isinstance(ary, DeviceRecords) else np.ascontiguousarray(argument(ary).npcc_data)
        self.data.copy_to_device(source, stream=stream)
        return self

    def _field(self, name):
        """(the bytes of a field, its dtype)"""
        if name not in self.dtype.names:
            raise KeyError(name)
        inner, offset = self.dtype.fields[name][:2]
        return self.data[..., offset:offset + inner.itemsize], inner

    def __getitem__(self, key):
        if isinstance(key, str):
            return field_value(*self._field(key))
        part = self.data[key]
        if part.ndim == 0:
            raise IndexError(f"too many indices for array: array is {self.ndim}-dimensional")
        return DeviceRecords(part, self.dtype)

    def __setitem__(self, key, value):
        if isinstance(key, str):
            part, inner = self._field(key)
            host = np.empty(self.shape, inner)  # a field that is an array gives axes of its own
            host[...] = value
            part[...] = np.ascontiguousarray(host).reshape(*self.shape, -1).view(np.uint8)
            return
        part = self[key]
        host = np.empty(part.shape, self.dtype)
        host[...] = value.copy_to_host() if isinstance(value, DeviceRecords) else value
        part.data[...] = host[..., np.newaxis].view(np.uint8) if part.ndim else host.reshape(1).view(np.uint8)

    def __repr__(self):
        return f"<npcc records of shape {self.shape}, {self.dtype} on {self.device}>"
