"""How far a compiled function's floats may be from NumPy's, by dtype. Integers, booleans and moved data are equal bit for bit."""
import numpy as np

# Relative to the larger magnitude, or absolute where values cancel: elementwise functions are within a few ULP, reductions sum in another order.
TOLERANCES = {
    np.dtype(np.float16): (2e-3, 1e-3),
    np.dtype(np.float32): (2e-5, 1e-5),
    np.dtype(np.float64): (1e-12, 1e-12),
    np.dtype(np.complex64): (2e-5, 1e-5),
    np.dtype(np.complex128): (1e-12, 1e-12),
    "bfloat16": (8e-3, 8e-3),
}


def of(dtype):
    dtype = np.dtype(dtype)
    return TOLERANCES.get(dtype.name if dtype.kind == "V" else dtype, (0.0, 0.0))


def tolerance(dtype, inputs=()):
    """(relative, absolute) of a result; `inputs` are the arguments' dtypes: a float64 that was computed from float32 arrays is as exact
    as these."""
    if np.dtype(dtype).kind not in "fcV":  # bfloat16 is of kind V to NumPy
        return 0.0, 0.0
    return max(of(d) for d in (dtype, *inputs))
