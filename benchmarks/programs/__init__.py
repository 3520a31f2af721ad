"""Array programs, each one NumPy function. A module gives:

  run            the NumPy function; CuPy runs the same text with its own `np`, as does JAX unless `jax_run` says otherwise
  SIZES          keyword dictionaries by label: tiny (host overhead), quick, cpu, gpu (the published size)
  inputs         (size, fill) -> list of arguments; fill(shape, low, high, dtype) gives fresh random data
  floor          size -> (bytes that must move, floating-point operations): no right program does with less
  pick           (size, result) -> list of slices of the result that are checked after every timed call
  expected       (size, arguments) -> the same slices, computed by NumPy from the host's copies of the arguments
and where they differ: `jax_run(jax)`, `torch_run(torch)`, `numba_run(numba)` -> function; TOLERANCE (relative).
"""
import importlib

NAMES = ["heat", "flow", "saxpy", "row_norms", "dot", "matrix_chain", "black_scholes", "image", "monte_carlo_pi", "mandelbrot", "nbody",
         "conjugate_gradient", "transpose", "scan", "histogram", "softmax"]


def load(name):
    return importlib.import_module(f"{__name__}.{name}")
