"""What threads have of cmath beside NumPy's functions: written with others. Nothing is raised there."""
import cmath
import math


def phase(x):
    return math.atan2(x.imag, x.real)


def log(x, base):
    return cmath.log(x) / cmath.log(base)
