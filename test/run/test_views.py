"""Every function that NumPy documents to give a view: the same elements as the array's, before and after stores into either, the same right to store, and
the same memory when it is returned. And functions that give copies: theirs are copies."""
import unittest

import numpy as np

import lines
import npcc
from harness import TARGET, Outcome, copies, jit

# The array's name in ARRAYS, and the view.
VIEWS = """
A | a[1:]
A | a[::-1, ::2]
A | a[:, 1]
A | a[...]
A | a[None]
V | a[2:3]
A | a.T
T | a.mT
A | np.transpose(a)
T | np.transpose(a, (1, 2, 0))
T | a.transpose(2, 0, 1)
T | np.permute_dims(a, (2, 1, 0))
T | np.swapaxes(a, 0, 2)
T | a.swapaxes(0, 1)
T | np.moveaxis(a, 0, -1)
T | np.rollaxis(a, 2)
T | np.matrix_transpose(a)
T | np.linalg.matrix_transpose(a)
A | np.expand_dims(a, (0, 2))
L | np.squeeze(a)
L | np.squeeze(a, axis=0)
L | a.squeeze(axis=2)
A | np.squeeze(a)
V | np.atleast_1d(a)
V | np.atleast_2d(a)
V | np.atleast_3d(a)
A | np.atleast_3d(a)
V | np.flip(a)
A | np.flip(a, 1)
A | np.fliplr(a)
A | np.flipud(a)
A | np.rot90(a)
A | np.rot90(a, 2)
A | np.rot90(a, 4)
A | np.reshape(a, (5, 4))
A | a.reshape(-1)
A | a.reshape(2, 2, 5)
A | a.reshape(5, 4, order='F')
A | a.T.reshape(5, 4)
A | np.ravel(a)
A | a.ravel()
A | a.ravel('F')
A | a.T.ravel('F')
A | np.asarray(a)
A | np.asanyarray(a)
A | np.asarray(a, order='F')
A | np.array(a, copy=None)
A | np.array(a, copy=False)
A | np.ascontiguousarray(a)
A | np.asfortranarray(a.T)
A | np.array(a, copy=False, ndmin=3)
A | a.astype(float, copy=False)
A | a.view()
C | a.real
C | a.imag
D | a.imag
C | np.real(a)
C | np.imag(a)
C | a.real[1:, ::2]
C | a[::2].imag.T
C | a.imag.reshape(-1)
A | a.real
A | np.real(a)
A | a.imag
S | np.diagonal(a)
A | np.diagonal(a, 1)
A | np.diagonal(a, -2)
A | np.diagonal(a, 9)
T | np.diagonal(a, 0, 0, 2)
T | np.diagonal(a, 1, 2, 1)
S | a.diagonal()
S | np.diagonal(a)[1:]
S | np.diagonal(a).reshape(2, 2)
A | np.diag(a, 1)
T | np.linalg.diagonal(a)
C | np.diagonal(a).real
A | np.broadcast_to(a, (3, 4, 5))
A | np.broadcast_to(a, (3, 4, 5))[1]
V | np.broadcast_to(a, (6,))
S | np.einsum('ii->i', a)
T | np.einsum('iji->ij', a)
A | np.einsum('ij->ji', a)
A | np.einsum('ij', a)
A | np.einsum('ji', a)
A | np.split(a, 2)[1]
A | np.array_split(a, 3)[0]
A | np.hsplit(a, [2])[1]
A | np.vsplit(a, 2)[0]
T | np.dsplit(a, 3)[1]
A | np.unstack(a)[1]
V | np.ix_(a.astype(int), a.astype(int))[0]
I | np.ix_(a, a)[1]
V | np.diff(a, n=0)
V | np.trim_zeros(a)
V | np.lib.stride_tricks.sliding_window_view(a, 3)
V | np.broadcast_arrays(a, np.zeros((2, 6)))[0]
V | np.broadcast_arrays(a, np.zeros(6))[0]
V | np.meshgrid(a, a, copy=False)[0]
V | np.meshgrid(a, a, copy=False)[1]
V | np.lib.stride_tricks.sliding_window_view(a, 3, writeable=True)
V | np.meshgrid(a, a, sparse=True, copy=False)[0]
V | a.view('i8')
V | a.view('i4')
A | a.view(np.uint16)
A | a[1:].view('i4')[:, 1::2]
S | a[:, :2].view('c16')
A | a[:, 1:3].view('i4')
A | a.view('i4').view('f8')
A | a.T.view('u8')
C | a.view('f8')
C | a.view(float)[..., ::2].T
D | a.view('i2')
O | a.view('u8')
V | np.frombuffer(a, 'i4', 3, 8)
V | np.frombuffer(a, np.uint8)
O | a[...]
O | np.atleast_1d(a)
O | a.reshape(1)
"""

