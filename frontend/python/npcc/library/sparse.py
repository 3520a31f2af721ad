"""Matrices of scipy.sparse as compiled code sees them: compressed rows (CSR) or columns (CSC), in products with vectors and matrices.

An argument of scipy's, or of the same classes in cupyx, is taken apart into these classes (npcc/structures.py). Its elements are `data`, those of line k from `indptr[k]` to `indptr[k + 1]`, and `indices`
says where in its line each of them is. scipy has made sure that the positions are inside.
"""

import numpy as np

from .routines import planned, routine, runs_on_gpu

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


class Compressed:
    """What rows and columns have in common."""

    def __init__(self, data, indices, indptr, shape, nnz):
        self.data = data
        self.indices = indices
        self.indptr = indptr
        self.shape = shape
        self.nnz = nnz  # there may be room for more in `data` and `indices`

    @property
    def dtype(self):
        return self.data.dtype

    @property
    def ndim(self):
        return 2

    def __matmul__(self, other):
        return self.times(_factor(other, self.shape[1], 0))

    def __rmatmul__(self, other):
        other = _factor(other, self.shape[0], -1)
        return np.transpose(self.transposed_times(np.transpose(other)))

    def dot(self, other):
        return self.__matmul__(other)

    @property
    def T(self):
        return self.transpose()

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
            line = np.repeat(np.arange(self.indptr.shape[0] - 1), np.diff(self.indptr))
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

    def times(self, other):
        return self.gathered(other)

    def transposed_times(self, other):
        return self.spread(other, self.shape[1])

    def transpose(self):
        return Columns(self.data, self.indices, self.indptr, (self.shape[1], self.shape[0]), self.nnz)


class Columns(Compressed):
    """scipy.sparse.csc_array and csc_matrix."""

    def times(self, other):
        return self.spread(other, self.shape[0])

    def transposed_times(self, other):
        return self.gathered(other)

    def transpose(self):
        return Rows(self.data, self.indices, self.indptr, (self.shape[1], self.shape[0]), self.nnz)


def class_of(value):
    """The class that stands for a matrix of scipy's, or of CuPy's on a GPU; None for anything else."""
    if not type(value).__module__.startswith(("scipy.sparse", "cupyx.scipy.sparse")) or len(getattr(value, "shape", ())) != 2:
        return None
    return {"csr": Rows, "csc": Columns}.get(getattr(value, "format", None))
