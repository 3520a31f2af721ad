"""Where several iterations that run at once fail, the error is the one that Python meets first. On a GPU all of them run, in any order: the fake
driver runs these tests with the last block and thread first too."""
import unittest

import numpy as np

from harness import Comparison


def gather(a, p):
    return a[p]


def elements(a, p):
    out = np.zeros(p.size)
    for i in range(p.size):
        out[i] = a[p[i]] + 1.0
    return out


def elements_of_two(a, b, p, q):
    out = np.zeros(p.size)
    for i in range(p.size):
        out[i] = a[p[i]] + b[q[i]]
    return out


def rows(a, p, q):
    out = np.zeros((p.size, a.shape[1]))
    for i in range(p.size):
        out[i] = a[p[i]] * 2.0
        out[i, q[i]] = 0.0
    return out


def products(a, b, n):
    out = np.zeros((a.shape[0], 3))
    for i in range(n):
        out[i] = a[i] @ b
    return out


def sums(a, p):
    out = np.zeros(p.shape[0])
    for i in range(p.shape[0]):
        for k in range(p.shape[1]):
            out[i] += a[p[i, k]]
    return out


def walks(a, p):
    y = np.zeros(p.shape[1])
    for t in range(p.shape[0]):
        y += a[p[t]]
    return y


def carried(a, p):
    """What is read is read for many iterations at once, what is carried goes from one to the next."""
    total, count = 1.0, 0
    for i in range(p.size):
        x = a[p[i]]
        total = total * 0.5 + (x + total)
        if x > 0.5:
            count += 1
    return total, count


def sums_of_lengths(a, p, lengths):
    out = np.zeros(len(lengths))
    for i in range(len(lengths)):
        total = 0.0
        for k in range(lengths[i]):
            total += a[p[i, k]]
        out[i] = total
    return out


def sums_and_elements(a, p, q):
    out = np.zeros(len(q))
    for i in range(len(q)):
        total = 0.0
        for k in range(p.shape[1]):
            total += a[p[i, k]]
        out[i] = total + a[q[i]]
    return out


class ErrorOrder(Comparison):
    def setUp(self):
        self.a = np.arange(50.0)
        self.p = np.arange(600) % 50

    def bad(self, positions, *places):
        """Positions of which those at `places` are out of bounds, each by another number."""
        changed = positions.copy()
        for number, place in enumerate(places):
            changed[place] = 100 + number
        return changed

    def test_one_check(self):
        for places in [(), (0,), (599,), (3, 599), (599, 3), (300, 299, 301), range(600), range(599, -1, -1), (256, 255), (32, 31)]:
            p = self.bad(self.p, *places)
            for function in (gather, elements):
                self.compare(function, [self.a, p])

    def test_two_checks(self):
        b = np.arange(40.0)
        for first, second in [((5,), (4,)), ((4,), (5,)), ((5,), (5,)), ((500, 7), (300, 8)), ((500, 8), (300, 7)), (range(600), range(600)), ((), (9, 2))]:
            self.compare(elements_of_two, [self.a, b, self.bad(self.p, *first), self.bad(self.p % 40, *second)])

    def test_statements_of_an_iteration(self):
        a = np.arange(200.0).reshape(50, 4)
        p, q = np.arange(90) % 50, np.arange(90) % 4
        for first, second in [((5,), (4,)), ((4,), (5,)), ((5,), (5,)), ((80, 7), (30, 8)), ((80, 8), (30, 7)), (range(90), range(90))]:
            self.compare(rows, [a, self.bad(p, *first), self.bad(q, *second)])

    def test_errors_of_two_kinds(self):
        a = np.arange(280.0).reshape(70, 4)
        for n in (70, 71, 80):
            self.compare(products, [a, np.ones((4, 3)), n])
            self.compare(products, [a, np.ones((4, 2)), n])

    def test_iterations_of_several_lengths(self):
        """An iteration of many steps comes before a later one of few."""
        for places in (((4, 40), (5, 1)), ((4, 40), (4, 7)), ((6, 2),)):
            p = np.zeros((8, 50), np.int64)
            for number, place in enumerate(places):
                p[place] = 70 + number
            self.compare(sums_of_lengths, [np.arange(5.0), p, np.array([1, 1, 1, 1, 50, 3, 3, 3])])

    def test_loops_beside_statements(self):
        for row, last in ((4, 7), (4, 4), (4, 3), (7, 0)):
            p, q = np.zeros((8, 50), np.int64), np.zeros(8, np.int64)
            p[row, 40], q[last] = 77, 55
            self.compare(sums_and_elements, [np.arange(5.0), p, q])

    def test_what_is_carried(self):
        for places in ((4, 7), (7,), (0, 7), (5, 4, 6)):
            p = np.arange(8)
            for place in places:
                p[place] = 80 + place
            self.compare(carried, [np.arange(8.0), p])
        p = np.arange(9000) % 50
        p[[1500, 2, 8000]] = 70, 60, 80
        self.compare(carried, [self.a, p])

    def test_loops_inside(self):
        p = np.arange(240).reshape(80, 3) % 50
        for places in [(), ((2, 1), (2, 0)), ((3, 0), (2, 2)), ((79, 2), (0, 2)), ((0, 2), (0, 1))]:
            self.compare(sums, [self.a, self.bad(p, *places)])
            self.compare(walks, [self.a, self.bad(p, *places)])
            self.compare(walks, [self.a, self.bad(p.T.copy(), *[place[::-1] for place in places])])


if __name__ == "__main__":
    unittest.main()