COPIES = """
A | np.copy(a)
A | a.copy()
A | np.array(a)
A | np.asarray(a, copy=True)
A | a.flatten()
V | a.flatten()
A | a.astype(float)
A | np.take(a, 1, axis=0)
A | np.take(a, [1], axis=0)
A | a.take(0, axis=1)
A | a[[0, 1]]
A | a[a > -1e9]
A | np.repeat(a, 1, axis=0)
A | np.tile(a, 1)
A | np.roll(a, 0)
A | np.concatenate((a,))
A | np.stack((a,))
A | np.vstack((a,))
A | np.sort(a)
V | np.sort(a)
A | np.where(True, a, 0)
A | np.clip(a, None, 1e9)
A | np.nan_to_num(a)
A | np.round(a)
A | np.compress([True], a, axis=0)
A | np.extract(True, a)
A | np.pad(a, 0)
A | np.delete(a, 0, axis=0)
A | np.tril(a)
V | np.diag(a)
V | np.diagflat(a)
V | np.unique(a)
A | np.positive(a)
A | np.conjugate(a)
A | np.diff(a, axis=0)
A | np.einsum('ij->i', np.floor(a * 9))
A | np.einsum('ij,j->ij', a, np.ones(5))
A | np.broadcast_to(a, (3, 4, 5)).copy()
V | np.meshgrid(a, a)[0]
A | a.T.copy()
A | np.sum(a, axis=())
A | np.max(a, axis=())
A | np.cumsum(a, axis=0)
A | a.reshape(20, copy=True)
A | np.flatnonzero(a)
A | np.matmul(a, np.eye(5))
"""

# Views that Python makes. What it gives of a device's array is an array of its own where it is a result.
OF_PYTHON = """
A | np.unstack(a)[1]
"""

# Whether these are views, or errors, depends on how the array lies. Arrays come to a device without gaps and in C order, and there these are views of what came
# (docs/design.md, "What is not there yet").
BY_LAYOUT = """
A | np.reshape(a, (5, 4))
A | a.reshape(-1)
A | a.reshape(5, 4, order='F')
A | np.ravel(a)
A | a.ravel()
A | a.ravel('F')
A | a.T.ravel('F')
A | np.asarray(a, order='F')
A | np.ascontiguousarray(a)
A | np.asfortranarray(a.T)
C | a.imag.reshape(-1)
V | a.view('i4')
V | a.view('i8')
A | a.view(np.uint16)
A | a.T.view('u8')
A | a[1:].view('i4')[:, 1::2]
S | a[:, :2].view('c16')
A | a[:, 1:3].view('i4')
A | a.view('i4').view('f8')
C | a.view('f8')
C | a.view(float)[..., ::2].T
D | a.view('i2')
V | np.frombuffer(a, 'i4', 3, 8)
V | np.frombuffer(a, np.uint8)
"""

# An element has several places in these: where all of them get one number, nothing keeps their order, and the target that looks for races says so.
OVERLAPPING = """
V | np.broadcast_arrays(a, np.zeros((2, 6)))[0]
V | np.meshgrid(a, a, copy=False)[0]
V | np.meshgrid(a, a, copy=False)[1]
V | np.lib.stride_tricks.sliding_window_view(a, 3, writeable=True)
"""

