"""What ElementwiseKernel and ReductionKernel share: declarations of parameters, their types, and the arrays that a call gives."""
import re
import struct

import numpy as np

from .. import _npcc
from ..ndarray import ndarray

C_TYPES = {"bool": "bool", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long", "uint8": "unsigned char",
           "uint16": "unsigned short", "uint32": "unsigned int", "uint64": "unsigned long long", "float16": "__half", "float32": "float",
           "float64": "double", "complex64": "complex<float>", "complex128": "complex<double>"}
DECLARATION = re.compile(r"^(raw\s+)?(?:const\s+)?([\w.]+)\s+(\w+)$")
RESERVED = ("i", "n")  # and what begins with an underscore
INT_MAX = 2**31 - 1

# Arrays in kernels: strides count bytes, as NumPy's do.
ARRAYS = r"""
typedef long long npcc_index;
template <int N> struct npcc_layout { npcc_index count, extents[N ? N : 1], steps[N ? N : 1]; };
template <int N> struct npcc_indexer {
  npcc_index count, extents[N ? N : 1], place[N ? N : 1];
  static const int ndim = N;
  __device__ npcc_index size() const { return count; }
  __device__ const npcc_index *shape() const { return extents; }
  __device__ const npcc_index *get() const { return place; }
  __device__ void set(npcc_index i) {
    for (int k = N - 1; k >= 0; --k) {
      place[k] = k ? i % extents[k] : i;
      i /= extents[k];
    }
  }
  __device__ npcc_index offset(const npcc_index *steps) const {
    npcc_index sum = 0;
    for (int k = 0; k < N; ++k)
      sum += place[k] * steps[k];
    return sum;
  }
};
template <typename T, int N, bool IsContiguous> struct npcc_raw {
  T *data;
  const npcc_layout<N> &layout;
  static const int ndim = N;
  __device__ npcc_raw(T *data, const npcc_layout<N> &layout) : data(data), layout(layout) {}
  __device__ npcc_index size() const { return layout.count; }
  __device__ const npcc_index *shape() const { return layout.extents; }
  __device__ const npcc_index *strides() const { return layout.steps; }
  __device__ T &operator[](npcc_index i) const {
    if (IsContiguous)
      return data[i];
    npcc_index offset = 0;
    for (int k = N - 1; k >= 0; --k) {
      offset += (k ? i % layout.extents[k] : i) * layout.steps[k];
      i /= layout.extents[k];
    }
    return *(T *)((char *)data + offset);
  }
  template <typename I> __device__ T &operator[](const I (&place)[N ? N : 1]) const { return at(place); }
  __device__ T &operator[](const npcc_index *place) const { return at(place); }
private:
  template <typename P> __device__ T &at(const P &place) const {
    npcc_index offset = 0;
    for (int k = 0; k < N; ++k)
      offset += place[k] * layout.steps[k];
    return *(T *)((char *)data + offset);
  }
};
"""
COMPLEX = "#include <cupy/complex.cuh>\n"  # nvrtc.py has it


class Parameter:
    """`raw T x`: is_raw, type ("T", "float32"), name."""

    def __init__(self, text, kernel, reserved):
        match = DECLARATION.match(text.strip())
        if not match:
            raise ValueError(f"kernel '{kernel}': '{text.strip()}' is no parameter: write 'T x', 'raw T x' or 'float32 x'")
        self.is_raw, self.type, self.name = bool(match[1]), match[2].removeprefix("numpy.").removeprefix("np."), match[3]
        if self.name in reserved or self.name.startswith("_"):
            raise ValueError(f"kernel '{kernel}': a parameter cannot be called '{self.name}'")
        self.is_open = len(self.type) == 1  # a placeholder
        if not self.is_open:
            self.dtype = _dtype(self.type, kernel)


def _dtype(name, kernel):
    try:
        dtype = np.dtype(name)
    except TypeError:
        dtype = None
    if dtype is None or dtype.name not in C_TYPES:
        raise TypeError(f"kernel '{kernel}': '{name}' is no type: write a NumPy dtype's name, or one letter for a type that the arguments have")
    return dtype


def parse_parameters(text, kernel, reserved=RESERVED):
    return tuple(Parameter(part, kernel, reserved) for part in text.split(",") if part.strip())


