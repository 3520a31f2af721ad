# RUN: %python %s
"""Outputs whose shape or dtype does not fit: NumPy names the operands, in words of the kind of function; and outputs of take, clip and of two results."""
import linecache

import numpy as np

import npcc

CALLS = """
np.add(v, v, out=two)                np.add(m, 1, out=three)              np.add(m, v, out=m[:1])              np.sin(v, out=two)
np.add(v, [1, 2, 3], out=three)      np.add(v, 1, out=(three, three))     np.outer(v, v, out=m[:, :2])         np.outer(v, v, out=m)
np.sum(m, axis=0, out=two)  np.sum(m, axis=1, out=two)  np.sum(m, axis=0, out=two[:1])  np.sum(m, axis=1, keepdims=True, out=m.copy())
np.sum(m[:, :1], axis=1, out=two)    np.sum(m[:1], axis=1, out=two)       np.mean(m, axis=1, out=two)          np.std(m, axis=0, out=two)
np.max(m, axis=0, out=two)           np.any(m, axis=0, out=two)           np.ptp(m, axis=0, out=two)           np.nanmean(m, axis=0, out=two)
np.cumsum(v, out=two)  np.cumsum(i, out=two)  np.cumsum(m, axis=0, out=m[:2])  np.cumsum(m, axis=0, out=three)  np.cumsum(m, axis=1, out=m.copy())
np.argmax(m, axis=0, out=two)        np.argmax(m, axis=0, out=three)      np.argmin(m, axis=0, out=whole)      np.argmax(v, out=whole)
np.dot(v, v, out=two)                np.dot(m, v, out=three)              np.dot(m, m, out=m[:2].copy())       np.dot(m, m, out=m.T)
np.dot(i, i, out=three)              np.dot(2.0, v, out=two)              np.matmul(m, m, out=two)             np.matmul(m, m, out=three)
np.clip(v, m[0, :2], 1)              np.clip(v, 0, m)                     np.clip(v, 0, 1, out=two)            np.clip(i, 0, 1, dtype=np.float32)
np.clip(v, 0, None, out=three)       np.clip(i, 0.5, 2.0, out=three)      np.take(v, v)                        np.take(v, b)
np.take(v[:0], i)                    np.take(v[:0], [])                   np.take(m[:, :0], i, axis=1)         np.take(v, i, mode='clip', out=three)
np.take(v, i, out=two)               np.take(i, i, out=three)             np.take(v, i, out=whole)             np.compress(b, v, out=two)
np.compress(m, v)                    np.choose(i, (v, v[:2], 3))          np.choose(i, (v, v, v), out=three)   np.roll(m, (1, 2), axis=(0, 1, 1))
np.divmod(v, 2.0, out=(three, None))  np.divmod(v, 2.0, three, v)  np.divmod(v, 2.0, out=(three, two))  np.divmod(v, 2.0, out=three)
np.add(v, 1, ...)  np.add(v, 1, out=(...,))
np.modf(v, out=(None, three))  np.frexp(v, out=(three, whole))  np.sum(v, axis=1.0)  np.sort(m, axis=(0, 1))  np.unique(v, axis=0.0)
np.linspace(0, 1, 2.5)  np.searchsorted(v, v, sorter=m)
"""
ARGUMENTS = {"v": np.arange(3.0), "m": np.arange(9.0).reshape(3, 3), "i": np.array([0, 2, 1]), "b": np.array([True, False, True]), "two": np.zeros(2),
             "three": np.zeros(3), "whole": np.zeros(3, int)}


def outcome(function):
    try:
        results = function(*[a.copy() for a in ARGUMENTS.values()])
    except Exception as error:
        return "TypeError" if "Cannot cast ufunc" in str(error) else type(error).__name__, str(error)
    return [(np.asarray(a).dtype, np.asarray(a).tolist()) for a in (results if isinstance(results, tuple) else (results,))]


calls = [call.strip() for line in CALLS.strip().splitlines() for call in line.split("  ") if call.strip()]
assert len(calls) > 50
for number, call in enumerate(calls):
    text, name, names = f"def function({', '.join(ARGUMENTS)}):\n    return {call}\n", f"<call {number}>", {"np": np}
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    exec(compile(text, name, "exec"), names)
    expected, compiled = outcome(names["function"]), outcome(npcc.jit(names["function"], target="cpu"))
    assert compiled == expected, (call, expected, compiled)


def spread(v, i):
    chosen = np.choose([0], (1.0, v[:1].astype(np.float32)))
    size = np.asarray(np.size(v[:, None], axis=(0, 1)))
    return size, np.add(1, 2, out=...), np.divmod(5, 2, out=...)[1], np.add.reduce(i, out=...), np.negative(v, out=...), chosen


expected, results = (function(ARGUMENTS["v"], ARGUMENTS["i"]) for function in (spread, npcc.jit(spread, target="cpu")))
for one, other in zip(expected, results):
    assert type(one) is type(other) and one.dtype == other.dtype and np.array_equal(one, other), (one, other)
