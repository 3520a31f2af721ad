"""Random arguments: dtypes, extents, memory layouts, aliasing, and values that keep programs numerically tame."""
from __future__ import annotations

import math

from .program import Base, literal

BOOLEANS = ["bool_"]
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
DTYPES = BOOLEANS + SIGNED + UNSIGNED + FLOATS + COMPLEX
# How often programs use each: the dtypes of real programs first, yet every one often enough to be met in a short run.
WEIGHTS = [6, 2, 2, 5, 10, 4, 1, 1, 2, 3, 12, 30, 2, 6]

LAYOUTS = {
    "contiguous": ("{0}", lambda shape: shape),
    "fortran": ("np.asfortranarray({0})", lambda shape: shape),
    "transposed": ("{0}.T", lambda shape: shape[::-1]),
    "reversed": ("{0}[::-1]", lambda shape: shape),
    "strided": ("{0}[..., ::2]", lambda shape: (*shape[:-1], 2 * shape[-1])),
    "offset": ("{0}[1:-1]", lambda shape: (shape[0] + 2, *shape[1:])),
    "broadcast": ("np.broadcast_to({0}, {1})", lambda shape: (1, *shape[1:])),
}


def number(random, dtype, special=False):
    """One Python number of this dtype: three digits, away from zero, so that neither ties nor cancellation are the rule."""
    if dtype == "bool_":
        return random.random() < 0.5
    if dtype.startswith("uint"):
        return _edge(random, 0, 2 ** int(dtype[4:]) - 1) if random.random() < 0.02 else random.randint(0, 12)
    if dtype.startswith("int"):
        bits = int(dtype[3:])
        return _edge(random, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if random.random() < 0.02 else random.randint(-9, 9)
    if dtype.startswith("complex"):
        return complex(number(random, "float64", special), number(random, "float64"))
    if special and random.random() < 0.15:
        return random.choice([math.nan, math.inf, -math.inf, -0.0, 0.0])
    value = round(random.uniform(0.15, 4.0), 2 if dtype == "float16" else 3)
    return -value if random.random() < 0.4 else value


def _edge(random, low, high):
    return random.choice([low, low + 1, high - 1, high])


class Inputs:
    """Draws the bases and arguments of one program. `extents` is a small pool, so that shapes match often."""

    def __init__(self, random, without=(), special=False):
        self.random, self.special = random, special
        pairs = [(d, w) for d, w in zip(DTYPES, WEIGHTS) if not any(d.startswith(x) for x in without)]
        self.dtypes, self.weights = [d for d, _ in pairs], [w for _, w in pairs]
        # Two or three dtypes a program: promotion is met, yet most operations stay in the kind they began with.
        self.palette = random.choices(self.dtypes, self.weights, k=random.choice([1, 2, 2, 3]))
        pool = [2, 3, 4, 5, 6, 7, 8, 9]
        self.extents = random.sample(pool, k=random.choice([1, 2, 3]))
        if random.random() < 0.15 and "empty" not in without:
            self.extents.append(0)
        if random.random() < 0.2:
            self.extents.append(1)
        if random.random() < 0.06:
            self.extents.append(random.choice([33, 64, 100, 257]))
        self.large = random.random() < 0.05 and "large" not in without
        self.without = without
        self.bases, self.arguments = [], []

    def shape(self):
        rank = self.random.choices([0, 1, 2, 3, 4], [1, 10, 9, 3, 0.5])[0]
        shape = tuple(self.random.choice(self.extents) for _ in range(rank))
        while math.prod(shape) > 600:
            shape = shape[1:]
        return shape

    def base(self, dtype, shape):
        size = math.prod(shape)
        values = None if size > 300 else [number(self.random, dtype, self.special) for _ in range(size)]
        base = Base(f"base{len(self.bases)}", dtype, shape, values, self.random.choice([37, 41, 59, 73]))
        self.bases.append(base)
        return base

    def array(self, name):
        shape, dtype = self.shape(), self.random.choice(self.palette)
        if self.large and self.random.random() < 0.5:
            shape = self.random.choice([(1500,), (3000,), (40, 70), (4099,)])
        layout = "contiguous"
        if shape and "layouts" not in self.without and self.random.random() < 0.35:
            layout = self.random.choice(list(LAYOUTS))
            if layout == "broadcast" and (self.random.random() < 0.7 or shape[0] == 0):
                layout = "reversed"  # a read-only argument ends most in-place statements: keep it rare
        template, base_shape = LAYOUTS[layout]
        base = self.base(dtype, base_shape(shape))
        self.arguments.append((name, template.format(base.name, shape)))

    def scalar(self, name):
        kind = self.random.choices(["int", "float", "bool", "numpy", "complex"], [5, 5, 1, 3, 0.5])[0]
        if kind == "numpy":
            # Any dtype, not only the program's: a narrow scalar beside Python's numbers is where promotion is odd.
            dtype = self.random.choice(self.palette if self.random.random() < 0.5 else self.dtypes)
            text = f"np.{dtype}({literal(number(self.random, dtype))})"
        elif kind == "int":
            text = repr(self.random.randint(-4, 6))
        elif kind == "bool":
            text = repr(self.random.random() < 0.5)
        else:
            text = literal(number(self.random, "complex128" if kind == "complex" and self.complex_allowed() else "float64"))
        self.arguments.append((name, text))

    def complex_allowed(self):
        return any(d.startswith("complex") for d in self.dtypes)

    def alias(self, name):
        """An argument that shares memory with an earlier one: the same object, or an overlapping view of its base."""
        arrays = [(n, t) for n, t in self.arguments if "base" in t]
        if not arrays:
            return self.array(name)
        other, text = self.random.choice(arrays)
        base = next(b for b in self.bases if b.name in text)
        forms = ["{0}"]
        if base.shape and base.shape[0] > 1:
            forms += ["{0}[1:]", "{0}[:-1]", "{0}[::-1]"]
        if len(base.shape) == 2:
            forms += ["{0}.T"]
        self.arguments.append((name, self.random.choice([other, self.random.choice(forms).format(base.name)])))
        return None

    def draw(self, arrays, scalars, aliasing=0.0):
        names = iter("abcdefgh")
        for i in range(arrays):
            name = next(names)
            if i and self.random.random() < aliasing:
                self.alias(name)
            else:
                self.array(name)
        for _ in range(scalars):
            self.scalar(next(names))
        return self.bases, self.arguments
