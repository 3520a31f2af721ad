# RUN: %python %s
"""NumPy's functions in compiled code give what NumPy gives: value, dtype, shape and kind of result.

Each row is a function: its arguments (names of ARRAYS, bound to a, b, c) and what it returns.
"""

import importlib.util
import os
import tempfile
import unittest
import warnings

import numpy as np

import npcc

rng = np.random.default_rng(0)
A, B = rng.random((4, 5)), rng.random((4, 5))
ARRAYS = {
    "A": A, "B": B, "F": A.astype("f4"), "C": A + 1j * B, "P": A > 0.1, "N": np.where(A > 0.9, np.nan, A),
    "I": rng.integers(0, 9, (4, 5)), "J": rng.integers(-100, 100, (4, 5)).astype("i1"),
    "U": rng.integers(0, 200, (4, 5)).astype("u1"), "L": rng.integers(0, 9, (4, 5)).astype("u8"),
    "V": rng.random(6), "W": rng.random(6), "V4": rng.random(4), "V5": rng.random(5), "X": np.array([0.0, 1, 3, 4, 7]), "Y": rng.random(3),
    "Z": rng.integers(0, 9, 6), "K": rng.random((2, 3)), "M": rng.random((4, 3)), "Q": rng.random((4, 3)), "R": rng.random((3, 3)),
    "S": rng.random((4, 4)), "T": rng.random((3, 3, 3)), "n": 5,
}

