"""ReductionKernel: elements mapped, reduced over axes, and mapped again, as CuPy has it."""
import operator

import numpy as np

from .. import _npcc
from . import expressions as ex
from .elementwise import ElementwiseKernel, make_kernel
from .images import module

MOST_THREADS = 256
ENOUGH_BLOCKS = 512  # with fewer results than this, several blocks work on one
ELEMENTS_OF_A_THREAD = 8


class ReductionKernel:
    """ReductionKernel(in_params, out_params, map_expr, reduce_expr, post_map_expr, identity, name="reduce_kernel", reduce_type=None, preamble="",
    options=()): over some axes of the inputs' broadcast shape.

    map_expr: what an element gives ("x * x"). reduce_expr: of two such values, a and b ("a + b"), associative and commutative. post_map_expr assigns the
    outputs of the reduced value a ("y = sqrt(a)"). identity: the value of no elements ("0"). reduce_type: the type of the values
    between ("double"); by default that of the first output. Parameters are ElementwiseKernel's; `_in_ind` and `_out_ind` are the indices of an
    element and of a result, `_j` the number of the element in its reduction.

    kernel(*inputs, *outputs, out=None, axis=None, keepdims=False, stream=None). axis: an integer or a tuple; None: all. Gives the outputs, one or a
    tuple. Errors are ElementwiseKernel's; numpy.exceptions.AxisError for an axis that is not there.
    """

    def __init__(self, in_params, out_params, map_expr, reduce_expr, post_map_expr, identity, name="reduce_kernel", reduce_type=None,
                 reduce_dims=True, preamble="", options=()):
        self.in_params, self.out_params = (ex.parse_parameters(text, name, ("a", "b")) for text in (in_params, out_params))
        self.params = self.in_params + self.out_params
        self.map_expr, self.reduce_expr, self.post_map_expr = map_expr, reduce_expr, post_map_expr
        if identity is None or not str(identity).strip():
            raise TypeError(f"kernel '{name}': a reduction needs the identity of its expression, as text: '0'")
        self.identity, self.name, self.reduce_type = str(identity), name, reduce_type
        self.preamble, self.options = preamble, tuple(options)
        if not self.out_params or any(p.is_raw for p in self.out_params):
            raise ValueError(f"kernel '{name}': a reduction has outputs, and none that are raw")
        self._kernels = {}  # by types and layouts
        self._plans = ex.Plans()

    def __repr__(self):
        return f"<npcc reduction kernel {self.name}>"

    def __call__(self, *args, out=None, axis=None, keepdims=False, stream=None):
        counts = len(self.in_params), len(self.params)
        if out is not None:
            args += (out,)
        if len(args) not in counts:
            raise TypeError(f"kernel '{self.name}' takes {counts[0]} inputs, or {counts[1]} arguments with the outputs; {len(args)} were given")
        axis = tuple(axis) if isinstance(axis, list) else axis
        outputs = self._plans.find(args, (axis, keepdims), self._plan, self.name).run(args, stream)[counts[0]:]
        return outputs[0] if len(outputs) == 1 else outputs

    def _plan(self, arguments, axis, keepdims):
        given = arguments + [None] * (len(self.params) - len(arguments))
        types = ex.resolve_types(self.params, given, self.name)
        walked = [a for p, a in zip(self.in_params, given) if not p.is_raw and ex.is_array(a)]
        if not walked:
            raise ValueError(f"kernel '{self.name}': no input says the shape that is reduced")
        shape = ex.broadcast_shape(walked, self.name)
        axes = reduced_axes(axis, len(shape))
        kept = [k for k in range(len(shape)) if k not in axes]
        result_shape = tuple(1 if k in axes else n for k, n in enumerate(shape)) if keepdims else tuple(shape[k] for k in kept)
        device, made = ElementwiseKernel._device(arguments), []
        for k in range(len(arguments), len(self.params)):
            made.append((result_shape, ex.dtype_of(self.params[k], types), device))
            given[k] = _npcc.empty(*made[-1])
        for parameter, argument in zip(self.out_params, given[len(self.in_params):]):
            if not ex.is_array(argument) or argument.shape != result_shape:
                raise ValueError(f"kernel '{self.name}': the output '{parameter.name}' has shape {argument.shape}, the result has {result_shape}")
        partial, launches = 0, []
        if int(np.prod(result_shape, dtype=np.int64)):
            partial, launches = self._launches(given, types, shape, kept, sorted(axes), keepdims, device)
        return ex.Plan(made, partial, device, launches)

    def _launches(self, given, types, shape, kept, axes, keepdims, device):
        """(bytes between, launches): one launch where each result is a block's, two where several blocks work on one."""
        outer, inner = (int(np.prod([shape[k] for k in which], dtype=np.int64)) for which in (kept, axes))
        order = kept + axes  # the index of an element: that of the result, then that within the reduction
        forms, parts, finish = [], [], []
        for position, (parameter, argument) in enumerate(zip(self.params, given)):
            own = [ex.part_of(position, argument, ex.dtype_of(parameter, types))]
            is_input = position < len(self.in_params)
            if not ex.is_array(argument):
                forms.append(("number",))
            elif parameter.is_raw:
                forms.append(("raw", argument.ndim, ex.is_contiguous(argument)))
                own.append(ex.layout_bytes(int(np.prod(argument.shape, dtype=np.int64)), argument.shape, argument.strides))
            else:
                forms.append(("element",))
                which, strides = (order, ex.broadcast_strides(argument, shape)) if is_input else (kept, argument.strides)
                if not is_input and not keepdims:
                    strides = dict(zip(kept, strides))
                count = outer * inner if is_input else outer
                own.append(ex.layout_bytes(count, tuple(shape[k] for k in which), tuple(strides[k] for k in which)))
            parts += own
            if not is_input or forms[-1][0] != "element":
                finish += own
        threads = 32
        while threads < MOST_THREADS and threads * ELEMENTS_OF_A_THREAD < inner:
            threads *= 2
        splits = max(1, min(ENOUGH_BLOCKS // max(outer, 1), -(-inner // (threads * ELEMENTS_OF_A_THREAD))))
        key = (tuple(sorted((t, d.name) for t, d in types.items())), tuple(forms), len(kept), len(axes))
        if key not in self._kernels:
            source, symbol = self.source(types, forms, len(kept), len(axes)), ex.symbol_of(self.name)
            texts = dict(map_expr=self.map_expr, reduce_expr=self.reduce_expr, post_map_expr=self.post_map_expr)
            self._kernels[key] = [make_kernel(self, source, symbol + suffix, **texts) for suffix in ("", "_finish")]
        first, last = self._kernels[key]
        value_bytes = self._value_bytes(types, first, device)
        extents, results = tuple(shape[k] for k in order), tuple(shape[k] for k in kept)
        indexers = [ex.layout_bytes(outer * inner, extents, extents), ex.layout_bytes(outer, results, results)]
        parts += [*indexers, ex.PARTIAL, np.int64(outer), np.int64(inner), np.int32(splits)]
        launches = [ex.Launch(first, min(outer * splits, ex.INT_MAX), threads, parts, threads * value_bytes)]
        if splits > 1:
            finish += [indexers[1], ex.PARTIAL, np.int64(outer), np.int32(splits)]
            launches.append(ex.Launch(last, min(outer, ex.INT_MAX), 32, finish, 32 * value_bytes))
        return outer * splits * value_bytes if splits > 1 else 0, launches

    def _value_bytes(self, types, kernel, device):
        """The size of a value between."""
        if self.reduce_type is None:
            return ex.dtype_of(self.out_params[0], types).itemsize
        if self.reduce_type in types:
            return types[self.reduce_type].itemsize
        # The compiler knows it: a variable of the module has as many bytes.
        image = kernel._source.image(device)
        return _npcc.module_global(device, module(image, device, self.name), "npcc_value_bytes")[1]

    def _value_type(self, types):
        if self.reduce_type is None:
            return ex.c_type(self.out_params[0], types)
        try:
            return ex.C_TYPES[np.dtype(self.reduce_type).name] if self.reduce_type not in types else self.reduce_type
        except (TypeError, KeyError):
            return self.reduce_type

    def source(self, types, forms, kept, reduced):
        """The CUDA C++ of one version: a block gives a result, or a part of one that a second kernel finishes."""
        rank, symbol = kept + reduced, ex.symbol_of(self.name)
        parameters, before, inside, results, after, finish = [], [], [], [], [], []
        for position, (p, form) in enumerate(zip(self.params, forms)):
            c_type, is_input = ex.c_type(p, types), position < len(self.in_params)
            if form[0] == "number":
                parameters.append(f"{c_type} {p.name}")
                finish.append(parameters[-1])
                continue
            pointer, layout = f"npcc_data_{p.name}", f"npcc_layout_{p.name}"
            if form[0] == "raw":
                parameters += [f"{c_type} *{pointer}", f"const npcc_layout<{form[1]}> {layout}"]
                finish += parameters[-2:]
                before.append(f"npcc_raw<const {c_type}, {form[1]}, {str(form[2]).lower()}> {p.name}({pointer}, {layout});")
            elif is_input:
                parameters += [f"{c_type} *{pointer}", f"const npcc_layout<{rank}> {layout}"]
                inside.append(f"const {c_type} {p.name} = *({c_type} *)((char *){pointer} + _in_ind.offset({layout}.steps));")
            else:
                both = [f"{c_type} *{pointer}", f"const npcc_layout<{kept}> {layout}"]
                parameters += both
                finish += both
                after.append(f"{c_type} &{p.name} = *({c_type} *)((char *){pointer} + _out_ind.offset({layout}.steps));")
        parameters += [f"npcc_indexer<{rank}> _in_ind", f"npcc_indexer<{kept}> _out_ind", "npcc_value *npcc_partial", "npcc_index npcc_outer",
                       "npcc_index npcc_inner", "int npcc_splits"]
        finish += [f"npcc_indexer<{kept}> _out_ind", "const npcc_value *npcc_partial", "npcc_index npcc_outer", "int npcc_splits"]
        post = f"""_out_ind.set(npcc_result); {" ".join(after)} npcc_value a = npcc_sum;
#line 1 "{self.name} (post_map_expr)"
      {self.post_map_expr};"""
        return f"""{ex.typedefs(self.params, types)}{ex.ARRAYS}{self.preamble}
typedef {self._value_type(types)} npcc_value;
__device__ npcc_value npcc_reduce(npcc_value a, npcc_value b) {{
#line 1 "{self.name} (reduce_expr)"
  return ({self.reduce_expr});
}}
extern "C" __device__ char npcc_value_bytes[sizeof(npcc_value)];
extern __shared__ double2 npcc_shared[];
__device__ npcc_value npcc_of_block(npcc_value sum) {{
  npcc_value *values = (npcc_value *)npcc_shared;
  __syncthreads();
  values[threadIdx.x] = sum;
  for (unsigned half = blockDim.x / 2; half; half /= 2) {{
    __syncthreads();
    if (threadIdx.x < half)
      values[threadIdx.x] = npcc_reduce(values[threadIdx.x], values[threadIdx.x + half]);
  }}
  return threadIdx.x ? sum : values[0]; // the first thread alone is asked: it stored this itself
}}
extern "C" __global__ void {symbol}({", ".join(parameters)}) {{
  {" ".join(before)}
  if (npcc_splits < 0)
    npcc_value_bytes[0] = 0; // what is not used is not there to be asked for
  for (npcc_index npcc_block = blockIdx.x; npcc_block < npcc_outer * npcc_splits; npcc_block += gridDim.x) {{
    const npcc_index npcc_result = npcc_block / npcc_splits, npcc_split = npcc_block % npcc_splits;
    npcc_value npcc_sum = npcc_value({self.identity});
    for (npcc_index _j = npcc_split * blockDim.x + threadIdx.x; _j < npcc_inner; _j += npcc_index(npcc_splits) * blockDim.x) {{
      _in_ind.set(npcc_result * npcc_inner + _j);
      {" ".join(inside)}
#line 1 "{self.name} (map_expr)"
      npcc_sum = npcc_reduce(npcc_sum, npcc_value({self.map_expr}));
    }}
    npcc_sum = npcc_of_block(npcc_sum);
    if (threadIdx.x == 0 && npcc_splits > 1)
      npcc_partial[npcc_block] = npcc_sum;
    else if (threadIdx.x == 0) {{
      {post}
    }}
  }}
}}
extern "C" __global__ void {symbol}_finish({", ".join(finish)}) {{
  {" ".join(before)}
  for (npcc_index npcc_result = blockIdx.x; npcc_result < npcc_outer; npcc_result += gridDim.x) {{
    npcc_value npcc_sum = npcc_value({self.identity});
    for (int k = threadIdx.x; k < npcc_splits; k += blockDim.x)
      npcc_sum = npcc_reduce(npcc_sum, npcc_partial[npcc_result * npcc_splits + k]);
    npcc_sum = npcc_of_block(npcc_sum);
    if (threadIdx.x == 0) {{
      {post}
    }}
  }}
}}
"""


def reduced_axes(axis, rank):
    """The set of axes that go; NumPy's errors."""
    if axis is None:
        return set(range(rank))
    axes = [operator.index(a) for a in (axis if isinstance(axis, tuple) else (axis,))]
    for a in axes:
        if not -rank <= a < rank:
            raise np.exceptions.AxisError(a, rank)
    if len({a % rank for a in axes}) < len(axes):
        raise ValueError("duplicate value in 'axis'")
    return {a % rank for a in axes}
