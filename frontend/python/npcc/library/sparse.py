"""Matrices of scipy.sparse as compiled code sees them: compressed rows (CSR) or columns (CSC), in products with vectors and matrices.

An argument of scipy's, or of the same classes in cupyx, is taken apart into these classes (npcc/structures.py). Its elements are `data`, those of line k from `indptr[k]` to `indptr[k + 1]`, and `indices`
says where in its line each of them is. scipy has made sure that the positions are inside.
"""

import numpy as np

from .containers import SEEN_AS
from .routines import planned, routine, runs_on_gpu
from .sparse_elements import Elements, is_number

# Elements of a matrix from which a GPU's library multiplies its rows: with fewer of them a call takes longer than what it saves over the loop.
LEAST_OF_LIBRARY = 1 << 18


def _factor(other, n, at):
    """The other operand as an array, with scipy's errors; its extent `at` is `n`."""
    other = np.asarray(other)
    if other.ndim == 0:
        raise ValueError("Scalar operands are not allowed, use '*' instead")
    if other.ndim > 2:
        raise ValueError("could not interpret dimensions")
    m = other.shape[at]
    if m != n:
        if other.ndim == 1 or other.shape[-1 - at] == 1:
            raise ValueError(f"matmul: dimension mismatch with signature (n,k={n}),(k={m},1?)->(n,1?)")
        raise ValueError(f"matmul: dimension mismatch with signature (n,k={n}),(k={m},m)->(n,m)")
    if other.dtype == np.float16:
        return other.astype(np.float32)  # scipy has no products in float16
    return other


def _spread(indptr, indices, data, factors, count):
    """Each line times its factor, added up at its positions: by a library on a GPU, whose order of sums is its own, otherwise in order."""
    result = np.zeros(count, data.dtype)
    if routine("sparse_columns", (indptr, indices, data, factors), (result,)) != 0:
        np.add.at(result, indices, data * np.repeat(factors, np.diff(indptr)))
    return result


class Compressed(Elements):
    """What rows and columns have in common."""

    is_matrix = False  # whether scipy's class is one of matrices, whose `*` is the product

    def __init__(self, data, indices, indptr, shape, nnz):
        self.data = data
        self.indices = indices
        self.indptr = indptr
        self.shape = shape
        self.nnz = nnz  # there may be room for more in `data` and `indices`

    def __matmul__(self, other):
        return self.times(_factor(other, self.shape[1], 0))

    def __rmatmul__(self, other):
        other = _factor(other, self.shape[0], -1)
        return np.transpose(self.transposed_times(np.transpose(other)))

    def dot(self, other):
        return self.multiple(other) if is_number(other) else self.__matmul__(other)

    def __mul__(self, other):
        if is_number(other):
            return self.multiple(other)
        if self.is_matrix:
            return self.__matmul__(other)
        raise NotImplementedError("a sparse array times an array, element by element, cannot be compiled")

    def __rmul__(self, other):
        if is_number(other):
            return self.multiple(other)
        if self.is_matrix:
            return self.__rmatmul__(other)
        raise NotImplementedError("a sparse array times an array, element by element, cannot be compiled")

    @property
    def T(self):
        return self.transpose()

    def transpose(self, axes=None, copy=False):
        if axes is not None and axes != (1, 0):
            raise ValueError("Sparse arrays/matrices do not support an 'axes' parameter because swapping dimensions is the only logical permutation.")
        m, n = self.shape
        if copy:
            return self.of_other_lines(self.data.copy(), self.indices.copy(), self.indptr.copy(), (n, m), self.nnz)
        return self.of_other_lines(self.data, self.indices, self.indptr, (n, m), self.nnz)

    def parts(self):
        return self.data, self.indices, self.indptr, self.shape

    def gathered(self, other):
        """Each line times what stands at its positions: one sum a line."""
        count = self.indptr.shape[0] - 1
        dtype = np.result_type(self.data.dtype, other.dtype)
        if runs_on_gpu() and self.data.dtype == dtype and planned(self.data.shape[0] >= LEAST_OF_LIBRARY, "sparse matrices of many elements"):
            sums = np.empty((count,) + other.shape[1:], dtype)
            factors = np.ascontiguousarray(other, dtype)
            if routine("sparse_rows", (self.indptr, self.indices[:self.nnz], self.data[:self.nnz], factors), (sums,)) == 0:
                return sums
        if other.ndim == 1:
            result = np.empty(count, dtype)
            for k in range(count):
                first = self.indptr[k]
                last = self.indptr[k + 1]
                result[k] = np.dot(self.data[first:last], other[self.indices[first:last]])
            return result
        rows = np.zeros((count, other.shape[1]), dtype)
        for k in range(count):
            for at in range(self.indptr[k], self.indptr[k + 1]):
                rows[k] += self.data[at] * other[self.indices[at]]
        return rows

    def spread(self, other, count):
        """Each line times one element, or row, of the other operand: added to the results at its positions."""
        dtype = np.result_type(self.data.dtype, other.dtype)
        data, indices = self.data[:self.nnz], self.indices[:self.nnz]
        if dtype.kind not in "fc":
            line = self.lines()
            if other.ndim == 1:
                result = np.zeros(count, dtype)
                np.add.at(result, indices, data * other[line])
                return result
            rows = np.zeros((count, other.shape[1]), dtype)
            np.add.at(rows, indices, data[:, None] * other[line])
            return rows
        data = data.astype(dtype, copy=False)
        if other.ndim == 1:
            return _spread(self.indptr, indices, data, other.astype(dtype, copy=False), count)
        rows = np.zeros((count, other.shape[1]), dtype)
        if routine("sparse_columns", (self.indptr, indices, data, np.ascontiguousarray(other, dtype)), (rows,)) == 0:
            return rows
        columns = np.empty((other.shape[1], count), dtype)
        for k in range(other.shape[1]):
            columns[k] = _spread(self.indptr, indices, data, other[:, k].astype(dtype), count)
        return np.ascontiguousarray(columns.T)