ROWS = r"""
A     | np.mean(a)
A     | np.mean(a, axis=1, keepdims=True)
I     | a.mean(axis=0)
F     | a.mean()
A     | np.var(a, axis=0, ddof=1)
C     | np.var(a)
F     | a.std(axis=(0, 1))
A B   | np.average(a, axis=0, weights=b)
A V4  | np.average(a, axis=0, weights=b)
A     | np.ptp(a, axis=1)
A     | np.cov(a)
N     | np.nansum(a, axis=0)
N     | np.nanmean(a, axis=1)
N     | np.nanvar(a, axis=1)
N     | np.nanstd(a)
N     | np.nanmax(a, axis=1)
N     | np.nanmin(a)
N     | np.nanprod(a)
N     | np.nancumsum(a, axis=1)
A B   | np.concatenate((a, b), axis=1)
A I   | np.concatenate([a, b])
A B   | np.concatenate((a, b), axis=None)
A B   | np.stack((a, b), axis=1)
V W   | np.vstack((a, b))
V W   | np.hstack((a, b, 1.0))
A B   | np.dstack((a, b))
V W   | np.column_stack((a, b))
V W   | np.append(a, b)
n     | np.linspace(0, 1, a)
V     | np.linspace(a[0], 3, 7, endpoint=False)
V     | np.linspace(0, 10, 5, dtype=np.int64)
V     | np.linspace(0, a[1], 5, retstep=True)
V     | np.logspace(0, 2, 5)
V     | np.geomspace(1, 1000, 4)
V W   | np.meshgrid(a, b)
V W   | np.meshgrid(a, b, indexing='ij', sparse=True)
n     | np.indices((a, 3))
n     | np.fromfunction(lambda i, j: i * 10 + j, (a, 3))
n     | np.tri(a, k=1)
V     | np.vander(a, 3)
A     | np.gradient(a)
V     | np.gradient(a, 0.5)
A     | np.gradient(a, 0.5, 2.0, edge_order=2)
X     | np.gradient(a * a, a)
A     | np.diff(a)
A     | np.diff(a, 2, axis=0)
V     | np.diff(a, prepend=0)
V     | np.ediff1d(a)
A     | np.trapezoid(a, axis=0)
X     | np.trapezoid(a * a, a)
A     | np.round(a, 2)
A     | a.round()
I     | np.round(a)
A     | np.deg2rad(a) + np.rad2deg(a) + np.radians(a)
I     | np.degrees(a)
I     | np.float_power(a, 2)
A     | np.heaviside(a - 0.5, 0.5)
A B   | np.logaddexp(a, b)
A B   | np.divmod(a, b)
A     | np.modf(a * 10)
A     | np.fix(a * 10 - 5)
A     | np.sinc(a)
C     | np.angle(a)
A     | np.angle(a, deg=True)
C     | np.real(a) + np.imag(a)
A     | np.polyval([1.0, 2.0, 3.0], a)
V A   | np.polyval(a, b)
A     | np.select([a < 0.3, a < 0.6], [a, a * 2], 0.0)
V W   | np.outer(a, b)
A K   | np.kron(a, b)
A B   | np.tensordot(a, b, axes=((0, 1), (0, 1)))
A B   | np.tensordot(a, b.T, axes=1)
A B   | np.vecdot(a, b)
A     | np.linalg.norm(a)
A     | np.linalg.norm(a, axis=1)
A     | np.linalg.norm(a, np.inf)
V     | np.linalg.norm(a, 3)
A     | np.linalg.norm(a, 1, axis=0)
M Q   | np.cross(a, b)
S     | np.linalg.matrix_power(a, 3)
A     | np.roll(a, 2)
A     | np.roll(a, -1, axis=1)
A     | np.roll(a, (1, 2), axis=(0, 1))
A     | np.tile(a, (2, 3))
V     | np.tile(a, 2)
A     | np.repeat(a, 3, axis=0)
A     | np.repeat(a, 2)
A     | np.rot90(a)
A     | np.rot90(a, 3)
A     | np.clip(a, 0.2, 0.5)
A     | a.clip(min=0.2)
A     | np.clip(a, None, 0.5)
S     | np.tril(a, -1)
S     | np.triu(a)
A     | np.diagonal(a)
A     | np.diagonal(a, 1)
V     | np.diag(a)
V     | np.diag(a, -2)
S     | np.diag(a)
A     | np.matrix_transpose(a)
A B   | np.isclose(a, b, rtol=0.5)
A     | np.allclose(a, a)
A B   | np.array_equal(a, b)
A I   | np.array_equal(a, a)
N     | np.nan_to_num(a)
V W   | np.convolve(a, b)
X V   | np.convolve(a, b, 'same')
X W   | np.convolve(a, b, mode='valid')
V X   | np.interp(a * 5, b, b * b)
A     | np.fliplr(a) + np.flip(a, 1)
A     | np.flipud(a)
I     | np.sum(a, axis=(0, -1))
U     | np.sum(a)
P     | np.prod(a)
A     | np.sum(a, axis=1, keepdims=True)
F     | np.sum(a, dtype=np.float64)
A     | a.max(axis=0)
A     | a.min()
P     | np.any(a), np.all(a)
A     | np.argmax(a), a.argmin(axis=1)
I     | np.count_nonzero(a), np.count_nonzero(a, axis=0)
I     | np.cumsum(a), np.cumsum(a, axis=1), np.cumprod(a, axis=0)
n     | np.zeros((a, 3)), np.ones(a, dtype=np.int32), np.full((a,), 7), np.zeros(a, dtype=bool)
A     | np.zeros_like(a), np.ones_like(a, dtype=int), np.full_like(a, 3)
n     | np.arange(a), np.arange(1, a, 2), np.arange(0.0, 1.0, 0.1), np.arange(a, 0, -1), np.arange(5, dtype=np.float32)
n     | np.eye(a), np.identity(a), np.eye(a, 4, k=1, dtype=np.int64)
V     | np.array([1, 2, 3]), np.array([[a[0], 2.0], [3, a[1]]])
A B   | np.where(a > b, a, b), np.where(a > 0.5, 1, 0)
A     | np.take(a, [0, 2], axis=1)
A     | np.compress([True, False, True], a, axis=1)
A     | np.extract(a > 0, a)
A B   | a @ b.T
A V5  | a @ b
V4 A  | a @ b
V V   | np.dot(a, a), np.vdot(a, a), np.inner(a, a)
I I   | np.dot(a.T, b)
F A   | np.dot(a, b.T)
T T   | np.matmul(a, b)
S     | np.trace(a), a.trace()
A     | a.reshape(5, 4), a.reshape(-1), np.reshape(a, (2, -1)), a.ravel(), a.flatten()
T     | a.transpose(2, 0, 1), np.swapaxes(a, 0, 2), np.moveaxis(a, 0, -1), a.T
V     | np.expand_dims(a, 0), np.atleast_2d(a), np.squeeze(a.reshape(1, 6), axis=0)
V     | np.broadcast_to(a, (3, 6))
A     | a.astype(np.float32), a.astype('i4'), a.astype(int)
A     | a.shape[0] * a.ndim + a.size + a.nbytes + a.itemsize
C     | a.real, a.imag, np.conj(a), np.abs(a)
A     | a.item(0), a[1, 2].item()
A B   | np.add.reduce(a), np.maximum.reduce(a, axis=1), np.add.accumulate(b, axis=1), np.multiply.outer(a[0], b[0])
A B   | np.add(a, b, out=np.empty_like(a)), np.sqrt(a, where=a > 0.5, out=np.zeros_like(a))
I     | np.isnan(a), np.isfinite(a), np.signbit(a), np.floor(a), np.abs(a), np.conj(a)
n     | np.float32(a), np.int64(3.7), np.float64(1) / 3
U J   | a + 1, a * b, a / b, a // (b + 1), np.power(b, 2), a << 1
J L   | a > 200, b > -1, a < 300
I L   | a < b, a == b, a >= b
Z     | np.bincount(a)
Z V   | np.bincount(a, weights=b, minlength=12)
X V   | np.searchsorted(a, b * 8)
X V   | np.searchsorted(a, b * 8, side='right')
X     | np.searchsorted(a, 3.0)
V X   | np.digitize(a * 8, b)
A     | np.histogram(a)
A     | np.histogram(a, bins=4, range=(0.2, 0.8))
V X   | np.histogram(a * 5, bins=b)
A     | np.histogram(a, bins=5, density=True)
I     | np.histogram(a, 3)
A     | np.pad(a, 1)
A     | np.pad(a, ((1, 2), (0, 3)), constant_values=7)
A     | np.pad(a, (1, 2), mode='edge')
A     | np.pad(a, 3, mode='reflect')
V     | np.pad(a, (2, 9), mode='symmetric')
V     | np.pad(a, 4, mode='wrap')
V     | np.delete(a, 2)
A     | np.delete(a, -1, axis=0)
V     | np.insert(a, 2, 9.0)
A     | np.insert(a, 1, 7, axis=1)
V     | np.split(a, 3)[1]
A     | np.array_split(a, 2, axis=1)[0]
V     | np.hsplit(a, [2, 4])[2]
A     | a[np.ix_([0, 2], [1, 3])]
A B   | np.einsum('ij,ij->', a, b)
A B   | np.einsum('ij,kj->ik', a, b)
S     | np.einsum('ii', a)
S     | np.einsum('ii->i', a)
T T   | np.einsum('bij,bjk->bik', a, b)
V V   | np.einsum('i,j', a, b)
A     | np.einsum('ij->j', a)
T R   | np.einsum('ijk,kl->jil', a, b)
I I   | np.einsum('ij,ij->i', a, b)
A     | np.corrcoef(a)
X Y   | np.correlate(a, b)
Y X   | np.correlate(a, b, 'full')
V     | np.piecewise(a, [a < 0.3, a > 0.6], [-1, lambda t: t * 2])
C     | np.nan_to_num(a)
V X   | np.interp(a * 9 - 1, b, b * b, left=-1.0)
X     | np.interp(2.5, a, a * a)
A B   | np.logaddexp(a, b)
F     | np.round(a, 1)
V     | np.repeat(a, 2, axis=0)
A     | a.sum(0), a.mean(1), a.std(0), a.var()
A     | a.round(1), a.clip(0.1, 0.5), a.cumsum(0), a.repeat(2), a.diagonal(), a.take([1]), a.conj()
V Z   | np.add.at(a, b % 6, 1.0); return a
V Z W | np.add.at(a, b % 6, c); return a
V Z W | np.maximum.at(a, b % 6, c); return a
A     | np.put(a, [0, 7, -1], [1.0, 2.0]); return a
V     | np.put(a, [0, 3], 9); return a
S     | np.fill_diagonal(a, 0); return a
A B   | np.copyto(a, b, where=a > 0.5); return a
A     | np.copyto(a, 3); return a
"""

