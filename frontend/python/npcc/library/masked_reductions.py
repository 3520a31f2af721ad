"""What arrays with masks are reduced to: the methods of numpy.ma's arrays that give numbers, or arrays of fewer axes."""
import numpy as np

from .routines import require

_ALL_MASKED = "of an array of which all is masked it is numpy.ma.masked, which is no number"


class Reductions:
    def reduced(self, result, axis, keepdims):
        """A number, or an array with the mask of the lines that are masked throughout."""
        if isinstance(result, np.ndarray):
            return self.plain(result, self.full_mask.all(axis=axis, keepdims=keepdims))
        require(not self.full_mask.all(), _ALL_MASKED)
        return result

    def filled_with(self, value):
        return np.where(self.full_mask, self.dtype.type(value), self.data)

    def count(self, axis=None, keepdims=False):
        if axis is None and not keepdims and self.has_mask is False:
            return self.size
        return np.sum(~self.full_mask, axis=axis, dtype=np.intp, keepdims=keepdims)

    def sum(self, axis=None, dtype=None, keepdims=False):
        return self.reduced(self.filled_with(0).sum(axis=axis, dtype=dtype, keepdims=keepdims), axis, keepdims)

    def prod(self, axis=None, dtype=None, keepdims=False):
        return self.reduced(self.filled_with(1).prod(axis=axis, dtype=dtype, keepdims=keepdims), axis, keepdims)

    def mean(self, axis=None, dtype=None, keepdims=False):
        if self.has_mask is False:
            return self.reduced(self.data.mean(axis=axis, dtype=dtype, keepdims=keepdims), axis, keepdims)
        total = self.sum(axis=axis, dtype=dtype, keepdims=keepdims)
        return total * 1.0 / self.count(axis=axis, keepdims=keepdims)

    def var(self, axis=None, dtype=None, ddof=0, keepdims=False):
        if self.has_mask is False:
            return self.reduced(self.data.var(axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims), axis, keepdims)
        count = self.count(axis=axis, keepdims=keepdims) - ddof
        apart = self - self.mean(axis=axis, dtype=dtype, keepdims=True)
        squares = abs(apart) ** 2 if self.dtype.kind == "c" else apart * apart
        total = squares.sum(axis=axis, keepdims=keepdims)
        if isinstance(total, (float, complex, np.generic)):
            require(count > 0, "the variance of too few elements is numpy.ma.masked, which is no number")
            return total / count
        spread = total / count
        mask = self.full_mask.all(axis=axis, keepdims=keepdims) | (count <= 0)
        made = self.of(spread.data, mask)
        made.has_mask = mask.any()
        return made

    def std(self, axis=None, dtype=None, ddof=0, keepdims=False):
        spread = self.var(axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims)
        if isinstance(spread, (float, np.generic)):
            return np.sqrt(spread)
        made = spread.of(np.sqrt(spread.data), spread.full_mask)
        made.has_mask = True
        return made

    def max(self, axis=None, fill_value=None, keepdims=False):
        return self.extreme(self.filled_with(_least(self.dtype) if fill_value is None else fill_value).max(axis=axis, keepdims=keepdims), axis, keepdims)

    def min(self, axis=None, fill_value=None, keepdims=False):
        return self.extreme(self.filled_with(_largest(self.dtype) if fill_value is None else fill_value).min(axis=axis, keepdims=keepdims), axis, keepdims)

    def extreme(self, result, axis, keepdims):
        if not isinstance(result, np.ndarray):
            return self.reduced(result, axis, keepdims)
        mask = self.full_mask.all(axis=axis, keepdims=keepdims)
        made = self.plain(result, mask)
        return made.of(np.where(mask, np.asarray(made.fill_value).astype(self.dtype), result), mask)

    def ptp(self, axis=None, keepdims=False):
        return self.max(axis, keepdims=keepdims) - self.min(axis, keepdims=keepdims)

    def argmax(self, axis=None, fill_value=None):
        return self.filled_with(_least(self.dtype) if fill_value is None else fill_value).argmax(axis)

    def argmin(self, axis=None, fill_value=None):
        return self.filled_with(_largest(self.dtype) if fill_value is None else fill_value).argmin(axis)

    def any(self, axis=None, keepdims=False):
        return self.reduced(self.filled_with(False).any(axis=axis, keepdims=keepdims), axis, keepdims)

    def all(self, axis=None, keepdims=False):
        return self.reduced(self.filled_with(True).all(axis=axis, keepdims=keepdims), axis, keepdims)

    def cumsum(self, axis=None, dtype=None):
        return self.plain(self.filled_with(0).cumsum(axis=axis, dtype=dtype), self.full_mask.ravel() if axis is None else self.full_mask)

    def cumprod(self, axis=None, dtype=None):
        return self.plain(self.filled_with(1).cumprod(axis=axis, dtype=dtype), self.full_mask.ravel() if axis is None else self.full_mask)


def _least(dtype):
    return False if dtype.kind == "b" else np.iinfo(dtype).min if dtype.kind in "iu" else -np.inf


def _largest(dtype):
    return True if dtype.kind == "b" else np.iinfo(dtype).max if dtype.kind in "iu" else np.inf
