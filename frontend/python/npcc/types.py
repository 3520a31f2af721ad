"""Types for annotations: `def step(u: npcc.f64[:, :], k: float, n: int)`.

`npcc.f64` is a NumPy scalar, `npcc.f64[:, :]` an array, `npcc.f64[:, 1]` one whose last axis has extent 1 and broadcasts; Python's int, float, bool and complex are themselves. `A | B` accepts either.
"""
import types as python_types
import typing

import numpy as np

# By NumPy's names; the short ones are what people write in annotations.
SHORT_NAMES = {"bool_": "bool_", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16", "u32": "uint32",
               "u64": "uint64", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128"}
# Those that C and Numba have for the same types. Numba's of a letter and bytes ("f8") are not among them: there "i8" has 64 bits.
OTHER_NAMES = {"boolean": "bool_", "byte": "uint8", "char": "int8", "uchar": "uint8", "short": "int16", "ushort": "uint16", "intc": "int32", "uintc": "uint32",
               "int_": "int64", "uint": "uint64", "long_": "int64", "ulong": "uint64", "longlong": "int64", "ulonglong": "uint64", "intp": "int64",
               "uintp": "uint64", "ssize_t": "int64", "size_t": "uint64", "float_": "float32", "double": "float64"}


class Type:
    """A type of a parameter: `text` is how a declaration writes it."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return f"npcc.{self.text}"

    def __eq__(self, other):
        return isinstance(other, Type) and self.text == other.text

    def __hash__(self):
        return hash(self.text)

    def __or__(self, other):
        return Type(f"{self.text} or {type_text(other)}")

    def __ror__(self, other):
        return Type(f"{type_text(other)} or {self.text}")


class Signature:
    """Types of a result and of parameters: `void(f32[:], i32)`."""

    def __init__(self, return_type, args):
        self.return_type, self.args = return_type, tuple(args)

    def __repr__(self):
        return f"{self.return_type!r}({', '.join(map(repr, self.args))})"


class ScalarType(Type):
    """A NumPy scalar type; indexing it gives the arrays of it, calling it with types a signature, with a number a scalar."""

    @property
    def dtype(self):
        if self.text == "bfloat16":
            import ml_dtypes  # which has the dtype
            return np.dtype(ml_dtypes.bfloat16)
        return np.dtype(self.text.removesuffix("_"))

    def __call__(self, *values):
        if len(values) == 1 and not isinstance(values[0], (Type, type)):
            return self.dtype.type(values[0])
        return Signature(self, values)

    def __getitem__(self, axes):
        axes = axes if isinstance(axes, tuple) else (axes,)
        return Type(f"{self.text}[{','.join(map(axis_text, axes))}]") if axes else Type(f"{self.text}[()]")


def axis_text(axis):
    if axis in (slice(None), slice(None, None, 1)):
        return ":"
    if axis == 1:
        return "1"
    raise TypeError(f"an axis is written ':' (or '1' for one that broadcasts), not {axis!r}")


def type_text(annotation):
    """How a declaration writes an annotation; None if it is no type that npcc knows."""
    if isinstance(annotation, Type):
        return annotation.text
    if annotation in (int, float, bool, complex):
        return annotation.__name__
    if isinstance(annotation, str):
        return annotation
    if isinstance(annotation, type) and (issubclass(annotation, np.generic) or annotation.__name__ == "bfloat16"):
        name = np.dtype(annotation).name
        return "bool_" if name == "bool" else name
    if isinstance(annotation, python_types.UnionType) or typing.get_origin(annotation) is typing.Union:
        parts = [type_text(part) for part in typing.get_args(annotation)]
        return None if None in parts else " or ".join(parts)
    return None


class RecordType(Type):
    """Records of a structured dtype, or (`RecordType[:]`) arrays of them: what from_dtype gives for such dtypes."""

    def __init__(self, dtype, ndim=0):
        super().__init__(f"{dtype}{'[' + ','.join(':' * ndim) + ']' if ndim else ''}")
        self.dtype, self.ndim = dtype, ndim

    def __getitem__(self, axes):
        return RecordType(self.dtype, len(axes) if isinstance(axes, tuple) else 1)


def from_dtype(dtype):
    """The type of scalars of a dtype, for declarations: `from_dtype(np.dtype("f4"))[:]`, and of records. TypeError for a dtype that npcc does not know."""
    dtype = np.dtype(dtype)
    if dtype.fields is not None:
        return RecordType(dtype)
    name = "bool_" if dtype.kind == "b" else dtype.name
    if name not in SHORT_NAMES.values():
        raise TypeError(f"npcc has no type for dtype {dtype}")
    return ScalarType(name)


def dtype_of(value):
    """The dtype of what stands for one: a type of npcc's, or of Numba's, which programs may keep. None for anything else."""
    if isinstance(value, ScalarType) or isinstance(value, RecordType) and not value.ndim:
        return value.dtype
    if type(value).__module__.startswith("numba.core.types"):
        from numba.np.numpy_support import as_dtype
        try:
            return as_dtype(value)
        except NotImplementedError:
            return None
    return None


class VoidType(Type):
    """The result of a function that gives nothing."""

    def __call__(self, *parameters):
        return Signature(self, parameters)


void = VoidType("void")
scalars = {short: ScalarType(name) for short, name in SHORT_NAMES.items()}


def __getattr__(name):
    if name in scalars:
        return scalars[name]
    if name in OTHER_NAMES or name in SHORT_NAMES.values():
        return ScalarType(OTHER_NAMES.get(name, name))
    if name == "none":
        return void
    raise AttributeError(f"module 'npcc.types' has no attribute {name!r}")