ERRORS = r"""
A B | np.concatenate((a, b[:3]), axis=1)
A B | np.stack((a, b[:3]))
A B | a @ b
V W | a + b[:4]
V W | np.dot(a, b[:4])
A   | np.max(a[:0])
A   | a.reshape(7, 2)
n   | np.linspace(0, 1, a - 6)
n   | np.zeros(a - 6)
V   | np.average(a, weights=a * 0)
Z   | np.bincount(a - 9)
A   | np.split(a, 3)[0]
A B | np.dot(a, b)
A V | np.dot(a, b)
n V | np.repeat(b, a - 6)
V   | np.interp(1.0, a, a[:2])
V   | np.gradient(a[:1])
A   | np.squeeze(a, axis=0)
"""


def table(text):
    return [[part.strip() for part in line.split("|", 1)] for line in text.strip().splitlines()]


def functions(rows, folder):
    """A module of one function a row: their source must lie in a file."""
    path = os.path.join(folder, "rows.py")
    with open(path, "w") as file:
        file.write("import numpy as np\n")
        for k, (names, body) in enumerate(rows):
            parameters = ", ".join("abc"[:len(names.split())])
            lines = body.split("; ") if "; return" in body else ["return " + body]
            file.write(f"def row{k}({parameters}):\n" + "".join(f"    {line}\n" for line in lines))
    spec = importlib.util.spec_from_file_location("rows", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [getattr(module, f"row{k}") for k in range(len(rows))]


def arguments(names):
    return [ARRAYS[name].copy() if name != "n" else ARRAYS[name] for name in names.split()]


def listed(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]


class Functions(unittest.TestCase):
    def setUp(self):
        filters = warnings.catch_warnings()
        filters.__enter__()
        self.addCleanup(filters.__exit__, None, None, None)
        warnings.simplefilter("ignore")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_results(self):
        rows = table(ROWS)
        for (names, body), function in zip(rows, functions(rows, self.folder)):
            with self.subTest(body):
                want = listed(function(*arguments(names)))
                have = listed(npcc.jit(function)(*arguments(names)))
                self.assertEqual([(type(x), np.asarray(x).dtype, np.shape(x)) for x in want], [(type(x), np.asarray(x).dtype, np.shape(x)) for x in have])
                for x, y in zip(want, have):
                    np.testing.assert_allclose(y, x, rtol=1e-5 if np.asarray(x).dtype == np.float32 else 1e-10, atol=1e-12)

    def test_errors(self):
        rows = table(ERRORS)
        for (names, body), function in zip(rows, functions(rows, self.folder)):
            with self.subTest(body):
                with self.assertRaises(Exception) as want:
                    function(*arguments(names))
                with self.assertRaises(type(want.exception)) as have:
                    npcc.jit(function)(*arguments(names))
                self.assertEqual(str(want.exception), str(have.exception))


if __name__ == "__main__":
    unittest.main()
