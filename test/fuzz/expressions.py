"""Random expressions over the names of a scope. Each is evaluated when it is made, so operands are chosen that fit."""
from __future__ import annotations

import dataclasses
import re

import numpy as np

from . import functions as f
from . import indexing
from .inputs import COMPLEX

ATOM = re.compile(r"[A-Za-z_][\w.]*|\d+(\.\d+)?")


@dataclasses.dataclass
class Expression:
    text: str
    value: object

    @property
    def operand(self):
        """Text that can stand beside any operator."""
        text = self.text
        if ATOM.fullmatch(text) or re.fullmatch(r"[\w.]+\[[^\[\]]*\]", text):
            return text
        return f"({text})"


def kind(value):
    return np.asarray(value).dtype.kind


def broadcasts(a, b):
    return all(x == y or 1 in (x, y) for x, y in zip(a[::-1], b[::-1]))


class Expressions:
    def __init__(self, random, scope, inputs):
        self.random, self.scope, self.inputs = random, scope, inputs
        self.counters = []  # loop counters in scope, for subscripts

    def make(self, text):
        return Expression(text, self.scope.evaluate(text))

    def draw(self, depth, test=lambda value: True, tries=12):
        """An expression of at most this depth whose value passes the test, or None."""
        for _ in range(tries):
            try:
                found = self._any(depth)
            except Exception:  # NumPy refuses this combination, or its value is unfit: draw another
                continue
            if found is not None and test(found.value):
                return found
        return None

    def _any(self, depth):
        if depth <= 0 or self.random.random() < 0.12:
            return self.leaf()
        family = self.random.choices(
            [self.unary, self.binary, self.reduce, self.index, self.view, self.along, self.whole, self.product, self.join,
             self.create, self.cast, self.choose, self.stencil_sum],
            [12, 30, 12, 14, 6, 6, 4, 4, 3, 4, 5, 4, 6])[0]
        return family(depth)

    def leaf(self):
        names = self.scope.names(lambda v: isinstance(v, (np.ndarray, np.generic, int, float, complex)))
        arrays = self.scope.arrays()
        if arrays and self.random.random() < 0.75:
            names = arrays
        if not names or self.random.random() < 0.08:
            return self.constant()
        return self.make(self.random.choice(names))

    def constant(self, beside="f"):
        if beside in "biu":
            text = str(self.random.randint(-3, 5) if beside != "u" else self.random.randint(0, 5))
        elif beside == "c" and self.random.random() < 0.4 and self.inputs.complex_allowed():
            text = f"({self.random.randint(1, 3)} + {self.random.randint(1, 3)}j)"
        else:
            text = self.random.choice(["2", "3", "0.5", "0.25", "1.5", "2.0", "0.7", "-1.3"])
        return self.make(text)

    def array(self, depth):
        return self.draw(depth, lambda v: isinstance(v, np.ndarray))

    def number_beside(self, value):
        """A Python number of any kind and size, or a NumPy scalar of any dtype."""
        dtype = self.random.choice(self.inputs.dtypes)
        numbers = ["0", "-1", "300", "2**40", "True", "-0.0", "np.nan", "np.inf", "1e10", "0.5"]
        return self.make(self.random.choice([*numbers, f"np.{dtype}(3)", f"np.{dtype}(1)"]))

    def beside(self, value, depth):
        """An operand that broadcasts with `value`: another name, a cut of one, a reduction that kept its axes, a number."""
        shape = np.shape(value)
        fits = lambda v: isinstance(v, (np.ndarray, np.generic)) and broadcasts(np.shape(v), shape)
        choice = self.random.random()
        if choice < 0.45:
            names = self.scope.names(fits)
            if names:
                return self.make(self.random.choice(names))
        if choice < 0.6 and shape:
            cuts = [indexing.stencil(self.random, n, self.scope.env[n], shape) for n in self.scope.arrays()]
            cuts = [c for c in cuts if c]
            if cuts:
                return self.make(self.random.choice(cuts))
        if choice < 0.8 and depth > 0:
            found = self.draw(depth - 1, fits, tries=4)
            if found:
                return found
        return self.number_beside(value) if self.random.random() < 0.06 else self.constant(kind(value))

    def unary(self, depth):
        x = self.draw(depth - 1)
        if x is None:
            return None
        template = self.random.choice([t for t, kinds in f.UNARY if kind(x.value) in kinds])
        return self.make(template.format(x.operand if not template.startswith("np.") else x.text))

    def binary(self, depth):
        x = self.draw(depth - 1)
        if x is None:
            return None
        if kind(x.value) == "f" and np.asarray(x.value).dtype.itemsize < 8 and self.random.random() < 0.3:
            # A Python float takes the narrow dtype.
            return self.make(f"{x.operand} {self.random.choice('+-*/')} {self.random.choice(['0.3', '2.7', '1e-9', '1e10'])}")
        y = self.beside(x.value, depth)
        if self.random.random() < 0.3:
            x, y = y, x
        rows = [(t, w) for t, kinds, w in f.BINARY if kind(x.value) in kinds and kind(y.value) in kinds]
        template = self.random.choices([t for t, _ in rows], [w for _, w in rows])[0]
        return self.make(template.format(x.operand, y.operand))

    def reduce(self, depth):
        x = self.array(depth - 1)
        if x is None:
            return None
        rows = [r for r in f.REDUCE if kind(x.value) in r[1] and (r[2] or x.value.size)]
        name, _, _, method = self.random.choice(rows)
        arguments = []
        rank = x.value.ndim
        if rank and self.random.random() < 0.65:
            axis = str(self.random.randint(-rank, rank - 1))
            if rank > 1 and name not in f.NO_TUPLE_AXIS and self.random.random() < 0.25:
                axis = str(tuple(sorted(self.random.sample(range(rank), 2))))
            arguments.append(self.random.choice(["axis=" + axis, "axis=" + axis, axis]) if name != "average" else "axis=" + axis)
        if self.random.random() < 0.25 and name not in ("average", "ptp"):
            arguments.append("keepdims=True")
        if name in ("sum", "prod", "mean") and self.random.random() < 0.15:
            dtypes = [d for d in self.inputs.dtypes if d not in ("bool_", "float16") and (kind(x.value) != "c" or d in COMPLEX)]
            arguments.append(f"dtype=np.{self.random.choice(dtypes)}")
        if name in ("var", "std") and self.random.random() < 0.3:
            arguments.append("ddof=1")
        if name in ("sum", "max", "min") and self.random.random() < 0.08 and kind(x.value) in "if":
            arguments.append("initial=1")
        if method and self.random.random() < 0.4:
            return self.make(f"{x.operand}.{name}({', '.join(arguments)})")
        return self.make(f"np.{name}({', '.join([x.text, *arguments])})")

    def index(self, depth):
        names = self.scope.arrays()
        if not names:
            return None
        name = self.random.choice(names)
        text = f"{name}[{indexing.subscript(self.random, name, self.scope, self.counters)}]"
        found = self.make(text)
        if isinstance(found.value, np.ndarray) and found.value.ndim and self.random.random() < 0.12:
            return self.make(f"{text}[{indexing.basic(self.random, found.value.shape, self.counters)}]")
        return found

    def view(self, depth):
        x = self.array(depth - 1)
        if x is None:
            return None
        if self.random.random() < 0.3 and x.value.size:
            return self.make(f"{x.operand}.reshape({self._factors(x.value.size)})")
        if self.random.random() < 0.15 and x.value.ndim:
            return self.make(f"np.broadcast_to({x.text}, {(2, *x.value.shape)})")
        return self.make(self.random.choice(f.VIEWS).format(x.operand))

    def _factors(self, size):
        divisor = self.random.choice([d for d in range(1, min(size, 12) + 1) if size % d == 0])
        return self.random.choice([f"{divisor}, -1", f"-1, {divisor}", f"({divisor}, {size // divisor})"])

    def along(self, depth):
        x = self.draw(depth - 1, lambda v: isinstance(v, np.ndarray) and v.ndim)
        if x is None:
            return None
        rows = [t for t, kinds in f.ACCUMULATE if kind(x.value) in kinds]
        return self.make(self.random.choice(rows).format(x.text, self.random.randint(-x.value.ndim, x.value.ndim - 1)))

    def whole(self, depth):
        x = self.array(depth - 1)
        if x is None:
            return None
        rows = [t for t, kinds, rank in f.WHOLE if kind(x.value) in kinds and (x.value.ndim == rank or rank == 0)]
        return self.make(self.random.choice(rows).format(x.operand))

    def product(self, depth):
        x = self.draw(depth - 1, lambda v: isinstance(v, np.ndarray) and v.ndim and v.size < 2000)
        if x is None:
            return None
        choices = [n for n in self.scope.arrays() if x.value.shape[-1] in self.scope.env[n].shape[-2:]]
        y = self.make(self.random.choice(choices)) if choices and self.random.random() < 0.8 else Expression(f"{x.operand}.T", x.value.T)
        return self.make(self.random.choice(f.PRODUCTS).format(x.operand, y.operand))

    def join(self, depth):
        x = self.array(depth - 1)
        if x is None:
            return None
        same = self.draw(depth - 1, lambda v: isinstance(v, np.ndarray) and v.ndim == x.value.ndim, tries=4) or x
        return self.make(self.random.choice(f.JOIN).format(x.text, same.text))

    def create(self, depth):
        dtype = self.random.choice(self.inputs.palette)
        names = self.scope.arrays(lambda v: v.ndim)
        if names and self.random.random() < 0.6:
            name = self.random.choice(names)
            if self.random.random() < 0.3:
                return self.make(self.random.choice(f.CREATE_LINE).format(f"{name}.shape[0]", dtype))
            return self.make(self.random.choice(f.CREATE).format(f"{name}.shape", dtype))
        shape = self.inputs.shape()
        if len(shape) == 1 and self.random.random() < 0.5:
            return self.make(self.random.choice(f.CREATE_LINE).format(shape[0], dtype))
        if len(shape) == 2 and self.random.random() < 0.3:
            return self.make(f"np.eye({shape[0]}, {shape[1]})")
        return self.make(self.random.choice(f.CREATE).format(shape, dtype))

    def cast(self, depth):
        x = self.draw(depth - 1)
        if x is None:
            return None
        if not isinstance(x.value, (np.ndarray, np.generic)) or self.random.random() < 0.1:
            return self.make(f"{self.random.choice(['int', 'float', 'bool'])}({x.text})")
        dtype = self.random.choice(self.inputs.dtypes)
        value = np.asarray(x.value)
        if value.dtype.kind in "fc" and value.size and dtype == "uint32":
            if value.dtype.kind == "c" or not ((value > 0) & (value < 2**30)).all():
                return None  # NumPy gives one thing for arrays and another for scalars
        if value.dtype.kind == "c" and dtype not in COMPLEX:
            return None
        if value.ndim == 0 and not isinstance(x.value, np.ndarray):
            return self.make(f"np.{dtype}({x.text})")
        return self.make(f"{x.operand}.astype(np.{dtype})")

    def choose(self, depth):
        x = self.draw(depth - 1, lambda v: isinstance(v, (np.ndarray, np.generic)) and kind(v) != "c")
        if x is None:
            return None
        test = f"{x.operand} {self.random.choice(['<', '>', '<=', '>='])} {self.random.choice(['0.4321', '1', '-0.6543', '2'])}"
        y, z = self.beside(x.value, depth), self.beside(x.value, depth)
        if np.ndim(x.value) == 0 and self.random.random() < 0.5:
            return self.make(f"({y.text} if {test} else {z.text})")
        return self.make(f"np.where({test}, {y.text}, {z.text})")

    def stencil_sum(self, depth):
        """Shifted slices of arrays of one shape, weighted: the inner loop of most grid codes."""
        names = self.scope.arrays(lambda v: v.ndim and min(v.shape) > 2 and v.dtype.kind in "iufc")
        if not names:
            return None
        name = self.random.choice(names)
        shape = tuple(n - self.random.choice([1, 2]) for n in self.scope.env[name].shape)
        same = [n for n in names if self.scope.env[n].shape == self.scope.env[name].shape]
        cuts = [indexing.stencil(self.random, n, self.scope.env[n], shape)
                for n in self.random.choices(same, k=self.random.randint(2, 4))]
        text = " + ".join(cuts)
        return self.make(self.random.choice(["{0}", "0.25 * ({0})", "({0}) / 3", "({0}) - 2"]).format(text))