rng = np.random.default_rng(0)
ARRAYS = {"V": rng.random(6), "A": rng.random((4, 5)), "S": rng.random((4, 4)), "T": rng.random((3, 3, 3)), "L": rng.random((1, 4, 1)), "O": np.array(2.5),
          "C": rng.random((3, 4)) + 1j, "D": (rng.random((3, 4)) + 2j).astype("c8"), "I": np.arange(5)}


def rows(text):
    return [tuple(part.strip() for part in line.split("|")) for line in text.strip().splitlines()]


def given(array):
    """As it is, with strides that are nobody's, transposed, and without the right to store."""
    wide = np.zeros(tuple(2 * n for n in array.shape), array.dtype)
    strided = wide[tuple(slice(None, None, 2) for _ in array.shape)]
    strided = strided if array.ndim else array
    strided[...] = array
    locked = array.copy()
    locked.flags.writeable = False
    return [array, strided, np.asfortranarray(array), locked]


RETURNED = "{view}"


class Views(unittest.TestCase):
    def compare(self, function, compiled, array):
        """Everything that shows of the results and the array afterwards."""
        runs = []
        for call in (function, compiled):
            arguments = copies([array])
            outcome = Outcome(call, arguments)
            results = outcome.value if isinstance(outcome.value, tuple) else (outcome.value,)
            seen = [(r.dtype, r.shape, r.tolist(), "writeable" if r.flags.writeable else "read-only", np.shares_memory(r, arguments[0]))
                    if isinstance(r, np.ndarray) else repr(r) for r in results]
            runs.append((outcome.error, seen, arguments[0].tolist()))
        (error, seen, after), (own_error, own_seen, own_after) = runs
        if isinstance(own_error, npcc.CompileError) and error is not None:
            self.assertIn(str(error), str(own_error))  # known when it is compiled
        else:
            self.assertEqual((type(error), str(error)), (type(own_error), str(own_error)))
            self.assertEqual(seen, own_seen)
            self.assertEqual(after, own_after)

    def probe(self, text, body):
        table = rows(text)
        functions = lines.functions(f"test_views.{self._testMethodName}", [("a", body.format(view=view)) for _, view in table])
        for row, function in zip(table, functions):
            compiled = jit(function)
            for k, array in enumerate(given(ARRAYS[row[0]])):
                with self.subTest(row[1], layout=k):
                    if TARGET == "cuda" and k in (1, 2) and row in rows(BY_LAYOUT):
                        self.skipTest("a device's copy of the array lies in another way")
                    if TARGET == "cuda" and body == RETURNED and row in rows(OF_PYTHON):
                        self.skipTest("Python's view of a device's array is no view of the argument")
                    if TARGET == "debug" and "v[...]" in body and row in rows(OVERLAPPING):
                        self.skipTest("several iterations write one number to one place")
                    self.compare(function, compiled, array)

    def test_returned(self):
        self.probe(VIEWS, RETURNED)

    def test_sees_stores_into_the_array(self):
        self.probe(VIEWS, "v = {view}; a[...] = a * 2 + 1; return v + 0, v")

    def test_stores_through_it(self):
        self.probe(VIEWS, "v = {view}; v[...] = 7; v += 1; return a + 0, v")

    def test_carried_by_a_loop(self):
        self.probe(VIEWS, "v = {view}; w = v; k = 0\n    while k < a.shape[0]:\n        v, w = w, v\n        k += 1\n    v[...] = 3; return v + 0, a + 0")

    def test_copies_returned(self):
        self.probe(COPIES, "{view}")

    def test_copies_do_not_see_stores(self):
        self.probe(COPIES, "v = {view}; a[...] = a * 2 + 1; v[...] = 5; return v + 0")


if __name__ == "__main__":
    unittest.main()
