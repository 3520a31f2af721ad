"""npcc.ndarray: an array on the CPU or a GPU, for arguments that stay where they are from call to call."""
import operator

import numpy as np

from . import _npcc
from .threads.host import ON_CPU


class Flags(dict):
    """How the elements of an array lie."""

    def __getattr__(self, name):
        try:
            return self[name.upper()]
        except KeyError:
            raise AttributeError(name) from None


class ndarray(_npcc.Array):
    """An array of NumPy's dtypes, shapes and strides, on one device. Made by npcc.array, npcc.asarray, npcc.empty, ... and by calls.

    Basic indexing gives views; `get()` a NumPy copy. NumPy, CuPy, PyTorch and JAX take it without a copy where they can reach the memory
    (`__array__`, `__cuda_array_interface__`, `__dlpack__`). Arithmetic is what compiled functions are for.
    """
    __slots__ = ()

    def __new__(cls, *args, **keywords):
        raise TypeError("npcc.ndarray is made by npcc.array, npcc.asarray, npcc.empty or npcc.zeros")

    @property
    def size(self):
        """The number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.size * self.itemsize

    @property
    def T(self):
        """The transposed view."""
        return self._view(0, self.shape[::-1], self._steps()[::-1])

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        if not self.shape:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key):
        view = self._index(key)
        return view.get()[()] if view.ndim == 0 and not _has_ellipsis(key) else view

    def __setitem__(self, key, value):
        view = self._index(key)
        if isinstance(value, _npcc.Array) and value.shape == view.shape and value.dtype == view.dtype:
            source = value
        else:
            host = value.get() if isinstance(value, _npcc.Array) else value
            converted = np.empty(view.shape, view.dtype)
            converted[...] = host  # NumPy's rules and errors for casts and broadcasts
            source = _npcc.from_object(converted)
        view._assign(source)

    def copy(self):
        """A C-contiguous copy on the same device."""
        return self._copy_to(device_number(self.device))

    def to(self, device):
        """The array itself if it is on `device` ("cpu", "cuda", "cuda:1"), else a copy there."""
        number = device_number(device)
        return self if number == device_number(self.device) else self._copy_to(number)

    def copy_to_host(self, ary=None, stream=None):
        """The elements as a NumPy array: `ary` (of the same shape and dtype), or a new one in the array's order. With a stream, a copy to page-locked memory
        (npcc.cuda.pinned_array) is not waited for. ValueError for another shape or dtype."""
        host = np.empty(self.shape, self.dtype, order="F" if self._is_fortran() else "C") if ary is None else ary
        if not isinstance(host, np.ndarray) or host.shape != self.shape or host.dtype != self.dtype:
            raise ValueError(f"an array of {self.dtype} with shape {self.shape} is copied to one of the same, "
                             f"not to {getattr(host, 'dtype', type(host).__name__)} {getattr(host, 'shape', '')}")
        _copy(_npcc.from_object(host), self, stream, host)
        return host

    def copy_to_device(self, ary, stream=None):
        """Fills the array with the elements of `ary`: a NumPy array, an npcc.ndarray or another library's, of the same shape; another dtype is
        converted as NumPy's assignment does. With a stream, a copy from page-locked memory is not waited for. ValueError for another shape."""
        source = ary if isinstance(ary, _npcc.Array) else _npcc.from_object(ary) if hasattr(ary, "__cuda_array_interface__") else np.asarray(ary)
        if source.shape != self.shape:
            raise ValueError(f"an array with shape {source.shape} cannot be copied to one with shape {self.shape}")
        if source.dtype != self.dtype:
            source = np.asarray(source).astype(self.dtype)
        _copy(self, source if isinstance(source, _npcc.Array) else _npcc.from_object(source), stream, source)

    @property
    def ptr(self):
        """The address of the first element."""
        interface = self.__array_interface__ if self.device == "cpu" else self.__cuda_array_interface__
        return interface["data"][0]

    gpu_data = ptr  # by Numba's name

    @property
    def device_ctypes_pointer(self):
        """The address as a ctypes.c_void_p."""
        import ctypes
        return ctypes.c_void_p(self.ptr)

    @property
    def alloc_size(self):
        """The bytes from the first to the last element, with what lies between them."""
        return sum((extent - 1) * abs(stride) for extent, stride in zip(self.shape, self.strides)) + self.itemsize if self.size else 0

    @property
    def _numba_type_(self):
        """What numba.typeof() gives for the array."""
        from numba.core import types
        from numba.np.numpy_support import from_dtype
        layout = "C" if self.is_c_contiguous() else "F" if self.is_f_contiguous() else "A"
        return types.Array(from_dtype(self.dtype), self.ndim, "A" if 0 in self.strides else layout)

    @property
    def flags(self):
        """C_CONTIGUOUS and F_CONTIGUOUS, by key or as attributes in small letters."""
        return Flags(C_CONTIGUOUS=self.is_c_contiguous(), F_CONTIGUOUS=self.is_f_contiguous())

    def is_c_contiguous(self):
        return self._is_contiguous(self.shape, self._steps())

    def is_f_contiguous(self):
        return self._is_contiguous(self.shape[::-1], self._steps()[::-1])

    def _is_fortran(self):
        return self.ndim > 1 and self.is_f_contiguous() and not self.is_c_contiguous()

    @staticmethod
    def _is_contiguous(shape, steps):
        expected = 1
        for extent, step in zip(shape[::-1], steps[::-1]):
            if extent != 1 and step != expected:
                return False
            expected *= extent
        return True

    def reshape(self, *shape, order="C"):
        """A view of another shape. ValueError where the elements do not agree, or the array is not contiguous in the order."""
        if order == "F":
            return self.T.reshape(*(shape[0] if len(shape) == 1 and hasattr(shape[0], "__iter__") else shape)[::-1]).T
        if order not in ("C", "A"):
            raise ValueError(f"order must be one of 'C', 'F', or 'A' (got {order!r})")
        shape = shape[0] if len(shape) == 1 and hasattr(shape[0], "__iter__") else shape
        shape = np.empty(self.shape, np.dtype([])).reshape(shape).shape  # NumPy's rules and errors
        if not self.is_c_contiguous():
            raise ValueError("reshape of an array that is not C-contiguous: copy it first")
        steps = [1] * len(shape)
        for axis in range(len(shape) - 2, -1, -1):
            steps[axis] = steps[axis + 1] * shape[axis + 1]
        return self._view(0, shape, tuple(steps))

    def ravel(self, order="C"):
        """A view with one axis. ValueError where the array is not contiguous in the order."""
        return self.T.reshape(-1) if order == "F" or order == "A" and self._is_fortran() else self.reshape(-1, order=order)

    def transpose(self, *axes):
        """The view with its axes in another order; without arguments reversed. ValueError for what is no order of the axes."""
        axes = axes[0] if len(axes) == 1 and (axes[0] is None or hasattr(axes[0], "__iter__")) else axes
        np.empty(self.shape, np.dtype([])).transpose(axes or None)  # NumPy's errors
        order = tuple(operator.index(axis) % self.ndim for axis in axes) if axes else tuple(range(self.ndim))[::-1]
        steps = self._steps()
        return self._view(0, tuple(self.shape[k] for k in order), tuple(steps[k] for k in order))

    def view(self, dtype):
        """The same memory as elements of another dtype. ValueError where NumPy's view raises it."""
        dtype = np.dtype(dtype)
        template = np.lib.stride_tricks.as_strided(np.empty(1, self.dtype), self.shape, self.strides).view(dtype)  # NumPy's rules and errors
        if self.device == "cpu":
            return _npcc.from_object(np.asarray(self).view(dtype))

        class Described:
            owner = self
            __cuda_array_interface__ = self.__cuda_array_interface__ | dict(shape=template.shape, strides=template.strides, typestr=dtype.str)

        return _npcc.from_object(Described())

    def split(self, section, stream=None):
        """Views of `section` elements each along the only axis; the last may have fewer. ValueError for arrays of more axes."""
        if self.ndim != 1:
            raise ValueError("only arrays with one axis are split")
        return [self[start : start + section] for start in range(0, self.shape[0], section)]

    def item(self):
        """The only element as a Python scalar."""
        return self.get().item()

    def tolist(self):
        return self.get().tolist()

    def __float__(self):
        return float(self.get())

    def __int__(self):
        return int(self.get())

    def __index__(self):
        return operator.index(self.get())

    def __complex__(self):
        return complex(self.get())

    def __bool__(self):
        return bool(self.get())

    def __repr__(self):
        text = np.array2string(self.get(), separator=", ", prefix="npcc.ndarray(")
        return f"npcc.ndarray({text}, dtype={self.dtype.name}, device='{self.device}')"

    def _steps(self):
        """Strides in elements."""
        return tuple(stride // self.itemsize for stride in self.strides)

    def _index(self, key):
        offset, shape, strides, axis = 0, [], [], 0
        for part in _expanded(key, self.ndim):
            if part is None:
                shape.append(1)
                strides.append(0)
                continue
            extent, step = self.shape[axis], self._steps()[axis]
            if isinstance(part, slice):
                start, _, stride = part.indices(extent)
                count = len(range(*part.indices(extent)))
                offset += start * step if count else 0
                shape.append(count)
                strides.append(stride * step)
            else:
                position = operator.index(part)
                if not -extent <= position < extent:
                    raise IndexError(f"index {position} is out of bounds for axis {axis} with size {extent}")
                offset += position % extent * step
            axis += 1
        return self._view(offset, tuple(shape), tuple(strides))


def _copy(to, from_, stream, host):
    if not stream:
        return to._assign(from_)
    from . import streams
    with streams.stream(stream):
        _npcc.copy_async(to, from_)
    if isinstance(stream, streams.Stream):
        stream.keep(host)


def _has_ellipsis(key):
    return key is Ellipsis or isinstance(key, tuple) and any(part is Ellipsis for part in key)


def _expanded(key, ndim):
    """One entry (a slice, an integer or None) for each axis of the array or new axis of the view."""
    parts = list(key) if isinstance(key, tuple) else [key]
    for part in parts:
        if not (part is None or part is Ellipsis or isinstance(part, slice)) and (isinstance(part, bool) or not hasattr(part, "__index__")):
            raise TypeError("npcc.ndarray is indexed by integers, slices, '...' and None; other forms belong in a compiled function")
    given = sum(part is not None and part is not Ellipsis for part in parts)
    if given > ndim:
        raise IndexError(f"too many indices for array: array is {ndim}-dimensional, but {given} were indexed")
    dots = [k for k, part in enumerate(parts) if part is Ellipsis]
    if len(dots) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    where = dots[0] if dots else len(parts)
    return parts[:where] + [slice(None)] * (ndim - given) + parts[where + 1:]


def device_number(device):
    """-1 for "cpu", the ordinal for "cuda:1"; None is a GPU if there is one."""
    if device is None:
        return 0 if _npcc.cuda_device_count() else -1
    if isinstance(device, int):
        return device
    kind, _, ordinal = str(device).partition(":")
    if kind == "cpu" and not ordinal:
        return -1
    if kind != "cuda" or ordinal and not ordinal.isdigit():
        raise ValueError(f"a device is 'cpu', 'cuda' or 'cuda:<number>', not {device!r}")
    if not _npcc.cuda_device_count():
        raise RuntimeError(f"device='{device}': no GPU can be used: {_npcc.cuda_unavailable_reason()}")
    return int(ordinal or 0)


def asarray(values, dtype=None, device=None):
    """An npcc.ndarray of `values`, without a copy where they are an array on `device` already. Arrays of other libraries (CuPy, PyTorch, JAX) stay on
    their device if none is named."""
    if not isinstance(values, (_npcc.Array, np.ndarray)) and (hasattr(values, "__cuda_array_interface__") or hasattr(values, "__dlpack__")):
        values = _npcc.from_object(values)
    if isinstance(values, _npcc.Array):
        array = values
        if dtype is not None and np.dtype(dtype) != array.dtype:
            array = _npcc.from_object(array.get().astype(dtype))._copy_to(device_number(values.device))
        return array if device is None else array.to(device)
    host = _npcc.from_object(np.asarray(values, dtype))
    number = device_number(device)
    return host if number < 0 else host._copy_to(number)


def array(values, dtype=None, device=None):
    """As asarray, but always a copy."""
    result = asarray(values, dtype, device)
    return result.copy()


def empty(shape, dtype=np.float64, device=None):
    """An array of undefined contents."""
    return _npcc.empty(_shape(shape), np.dtype(dtype), device_number(device))


def full(shape, value, dtype=None, device=None):
    """An array of one value."""
    filled = np.broadcast_to(np.asarray(value, dtype), _shape(shape))
    return _npcc.from_object(filled)._copy_to(device_number(device))


def zeros(shape, dtype=np.float64, device=None):
    return full(shape, 0, dtype, device)


def ones(shape, dtype=np.float64, device=None):
    return full(shape, 1, dtype, device)


def from_dlpack(values):
    """The array of another library, without a copy."""
    return _npcc.from_object(values)


def asnumpy(values):
    """A NumPy array of an npcc.ndarray (or of anything that NumPy takes)."""
    return values.get() if isinstance(values, _npcc.Array) else np.asarray(values)


def _shape(shape):
    return tuple(map(operator.index, shape)) if hasattr(shape, "__iter__") else (operator.index(shape),)


def _interface_of_host(array):
    """The host's memory as a GPU's, which it stands for where NPCC_CUDA_TARGET=cpu says so."""
    interface = dict(array.__array_interface__)
    address, is_read_only = interface["data"]
    strides = None if array.is_c_contiguous() else array.strides
    return interface | dict(data=(address if array.size else 0, is_read_only), strides=strides, version=3, stream=None)


if ON_CPU:
    ndarray.__cuda_array_interface__ = property(_interface_of_host)
_npcc.set_array_type(ndarray)
