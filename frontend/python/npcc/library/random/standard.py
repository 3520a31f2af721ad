"""Distributions without parameters, in float64 and float32."""

import numpy as np

from . import method
from .elements import drawn, drawn_into, real_dtype


@method("Generator")
def random(self, size=None, dtype=np.float64, out=None):
    return drawn_into(self, "random", real_dtype(dtype, "random"), size, out, ())


@method("Generator")
def standard_normal(self, size=None, dtype=np.float64, out=None):
    return drawn_into(self, "standard_normal", real_dtype(dtype, "standard_normal"), size, out, ())


@method("Generator")
def standard_exponential(self, size=None, dtype=np.float64, method="zig", out=None):
    name = "standard_exponential" if method == "zig" else "inverse_exponential"
    return drawn_into(self, name, real_dtype(dtype, "standard_exponential"), size, out, ())


@method("Generator")
def standard_gamma(self, shape, size=None, dtype=np.float64, out=None):
    return drawn_into(self, "standard_gamma", real_dtype(dtype, "standard_gamma"), size, out, (shape,))


@method("Generator", "RandomState")
def standard_cauchy(self, size=None):
    return drawn(self, "standard_cauchy", np.float64, size, ())
