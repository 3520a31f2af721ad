"""pycuda.gpuarray: arrays on the GPU with arithmetic. Each operation is a compiled function of npcc's, so dtypes are promoted as NumPy 2 does it. Where several
operations belong together, one compiled function of all of them (npcc.jit) reads and writes memory once."""

import numpy as np

from .. import _npcc
from ..jit import jit
from ..streams import stream as _use


def _given(value):
    return value.array if isinstance(value, GPUArray) else value


def _compiled(function, mode=""):
    """The function on the arrays of GPUArrays; what it gives is one."""
    compiled = jit(function, target="cuda")

    def call(*args):
        result = compiled(*map(_given, args))
        return GPUArray._of(result) if isinstance(result, _npcc.Array) else result

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = f"numpy.{function.__name__.rstrip('_')} of arrays on the GPU."
    return call


def _add(a, b):
    return a + b


def _subtract(a, b):
    return a - b


def _multiply(a, b):
    return a * b


def _divide(a, b):
    return a / b


def _floor_divide(a, b):
    return a // b


def _remainder(a, b):
    return a % b


def _power(a, b):
    return a**b


def _equal(a, b):
    return a == b


def _not_equal(a, b):
    return a != b


def _less(a, b):
    return a < b


def _less_equal(a, b):
    return a <= b


def _greater(a, b):
    return a > b


def _greater_equal(a, b):
    return a >= b


def _negative(a):
    return -a


def _absolute(a):
    return np.abs(a)


def _real(a):
    return a.real.copy()


def _imag(a):
    return a.imag.copy()


def _conj(a):
    return np.conj(a)


def _fill(a, value):
    a[...] = value


def _set(a, b):
    a[...] = b


def _sum(a):
    return np.sum(a).reshape(())


def _dot(a, b):
    return np.sum(a * b).reshape(())


def _max(a):
    return np.max(a).reshape(())


def _min(a):
    return np.min(a).reshape(())


def _where(condition, a, b):
    return np.where(condition, a, b)


def _take(a, indices):
    return a[indices]


def _multiply_add(a, factor, other, other_factor):
    return a * factor + other * other_factor


_OPERATORS = {name: _compiled(function) for name, function in dict(
    add=_add, sub=_subtract, mul=_multiply, truediv=_divide, floordiv=_floor_divide, mod=_remainder, pow=_power).items()}
_COMPARISONS = {name: _compiled(function) for name, function in dict(
    eq=_equal, ne=_not_equal, lt=_less, le=_less_equal, gt=_greater, ge=_greater_equal).items()}
_negated, _magnitude, _real_part, _imaginary_part, _conjugate = map(_compiled, (_negative, _absolute, _real, _imag, _conj))
_fill_all, _store, _sum_all, _dot_all, _max_all, _min_all = map(_compiled, (_fill, _set, _sum, _dot, _max, _min))
_choose, _take_at, _scaled_sum = map(_compiled, (_where, _take, _multiply_add))


class GPUArray:
    """An array on the GPU: `get()` is a NumPy copy; arithmetic, comparisons, slices and methods as NumPy's arrays have them. Own kernels and compiled functions
    take it as an argument."""
    __array_priority__ = 100
    __hash__ = None

    def __init__(self, shape, dtype, allocator=None, base=None, gpudata=None, strides=None, order="C"):
        if gpudata is not None:
            from .driver import _on_device
            shape = tuple(shape) if hasattr(shape, "__iter__") else (shape,)
            size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
            self.array = _on_device(gpudata, size).view(dtype).reshape(shape)
            self._base = gpudata
            return
        from ..cuda import device_array
        self.array = device_array(shape, dtype, order=order)

    @classmethod
    def _of(cls, array):
        made = cls.__new__(cls)
        made.array = array
        return made

    shape = property(lambda self: self.array.shape)
    dtype = property(lambda self: self.array.dtype)
    strides = property(lambda self: self.array.strides)
    ndim = property(lambda self: self.array.ndim)
    size = mem_size = property(lambda self: self.array.size)
    nbytes = property(lambda self: self.array.nbytes)
    itemsize = property(lambda self: self.array.itemsize)
    flags = property(lambda self: self.array.flags)
    ptr = property(lambda self: self.array.ptr)
    gpudata = property(lambda self: self.array)
    T = property(lambda self: GPUArray._of(self.array.T))
    real = property(lambda self: _real_part(self))
    imag = property(lambda self: _imaginary_part(self))
    __cuda_array_interface__ = property(lambda self: self.array.__cuda_array_interface__)

    def conj(self):
        return _conjugate(self)

    def get(self, ary=None, pagelocked=False, stream=None):
        """The elements as a NumPy array: `ary`, or a new one."""
        if ary is None and pagelocked:
            from .driver import pagelocked_empty
            ary = pagelocked_empty(self.shape, self.dtype)
        return self.array.copy_to_host(ary, stream=stream) if ary is not None or self.array.ndim else np.asarray(self.array.get())

    def get_async(self, stream=None, ary=None):
        return self.get(ary, stream=stream)

    def set(self, ary, stream=None):
        """Fills the array from a NumPy array of its shape and dtype. ValueError for another shape."""
        self.array.copy_to_device(ary, stream=stream)

    set_async = set

    def fill(self, value, stream=None):
        if stream is not None:
            with _use(stream):
                return self.fill(value)
        _fill_all(self, np.asarray(value, self.dtype)[()])
        return self

    def copy(self):
        return GPUArray._of(self.array.copy())

    def astype(self, dtype, stream=None):
        return GPUArray._of(_converter(np.dtype(dtype))(self.array))

    def reshape(self, *shape, order="C"):
        return GPUArray._of(self.array.reshape(*shape, order=order))

    def ravel(self):
        return GPUArray._of(self.array.ravel())

    def view(self, dtype=None):
        return GPUArray._of(self.array if dtype is None else self.array.view(dtype))

    def transpose(self, axes=None):
        return GPUArray._of(self.array.transpose() if axes is None else self.array.transpose(*axes))

    def squeeze(self):
        return self.reshape(tuple(extent for extent in self.shape if extent != 1))

    def mul_add(self, selffac, other, otherfac, add_timer=None, stream=None):
        """selffac * self + otherfac * other."""
        return _scaled_sum(self, np.asarray(selffac, self.dtype)[()], other, np.asarray(otherfac, self.dtype)[()])

    def any(self):
        return bool(self.get().any())

    def all(self):
        return bool(self.get().all())

    def __len__(self):
        return len(self.array)

    def __iter__(self):
        return (self[k] for k in range(len(self)))

    def __getitem__(self, key):
        if isinstance(key, GPUArray):
            return _take_at(self, key)
        return GPUArray._of(self.array._index(key))

    def __setitem__(self, key, value):
        _store(GPUArray._of(self.array._index(key)), np.asarray(value, self.dtype)[()] if np.isscalar(value) else value)

    def __bool__(self):
        return bool(self.get())

    def __float__(self):
        return float(self.get())

    def __int__(self):
        return int(self.get())

    def __str__(self):
        return str(self.get())

    def __repr__(self):
        return repr(self.get())

    def __neg__(self):
        return _negated(self)

    def __abs__(self):
        return _magnitude(self)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.get(), dtype)


