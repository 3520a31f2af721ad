"""pycuda.reduction: expressions of CUDA C that make one number of all elements."""
import numpy as np

from ..kernels.raw import RawKernel
from .elementwise import checked, names_of
from .gpuarray import GPUArray, empty

BLOCK, BLOCKS = 256, 512
TYPES = {np.dtype(dtype): name for dtype, name in ((np.float32, "float"), (np.float64, "double"), (np.int8, "signed char"), (np.int16, "short"), (np.int32, "int"),
                                                   (np.int64, "long long"), (np.uint8, "unsigned char"), (np.uint16, "unsigned short"),
                                                   (np.uint32, "unsigned int"), (np.uint64, "unsigned long long"))}


class ReductionKernel:
    """ReductionKernel(dtype_out, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]", arguments="float *x, float *y"): called with GPUArrays and numbers, gives
    an array without axes. Two launches: parts of the elements by many blocks, then the parts by one. TypeError for an output that is no number of CUDA C;
    other errors are RawKernel's."""

    def __init__(self, dtype_out, neutral, reduce_expr, map_expr=None, arguments=None, name="reduce_kernel", keep=False, options=None, preamble=""):
        self.dtype = np.dtype(dtype_out)
        if self.dtype not in TYPES:
            raise TypeError(f"ReductionKernel gives numbers of CUDA C, not {self.dtype}")
        ctype = TYPES[self.dtype]
        arguments = f"const {ctype} *in" if arguments is None else arguments
        declared = arguments if isinstance(arguments, str) else ", ".join(map(str, arguments))
        self.name, self.arguments = name, names_of(declared)

        def stage(stage_name, declared, map_expr):
            return RawKernel(f"""{preamble}
#define REDUCE(a, b) ({reduce_expr})
extern "C" __global__ void {stage_name}({declared}, {ctype} *npcc_out, long long n)
{{
  __shared__ {ctype} part[{BLOCK}];
  {ctype} total = {neutral};
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)blockDim.x * gridDim.x)
  {{
    {ctype} mapped = {map_expr};
    total = REDUCE(total, mapped);
  }}
  part[threadIdx.x] = total;
  __syncthreads();
  for (int half = {BLOCK} / 2; half > 0; half /= 2)
  {{
    if (threadIdx.x < half)
      part[threadIdx.x] = REDUCE(part[threadIdx.x], part[threadIdx.x + half]);
    __syncthreads();
  }}
  if (threadIdx.x == 0)
    npcc_out[blockIdx.x] = part[0];
}}
""", stage_name, tuple(options or ()))

        self.first = stage(name, declared, map_expr or f"{self.arguments[0][0]}[i]")
        self.second = stage(f"{name}_parts", f"const {ctype} *npcc_in", "npcc_in[i]")

    def __call__(self, *args, stream=None, out=None, allocator=None):
        values, size = checked(self.name, self.arguments, args)
        if size is None:
            raise TypeError(f"kernel '{self.name}': an array says how many elements there are")
        blocks = max(1, min(-(-size // BLOCK), BLOCKS))
        parts, result = empty(blocks, self.dtype), out if out is not None else empty((), self.dtype)
        self.first((blocks,), (BLOCK,), (*values, parts.array, np.int64(size)), stream=stream)
        target = result.array if isinstance(result, GPUArray) else result
        self.second((1,), (BLOCK,), (parts.array, target, np.int64(blocks)), stream=stream)
        return result


__all__ = ["ReductionKernel"]
