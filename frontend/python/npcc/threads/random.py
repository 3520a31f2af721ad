"""Random numbers for threads, by the names of numba.cuda.random: xoroshiro128+ (D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", 2018), whose
states are an array of records, one for each thread.

    states = create_xoroshiro128p_states(threads, seed=1)
    # in a kernel:  x = xoroshiro128p_uniform_float64(states, cuda.grid(1))

A thread's numbers are a subsequence of 2**64 numbers of one sequence, so that threads do not meet.
"""
import math

import numpy as np

from ..jit import jit
from .records import DeviceRecords

xoroshiro128p_dtype = np.dtype([("s0", np.uint64), ("s1", np.uint64)], align=True)
JUMP = (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922)  # of 2**64 steps


#---- Steps of one state, in threads and for the host's own array of states ----

def rotate(x, count):
    return (x << np.uint64(count)) | (x >> np.uint64(64 - count))


def step(s0, s1):
    """The next number and the state behind it."""
    mixed = s1 ^ s0
    return s0 + s1, rotate(s0, 55) ^ mixed ^ (mixed << np.uint64(14)), rotate(mixed, 36)


def seeded(seed):
    """A state of a seed, by splitmix64."""
    z = np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def jumped(s0, s1):
    """The state 2**64 numbers later."""
    t0, t1 = np.uint64(0), np.uint64(0)
    for word in JUMP:
        for bit in range(64):
            if np.uint64(word) & (np.uint64(1) << np.uint64(bit)) != np.uint64(0):
                t0 = t0 ^ s0
                t1 = t1 ^ s1
            _, s0, s1 = step(s0, s1)
    return t0, t1


@jit(target="cpu", fallback=False)
def _fill(states, seed, start):
    s0 = seeded(seed)
    s1 = s0
    for _ in range(start):
        s0, s1 = jumped(s0, s1)
    for k in range(states.shape[0]):
        states[k, 0] = s0
        states[k, 1] = s1
        s0, s1 = jumped(s0, s1)


def create_xoroshiro128p_states(n, seed, subsequence_start=0, stream=0):
    """States for n threads on the GPU. seed: an integer of 64 bits. subsequence_start: of the first thread's subsequence, for launches that go on where others ended."""
    from .. import cuda
    states = np.empty((n, 2), np.uint64)
    _fill(states, np.uint64(seed), subsequence_start)
    return DeviceRecords(cuda.to_device(states.view(np.uint8).reshape(n, 16), stream=stream), xoroshiro128p_dtype)


def init_xoroshiro128p_states(states, seed, subsequence_start=0, stream=0):
    """Fills an array of states on the GPU."""
    states.copy_to_device(create_xoroshiro128p_states(len(states), seed, subsequence_start, stream), stream=stream)


#---- In threads ----

def init_xoroshiro128p_state(states, index, seed):
    states[index].s0 = seeded(seed)
    states[index].s1 = states[index].s0


def xoroshiro128p_jump(states, index):
    state = states[index]
    state.s0, state.s1 = jumped(state.s0, state.s1)


def xoroshiro128p_next(states, index):
    """64 random bits, as a uint64."""
    state = states[index]
    bits, s0, s1 = step(state.s0, state.s1)
    state.s0 = s0
    state.s1 = s1
    return bits


def xoroshiro128p_uniform_float64(states, index):
    """From 0 up to 1, without it."""
    return np.float64(xoroshiro128p_next(states, index) >> np.uint64(11)) * np.float64(2.0**-53)


def xoroshiro128p_uniform_float32(states, index):
    return np.float32(xoroshiro128p_uniform_float64(states, index))


def xoroshiro128p_normal_float64(states, index):
    """Of the standard normal distribution, by G. Box and M. Muller's transformation; the second of its two numbers is not kept."""
    u1 = xoroshiro128p_uniform_float64(states, index)
    u2 = xoroshiro128p_uniform_float64(states, index)
    return np.sqrt(-2.0 * np.log(u1)) * np.cos(2 * math.pi * u2)


def xoroshiro128p_normal_float32(states, index):
    u1 = xoroshiro128p_uniform_float32(states, index)
    u2 = xoroshiro128p_uniform_float32(states, index)
    return np.sqrt(np.float32(-2) * np.log(u1)) * np.cos(np.float32(2 * math.pi) * u2)
