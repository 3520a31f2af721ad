"""NumPy arrays on their way to a GPU and back: npcc.overlap and npcc.pinned."""
import contextlib

import numpy as np

from . import _npcc
from .threads.host import ON_CPU


class overlap(contextlib.ContextDecorator):
    """Calls of compiled functions in the `with` statement return when they have read their NumPy arrays: what they compute comes back while the next
    calls' arrays are already on their way to the GPU.

        with npcc.overlap():
            for k in range(0, len(images), 64):
                denoise(images[k:k + 64], out[k:k + 64])

    NumPy arrays that calls write, or give as results, hold their values when the statement ends; a later call that takes one waits for it. Numbers are
    there when their call returns, which waits for the GPU. Errors that the GPU finds are raised by a later call or at the end of the statement. Arrays in
    page-locked memory (npcc.pinned) are read as the GPU needs them, so they are left as they are until the end. It is for the calls of one thread;
    statements nest, and decorate functions. On the CPU nothing changes.
    """

    def __enter__(self):
        _npcc.begin_overlap()
        return self

    def __exit__(self, type, value, traceback):
        try:
            _npcc.end_overlap()
        except Exception:
            if value is None:
                raise
        return False


def pinned(shape, dtype=np.float64, order="C"):
    """A NumPy array in page-locked memory, which copies to and from a GPU at the full speed of the bus, of undefined contents; or, of a NumPy array in
    the place of `shape`, a copy of it there. Such memory is the machine's to give: it is for arrays that are used again. Without a GPU it is an ordinary
    array.
    """
    if isinstance(shape, np.ndarray):
        copy = pinned(shape.shape, shape.dtype, "F" if np.isfortran(shape) else "C")
        copy[...] = shape
        return copy
    if ON_CPU or not _npcc.cuda_device_count():
        return np.empty(shape, dtype, order)
    from .cuda import pinned_array
    return pinned_array(shape, dtype, order=order)
