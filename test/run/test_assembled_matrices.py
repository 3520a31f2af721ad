"""Matrices that each iteration of a loop puts together by stores and loops, and gives to a routine of a library: one call for all of them."""
import unittest

import numpy as np

from harness import TARGET, Comparison, jit

rng = np.random.default_rng(0)


def two_bands(ks, near, far):
    out = np.zeros((len(ks), 4))
    for i in range(len(ks)):
        h = np.zeros((4, 4), complex)
        h[0, 1] = near + far * np.exp(1j * ks[i])
        h[1, 0] = np.conj(h[0, 1])
        h[2, 3] = near - far * np.exp(1j * ks[i])
        h[3, 2] = np.conj(h[2, 3])
        h[1, 2] = h[2, 1] = 0.3
        out[i] = np.linalg.eigvalsh(h)
    return out


def chains(ks, n, hop):
    levels = []
    for k in ks:
        h = np.zeros((n, n), complex)
        for j in range(n - 1):
            amplitude = hop * (1 + np.exp(1j * k))
            h[j, j + 1] = amplitude
            h[j + 1, j] = np.conj(amplitude)
        levels.append(np.linalg.eigvalsh(h))
    return np.array(levels)


def ladders(frequencies, resistance, inductance, capacity, n):
    gain = np.zeros(len(frequencies))
    for i in range(len(frequencies)):
        w = frequencies[i]
        y = np.zeros((n, n), complex)
        for k in range(n):
            y[k, k] += 1 / resistance + 1j * w * capacity
            if k > 0:
                between = 1 / (1j * w * inductance)
                y[k, k] += between
                y[k - 1, k - 1] += between
                y[k, k - 1] -= between
                y[k - 1, k] -= between
        b = np.zeros(n, complex)
        b[0] = 1
        v = np.linalg.solve(y, b)
        gain[i] = abs(v[-1])
    return gain


def polynomials_of(z, h, y):
    total = np.zeros(y.shape, complex)
    for point in z:
        t = np.zeros(h.shape[1:], complex)
        for n in range(len(h)):
            t += point ** n * h[n]
        x = np.linalg.solve(t, y)
        if abs(point) < 1:
            x = -x
        total += point * x
    return total


def used_again(a):
    traces, inverses, before = np.zeros(len(a)), np.zeros(a.shape), np.zeros(len(a))
    for i in range(len(a)):
        m = a[i].copy()
        m[0] += 1.0
        m[:, 1] *= 2.0
        diagonal = np.diagonal(m)
        before[i] = m.sum()
        inverses[i] = np.linalg.inv(m)
        m[1, 1] = 7.0
        traces[i] = m.trace() + diagonal[1]
    return traces, inverses, before


def one_of_another(a):
    out = np.zeros(a.shape)
    for i in range(len(a)):
        m = np.zeros(a.shape[1:])
        for k in range(m.shape[0]):
            m[k, k] = a[i, k, 0] + 2
        n = np.linalg.inv(m)
        n[0, :] += a[i, 0]
        n[1, 1] += 3
        out[i] = np.linalg.inv(n)
    return out


def of_what_was_stored(a):
    out = np.ones(a.shape)
    for i in range(1, len(a)):
        m = np.eye(a.shape[1])
        for k in range(a.shape[1]):
            m[k] += 0.1 * out[i - 1, k]
        out[i] = np.linalg.inv(m)
    return out


def carried(a):
    x, out = np.zeros(a.shape[1]), np.zeros(a.shape[:2])
    for i in range(len(a)):
        m = a[i].copy()
        m[0] += x
        x = np.linalg.solve(m, np.ones(a.shape[1]))
        out[i] = x
    return out


def at_positions(a, rows):
    out = np.zeros(len(a))
    for i in range(len(a)):
        m = np.eye(a.shape[1])
        for k in range(a.shape[1]):
            m[rows[k], k] += a[i, k, k]
        out[i] = np.linalg.det(m)
    return out


def demeaned_spectra(x, window, hop):
    out = np.zeros(((len(x) - len(window)) // hop + 1, len(window) // 2 + 1))
    for i in range(out.shape[0]):
        part = x[i * hop:i * hop + len(window)] * window
        part -= part.mean()
        out[i] = np.abs(np.fft.rfft(part)) ** 2
    return out


def filled(a, given):
    for i in range(len(a)):
        m = np.zeros(a.shape[1:])
        for k in range(len(m)):
            m[k, k] = 1 / a[i, k, k]
        given[i] = np.linalg.inv(m)


class AssembledMatrices(Comparison):
    def test_results(self):
        for n in (0, 1, 7):
            ks, a = rng.random(n), rng.standard_normal((n, 5, 5)) + 4 * np.eye(5)
            z = rng.standard_normal(n) + 1j * rng.standard_normal(n)
            for function, arguments in (
                    (two_bands, [ks, 1.0, 0.4]), (chains, [ks, 6, 0.7]), (ladders, [ks + 1, 2.0, 0.5, 0.1, 6]), (ladders, [ks + 1, 2.0, 0.5, 0.1, 1]),
                    (polynomials_of, [z, rng.standard_normal((3, 5, 5)) + 0j, rng.standard_normal((5, 2)) + 0j]), (used_again, [a]), (one_of_another, [a]),
                    (of_what_was_stored, [a]), (carried, [a]), (at_positions, [a, np.array([0, 2, -1, 1, -2])])):
                if n == 0 and function is chains:
                    continue  # an array of an empty list
                with self.subTest(function=function.__name__, n=n):
                    self.compare(function, arguments, scale=1000)
        self.compare(demeaned_spectra, [rng.standard_normal(100), np.hanning(16), 5], scale=1000)

    def test_errors(self):
        """Of the iteration that has it, with what the iterations before have stored."""
        a = rng.standard_normal((5, 4, 4)) + 4 * np.eye(4)
        self.compare(at_positions, [a, np.array([0, 1, 4, 2])])
        self.compare(at_positions, [a, np.array([0, 1, -5, 2])])
        self.compare(at_positions, [a, np.array([0, 1, 2])])
        self.compare(ladders, [np.array([1.0, 2.0, 0.0, 3.0]), 1.0, 1.0, 1.0, 4])
        self.compare(ladders, [np.array([1.0, 2.0]), 0.0, 1.0, 1.0, 4])
        self.compare(ladders, [np.array([1.0, 2.0]), 1.0, 1.0, 1.0, 0])
        singular = a.copy()
        singular[3, 2, 2] = np.inf
        self.compare(filled, [singular, np.zeros(a.shape)])
        singular[3, 0] = -1
        singular[3, :, 1] = 0
        self.compare(used_again, [singular])

    @unittest.skipUnless(TARGET == "cuda", "launches are a GPU's")
    def test_launches(self):
        f = rng.random
        for function, make in (
                (two_bands, lambda n: [f(n), 1.0, 0.4]), (chains, lambda n: [f(n), 6, 0.7]), (ladders, lambda n: [f(n) + 1, 2.0, 0.5, 0.1, 6]),
                (polynomials_of, lambda n: [f(n) + 0j, f((3, 5, 5)) + 0j, f((5, 2)) + 0j]),
                (demeaned_spectra, lambda n: [f(7 * n + 9), f(16), 7])):
            with self.subTest(function.__name__):
                self.assertEqual(self.launches(function, *make(12)), self.launches(function, *make(4)))


if __name__ == "__main__":
    unittest.main()
