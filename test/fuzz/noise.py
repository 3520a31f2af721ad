"""How much may a right answer differ? Run the program with rounding noise at every computed value, and look.

A compiler may round elsewhere than NumPy does (fused multiply-add, another summation order, another libm). So each float
that an operator or function computes is disturbed by a few units in the last place, some times over. Results that hardly
move give the tolerance; programs whose integers, booleans, shapes or branches move, or whose floats move a lot, cannot be
judged and are drawn again.
"""
from __future__ import annotations

import ast
import dataclasses

import numpy as np

from .outcome import leaves

EXACT = {"abs", "absolute", "negative", "maximum", "minimum", "max", "min", "amax", "amin", "copysign", "fmax", "fmin", "nanmax", "where",
         "floor", "ceil", "trunc", "rint", "sign", "isnan", "isfinite", "signbit", "clip", "concatenate", "stack", "hstack", "vstack",
         "column_stack", "append", "array", "zeros", "ones", "full", "zeros_like", "ones_like", "full_like", "eye", "sort", "argsort",
         "take", "roll", "flip", "repeat", "tile", "pad", "unique", "nonzero", "flatnonzero", "argwhere", "argmax", "argmin", "reshape",
         "ravel", "transpose", "copy", "astype", "view", "swapaxes", "moveaxis", "squeeze", "expand_dims", "broadcast_to", "flatten",
         "atleast_2d", "flipud", "fliplr", "rot90", "diagonal", "diag", "tril", "triu", "asarray", "ascontiguousarray", "compress",
         "len", "int", "float", "bool", "range", "enumerate", "zip", "list", "tuple", "isinstance", "searchsorted", "bincount", "count_nonzero",
         "conj", "conjugate", "any", "all", "ix_", "delete", "fill", "copyto", "put", "at", "fill_diagonal", "isin", "setdiff1d", "ValueError", "ptp", "histogram"}
SUMMING = {"sum", "prod", "mean", "var", "std", "dot", "matmul", "inner", "vdot", "tensordot", "einsum", "kron", "cumsum", "cumprod",
           "accumulate", "reduce", "nansum", "average", "trace", "norm", "cov", "median", "percentile", "quantile", "outer", "gradient", "interp", "round", "histogram"}


PRODUCTS = {"prod", "nanprod", "cumprod"}


class _Instrument(ast.NodeTransformer):
    @staticmethod
    def _noisy(node):
        return ast.copy_location(ast.Call(ast.Name("_noise", ast.Load()), [node], []), node)

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.MatMult):
            node.left, node.right = self._noisy(node.left), self._noisy(node.right)
        return self._noisy(node)

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        node.value = self._noisy(node.value)
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if any(k.arg == "out" for k in node.keywords):
            node.args[:1] = [self._noisy(node.args[0])] if node.args else []
            return node
        if name in SUMMING:  # what is summed is disturbed too: another order errs relative to the terms, not to the sum
            node.args = [a if isinstance(a, (ast.Constant, ast.Tuple)) else self._noisy(a) for a in node.args]
            if isinstance(function, ast.Attribute) and not (isinstance(function.value, ast.Name) and function.value.id == "np"):
                function.value = self._noisy(function.value)
        if name in PRODUCTS or name in ("abs", "absolute"):
            applied = "_product" if name in PRODUCTS else "_magnitude"
            return ast.copy_location(ast.Call(ast.Name(applied, ast.Load()), [function, *node.args], node.keywords), node)
        return node if name in EXACT or name.startswith("helper") else self._noisy(node)


def instrument(source):
    """The program's module with `_noise(...)` around every computed value; `arguments` is left as it is."""
    tree = ast.parse(source)
    tree.body = [s if isinstance(s, ast.FunctionDef) and s.name == "arguments" else _Instrument().visit(s) for s in tree.body]
    return compile(ast.fix_missing_locations(tree), "<noisy>", "exec")


