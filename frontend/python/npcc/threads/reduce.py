"""cuda.Reduce: a function of two numbers that combines the elements of an array, by a kernel."""
import numpy as np

from .. import targets
from ..ndarray import empty
from . import names as cuda
from .kernel import jit

THREADS, MOST_BLOCKS = 256, 128


class Reduce:
    """Reduce(function)(arr, size=None, res=None, init=0, stream=0): all elements (or the first `size`) of an array with one axis, combined by a function
    of two numbers that may combine them in any order, and by it with `init`. The result is a NumPy scalar, or stands in res[0] where an array
    is given. TypeError for arrays of more axes.
    """

    def __init__(self, functor, target=None):
        self.functor = functor
        self.target = target
        self._kernels = {}

    def _kernel(self, dtype):
        if dtype not in self._kernels:
            combine = jit(self.functor, device=True)

            @jit(target=self.target)
            def partial(values, count, out):
                part = cuda.shared.array(THREADS, dtype)
                t, start = cuda.threadIdx.x, cuda.grid(1)
                if start < count:
                    total = values[start]
                    for i in range(start + cuda.gridsize(1), count, cuda.gridsize(1)):
                        total = dtype.type(combine(total, values[i]))
                    part[t] = total
                present = min(count - cuda.blockIdx.x * THREADS, THREADS)
                step = THREADS // 2
                while step > 0:
                    cuda.syncthreads()
                    if t < step and t + step < present:
                        part[t] = combine(part[t], part[t + step])
                    step //= 2
                if t == 0:
                    out[cuda.blockIdx.x] = part[0]

            self._kernels[dtype] = partial
        return self._kernels[dtype]

    def __call__(self, arr, size=None, res=None, init=0, stream=0):
        if arr.ndim != 1:
            raise TypeError("only support 1D array")
        count = arr.shape[0] if size is None else size
        dtype = np.dtype(arr.dtype)
        result = dtype.type(init)
        if count > 0:
            kernel = self._kernel(dtype)
            on_gpu = (kernel.target or targets.default()).needs_gpu()
            blocks = min(-(-count // THREADS), MOST_BLOCKS)
            parts, total = (empty(n, dtype, "cuda" if on_gpu else None) for n in (blocks, 1))
            kernel[blocks, THREADS, stream](arr, count, parts)
            kernel[1, THREADS, stream](parts, blocks, total)
            result = dtype.type(self.functor(result, total.get()[0]))
        if res is None:
            return result
        res[:1] = np.full(1, result, res.dtype)
        return None


reduce = Reduce
