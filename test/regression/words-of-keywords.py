# RUN: %python %s
"""Keywords that NumPy takes and compiled code had refused (signature=, casting=, like=, where= of clip, axis= of geomspace), and what it says of values
that are none of theirs."""
import linecache

import numpy as np

import npcc

CALLS = """
np.add(a, a, signature="ff->f"), np.matmul(a, a.T, signature=(None, None, np.float32)), np.less(a, 1, sig="ff->?"), np.frexp(a, signature="f->fi")
np.add(a, a, signature="d->d")
np.add(a, a, signature=5)
np.add(a, a, signature="dd->d", dtype=float)
np.add(a, i, signature="ii->i")
np.concatenate((a, a), casting="no"), np.stack((i, i), casting="safe"), np.hstack((a, i), dtype=np.int8, casting="unsafe"), np.vstack((a, i), casting="safe")
np.concatenate((a, i), casting="no")
np.concatenate((a, i), casting="any")
np.asarray(a, like=i), np.zeros(3, like=a), np.arange(3, like=a), np.require(a, like=i), np.frombuffer(a, like=a)
np.ones(2, like=3)
np.zeros(3, device="gpu")
np.clip(a, 1, 2, out=np.zeros((2, 3)), where=a > 2)
np.clip(a, 1, 2, dtype=int)
np.geomspace(a[1], 9, 4, axis=-1)
np.geomspace(1, 9, 4, axis=3)
np.linspace(0, 1, 5, axis=None)
np.gcd.reduce(-i, axis=1), np.gcd.reduce(-i[:, 1:2], axis=1), np.hypot.reduce(-a[:1], axis=0)
np.linalg.vector_norm(a, axis=1.0), np.floor_divide.reduce(i[0, 0], initial=2.5)
np.min(a[:0], axis=0, where=a[0] > 1)
np.sum(a, keepdims=np.True_)
np.any(a, keepdims=None)
np.max(a, keepdims=0.5)
np.argmax(a, keepdims=np.True_)
np.argmin(a, axis=(0, 1))
np.argmax(a, axis=(1,))
np.append(a, a, axis=1.0)
np.concatenate((a, a), axis=(0, 1))
np.repeat(a, 2, axis=0.5)
np.average(a, axis=1.0)
np.vecdot(a, a, axis=(1,))
np.einsum("ij,ij->i", a, i, casting="no")
np.einsum("ij,ij->i", a, a, casting="no"), np.einsum("ij,ij->i", a, i, out=np.zeros(2), casting="safe")
np.einsum("ij,ij->i", a, i, out=np.zeros(2, np.float32))
np.repeat(a, np.array(2.0), axis=0)
np.fft.fft(a, axis=None)
np.tensordot(a, a, axes=(0,))
np.fft.rfft2(a, s=3)
tuple(3)
np.linalg.matrix_power(a.T @ a, np.int8(2))
np.linalg.vecdot(a, a, axis=5)
np.trapezoid(a, axis=5)
np.trapezoid(a, axis=None)
np.add.reduce(a, casting="no")
np.maximum.reduce(a, order="F")
np.multiply.accumulate(a, keepdims=True)
np.gcd.accumulate(i, where=True)
np.add.reduceat(a, [0, 1], initial=1)
np.add.at(a, 0, 1, dtype=float)
np.add.outer(a, a, axis=0)
np.logical_and.reduce(a, initial=None), np.multiply.accumulate(a, axis=(1,)), np.add.reduceat(a, [0, 2], axis=(1,)), np.linalg.norm(a, keepdims=np.False_)
np.add.accumulate(a, axis=(0, 1))
np.hypot.reduceat(-a, [0, 1]), np.gcd.reduceat(-i, [0, 1, 2], axis=1), np.logical_xor.reduceat(a, [0])
np.piecewise(a, [a > 2], [lambda x, k: x * k, lambda x, k: k], 3), np.piecewise(a, [a > 2], [lambda x, k=1: x * k], k=4)
np.nanquantile(a, 0.3, keepdims=np.True_), a.clip(1, 2, dtype=np.float32), a.clip(1, 2, a, where=a > 3), a.clip(1, casting="no"), a.view(type=np.ndarray)
np.array(np.divmod(a, 2, order="F")[1].strides + np.degrees(a, order="F").strides)
np.divmod(a, 2, out=(a[::-1] * 1, np.ones((2, 3))), where=a > 2), np.modf(a / 2, a * 1, a * 3, where=[True, False, True])
np.modf(a, out=None)
np.tensordot(a, a, axes=((0,), (0,), ()))
np.rot90(a, axes=1)
np.einsum("ij->j", a, order=None), np.unravel_index(i[0], (3, 3), order=None)
(1, 2)["a"]
[1, 2][0.5]
"12"[0.5]
"""


def function_of(number, call):
    text, name = f"def call(a, i):\n    return {call}\n", f"<keywords {number}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    names = {"np": np}
    exec(compile(text, name, "exec"), names)
    return names["call"]


def known(value):
    return [known(one) for one in value] if isinstance(value, tuple) else (value.dtype, value.shape, np.round(value, 12).tolist())


def outcome(function):
    try:
        return known(function(np.arange(6.0).reshape(2, 3), np.arange(6).reshape(2, 3)))
    except Exception as error:  # NumPy's own errors of ufuncs are kinds of TypeError
        return "TypeError" if isinstance(error, TypeError) else type(error).__name__, str(error)


for number, call in enumerate(CALLS.strip().splitlines()):
    function = function_of(number, call)
    want, got = outcome(function), outcome(npcc.jit(function, target="cpu"))
    assert want == got, (call, want, got)
