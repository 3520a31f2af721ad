"""The example programs, with arguments: one row each."""
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import numpy as np

from inputs import uniform

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
import black_scholes, dot, flow, heat, image, mandelbrot, matrix_chain, monte_carlo_pi, row_norms  # noqa: E401, E402
import saxpy as saxpy_module  # noqa: E402


@dataclass
class Program:
    function: Callable
    inputs: Callable  # (size, dtype) -> arguments
    sizes: tuple
    dtypes: tuple = (np.float64, np.float32)
    scale: float = 1  # of the tolerance


def heat_inputs(n, dtype):
    return [uniform((n, n + 3), 0, 100, dtype), 0.2, 7]


def heat_between_inputs(n, dtype):
    u = uniform((n, n + 3), 0, 100, dtype)
    return [u, u.copy(), 0.2, 7 if n % 2 else 6]


def flow_inputs(n, dtype):
    return [uniform((n, n + 2), -1, 1, dtype, 1), uniform((n, n + 2), -1, 1, dtype, 2), 0.01, 0.1, 41]


def mandelbrot_inputs(n, dtype):
    x, y = np.linspace(-2, 0.5, n), np.linspace(-1.1, 1.2, n + 1)
    return [(x + 1j * y[:, None]).astype(dtype), 25]


def image_inputs(n, dtype):
    return [uniform((n, 3, 5, 8), 0, 255, dtype), np.arange(n) % 3 == 1]


def black_scholes_inputs(n, dtype):
    return [uniform(n, 50, 150, dtype, 1), uniform(n, 50, 150, dtype, 2), uniform(n, 0.1, 2, dtype, 3), 0.03, 0.25]


PROGRAMS = {
    "heat": Program(heat.diffuse, heat_inputs, (3, 4, 33, 200), scale=10),
    "heat between buffers": Program(heat.diffuse_between, heat_between_inputs, (3, 4, 33, 200), scale=10),
    "saxpy": Program(saxpy_module.saxpy, lambda n, dtype: [2.5, uniform(n, dtype=dtype), uniform(n, dtype=dtype, seed=1)], (0, 1, 7, 10_000)),
    "row norms": Program(row_norms.row_norms, lambda n, dtype: [uniform((n, 5, n + 1), -1, 1, dtype)], (0, 1, 9, 70)),
    "dot": Program(dot.dot, lambda n, dtype: [uniform(n, -1, 1, dtype), uniform(n, -1, 1, dtype, 1)], (0, 1, 1000, 100_003), scale=10),
    "Black-Scholes": Program(black_scholes.black_scholes, black_scholes_inputs, (0, 1, 1000), scale=100),
    "flow": Program(flow.flow, flow_inputs, (4, 33), scale=100),
    "matrix chain": Program(matrix_chain.matrix_chain, lambda n, dtype: [uniform((n, n + 1), dtype=dtype), uniform((n + 1, n + 2), dtype=dtype, seed=1),
                                                                        uniform((n, n + 2), dtype=dtype, seed=2)], (1, 5, 64), scale=100),
    "mandelbrot": Program(mandelbrot.mandelbrot, mandelbrot_inputs, (1, 30), (np.complex128, np.complex64)),
    "image": Program(image.normalise, image_inputs, (1, 7), scale=10),
    "Monte Carlo pi": Program(monte_carlo_pi.pi, lambda n, dtype: [uniform(n, dtype=dtype), uniform(n, dtype=dtype, seed=1)], (1, 1000, 100_003)),
}
