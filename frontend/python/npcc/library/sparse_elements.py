"""What scipy's compressed matrices compute of their elements alone: sums, diagonals, multiples, conversions. sparse.py has the products and the classes."""

import numpy as np


def is_number(value):
    """Whether scipy takes it for a scalar."""
    return np.isscalar(value) or (isinstance(value, np.ndarray) and value.ndim == 0)


def _sum_dtype(dtype):
    """Of a sum of elements: NumPy's, by which sums of small integers are int64 or uint64."""
    return np.sum(np.zeros(1, dtype)).dtype


def _axes(axis):
    """0 or 1, or None for both, with scipy's errors."""
    if axis is None:
        return None
    if axis == ():
        raise ValueError("sparse does not accept 0D axis (). Either use toarray (for dense) or copy (for sparse).")
    if not isinstance(axis, tuple):
        if not isinstance(axis, (int, np.integer)) or isinstance(axis, (bool, np.bool_)):
            raise TypeError(f"axis must be an integer/tuple of ints, not {type(axis)}")
        axis = (axis,)
    found = ()
    for one in axis:
        place = one + 2 if one < 0 else one
        if place < 0 or place >= 2:
            raise ValueError("axis out of range for ndim")
        found += (place,)
    if len(found) == 1:
        return found[0]
    if len(found) > 2 or found[0] == found[1]:
        raise ValueError("duplicate value in axis")
    return None


class Elements:
    """A base of sparse.Compressed, whose names it uses."""

    def elements(self):
        """`data` without the room behind the last element."""
        return self.data[: self.nnz]

    def lines(self):
        """The line of each element."""
        return np.repeat(np.arange(self.indptr.shape[0] - 1), np.diff(self.indptr))

    def with_data(self, data):
        """One with other elements at the same places, of the same class."""
        return type(self)(data, self.indices.copy(), self.indptr.copy(), self.shape, self.nnz)

    @property
    def dtype(self):
        return self.data.dtype

    @property
    def ndim(self):
        return 2

    @property
    def size(self):
        return self.nnz

    def copy(self):
        return self.with_data(self.data.copy())

    def astype(self, dtype, casting="unsafe", copy=True):
        if not copy and self.data.dtype == dtype:
            return self
        return self.with_data(self.data.astype(dtype, casting=casting))

    def conjugate(self, copy=True):
        if self.data.dtype.kind == "c":
            return self.with_data(self.data.conjugate())
        return self.copy() if copy else self

    def conj(self, copy=True):
        return self.conjugate(copy)

    #---- Multiples ----

    def __neg__(self):
        if self.data.dtype.kind == "b":
            raise NotImplementedError("negating a boolean sparse array is not supported")
        return self.with_data(-self.data)

    def multiple(self, number):
        return self.with_data(self.data * number)

    def __truediv__(self, other):
        if not is_number(other):
            raise NotImplementedError("a sparse matrix divided by what is no number cannot be compiled")
        if self.data.dtype.kind != "c":
            return self.with_data(self.data.astype(np.float64) * (1 / other))
        return self.multiple(1 / other)

    def __imul__(self, other):
        if not is_number(other):
            return NotImplemented
        self.data *= other
        return self

    def __itruediv__(self, other):
        if not is_number(other):
            return NotImplemented
        self.data *= 1.0 / other
        return self

    #---- Sums ----

    def sum_along(self, axis):
        """Of each column (0) or row (1)."""
        ones = np.ones(self.shape[axis], _sum_dtype(self.data.dtype))
        return self.times(ones) if axis == 1 else self.transposed_times(ones)

    def sum(self, axis=None, dtype=None, out=None):
        if out is not None:
            raise NotImplementedError("sum(out=) of a sparse matrix cannot be compiled")
        along = _axes(axis)
        if along is None:
            return np.sum(self.elements(), dtype=dtype)
        if self.is_matrix:
            raise NotImplementedError("sums along an axis of a csr_matrix or csc_matrix are numpy.matrix, which cannot be compiled: take a csr_array")
        sums = self.sum_along(along)
        return sums if dtype is None else sums.astype(dtype)

    def mean(self, axis=None, dtype=None, out=None):
        inner = np.float64 if self.data.dtype.kind in "biu" else self.data.dtype
        along = _axes(axis)
        count = self.shape[0] * self.shape[1] if along is None else self.shape[along]
        means = (self.astype(inner, copy=False) * (1.0 / count)).sum(along, inner, out)
        return means if dtype is None else means.astype(dtype)

    def diagonal(self, k=0):
        m, n = self.shape
        if k <= -m or k >= n:
            return np.empty(0, self.data.dtype)
        result = np.zeros(min(m + min(k, 0), n - max(k, 0)), self.data.dtype)
        lines, positions = self.lines(), self.indices[: self.nnz]
        rows, columns = self.rows_and_columns(lines, positions)
        chosen = columns - rows == k
        np.add.at(result, (rows if k >= 0 else columns)[chosen], self.elements()[chosen])
        return result

    def trace(self, offset=0):
        return self.diagonal(offset).sum()

    #---- Other forms ----

    def toarray(self, order=None, out=None):
        if out is not None:
            raise NotImplementedError("toarray(out=) of a sparse matrix cannot be compiled")
        if order is None:
            order = self.order
        result = np.zeros(self.shape, self.data.dtype, order)
        np.add.at(result, self.rows_and_columns(self.lines(), self.indices[: self.nnz]), self.elements())
        return result

    def todense(self, order=None, out=None):
        if self.is_matrix:
            raise NotImplementedError("todense() of scipy's sparse matrices is an object of numpy.matrix, which cannot be compiled: use toarray()")
        return self.toarray(order, out)

    def turned(self):
        """The elements in the order of their positions in the lines, then of their lines: (data, indices, indptr) of the other kind of lines."""
        positions = self.indices[: self.nnz]
        order = np.argsort(positions, kind="stable")
        count = self.shape[0] + self.shape[1] - (self.indptr.shape[0] - 1)
        first = np.zeros(count + 1, self.indptr.dtype)
        first[1:] = np.cumsum(np.bincount(positions, minlength=count))
        return self.elements()[order], self.lines()[order].astype(self.indices.dtype), first