def _define_operators():
    for name, function in _OPERATORS.items():
        setattr(GPUArray, f"__{name}__", lambda self, other, f=function: f(self, other))
        setattr(GPUArray, f"__r{name}__", lambda self, other, f=function: f(other, self))

        def in_place(self, other, f=function):
            _store(self, f(self, other))
            return self

        setattr(GPUArray, f"__i{name}__", in_place)
    for name, function in _COMPARISONS.items():
        setattr(GPUArray, f"__{name}__", lambda self, other, f=function: f(self, other))


_define_operators()
_converters = {}


def _converter(dtype):
    if dtype not in _converters:
        def convert(a):
            return a.astype(dtype)

        _converters[dtype] = jit(convert, target="cuda")
    return _converters[dtype]


#---- New arrays ----

def to_gpu(ary, allocator=None):
    """A copy of a NumPy array on the GPU, in its order of axes."""
    from ..cuda import to_device
    return GPUArray._of(to_device(np.asarray(ary)))


def to_gpu_async(ary, allocator=None, stream=None):
    from ..cuda import to_device
    return GPUArray._of(to_device(np.asarray(ary), stream=stream))


def empty(shape, dtype=np.float64, allocator=None, order="C"):
    return GPUArray(shape, dtype, order=order)


def zeros(shape, dtype=np.float64, allocator=None, order="C"):
    return empty(shape, dtype, order=order).fill(0)


def ones(shape, dtype=np.float64, allocator=None, order="C"):
    return empty(shape, dtype, order=order).fill(1)


def full(shape, fill_value, dtype=None, order="C"):
    return empty(shape, np.asarray(fill_value).dtype if dtype is None else dtype, order=order).fill(fill_value)


def empty_like(other_ary, dtype=None, order="K"):
    like = np.empty_like(np.lib.stride_tricks.as_strided(np.empty(1, other_ary.dtype), other_ary.shape, other_ary.strides), dtype, order)
    return empty(like.shape, like.dtype, order="F" if np.isfortran(like) else "C")


def zeros_like(other_ary, dtype=None, order="K"):
    return empty_like(other_ary, dtype, order).fill(0)


def ones_like(other_ary, dtype=None, order="K"):
    return empty_like(other_ary, dtype, order).fill(1)


def arange(*args, dtype=None, **keywords):
    """numpy.arange on the GPU."""
    return to_gpu(np.arange(*args, dtype=dtype))


#---- Functions of arrays ----

def sum(a, dtype=None, stream=None):  # noqa: A001
    """The sum of all elements, as an array without axes."""
    return GPUArray._of(_as_array(_sum_all(a if dtype is None else a.astype(dtype))))


def dot(a, b, dtype=None, stream=None):
    """The sum of the products of elements, as an array without axes."""
    return GPUArray._of(_as_array(_dot_all(a, b)))


def max(a, stream=None):  # noqa: A001
    return GPUArray._of(_as_array(_max_all(a)))


def min(a, stream=None):  # noqa: A001
    return GPUArray._of(_as_array(_min_all(a)))


def _as_array(value):
    if isinstance(value, GPUArray):
        return value.array
    from ..cuda import to_device
    return to_device(np.asarray(value))


def take(a, indices, out=None, stream=None):
    """The elements of `a` at these positions."""
    result = _take_at(a, indices)
    if out is None:
        return result
    _store(out, result)
    return out


def if_positive(criterion, then_, else_, out=None, stream=None):
    """Where the criterion is positive, then_, and else_ elsewhere."""
    result = _choose(criterion > 0, then_, else_)
    if out is None:
        return result
    _store(out, result)
    return out


def maximum(a, b, out=None):
    return if_positive(_COMPARISONS["gt"](a, b).astype(np.int8), a, b, out)


def minimum(a, b, out=None):
    return if_positive(_COMPARISONS["lt"](a, b).astype(np.int8), a, b, out)


def reshape(a, *shape, order="C"):
    return a.reshape(*shape, order=order)


def transpose(a, axes=None):
    return a.transpose(axes)


def is_gpu_array(value):
    return isinstance(value, GPUArray)