def symbol_of(name):
    """A C name that is nobody else's: a kernel may be called "half"."""
    return "npcc_" + re.sub(r"\W", "_", name)


class Number:
    """An argument that is no array: strong where it is a NumPy scalar."""
    shape = ()

    def __init__(self, value):
        self.value = value
        self.is_weak = not isinstance(value, np.generic)
        self.dtype = value.dtype if not self.is_weak else np.dtype(type(value))


def read_argument(value, kernel, position):
    """An npcc.ndarray on a GPU, or a Number."""
    if type(value) is ndarray and value.device != "cpu":
        return value
    if isinstance(value, np.generic) or isinstance(value, (bool, int, float, complex)):
        return Number(value)
    if isinstance(value, np.ndarray) or isinstance(value, _npcc.Array) and value.device == "cpu":
        raise TypeError(f"kernel '{kernel}': argument {position + 1} is an array in the host's memory: npcc.array(a, device='cuda') copies it to the GPU")
    if isinstance(value, _npcc.Array):
        return value
    if hasattr(value, "__cuda_array_interface__") or hasattr(value, "__dlpack__"):
        return Foreign(value)
    raise TypeError(f"kernel '{kernel}': argument {position + 1} has the type {type(value).__name__}, which no kernel takes")


class Foreign:
    """What is to be seen of another library's array, which goes to the launch as it is."""

    def __init__(self, value):
        array = _npcc.from_object(value)
        self.shape, self.strides, self.dtype, self.device, self.ndim = array.shape, array.strides, array.dtype, array.device, array.ndim


def signature(argument):
    """What a launch of the argument depends on, but for its values."""
    if isinstance(argument, Number):
        return argument.dtype, argument.is_weak
    return argument.dtype, argument.shape, argument.strides, argument.device


class Launch:
    """One launch of a plan. parts: what part_of gives for an argument of the call, PARTIAL for the plan's own memory, and what is the same in every call."""

    def __init__(self, kernel, blocks, threads, parts, shared=0):
        self.kernel, self.grid, self.block, self.shared = kernel, (blocks,), (threads,), shared
        self.fixed = [None if type(part) is tuple or part is PARTIAL else part for part in parts]
        given = [(slot, *part) for slot, part in enumerate(parts) if type(part) is tuple]
        self.arrays = [(slot, position) for slot, position, dtype in given if dtype is None]
        self.numbers = [(slot, position, dtype) for slot, position, dtype in given if dtype is not None]
        self.partial = [slot for slot, part in enumerate(parts) if part is PARTIAL]

    def run(self, given, partial, stream):
        arguments = self.fixed.copy()
        for slot, position in self.arrays:
            arguments[slot] = given[position]
        for slot, position, dtype in self.numbers:
            arguments[slot] = as_scalar(given[position], dtype)
        for slot in self.partial:
            arguments[slot] = partial
        self.kernel(self.grid, self.block, arguments, self.shared, stream)


def part_of(position, argument, dtype):
    """The argument at the position as a part of launches: the dtype of a number, None for an array."""
    return position, None if is_array(argument) else dtype


PARTIAL = object()


class Plan:
    """What calls with arguments of one signature do: arrays to make, memory between, launches."""

    def __init__(self, made=(), partial_bytes=0, device=0, launches=()):
        self.made, self.partial_bytes, self.device, self.launches = made, partial_bytes, device, launches

    def run(self, arguments, stream):
        """The arguments of the call, and behind them the arrays that were made."""
        given = (*arguments, *[_npcc.empty(*made) for made in self.made])
        partial = _npcc.empty((self.partial_bytes,), BYTES, self.device) if self.partial_bytes else None
        for launch in self.launches:
            launch.run(given, partial, stream)
        return given


BYTES = np.dtype(np.uint8)
MOST_PLANS = 256


class Plans(dict):
    """By options and what launches depend on of the arguments; with too many they are made anew."""

    def find(self, arguments, options, make, kernel):
        """The plan for arguments as the call has them; a new one is make(arguments as read_argument gives them, *options)."""
        layouts, known = _npcc.layouts_of(arguments), None
        if layouts is None:
            known = [read_argument(argument, kernel, k) for k, argument in enumerate(arguments)]
            layouts = tuple(map(signature, known))
        key = (layouts, options)
        plan = self.get(key)
        if plan is None:
            if len(self) >= MOST_PLANS:
                self.clear()
            known = known or [read_argument(argument, kernel, k) for k, argument in enumerate(arguments)]
            plan = self[key] = make(known, *options)
        return plan


