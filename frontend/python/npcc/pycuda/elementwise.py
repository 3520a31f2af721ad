"""pycuda.elementwise: a statement of CUDA C for each element."""
import numpy as np

from ..kernels.parameters import split_list
from ..kernels.raw import RawKernel
from .gpuarray import GPUArray

BLOCK, BLOCKS = 256, 2048


def names_of(arguments):
    """(name, whether it is a pointer) of each argument of a list in C."""
    parts = split_list(arguments if isinstance(arguments, str) else ", ".join(map(str, arguments)))
    return [(part.replace("*", " ").split()[-1], "*" in part) for part in parts]


def checked(name, arguments, values):
    """The values as a kernel takes them, and the number of elements. TypeError for a wrong count, ValueError for arrays that are not contiguous."""
    if len(arguments) != len(values):
        raise TypeError(f"kernel '{name}' takes {len(arguments)} arguments, not {len(values)}")
    size = None
    for (argument, is_pointer), value in zip(arguments, values):
        if is_pointer and hasattr(value, "shape"):
            if isinstance(value, GPUArray) and not (value.array.is_c_contiguous() or value.array.is_f_contiguous()):
                raise ValueError(f"kernel '{name}': argument {argument} is not contiguous: copy it first")
            size = int(np.prod(value.shape, dtype=np.int64)) if size is None else size
    return tuple(value.array if isinstance(value, GPUArray) else value for value in values), size


class ElementwiseKernel:
    """ElementwiseKernel("float a, float *x, float *z", "z[i] = a * x[i]", "scaled"): called with GPUArrays and numbers, runs the statement for each position `i`
    of the first array. `preamble` stands before the kernel; `range=slice(...)` gives other positions. Errors are RawKernel's."""

    def __init__(self, arguments, operation, name="kernel", keep=False, options=None, preamble="", loop_prep="", after_loop=""):
        self.name, self.arguments = name, names_of(arguments)
        declared = arguments if isinstance(arguments, str) else ", ".join(map(str, arguments))
        source = f"""{preamble}
extern "C" __global__ void {name}({declared}, long long npcc_first, long long npcc_last, long long npcc_step)
{{
  long long n = npcc_last;
  {loop_prep};
  for (long long i = npcc_first + npcc_step * (blockIdx.x * (long long)blockDim.x + threadIdx.x); i < npcc_last; i += npcc_step * blockDim.x * gridDim.x)
  {{
    {operation};
  }}
  {after_loop};
}}
"""
        self.kernel = RawKernel(source, name, tuple(options or ()))

    def __call__(self, *args, range=None, slice=None, stream=None):
        values, size = checked(self.name, self.arguments, args)
        if size is None and range is None:
            raise TypeError(f"kernel '{self.name}': an array, or range=, says how many elements there are")
        positions = range if range is not None else slice
        first, last, step = positions.indices(size if size is not None else positions.stop) if positions is not None else (0, size, 1)
        count = len(np.arange(0)) if last <= first else -(-(last - first) // step)
        if count:
            self.kernel((min(-(-count // BLOCK), BLOCKS),), (BLOCK,), (*values, np.int64(first), np.int64(last), np.int64(step)), stream=stream)


__all__ = ["ElementwiseKernel"]
