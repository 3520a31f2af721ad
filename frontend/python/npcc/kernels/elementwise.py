"""ElementwiseKernel: an expression over elements, as CuPy has it."""
import numpy as np

from .. import _npcc
from ..streams import current_device
from . import expressions as ex
from .images import Source
from .raw import Kernel

MOST_BLOCKS = 1 << 16  # each thread goes on in steps of the grid


class ElementwiseKernel:
    """ElementwiseKernel(in_params, out_params, operation, name="kernel", preamble="", options=()): `operation` for every element.

    in_params, out_params: "T x, float32 y, raw T z": a dtype's name, or one letter for a type that the arguments have. `operation` is CUDA C++ that
    reads the inputs and assigns the outputs by name: "z = x * y + 2". Inputs are broadcast together. A `raw` parameter is the whole
    array: `z[k]` in C order (or `z[_ind.get()]`), `z.size()`, `z.shape()`, `z.strides()`. `i` is the number of the element, `_ind` its
    index. preamble stands before the kernel; loop_prep and after_loop before and after each thread's elements.

    kernel(*inputs, *outputs, size=None, block_size=128, stream=None): arrays on the GPU (npcc's, CuPy's, PyTorch's, ...) and numbers. Outputs
    that are not given are made, of the broadcast shape. size: the number of elements, where all parameters are raw. Gives the outputs, npcc.ndarray
    where they were made: one, or a tuple of several (return_tuple: always; no_return: None).

    TypeError for dtypes that do not agree, ValueError for shapes that do not; CompileError with the line of the operation; RuntimeError without a GPU
    or NVRTC.
    """

    def __init__(self, in_params, out_params, operation, name="kernel", reduce_dims=True, preamble="", no_return=False, return_tuple=False, *,
                 options=(), loop_prep="", after_loop=""):
        self.in_params, self.out_params = ex.parse_parameters(in_params, name), ex.parse_parameters(out_params, name)
        self.params = self.in_params + self.out_params
        self.operation, self.name, self.preamble, self.options = operation, name, preamble, tuple(options)
        self.reduce_dims, self.no_return, self.return_tuple = reduce_dims, no_return, return_tuple
        self.loop_prep, self.after_loop = loop_prep, after_loop
        names = [p.name for p in self.params]
        if len(set(names)) < len(names):
            raise ValueError(f"kernel '{name}': two parameters have the same name")
        self._kernels = {}  # by types and layouts
        self._plans = ex.Plans()

    def __repr__(self):
        return f"<npcc elementwise kernel {self.name}>"

    def __call__(self, *args, size=None, block_size=128, stream=None):
        counts = len(self.in_params), len(self.params)
        if len(args) not in counts:
            raise TypeError(f"kernel '{self.name}' takes {counts[0]} inputs, or {counts[1]} arguments with the outputs; {len(args)} were given")
        plan = self._plans.find(args, (size, block_size, _npcc.selected_device()), self._plan, self.name)
        outputs = plan.run(args, stream)[counts[0]:]
        if self.no_return:
            return None
        return outputs[0] if len(outputs) == 1 and not self.return_tuple else outputs

    def _plan(self, arguments, size, block_size, _):
        given = arguments + [None] * (len(self.params) - len(arguments))
        types = ex.resolve_types(self.params, given, self.name)
        shape = self._shape(given, size)
        made = []
        for k in range(len(arguments), len(self.params)):
            if self.params[k].is_raw:
                raise ValueError(f"kernel '{self.name}': the raw output '{self.params[k].name}' must be given")
            made.append((shape, ex.dtype_of(self.params[k], types), self._device(arguments)))
            given[k] = _npcc.empty(*made[-1])
        self._check_outputs(given, shape)
        launches = [self._launch(given, types, shape, block_size)] if int(np.prod(shape, dtype=np.int64)) else []
        return ex.Plan(made, launches=launches)

    @staticmethod
    def _device(arguments):
        for argument in arguments:
            if ex.is_array(argument):
                return int(argument.device.partition(":")[2])
        return current_device()

    def _shape(self, given, size):
        walked = [a for p, a in zip(self.params, given) if not p.is_raw and a is not None and ex.is_array(a)]
        if size is not None:
            if walked:
                raise ValueError(f"kernel '{self.name}': size= is for kernels whose arrays are all raw")
            return (int(size),)
        if not walked and any(p.is_raw for p in self.params):
            raise ValueError(f"kernel '{self.name}': the loop size is undecided: say size=, as all arrays are raw")
        return ex.broadcast_shape(walked, self.name) if walked else ()

    def _check_outputs(self, given, shape):
        for parameter, argument in list(zip(self.params, given))[len(self.in_params):]:
            if not ex.is_array(argument):
                raise TypeError(f"kernel '{self.name}': the output '{parameter.name}' is no array")
            if not parameter.is_raw and argument.shape != shape:
                raise ValueError(f"kernel '{self.name}': the output '{parameter.name}' has shape {argument.shape}, the inputs have {shape}")

    def _launch(self, given, types, shape, block_size):
        walked = [k for k, p in enumerate(self.params) if not p.is_raw and ex.is_array(given[k])]
        strides = [ex.broadcast_strides(given[k], shape) for k in walked]
        count = int(np.prod(shape, dtype=np.int64))
        extents = shape
        if self.reduce_dims:
            extents, strides = ex.collapse(shape, strides)
        sizes = [given[k].dtype.itemsize for k in walked]
        straight = len(extents) <= 1 and all(s == (size,) for s, size in zip(strides, sizes) if extents)
        uses_index = "_ind" in self.operation
        if uses_index and self.reduce_dims:  # the index is that of the shape as it is
            extents, strides, straight = shape, [ex.broadcast_strides(given[k], shape) for k in walked], False
        forms, parts = [], []
        for k, (parameter, argument) in enumerate(zip(self.params, given)):
            if not ex.is_array(argument):
                forms.append(("number",))
            elif parameter.is_raw:
                forms.append(("raw", argument.ndim, ex.is_contiguous(argument)))
            else:
                forms.append(("element",))
            parts.append(ex.part_of(k, argument, ex.dtype_of(parameter, types)))
            if forms[-1][0] == "raw":
                total = int(np.prod(argument.shape, dtype=np.int64))
                parts.append(ex.layout_bytes(total, argument.shape, argument.strides))
            elif forms[-1][0] == "element" and not straight:
                parts.append(ex.layout_bytes(count, extents, strides[walked.index(k)]))
        parts.append(ex.layout_bytes(count, extents, extents))
        key = (tuple(sorted((t, d.name) for t, d in types.items())), tuple(forms), len(extents), straight)
        if key not in self._kernels:
            self._kernels[key] = make_kernel(self, self.source(types, forms, len(extents), straight), ex.symbol_of(self.name), operation=self.operation)
        return ex.Launch(self._kernels[key], min(-(-count // block_size), MOST_BLOCKS), block_size, parts)

    def source(self, types, forms, rank, straight):
        """The CUDA C++ of one version. forms: ("number",), ("raw", rank, contiguous) or ("element",) for each parameter."""
        parameters, before, inside = [], [], []
        for position, (p, form) in enumerate(zip(self.params, forms)):
            c_type, is_input = ex.c_type(p, types), position < len(self.in_params)
            const = "const " if is_input else ""
            if form[0] == "number":
                parameters.append(f"{c_type} {p.name}")
                continue
            pointer, layout = f"npcc_data_{p.name}", f"npcc_layout_{p.name}"
            parameters.append(f"{c_type} *{pointer}")
            if form[0] == "raw":
                parameters.append(f"const npcc_layout<{form[1]}> {layout}")
                before.append(f"npcc_raw<{const}{c_type}, {form[1]}, {str(form[2]).lower()}> {p.name}({pointer}, {layout});")
                continue
            place = f"{pointer}[i]"
            if not straight:
                parameters.append(f"const npcc_layout<{rank}> {layout}")
                place = f"*({c_type} *)((char *){pointer} + _ind.offset({layout}.steps))"
            inside.append(f"{const}{c_type} {'' if is_input else '&'}{p.name} = {place};")
        parameters.append(f"npcc_indexer<{rank}> _ind")
        walk = "" if straight else "_ind.set(i);"
        return f"""{ex.typedefs(self.params, types)}{ex.ARRAYS}{self.preamble}
extern "C" __global__ void {ex.symbol_of(self.name)}({", ".join(parameters)}) {{
  {" ".join(before)}
  const npcc_index n = _ind.size(); (void)n;
  {self.loop_prep};
  for (npcc_index i = npcc_index(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += npcc_index(blockDim.x) * gridDim.x) {{
    {walk} {" ".join(inside)}
#line 1 "{self.name} (operation)"
    {self.operation};
  }}
  {self.after_loop};
}}
"""


def make_kernel(owner, source, symbol, **parts):
    """A kernel of generated source. parts: what of it the user wrote, for messages."""
    kernel = Kernel()
    kernel._bind(Source(source, owner.options, (), owner.name, {f"{owner.name} ({part})": text for part, text in parts.items()}), symbol, shown=owner.name)
    return kernel
