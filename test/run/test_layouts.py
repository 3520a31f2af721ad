"""What depends on how an array's elements lie in memory: reshape() and ravel() of arrays that are not contiguous are copies, of others views."""
import unittest

import numpy as np

from harness import Comparison


def first_of_all(x):
    x.reshape(-1)[0] = 1
    return x.sum()


def raveled(x):
    y = x.ravel()
    x += 1
    return y, y + x.reshape(-1)


def of_the_transpose(x):
    y = x.T.reshape(-1)
    y[1] = 7
    return x * 2, y


def written_after(x):
    y = np.ravel(x)
    y[::-1] += y
    return y


def helper(x):
    x.reshape(x.size)[-1:] = 3


def by_a_helper(x):
    helper(x)
    return x[:1] + 1


def in_order(x):
    y, z = np.ascontiguousarray(x), np.asarray(x, order="F")
    y[:1] = 5
    z[-1:] += 1
    return y, np.require(x, requirements="C")


def only_read(x):
    return x.reshape(-1)[::2] * 2, x.ravel().sum()


class Layouts(Comparison):
    def test_arguments(self):
        x = np.arange(24.0).reshape(4, 6)
        for name, array in [("C", x), ("F", np.asfortranarray(x)), ("rows", x[::2]), ("columns", x[:, ::2]), ("backwards", x[::-1, ::-1]), ("inside", x[1:3, 2:5]),
                            ("transposed", x.T), ("a row", x[1:2, ::3]), ("a column", x[:, 2:3]), ("a vector", x[0, ::2]), ("reversed", x[2, ::-1]),
                            ("three axes", np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1)), ("nothing", x[:0, ::2])]:
            for function in (first_of_all, raveled, of_the_transpose, written_after, by_a_helper, in_order, only_read):
                with self.subTest(name, function=function.__name__):
                    self.compare(function, [array])

    def test_read_only(self):
        self.compare(written_after, [np.broadcast_to(np.array([2.5]), (5,))])
        self.compare(first_of_all, [np.broadcast_to(np.arange(3.0), (2, 3))])


if __name__ == "__main__":
    unittest.main()
