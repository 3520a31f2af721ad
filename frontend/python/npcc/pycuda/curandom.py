"""pycuda.curandom: random numbers on the GPU. They are the numbers of NumPy's generators, not of cuRAND's: drawn from the same distributions."""
import numpy as np

from ..jit import jit
from ..streams import stream as _use
from .gpuarray import empty, to_gpu


@jit(target="cuda")
def _uniform(generator, out):
    out[:] = generator.random(out.size, dtype=out.dtype)


@jit(target="cuda")
def _bits32(generator, out):
    out[:] = generator.integers(0, 2**32, out.size, dtype=np.uint32)


@jit(target="cuda")
def _bits64(generator, out):
    out[:] = generator.integers(0, 2**64, out.size, dtype=np.uint64)


@jit(target="cuda")
def _normal(generator, out):
    out[:] = generator.standard_normal(out.size, dtype=out.dtype)


@jit(target="cuda")
def _exponential_of(out, mean, deviation):
    out[:] = np.exp(out * deviation + mean)


@jit(target="cuda")
def _poisson(generator, out, mean):
    out[:] = generator.poisson(mean, out.size)


_UNIFORM = {np.dtype(np.float32): _uniform, np.dtype(np.float64): _uniform, np.dtype(np.uint32): _bits32, np.dtype(np.int32): _bits32,
            np.dtype(np.uint64): _bits64, np.dtype(np.int64): _bits64}
_NORMAL = {np.dtype(np.float32): _normal, np.dtype(np.float64): _normal}
_UNSIGNED = {np.dtype(np.int32): np.uint32, np.dtype(np.int64): np.uint64}


def _fill(draw, generator, data, *rest, stream=None):
    array = data.array.reshape(data.size)
    array = array.view(_UNSIGNED.get(array.dtype, array.dtype)) if draw in (_bits32, _bits64) else array
    if stream is None:
        draw(generator, array, *rest)
    else:
        with _use(stream):
            draw(generator, array, *rest)


def seed_getter_uniform(count):
    """The same random seed for all."""
    return to_gpu(np.full(count, np.random.default_rng().integers(0, 2**31), np.int32))


def seed_getter_unique(count):
    """A random seed for each."""
    return to_gpu(np.random.default_rng().integers(0, 2**31, count).astype(np.int32))


class _Generator:
    """`gen_uniform(shape, dtype)`, `gen_normal`, `gen_log_normal`, `gen_poisson` give new arrays, `fill_uniform(data)`, `fill_normal` fill one. Uniform are float32 and float64
    in [0, 1), and integers of 32 and 64 bits over all of their values. seed_getter: (count) -> that many seeds, of which the generator is made. TypeError
    for another dtype."""
    bits = np.random.PCG64

    def __init__(self, seed_getter=None, offset=0):
        seed = None if seed_getter is None else seed_getter(16).get().astype(np.uint32).tolist()
        self._generator = np.random.Generator(self.bits(seed))
        if offset:
            self._generator.bit_generator.advance(offset)

    def _draw(self, functions, data, what, stream):
        if data.dtype not in functions:
            raise TypeError(f"{what} numbers are no {data.dtype}")
        _fill(functions[data.dtype], self._generator, data, stream=stream)
        return data

    def fill_uniform(self, data, stream=None):
        self._draw(_UNIFORM, data, "uniform", stream)

    def fill_normal(self, data, stream=None):
        self._draw(_NORMAL, data, "normal", stream)

    def gen_uniform(self, shape, dtype, stream=None):
        return self._draw(_UNIFORM, empty(shape, dtype), "uniform", stream)

    def gen_normal(self, shape, dtype, stream=None):
        return self._draw(_NORMAL, empty(shape, dtype), "normal", stream)

    def gen_log_normal(self, shape, dtype, log_mean, log_stddev, stream=None):
        """exp of normal numbers of that mean and standard deviation."""
        data = self.gen_normal(shape, dtype, stream)
        number = np.dtype(dtype).type
        _exponential_of(data.array, number(log_mean), number(log_stddev))
        return data

    def gen_poisson(self, shape, dtype, lambda_value, stream=None):
        data = empty(shape, dtype)
        _fill(_poisson, self._generator, data, float(lambda_value), stream=stream)
        return data


class XORWOWRandomNumberGenerator(_Generator):
    __doc__ = _Generator.__doc__


class MRG32k3aRandomNumberGenerator(_Generator):
    __doc__ = _Generator.__doc__


class Philox4_32_10RandomNumberGenerator(_Generator):
    __doc__ = _Generator.__doc__
    bits = np.random.Philox


_default = None


def rand(shape, dtype=np.float32, stream=None):
    """Uniform numbers in [0, 1), float32 or float64, or integers over all of their values."""
    global _default
    _default = _default or XORWOWRandomNumberGenerator()
    return _default.gen_uniform(shape, dtype, stream)


__all__ = ["rand", "seed_getter_uniform", "seed_getter_unique", "XORWOWRandomNumberGenerator", "MRG32k3aRandomNumberGenerator",
           "Philox4_32_10RandomNumberGenerator"]
