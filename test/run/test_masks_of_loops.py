"""Loops whose iterations go on with those elements that are not done yet, compiled, against NumPy: points that have not escaped, roots that have not been
found, particles that are still inside. Programs select them by masks and by positions, make new arrays of them or count down in place."""
import unittest

import numpy as np

from harness import Comparison

RNG = np.random.default_rng(55)


def plane(rows=31, columns=23):
    x, y = np.meshgrid(np.linspace(-2.0, 0.6, rows), np.linspace(-1.2, 1.2, columns), indexing="ij")
    return x + 1j * y


def taken_out(c, most):
    """Everything that is done leaves all arrays, and the positions of what is left go along."""
    c = c.ravel()
    z = np.zeros_like(c)
    ids = np.arange(c.size)
    times = np.zeros(c.size, dtype=np.int32)
    for k in range(1, most + 1):
        z = z * z + c
        gone = np.abs(z) > 2.0
        times[ids[gone]] = k
        keep = ~gone
        z, c, ids = z[keep], c[keep], ids[keep]
        if ids.size == 0:
            break
    return times


def taken_out_first(c, most):
    """What is left is asked before an iteration."""
    z = c = c.ravel()
    ids = np.arange(len(c))
    times = np.full(len(c), most)
    k = 0
    while len(z) and k < most:
        is_out = z.real ** 2 + z.imag ** 2 > 4
        times[ids[is_out]] = k
        z, c, ids = z[~is_out], c[~is_out], ids[~is_out]
        z = z ** 2 + c
        k += 1
    return times


def taken_out_before(c, most):
    """What is left is updated behind the selection."""
    z = c = c.ravel()
    ids = np.arange(len(c))
    times = np.zeros(len(c), dtype=np.int64)
    for k in range(most):
        keep = np.abs(z) <= 2
        times[ids[~keep]] = k
        c, ids = c[keep], ids[keep]
        z = z[keep] ** 2 + c
        if len(ids) == 0:
            break
    return times


def argument_taken_out(x, most):
    for _ in range(most):
        x = x[x < 1.0] * 1.25
    return x


def stored_between(x, most):
    """What is stored to goes on in some iterations as it is."""
    z = x.copy()
    for k in range(most):
        np.multiply(z, 1.1, z)
        if k % 3 == 1:
            continue
        z = z[z < 2]
    return z


def stored_behind(x, most):
    z = x.copy()
    for k in range(most):
        z = z[z < 2]
        if k > 2:
            z += 0.25
        w = z if k % 2 else x
        w *= 1.25
    return z


def rows_taken_out(points, most):
    velocity = np.ones_like(points)
    for k in range(most):
        inside = points[:, 0] + points[:, 1] < 4
        velocity = velocity[inside] * 1.25
        points = points[inside] + velocity * 0.125
    return points, velocity


def updated_in_place(c, most):
    """Whatever is left is new, and changed where it stands."""
    c = c.ravel()
    z = np.zeros_like(c)
    ids = np.arange(c.size)
    times = np.zeros(c.size, dtype=np.int64)
    for k in range(most):
        if not len(z):
            break
        np.multiply(z, z, z)
        np.add(z, c, z)
        gone = np.abs(z) > 2.0
        times[ids[gone]] = k + 1
        rest = ~gone
        z = z[rest]
        c, ids = c[rest], ids[rest]
    return times


def masked(c, most):
    z = np.zeros_like(c)
    times = np.zeros(c.shape, dtype=np.int64)
    for _ in range(most):
        inside = np.abs(z) <= 2
        if not inside.any():
            break
        z[inside] = z[inside] ** 2 + c[inside]
        times[inside] += 1
    return times, np.abs(z) > 2


def masked_while(x, tolerance):
    """Heron's square roots until all are found."""
    root = np.maximum(x, 1)
    active = np.ones(len(x), dtype=bool)
    while active.any():
        new = 0.5 * (root + x / root)
        active = active & (np.abs(new - root) > tolerance * new)
        root = np.where(active, new, root)
    return root


def masked_with_rest(x, most):
    """The mask is the program's own array, which loses elements in place; sums go on for what is left."""
    left = x > 0
    total = np.zeros(len(x))
    for k in range(most):
        if np.count_nonzero(left) == 0:
            return total, k
        total[left] += np.sin(x[left] * k)
        left &= total < 1.5
    return total, most


