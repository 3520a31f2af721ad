"""Short vectors of CUDA, as threads make them: `cuda.float32x4(x, y, z, w)` (also `float4`), of numbers or of shorter vectors; fields x, y, z, w."""
from collections import namedtuple

import numpy as np

OTHER_NAMES = {"int8": "char", "uint8": "uchar", "int16": "short", "uint16": "ushort", "int32": "int", "uint32": "uint", "int64": "longlong",
               "uint64": "ulonglong", "float32": "float", "float64": "double"}


def _make(name, count):
    vector = namedtuple(f"{name}x{count}", list("xyzw"[:count]))
    vector.vector_dtype = np.dtype(name)
    vector.__module__ = __name__
    return vector


VECTORS = {f"{name}x{count}": _make(name, count) for name in OTHER_NAMES for count in (1, 2, 3, 4)}
VECTORS |= {f"{other}{count}": VECTORS[f"{name}x{count}"] for name, other in OTHER_NAMES.items() for count in (1, 2, 3, 4)}
VECTORS |= {f"{other}{count}": VECTORS[f"{name}x{count}"] for other, name in (("long", "int64"), ("ulong", "uint64")) for count in (1, 2, 3, 4)}
globals().update(VECTORS)
__all__ = list(VECTORS)
