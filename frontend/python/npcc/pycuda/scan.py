"""pycuda.scan: running totals by an expression of CUDA C."""
import numpy as np

from ..kernels.raw import RawKernel
from .gpuarray import GPUArray, empty_like, empty
from .reduction import TYPES

BLOCK, ITEMS = 256, 8  # threads, and the elements of each
TILE = BLOCK * ITEMS


class _Scan:
    """Called with a GPUArray, which it fills unless an output array is given: each element becomes the total of the elements up to it (InclusiveScanKernel)
    or before it (ExclusiveScanKernel, whose first one is `neutral`), by `scan_expr` of `a` and `b`, which is associative. Parts of 2048 elements are totalled
    side by side, then their totals in the same way, and what comes before a part is combined with it. TypeError for a dtype that is no number of
    CUDA C or an array of another one; other errors are RawKernel's."""
    is_exclusive = False

    def __init__(self, dtype, scan_expr, neutral=None, name_prefix="scan", options=None, preamble="", devices=None):
        self.dtype = np.dtype(dtype)
        if self.dtype not in TYPES:
            raise TypeError(f"{type(self).__name__} is for numbers of CUDA C, not {self.dtype}")
        if self.is_exclusive and neutral is None:
            raise ValueError("neutral element is required for exclusive scan")
        ctype, options = TYPES[self.dtype], tuple(options or ())
        preamble = f"{preamble}\n__device__ {ctype} npcc_combine({ctype} a, {ctype} b) {{ return {scan_expr}; }}\n"
        self.parts = RawKernel(f"""{preamble}
extern "C" __global__ void {name_prefix}_parts(const {ctype} *in, {ctype} *out, {ctype} *totals, long long n)
{{
  __shared__ {ctype} total[{BLOCK}];
  long long first = blockIdx.x * (long long){TILE} + threadIdx.x * {ITEMS};
  int count = n - first < {ITEMS} ? (n > first ? (int)(n - first) : 0) : {ITEMS};
  {ctype} own[{ITEMS}];
  for (int k = 0; k < count; ++k)
    own[k] = k ? npcc_combine(own[k - 1], in[first + k]) : in[first];
  if (count)
    total[threadIdx.x] = own[count - 1];
  __syncthreads();
  long long left = n - blockIdx.x * (long long){TILE};
  int threads = left < {TILE} ? (int)((left + {ITEMS} - 1) / {ITEMS}) : {BLOCK};
  for (int distance = 1; distance < threads; distance *= 2)
  {{
    {ctype} before;
    bool takes = threadIdx.x >= distance && threadIdx.x < threads;
    if (takes)
      before = total[threadIdx.x - distance];
    __syncthreads();
    if (takes)
      total[threadIdx.x] = npcc_combine(before, total[threadIdx.x]);
    __syncthreads();
  }}
  for (int k = 0; k < count; ++k)
    out[first + k] = threadIdx.x ? npcc_combine(total[threadIdx.x - 1], own[k]) : own[k];
  if (threadIdx.x == 0)
    totals[blockIdx.x] = total[threads - 1];
}}
""", f"{name_prefix}_parts", options)
        self.behind = RawKernel(f"""{preamble}
extern "C" __global__ void {name_prefix}_behind({ctype} *out, const {ctype} *totals, long long n)
{{
  long long i = {TILE} + blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = npcc_combine(totals[i / {TILE} - 1], out[i]);
}}
""", f"{name_prefix}_behind", options)
        self.shifted = self.is_exclusive and RawKernel(f"""{preamble}
extern "C" __global__ void {name_prefix}_shifted(const {ctype} *in, {ctype} *out, long long n)
{{
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = i ? in[i - 1] : ({ctype})({neutral});
}}
""", f"{name_prefix}_shifted", options)

    def _inclusive(self, source, target, n, stream):
        blocks = -(-n // TILE)
        totals = empty(blocks, self.dtype)
        self.parts((blocks,), (BLOCK,), (source, target, totals.array, np.int64(n)), stream=stream)
        if blocks > 1:
            self._inclusive(totals.array, totals.array, blocks, stream)
            self.behind((-(-(n - TILE) // BLOCK),), (BLOCK,), (target, totals.array, np.int64(n)), stream=stream)

    def __call__(self, input_ary, output_ary=None, allocator=None, n=None, stream=None):
        if not isinstance(input_ary, GPUArray) or input_ary.dtype != self.dtype:
            raise TypeError(f"the input is an array of {self.dtype} on the GPU, not {getattr(input_ary, 'dtype', type(input_ary).__name__)}")
        output_ary = input_ary if output_ary is None else output_ary
        if input_ary.shape != output_ary.shape:
            raise ValueError("input and output must have the same shape")
        n = input_ary.size if n is None else n
        if n and self.is_exclusive:
            totals = empty_like(input_ary)
            self._inclusive(input_ary.array, totals.array, n, stream)
            self.shifted((-(-n // BLOCK),), (BLOCK,), (totals.array, output_ary.array, np.int64(n)), stream=stream)
        elif n:
            self._inclusive(input_ary.array, output_ary.array, n, stream)
        return output_ary


class InclusiveScanKernel(_Scan):
    __doc__ = _Scan.__doc__


class ExclusiveScanKernel(_Scan):
    __doc__ = _Scan.__doc__
    is_exclusive = True


__all__ = ["InclusiveScanKernel", "ExclusiveScanKernel"]