class Rows(Compressed):
    """scipy.sparse.csr_array and csr_matrix."""

    format = "csr"
    order = "C"

    def times(self, other):
        return self.gathered(other)

    def transposed_times(self, other):
        return self.spread(other, self.shape[1])

    def rows_and_columns(self, lines, positions):
        return lines, positions

    def tocsr(self, copy=False):
        return self.copy() if copy else self

    def tocsc(self, copy=False):
        data, indices, indptr = self.turned()
        return self.of_other_lines(data, indices, indptr, self.shape, self.nnz)


class Columns(Compressed):
    """scipy.sparse.csc_array and csc_matrix."""

    format = "csc"
    order = "F"

    def times(self, other):
        return self.spread(other, self.shape[0])

    def transposed_times(self, other):
        return self.gathered(other)

    def rows_and_columns(self, lines, positions):
        return positions, lines

    def tocsc(self, copy=False):
        return self.copy() if copy else self

    def tocsr(self, copy=False):
        data, indices, indptr = self.turned()
        return self.of_other_lines(data, indices, indptr, self.shape, self.nnz)


class CsrArray(Rows):
    def of_other_lines(self, *parts):
        return CscArray(*parts)


class CscArray(Columns):
    def of_other_lines(self, *parts):
        return CsrArray(*parts)


class CsrMatrix(Rows):
    is_matrix = True

    def of_other_lines(self, *parts):
        return CscMatrix(*parts)


class CscMatrix(Columns):
    is_matrix = True

    def of_other_lines(self, *parts):
        return CsrMatrix(*parts)


class DeviceRows(Rows):
    """cupyx.scipy.sparse.csr_matrix."""

    is_matrix = True

    def of_other_lines(self, *parts):
        return DeviceColumns(*parts)

    def parts(self):
        raise NotImplementedError("new matrices of cupyx.scipy.sparse cannot be given back: give their arrays")


class DeviceColumns(Columns):
    """cupyx.scipy.sparse.csc_matrix."""

    is_matrix = True

    def of_other_lines(self, *parts):
        return DeviceRows(*parts)

    def parts(self):
        raise NotImplementedError("new matrices of cupyx.scipy.sparse cannot be given back: give their arrays")


CLASSES = {"csr_array": CsrArray, "csc_array": CscArray, "csr_matrix": CsrMatrix, "csc_matrix": CscMatrix}
DEVICE_CLASSES = {"csr_matrix": DeviceRows, "csc_matrix": DeviceColumns}


def class_of(value):
    """The class that stands for a matrix of scipy's, or of CuPy's on a GPU; None for anything else."""
    cls = type(value)
    is_of_device = cls.__module__.startswith("cupyx.scipy.sparse")
    if not is_of_device and not cls.__module__.startswith("scipy.sparse") or len(getattr(value, "shape", ())) != 2:
        return None
    own = (DEVICE_CLASSES if is_of_device else CLASSES).get(cls.__name__)
    if own is not None:
        SEEN_AS[own] = cls
    return own


def _given(cls, data, indices, indptr, shape):
    from scipy import sparse
    return getattr(sparse, cls)((np.asarray(data), np.asarray(indices), np.asarray(indptr)), shape)


def given_CsrArray(*parts):
    return _given("csr_array", *parts)


def given_CscArray(*parts):
    return _given("csc_array", *parts)


def given_CsrMatrix(*parts):
    return _given("csr_matrix", *parts)


def given_CscMatrix(*parts):
    return _given("csc_matrix", *parts)