def by_positions(x, most):
    """Newton's roots of a cubic."""
    x = x.copy()
    active = np.arange(len(x))
    for _ in range(most):
        v = x[active]
        new = v - (v ** 3 - 2 * v - 5) / (3 * v ** 2 - 2)
        x[active] = new
        active = active[np.abs(new - v) > 1e-9]
        if len(active) == 0:
            break
    return x


def by_positions_of_rows(draws, absorbed, thickness):
    n = draws.shape[1]
    depth, weight = np.zeros(n), np.ones(n)
    alive = np.arange(n)
    for step in draws:
        depth[alive] += -np.log(1 - step[alive]) * np.cos(4 * step[alive])
        weight[alive] *= 1 - absorbed
        alive = alive[(depth[alive] > -0.1) & (depth[alive] < thickness)]
    return depth, weight, np.sum(depth >= thickness)


def by_positions_of_a_mask(origins, directions, steps):
    t = np.zeros(len(origins))
    hit = np.full(len(origins), -1.0)
    active = np.ones(len(origins), dtype=bool)
    for _ in range(steps):
        idx = np.flatnonzero(active)
        p = origins[idx] + t[idx, None] * directions[idx]
        distance = np.sqrt((p ** 2).sum(axis=1)) - 1.0
        near = distance < 1e-4
        hit[idx[near]] = t[idx[near]]
        t[idx] += distance
        active[idx[near]] = False
        active[idx[t[idx] > 20.0]] = False
    return hit


def counted(x, most):
    """How many were left is the program's answer too, so that each iteration is asked."""
    values = x.copy()
    sizes = []
    for _ in range(most):
        values = values[values > 0.5] * 0.75
        sizes.append(len(values))
        if len(values) == 0:
            break
    return np.array(sizes), values


def summed(x, most):
    """What is left is summed up in each iteration."""
    sums = np.zeros(most)
    for k in range(most):
        sums[k] = x.sum()
        x = x[x < 1.0] * 1.25
    return sums, x


def not_alone(x, most):
    """Elements that look at their neighbours stay a selection."""
    for _ in range(most):
        x = 0.5 * (x[1:] + x[:-1])
        x = x[x > 0.25]
        if len(x) < 3:
            break
    return x


def begins_again(x, most):
    """An iteration that goes on without elements: the random-looking restart needs all iterations."""
    value = x.copy()
    for k in range(most):
        over = value > 1
        if not over.any():
            value = value + 0.125
        value[over] *= 0.5
    return value


class MasksOfLoops(Comparison):
    def test_escape(self):
        for most in (0, 1, 40):
            for function in (taken_out, taken_out_first, taken_out_before, updated_in_place, masked):
                self.compare(function, (plane(), most))

    def test_nothing_is_left(self):
        """All points are outside soon, or there are none."""
        for function in (taken_out, taken_out_first, taken_out_before, updated_in_place, masked):
            self.compare(function, (plane() + 3, 40))
            self.compare(function, (plane(0, 5), 40))

    def test_roots(self):
        x = RNG.random(1000) * 100
        self.compare(masked_while, (x, 1e-12))
        self.compare(masked_while, (x[:0], 1e-12))
        self.compare(by_positions, (x, 60))
        self.compare(by_positions, (x, 3))

    def test_own_mask(self):
        x = RNG.random(1000) - 0.25
        for most in (0, 3, 50):
            self.compare(masked_with_rest, (x, most))
        self.compare(masked_with_rest, (-abs(x), 5))

    def test_particles(self):
        self.compare(by_positions_of_rows, (RNG.random((30, 500)), 0.05, 1.5))
        self.compare(by_positions_of_rows, (RNG.random((0, 500)), 0.05, 1.5))
        directions = RNG.standard_normal((300, 3))
        directions /= np.linalg.norm(directions, axis=1)[:, None]
        self.compare(by_positions_of_a_mask, (np.full((300, 3), -1.5), directions, 40))

    def test_stores(self):
        for function in (argument_taken_out, stored_between, stored_behind):
            for most in (0, 1, 2, 7, 20):
                self.compare(function, (RNG.random(100), most))

    def test_rows(self):
        for most in (0, 1, 6, 20):
            self.compare(rows_taken_out, (RNG.random((200, 3)), most))

    def test_what_is_asked_besides(self):
        x = RNG.random(700)
        for function in (counted, summed, not_alone, begins_again):
            self.compare(function, (x, 12))


if __name__ == "__main__":
    unittest.main()
