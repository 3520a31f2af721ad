"""Arrays of more axes than pictures have: states of quantum circuits, an axis of two elements for each qubit."""
import unittest

import numpy as np

import harness

HADAMARD = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
CONTROLLED_NOT = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]], dtype=complex).reshape(2, 2, 2, 2)


def one_qubit(state, gate, qubit):
    return np.moveaxis(np.tensordot(gate, state, axes=([1], [qubit])), 0, qubit)


def two_qubits(state, gate, first, second):
    return np.moveaxis(np.tensordot(gate, state, axes=([2, 3], [first, second])), [0, 1], [first, second])


def entangled():
    n = 18
    state = np.zeros((2,) * n, dtype=complex)
    state[(0,) * n] = 1
    state = one_qubit(state, HADAMARD, 0)
    for qubit in range(n - 1):
        state = two_qubits(state, CONTROLLED_NOT, qubit, qubit + 1)
    return state.reshape(-1)[::4095], np.argmax(np.abs(state))


def of_twenty(v):
    state = v.reshape((2,) * 20)
    state = np.einsum("xe,abcdefghijklmnopqrst->abcdxfghijklmnopqrst", HADAMARD, state)
    turned = state.transpose(tuple(range(19, -1, -1)))
    return turned.reshape(-1)[::1000], (np.abs(state) ** 2).sum(axis=tuple(k for k in range(20) if k != 4))


def given(state):
    """An argument, and results, of as many axes as a function may have."""
    state = state * 2
    state[0, ..., -1] += 1
    return state, state.swapaxes(3, -1), np.flip(state, 2), state[..., 0].sum(), state.copy(order="F")


def assigned(state):
    state[...] = np.moveaxis(state, 0, -1).copy()
    return state.T


SHAPE = (2, 1, 3) + (1,) * 12 + (2, 1, 2)  # 18 axes


class ManyAxes(harness.Comparison):
    def test_circuits(self):
        if harness.TARGET != "cuda":  # the fake driver runs one thread after the other
            self.compare(entangled, [])
            self.compare(of_twenty, [np.random.default_rng(1).standard_normal(2**20)])

    def test_arguments(self):
        x = np.random.default_rng(2).standard_normal(SHAPE)
        self.compare(given, [x])
        self.compare(given, [x.T])
        self.compare(given, [np.ones((1,) * 28 + (2, 3, 1, 2))])
        self.compare(assigned, [np.random.default_rng(2).standard_normal((2,) * 6 + (1,) * 13 + (2,))[(0,) * 5]])

    def test_copies(self):
        """Whose axes lie in memory in any order: a copy joins none of them."""
        x = np.arange(2.0**12).reshape((2,) * 12)[(None,) * 8]
        turned = x.transpose(tuple(np.random.default_rng(3).permutation(20)))
        self.compare(lambda a: (a.copy(), np.ascontiguousarray(a), a.ravel()), [turned])
        self.compare(lambda a: (a.real.copy(), a + 1), [turned * 1j])

    def test_unit_axes(self):
        for shape in ((1,) * 32, (2,) + (1,) * 31, (1,) * 31 + (2,)):
            self.compare(lambda a: a + a.T, [np.ones(shape)])


if __name__ == "__main__":
    unittest.main()
