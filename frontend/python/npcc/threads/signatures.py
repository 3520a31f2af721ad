"""Declared types of a kernel's parameters, as Numba writes them: "void(float32[:], int32)", (float32[:], int32), void(float32[:], int32)."""
import re

import numpy as np

from .. import _npcc
from ..types import RecordType, ScalarType, Signature, Type, dtype_of, type_text, void

OTHER_NAMES = {"boolean": "bool_", "intp": "int64", "uintp": "uint64", "long_": "int64", "double": "float64", "i1": "int8", "i2": "int16", "i4": "int32",
               "i8": "int64", "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64", "f2": "float16", "f4": "float32", "f8": "float64", "c8": "complex64",
               "c16": "complex128", "b1": "bool_", "float_": "float32", "int_": "int64", "uint": "uint64"}


def is_signature(value):
    """Whether it declares types: what is not a function to decorate."""
    if isinstance(value, (str, Signature)):
        return True
    if _is_of_numba(value):
        return True
    return isinstance(value, (tuple, list)) and all(isinstance(v, (str, Type, Signature, type, tuple)) or _is_of_numba(v) for v in value)


def _is_of_numba(value):
    """A type or signature of Numba's: programs may keep those."""
    return type(value).__module__.startswith("numba.core")


def alternatives(value):
    """The signatures in what a decorator was given: one, or a list of them; each a tuple of npcc's texts of types."""
    return [parse(one) for one in value] if isinstance(value, list) else [parse(value)]


def split(value):
    """(the result's type as text, or None; the parameters') of one signature."""
    if isinstance(value, (list, tuple)):
        return None, parse(tuple(value))
    returned = getattr(value, "return_type", None)
    if isinstance(value, str):
        returned = value.partition("(")[0].strip() or None
    if returned is None or str(returned) in ("void", "none", "npcc.void"):
        return None, parse(value)
    return parameter(returned), parse(value)


PLAIN = {"int": "int64", "float": "float64", "complex": "complex128", "bool": "bool_"}


def plain(types):
    """Types with Python's numbers as those of NumPy that they are in a kernel."""
    return tuple(PLAIN.get(text, text) if isinstance(text, str) else text for text in types)


def layout_of(value):
    """How a declared or given array lies: "C", "F" or "A"; None for what is no array."""
    if isinstance(value, (str, Type)) or _is_of_numba(value):
        return getattr(value, "layout", None)
    flags = getattr(value, "flags", None)
    if flags is None or not getattr(value, "ndim", 0):
        return None
    return "C" if flags["C_CONTIGUOUS"] else "F" if flags["F_CONTIGUOUS"] else "A"


def as_signature(sig):
    """A declaration with its result as types: those of Numba where it is written in them."""
    if hasattr(sig, "return_type"):
        return sig
    returned, types = split(sig)
    return Signature(void if returned is None else declared_type(returned), tuple(map(declared_type, types)))


def declared_type(text):
    """The type that npcc writes as this text."""
    name, bracket, axes = text.partition("[")
    scalar = ScalarType(name)
    return scalar[(slice(None),) * (axes.count(",") + 1)] if bracket else scalar


def ranks_of(signatures):
    """The numbers of axes of parameters, as the first signature declares them."""
    return [str(text).count(",") + 1 if "[" in str(text) else 0 for text in split(signatures[0])[1]]


def parse(value):
    if isinstance(value, Signature) or _is_of_numba(value):
        texts = value.args
    elif isinstance(value, tuple):
        texts = value
    else:
        match = re.fullmatch(r"\s*([\w.]*)\s*\((.*)\)\s*", value, re.DOTALL)
        if not match:
            raise ValueError(f"{value!r} is no signature: 'void(float32[:], int32)'")
        texts = re.split(r",(?![^\[]*\])", match.group(2)) if match.group(2).strip() else ()
    return tuple(parameter(text) for text in texts)


def parameter(value):
    if isinstance(value, RecordType):
        return value
    if _is_of_numba(value):
        element = dtype_of(getattr(value, "dtype", value))
        if element is not None and element.fields is not None:
            return RecordType(element, getattr(value, "ndim", 0))
    text = value if isinstance(value, str) else str(value) if _is_of_numba(value) else type_text(value)
    array = re.match(r"(?:unaligned )?(?:readonly )?array\((\w+), (\d+)d", text) if text else None
    if array:  # as Numba writes them
        text = f"{array[1]}[{','.join(':' * int(array[2]))}]"
    if text is None:
        raise TypeError(f"{value!r} is no type of a parameter")
    name, bracket, axes = text.strip().partition("[")
    name = name.strip().removeprefix("types.")
    name = OTHER_NAMES.get(name, name)
    if bracket:
        count = axes.count(",") + 1
        return _npcc.parse_signatures(f"f({name}[{','.join(':' * count)}])")[0][1][0]
    return _npcc.parse_signatures(f"f({name})")[0][1][0]


def type_of(value):
    """The text of the type of an argument, or of a declared type."""
    if isinstance(value, (str, Type)) or _is_of_numba(value):
        return parameter(value)
    found = _npcc.types_of((value,))[0]
    if found is None:
        raise TypeError(f"an argument of type {type(value).__name__} has no type of its own")
    return found


class Unfit(Exception):
    """An argument that a declared type does not take."""


def number(text, argument):
    """(the argument as a number of the declared type, how far that is from its own: 0 the same type, 1 one that holds all of its values, 2 another)."""
    dtype = np.dtype(PLAIN.get(text, text).removesuffix("_"))
    if hasattr(argument, "ndim") and argument.ndim or not isinstance(argument, (int, float, complex, np.generic)):
        raise Unfit
    own = argument.dtype if isinstance(argument, np.generic) else np.dtype(type(argument))
    if own.kind not in "biufc" or own.kind == "c" and dtype.kind != "c":
        raise Unfit
    kinds = "biufc"
    if kinds.index(np.min_scalar_type(argument).kind) > kinds.index(dtype.kind) and dtype.kind not in "iu":
        raise Unfit
    return dtype.type(np.asarray(argument).astype(dtype)), 0 if own == dtype else 1 if np.can_cast(own, dtype, "safe") else 2


def fit(types, arguments):
    """(the arguments as the parameters declare them, how far the numbers are from their own types); None if they are others."""
    if len(types) != len(arguments):
        return None
    fitted, distance = [], [0, 0, 0]
    for text, argument in zip(types, arguments):
        if isinstance(text, RecordType):
            if getattr(argument, "dtype", None) != text.dtype or getattr(argument, "ndim", 0) != text.ndim:
                return None
            fitted.append(argument)
            continue
        name, bracket, axes = text.partition("[")
        if not bracket:
            try:
                value, far = number(name, argument)
            except Unfit:
                return None
            fitted.append(value)
            distance[2 - far] += 1
            continue
        dtype, rank = np.dtype({"bool_": "bool"}.get(name, name)), axes.count(",") + 1
        if getattr(argument, "dtype", None) != dtype or getattr(argument, "ndim", None) != rank:
            if not hasattr(argument, "__cuda_array_interface__") or hasattr(argument, "dtype"):
                return None
        fitted.append(argument)
    return fitted, tuple(distance[:2])
