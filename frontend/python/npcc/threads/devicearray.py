"""Arrays and records on a GPU by the names of numba.cuda.devicearray."""
import numpy as np

from .. import _npcc
from ..ndarray import ndarray
from .records import DeviceRecords

DeviceNDArray = DeviceArray = ndarray


def DeviceRecord(dtype, stream=0, gpu_data=None):  # named as the class that programs know
    """A record of a structured dtype on this thread's GPU, of undefined contents."""
    from .. import cuda
    if gpu_data is not None:
        raise NotImplementedError("gpu_data=: memory of another owner is taken by cuda.from_cuda_array_interface")
    return cuda.device_array((), np.dtype(dtype), stream=stream)


def is_cuda_ndarray(obj):
    """Whether it is an array or a record of npcc's on a GPU (the host, where NPCC_CUDA_TARGET=cpu puts it in a GPU's place)."""
    return isinstance(obj, (_npcc.Array, DeviceRecords)) and hasattr(obj, "__cuda_array_interface__")


def require_cuda_ndarray(obj):
    """ValueError for what is_cuda_ndarray is False of."""
    if not is_cuda_ndarray(obj):
        raise ValueError("require an cuda ndarray object")


def verify_cuda_ndarray_interface(obj):
    """ValueError for what is no array on a GPU; AttributeError and TypeError for one without shape, strides, dtype and size."""
    require_cuda_ndarray(obj)
    for name, kind in (("shape", tuple), ("strides", tuple), ("dtype", np.dtype), ("size", int)):
        if not isinstance(getattr(obj, name), kind):
            raise AttributeError(f"{name} must be of type {kind}")


def is_contiguous(ary):
    """Whether the elements lie side by side in C's order; axes of extent 1 do not count."""
    expected = ary.dtype.itemsize
    for extent, stride in zip(reversed(ary.shape), reversed(ary.strides)):
        if extent > 1 and stride:
            if stride != expected:
                return False
            expected *= extent
    return True


def array_core(ary):
    """The part of a broadcast array that is not repeated: the first position of each axis whose stride is 0."""
    if not ary.strides or not ary.size:
        return ary
    return ary[tuple(0 if stride == 0 else slice(None) for stride in ary.strides)]


def from_array_like(ary, stream=0, gpu_data=None):
    """An array on the GPU of the shape, dtype and strides' order of another, of undefined contents."""
    from .. import cuda
    return cuda.device_array_like(ary, stream=stream)


def from_record_like(rec, stream=0, gpu_data=None):
    """A record on the GPU of the dtype of another, of undefined contents."""
    return DeviceRecord(rec.dtype, stream, gpu_data)


def auto_device(obj, stream=0, copy=True, user_explicit=False):
    """(what is there on the GPU: `obj` itself, or a copy of it, whether it was copied)."""
    from .. import cuda
    if is_cuda_ndarray(obj):
        return obj, False
    if hasattr(obj, "__cuda_array_interface__"):
        return cuda.as_cuda_array(obj), False
    return cuda.to_device(obj, stream=stream, copy=copy), True