def is_array(argument):
    return not isinstance(argument, Number)


def resolve_types(parameters, arguments, kernel):
    """{placeholder: dtype}: of arrays and NumPy scalars, which must agree; of Python's numbers where there is nothing else. TypeError."""
    types, weak = {}, {}
    for parameter, argument in zip(parameters, arguments):
        if argument is None or not parameter.is_open:
            continue
        if not is_array(argument) and argument.is_weak:
            weak[parameter.type] = np.result_type(weak.get(parameter.type, argument.dtype), argument.dtype)
        elif types.setdefault(parameter.type, argument.dtype) != argument.dtype:
            raise TypeError(f"kernel '{kernel}': type is mismatched: {parameter.type} is {types[parameter.type]}, "
                            f"'{parameter.name}' has {argument.dtype}")
    types = {**weak, **types}
    for parameter, argument in zip(parameters, arguments):
        dtype = types.get(parameter.type) if parameter.is_open else parameter.dtype
        if dtype is None:
            raise TypeError(f"kernel '{kernel}': no argument says what {parameter.type} of '{parameter.name}' is")
        if dtype.name not in C_TYPES:
            raise TypeError(f"kernel '{kernel}': '{parameter.name}' has {dtype}, which kernels do not have")
        if argument is not None and is_array(argument) and argument.dtype != dtype:
            raise TypeError(f"kernel '{kernel}': '{parameter.name}' is {dtype}, the array has {argument.dtype}")
    return types


def c_type(parameter, types):
    return C_TYPES[(types[parameter.type] if parameter.is_open else parameter.dtype).name]


def dtype_of(parameter, types):
    return types[parameter.type] if parameter.is_open else parameter.dtype


def broadcast_shape(arguments, kernel):
    try:
        return np.broadcast_shapes(*(a.shape for a in arguments))
    except ValueError:
        shapes = " ".join(str(a.shape).replace(" ", "") for a in arguments)
        raise ValueError(f"kernel '{kernel}': operands could not be broadcast together with shapes {shapes}") from None


def broadcast_strides(argument, shape):
    """Bytes, 0 where an axis is broadcast."""
    missing = len(shape) - len(argument.shape)
    strides = [0 if extent == 1 else stride for extent, stride in zip(argument.shape, argument.strides)]
    return (0,) * missing + tuple(strides)


def is_contiguous(argument):
    expected = argument.dtype.itemsize
    for extent, stride in zip(argument.shape[::-1], argument.strides[::-1]):
        if extent != 1 and stride != expected:
            return False
        expected *= extent
    return True


def collapse(shape, strides):
    """Neighbouring axes that every array walks as one become one: (shape, strides of each array)."""
    axes = [k for k, extent in enumerate(shape) if extent != 1]
    merged = []  # [extent, strides]
    for axis in axes:
        steps = [s[axis] for s in strides]
        if merged and all(before == step * shape[axis] for before, step in zip(merged[-1][1], steps)):
            merged[-1] = [merged[-1][0] * shape[axis], steps]
        else:
            merged.append([shape[axis], steps])
    return tuple(m[0] for m in merged), [tuple(m[1][k] for m in merged) for k in range(len(strides))]


def layout_bytes(count, *lists):
    """npcc_layout and npcc_indexer as bytes: a count, then lists of one length each, at least 1."""
    numbers = [count]
    for values in lists:
        numbers += values or (0,)
    return struct.pack(f"{len(numbers)}q", *numbers)


def typedefs(parameters, types):
    """Headers for the types in use, and the placeholders as types."""
    names = {dtype_of(p, types).name for p in parameters}
    text = ""
    if "float16" in names:
        text += "#include <cuda_fp16.h>\ntypedef __half float16;\n"
    if names & {"complex64", "complex128"}:
        text += COMPLEX
    for letter in sorted({p.type for p in parameters if p.is_open}):
        text += f"typedef {C_TYPES[types[letter].name]} {letter};\n"
    return text


def as_scalar(value, dtype):
    """A number as the kernel takes it."""
    return value.astype(dtype) if isinstance(value, np.generic) else dtype.type(value)
