"""numpy.nditer: elements in the order in which they lie in memory, or another one, with their positions, and of several arrays that broadcast."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison


def numeric_gradient(x):
    gradient = np.zeros_like(x)
    it = np.nditer(x, flags=["multi_index"], op_flags=["readwrite"])
    while not it.finished:
        k = it.multi_index
        kept = x[k]
        x[k] = kept + 0.5
        above = (x**2).sum()
        x[k] = kept - 0.5
        gradient[k] = above - (x**2).sum()
        x[k] = kept
        it.iternext()
    return gradient


def total(x):
    s = 0
    for v in np.nditer(x):
        s += v
    return s


def in_order(x):
    return [float(v) for v in np.nditer(x, order="C")], [float(v) for v in np.nditer(x, None, ["readonly"], order="F")]


def as_it_lies(x):
    y = x + 1
    return [float(v) for v in np.nditer(x)], [float(v) for v in np.nditer(y.T)], [float(v) for v in np.nditer(y, order="A")], pairs(y.T, y.T)


def positions(x):
    it = np.nditer(x, flags=["multi_index"])
    return it.shape, [(it.multi_index, float(v)) for v in it], it.itersize, it.ndim, it.finished


def indices(x):
    by_row, by_column, found = np.nditer(x, ["c_index"]), np.nditer(x, ["f_index"]), []
    while not by_row.finished:
        found.append((by_row.index, by_column.index, float(by_row[0]), float(by_column.value)))
        more = by_row.iternext()
        by_column.iternext()
        found.append((more, 0, 0.0, 0.0))
    by_row.reset()
    return found, by_row.index


def past_the_end(x):
    it = np.nditer(x)
    for _ in it:
        pass
    return it.value


def doubled(x):
    with np.nditer(x, op_flags=["readwrite"]) as it:
        for v in it:
            v[...] = 2 * v
    return x


def added(x, y, z):
    for a, b, c in np.nditer([x, y, z], ["buffered"], [["readonly"], ["readonly"], ["readwrite"]]):
        c[...] = a + 10 * b
    return z


def pairs(x, y):
    return [(float(a), float(b)) for a, b in np.nditer((x, y))]


def store(x):
    for v in np.nditer(x):
        v[...] = 1
    return x


def untracked(x):
    it = np.nditer(x)
    return it.multi_index


ROWS, BLOCKS = np.arange(12.0).reshape(3, 4), np.arange(24.0).reshape(2, 3, 4)


class Nditer(Comparison):
    def test_orders(self):
        compiled = npcc.jit(in_order)
        for array in (ROWS, ROWS.T, ROWS[::-1], ROWS[:, ::-2], ROWS[1:, 1:].T, BLOCKS.transpose(1, 0, 2), BLOCKS.transpose(2, 0, 1)[::-1], np.arange(5)[::-1],
                      np.broadcast_to(np.arange(3.0), (2, 3)), BLOCKS[:, :1], np.array(3.5)):
            with self.subTest(shape=array.shape, strides=array.strides):
                self.compare(in_order, [array], compiled)

    def test_memory(self):
        for array in (ROWS, BLOCKS, np.arange(5)):
            with self.subTest(shape=array.shape):
                self.compare(as_it_lies, [array], npcc.jit(as_it_lies))

    def test_positions(self):
        for function in positions, indices:
            compiled = npcc.jit(function)
            for array in (ROWS, BLOCKS, np.arange(4)):
                with self.subTest(function=function.__name__, shape=array.shape):
                    self.compare(function, [array], compiled)

    def test_stores(self):
        for function, *arguments in ((numeric_gradient, ROWS.copy()), (numeric_gradient, BLOCKS.copy()), (doubled, ROWS.copy()), (doubled, np.arange(6)),
                                     (added, ROWS, np.arange(4.0), np.zeros((3, 4))), (added, ROWS, ROWS, np.zeros((3, 4)))):
            with self.subTest(function=function.__name__):
                self.compare(function, arguments, npcc.jit(function))

    def test_several(self):
        compiled = npcc.jit(pairs)
        for x, y in ((ROWS, ROWS), (ROWS, np.arange(4)), (np.arange(3)[:, None], np.arange(2.0))):
            with self.subTest(shapes=(x.shape, y.shape)):
                self.compare(pairs, [x, y], compiled)

    def test_reduces(self):
        for array in (ROWS, np.arange(7), np.zeros((0, 2)), np.array([1.5 + 1j, 2])):
            self.compare(total, [array], npcc.jit(total))

    def test_errors(self):
        for function in store, untracked, past_the_end:
            self.compare(function, [ROWS.copy()], npcc.jit(function))

    def test_refused(self):
        for flags, words in ((["external_loop"], "goes over elements"), (["no_such_flag"], "Unexpected iterator global flag")):
            with self.assertRaisesRegex(Exception, words):
                npcc.jit(lambda x: [v for v in np.nditer(x, flags)])(ROWS)
        with self.assertRaisesRegex(npcc.CompileError, "cannot be a result"):
            npcc.jit(lambda x: (1, np.nditer(x)))(ROWS)
        if TARGET != "cpu":  # a GPU is given copies in C order
            return
        for array in ROWS.T, ROWS[::-1], np.arange(5.0)[::-1]:
            with self.assertRaisesRegex((npcc.CompileError, NotImplementedError), "order='K' cannot be compiled|say order='C'"):
                npcc.jit(total)(array)


if __name__ == "__main__":
    unittest.main()