class Noise:
    """Callable that disturbs computed floats by up to `ulps` units in the last place, and leaves all else alone."""

    def __init__(self, seed, ulps=4):
        self.random, self.ulps = np.random.default_rng(seed), ulps
        self.is_ordered = False  # the order of a product's factors decides whether it is finite

    def __call__(self, value):
        if isinstance(value, float) and not isinstance(value, np.floating):
            return value * (1 + self._units() * 2.0**-52)
        if isinstance(value, complex) and not isinstance(value, np.complexfloating):
            return value * (1 + self._units() * 2.0**-52)
        if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "fc" and value.dtype.itemsize <= 16:
            # Not in the dtype itself: half precision would round a factor of 1 + 2 ulp to few distinct values.
            unit = float(np.finfo(value.dtype).eps)
            wide = value.astype(np.complex128 if value.dtype.kind == "c" else np.float64)
            factor = 1 + self.random.uniform(-self.ulps, self.ulps, np.shape(value)) * unit
            with np.errstate(all="ignore"):
                disturbed = (wide * factor).astype(value.dtype)
            return disturbed if isinstance(value, np.ndarray) else value.dtype.type(disturbed)
        return value

    def magnitude(self, function, value, *others, **keywords):
        """abs() is exact but for complex numbers."""
        result = function(value, *others, **keywords)
        return self(result) if np.iscomplexobj(value) else result

    def product(self, function, *arguments, **keywords):
        """A product that overflows or vanishes in one order of its factors and not in another has no value to compare."""
        result = function(*arguments, **keywords)
        factors = function.__self__ if isinstance(getattr(function, "__self__", None), np.ndarray) else arguments[0]
        dtype = np.asarray(result).dtype
        if dtype.kind in "fc":
            sizes = np.abs(np.asarray(factors)).astype(float)
            sizes = sizes[(sizes > 0) & np.isfinite(sizes)]
            limits = np.finfo(dtype)
            with np.errstate(all="ignore"):
                self.is_ordered |= bool(np.log(sizes[sizes > 1]).sum() > np.log(float(limits.max)) - 1
                                        or np.log(sizes[sizes < 1]).sum() < np.log(float(limits.tiny)) + 1)
        return self(result)

    def _units(self):
        return float(self.random.uniform(-self.ulps, self.ulps))


@dataclasses.dataclass
class Conditioning:
    """`spread` maps the path of each float leaf to how far noise moved its elements; `reason` says why not to judge."""
    spread: dict
    reason: str | None = None
    exact: bool = False  # rounding decides nothing: every float must be the same


LIMIT = 2e-2  # relative movement under noise beyond which a result says nothing


def conditioning(outcome, noisy):
    """Compare the exact outcome with those under noise."""
    spread = {}
    for other in noisy:
        if (outcome.error or ("",))[0] != (other.error or ("",))[0]:
            return Conditioning({}, "an error depends on rounding")
        if outcome.shares != other.shares:
            return Conditioning({}, "aliasing depends on rounding")
        pairs = zip(_all(outcome), _all(other), strict=False)
        if len(list(_all(outcome))) != len(list(_all(other))):
            return Conditioning({}, "the result's structure depends on rounding")
        for (path, a), (_, b) in pairs:
            x, y = np.asarray(a), np.asarray(b)
            if type(a) is not type(b) or x.shape != y.shape or x.dtype != y.dtype:
                return Conditioning({}, "a type or shape depends on rounding")
            if x.dtype.kind not in "fc":
                if not np.array_equal(x, y):
                    return Conditioning({}, "an exact value depends on rounding")
                continue
            finite = np.isfinite(x)
            if not np.array_equal(finite, np.isfinite(y)):
                return Conditioning({}, "a non-finite value depends on rounding")
            with np.errstate(all="ignore"):
                moved = np.where(finite, np.abs(np.where(finite, x, 0).astype(complex) - np.where(finite, y, 0)), 0)
                scale = np.abs(np.where(finite, x, 0)).astype(float).max(initial=0)
            if moved.max(initial=0) > LIMIT * scale:
                return Conditioning({}, "the result is ill-conditioned")
            spread[path] = np.maximum(spread.get(path, 0), moved)
    return Conditioning(spread)


def _all(outcome):
    yield from leaves(outcome.value)
    for i, argument in enumerate(outcome.arguments):
        yield from leaves(argument, f"argument {i}")
