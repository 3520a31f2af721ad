"""Random valid functions of the `np` dialect in the generic form, and arguments to run them on.

Extents are dynamic in the types; the generator knows what they will be, so that regions stay inside and broadcasts fit.
"""
from __future__ import annotations

import dataclasses
import random as random_module

import numpy as np

ELEMENTS = ["f64", "f64", "f64", "f32", "i64", "i64", "i32", "ui8", "i1"]
BINARY = {"f": ["add", "subtract", "multiply", "maximum", "minimum"], "i": ["add", "subtract", "multiply", "maximum", "minimum", "bitwise_and"],
          "b": ["logical_and", "logical_or", "logical_xor", "bitwise_xor"]}
COMPARE = ["less", "greater", "less_equal", "not_equal", "equal"]
UNARY = {"f": ["negative", "absolute", "square", "floor", "sin"], "i": ["negative", "square", "invert"], "b": ["logical_not"]}
REDUCE = {"f": ["add", "maximum", "minimum", "argmax"], "i": ["add", "multiply", "maximum", "bitwise_or", "argmin"], "b": ["logical_and", "logical_or"]}


def family(element):
    return "b" if element == "i1" else "f" if element.startswith("f") else "i"


@dataclasses.dataclass
class Value:
    """An SSA value: `kind` is array, tensor, index or scalar; `shape` holds the extents it will have."""
    name: str
    kind: str
    element: str = "index"
    shape: tuple = ()
    contiguous: bool = True
    number: int = 0
    is_column: bool = False  # the last axis is of extent 1, which is part of the type

    @property
    def type(self):
        if self.kind in ("index", "scalar"):
            return self.element
        extents = "".join("?x" for _ in self.shape)
        if self.is_column:
            extents = extents[:-2] + "1x"
        if self.kind == "tensor":
            return f"tensor<{extents}{self.element}>"
        return f"!np.array<{extents}{self.element}{'' if self.contiguous else ', strided'}>"


class Function:
    def __init__(self, random):
        self.random, self.lines, self.count, self.values, self.indent = random, [], 0, [], 2
        self.extents = random.sample([1, 2, 3, 4, 5, 6], 2)
        self.constants = {}

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, name, operands, result=None, attributes="", tail=""):
        left = f"{result.name} = " if result else ""
        names, types = ", ".join(o.name for o in operands), ", ".join(o.type for o in operands)
        self.lines.append("  " * self.indent + f'{left}"{name}"({names}){attributes and " <{" + attributes + "}>"}{tail} : ({types}) -> '
                          + (result.type if result else "()"))
        if result and result.kind in ("array", "tensor"):
            self.values.append(result)
        return result

    def constant(self, number):
        """Index constants are placed where they are used: passes are to find the equal ones."""
        return self.emit("arith.constant", [], Value(self.fresh(), "index", number=number), f"value = {number} : index")

    def scalar(self, element):
        value = {"f": self.random.choice(["1.500000e+00", "-2.000000e+00", "3.250000e-01"]), "i": str(self.random.randint(0, 5)),
                 "b": self.random.choice(["true", "false"])}[family(element)]
        if element.startswith("ui"):  # arith has signless constants only
            small = self.emit("arith.constant", [], Value(self.fresh(), "scalar", "i64"), f"value = {value} : i64")
            return self.emit("np.cast", [small], Value(self.fresh(), "scalar", element))
        return self.emit("arith.constant", [], Value(self.fresh(), "scalar", element), f"value = {value}" + ("" if value in ("true", "false") else f" : {element}"))

    def dim(self, value, axis):
        return self.emit("np.dim", [value], Value(self.fresh(), "index", number=value.shape[axis]), f"axis = {axis} : i64")

    def extent(self, value, axis, less=0):
        """The extent of an axis, less a constant: as the importer computes `n - 2`."""
        size = self.dim(value, axis)
        if not less:
            return size
        return self.emit("arith.subi", [size, self.constant(less)], Value(self.fresh(), "index", number=size.number - less),
                         "overflowFlags = #arith.overflow<none>")

    def pick(self, *kinds, test=lambda v: True):
        found = [v for v in self.values if v.kind in kinds and test(v)]
        return self.random.choice(found) if found else None

    # ---- statements; each gives up silently when nothing fits
    def view(self, kind=None, shape=None):
        source = self.pick(kind or self.random.choice(["array", "tensor"]), test=lambda v: v.shape and (shape is None or self._fits(v, shape)))
        if not source:
            return None
        offsets, axes, extents, steps = [], [], [], []
        for axis, size in enumerate(source.shape):
            form = self.random.choice(["whole", "inner", "reverse", "step", "index"] if shape is None else ["cut"])
            if size < 3 and form in ("inner", "step"):
                form = "whole"
            if form == "cut":
                less = size - shape[axis]
                offsets.append(self.constant(self.random.randint(0, less)))
                extents.append(self.extent(source, axis, less))
                steps.append(self.constant(1))
            elif form == "index" and size:
                offsets.append(self.constant(self.random.randint(0, size - 1)))
                continue
            elif form == "reverse" and size:
                offsets.append(self.extent(source, axis, 1))
                extents.append(self.dim(source, axis))
                steps.append(self.constant(-1))
            elif form == "step":
                offsets.append(self.constant(1))
                extents.append(self.constant(size // 2))
                steps.append(self.constant(2))
            elif form == "inner":
                offsets.append(self.constant(1))
                extents.append(self.extent(source, axis, 2))
                steps.append(self.constant(1))
            else:
                offsets.append(self.constant(0))
                extents.append(self.dim(source, axis))
                steps.append(self.constant(1))
            axes.append(axis)
        if len(axes) == 2 and shape is None and self.random.random() < 0.3:
            axes, extents, steps = axes[::-1], extents[::-1], steps[::-1]
        if shape is None and self.random.random() < 0.15:
            axes, extents, steps = [-1, *axes], [self.constant(1), *extents], [self.constant(1), *steps]
        result = Value(self.fresh(), source.kind, source.element, tuple(e.number for e in extents), False)
        sizes = f"array<i32: 1, {len(offsets)}, {len(extents)}, {len(steps)}>"
        axes_text = "array<i64" + (": " + ", ".join(map(str, axes)) if axes else "") + ">"
        return self.emit("np.view", [source, *offsets, *extents, *steps], result, f"axes = {axes_text}, operandSegmentSizes = {sizes}")

    def _fits(self, value, shape):
        return len(value.shape) == len(shape) and all(a >= b for a, b in zip(value.shape, shape))

    def load(self):
        source = self.pick("array")
        return source and self.emit("np.load", [source], Value(self.fresh(), "tensor", source.element, source.shape))

    def tensor(self, test=lambda v: True):
        found = self.pick("tensor", test=test)
        if found is None or self.random.random() < 0.3:
            loaded = self.load()
            if loaded and test(loaded):
                return loaded
        return found

    def ufunc(self):
        x = self.tensor()
        if not x:
            return None
        rule = family(x.element)
        if self.random.random() < 0.3:
            name = self.random.choice([n for n in UNARY[rule] if not (x.element.startswith("ui") and n == "negative")])
            return self.emit("np.ufunc", [x], Value(self.fresh(), "tensor", x.element, x.shape), f'name = "{name}"')
        y = self.pick("tensor", test=lambda v: v.element == x.element and self._broadcast(x.shape, v.shape) is not None)
        if y is None or self.random.random() < 0.15:
            y = self.scalar(x.element)
        shape = self._broadcast(x.shape, y.shape)
        if rule != "b" and self.random.random() < 0.2:
            return self.emit("np.ufunc", [x, y], Value(self.fresh(), "tensor", "i1", shape), f'name = "{self.random.choice(COMPARE)}"')
        pair = [x, y] if self.random.random() < 0.7 else [y, x]
        return self.emit("np.ufunc", pair, Value(self.fresh(), "tensor", x.element, shape), f'name = "{self.random.choice(BINARY[rule])}"')

    @staticmethod
    def _broadcast(a, b):
        try:
            return np.broadcast_shapes(a, b)
        except ValueError:
            return None

    def where(self):
        mask = self.tensor(lambda v: v.element == "i1")
        x = mask and self.pick("tensor", test=lambda v: v.shape == mask.shape and v.element != "i1")
        if not x:
            return None
        y = self.pick("tensor", test=lambda v: v.shape == x.shape and v.element == x.element)
        return self.emit("np.ufunc", [mask, x, y], Value(self.fresh(), "tensor", x.element, x.shape), 'name = "where"')

    def cast(self):
        x = self.tensor()
        # No float to integer: random values may be beyond the integer's range, which C leaves undefined.
        targets = [e for e in set(ELEMENTS) if not (x and family(x.element) == "f" and family(e) == "i")]
        return x and self.emit("np.cast", [x], Value(self.fresh(), "tensor", self.random.choice(sorted(targets)), x.shape))

    def reduce(self):
        x = self.tensor(lambda v: v.shape and 0 not in v.shape)
        if not x:
            return None
        kind = self.random.choice(REDUCE[family(x.element)])
        axes = sorted(self.random.sample(range(len(x.shape)), 1 if kind.startswith("arg") else self.random.randint(1, len(x.shape))))
        shape = tuple(n for i, n in enumerate(x.shape) if i not in axes)
        return self.emit("np.reduce", [x], Value(self.fresh(), "tensor", "i64" if kind.startswith("arg") else x.element, shape),
                         f'axes = array<i64: {", ".join(map(str, axes))}>, kind = "{kind}"')

    def scan(self):
        x = self.tensor(lambda v: v.shape and family(v.element) != "b")
        if not x:
            return None
        axis = self.random.randrange(len(x.shape))
        return self.emit("np.scan", [x], Value(self.fresh(), "tensor", x.element, x.shape),
                         f'axis = {axis} : i64, kind = "{self.random.choice(["add", "maximum", "minimum"])}"')

    def sort(self):
        x = self.tensor(lambda v: v.shape)
        if not x:
            return None
        positions = self.random.random() < 0.5
        return self.emit("np.sort", [x], Value(self.fresh(), "tensor", "i64" if positions else x.element, x.shape), f"positions = {str(positions).lower()}")

    def search(self):
        x = self.tensor(lambda v: True)
        y = x and self.pick("tensor", test=lambda v: v.element == x.element and len(v.shape) == 1)
        if not y:
            return None
        ordered = self.emit("np.sort", [y], Value(self.fresh(), "tensor", y.element, y.shape), "positions = false")
        return self.emit("np.search", [ordered, x], Value(self.fresh(), "tensor", "i64", x.shape), self.random.choice(["", "right"]))

    def random_bits(self):
        shape = tuple(self.random.randint(1, 4) for _ in range(self.random.randint(1, 2)))
        key, start = (self.emit("arith.constant", [], Value(self.fresh(), "scalar", "i64"), f"value = {self.random.getrandbits(40)} : i64") for _ in range(2))
        return self.emit("np.random_bits", [key, start, *map(self.constant, shape)], Value(self.fresh(), "tensor", "ui64", shape))

    def matmul(self):
        x = self.tensor(lambda v: len(v.shape) == 2 and v.element in ("f64", "i64"))
        y = x and self.pick("tensor", test=lambda v: v.element == x.element and len(v.shape) == 2 and v.shape[0] == x.shape[1])
        return y and self.emit("np.matmul", [x, y], Value(self.fresh(), "tensor", x.element, (x.shape[0], y.shape[1])),
                               "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>")

    def positions(self, size):
        """Positions along an axis: some of its own, counted up."""
        first = self.random.randint(0, size - 1)
        count = self.random.randint(1, size - first)
        start, one = (self.emit("arith.constant", [], Value(self.fresh(), "scalar", "i64"), f"value = {n} : i64") for n in (first, 1))
        return self.emit("np.arange", [start, one, self.constant(count)], Value(self.fresh(), "tensor", "i64", (count,)))

    def gather(self):
        x = self.tensor(lambda v: v.shape and 0 not in v.shape)
        if not x:
            return None
        axis = self.random.randrange(len(x.shape))
        indices = self.positions(x.shape[axis])
        shape = (*x.shape[:axis], *indices.shape, *x.shape[axis + 1:])
        return self.emit("np.gather", [x, indices], Value(self.fresh(), "tensor", x.element, shape), f"axes = array<i64: {axis}>")

    def reshape(self):
        x = self.tensor(lambda v: len(v.shape) == 2)
        extents = x and [self.dim(x, 1), self.dim(x, 0)]
        return x and self.emit("np.reshape", [x, *extents], Value(self.fresh(), "tensor", x.element, x.shape[::-1]))

    def reshape_array(self, x=None):
        """Another array of the same elements: a contiguous one, which others may be views of too."""
        x = x or self.pick("array", test=lambda v: v.contiguous and v.shape and 0 not in v.shape)
        if not x:
            return None
        size = int(np.prod(x.shape))
        # No axis of extent 1, which would be part of the type.
        shapes = [(size,), *((size // n, n) for n in range(2, size) if size % n == 0)]
        shapes = [s for s in shapes if s != x.shape and size > 1]
        if not shapes:
            return None
        shape = self.random.choice(shapes)
        return self.emit("np.reshape", [x, *map(self.constant, shape)], Value(self.fresh(), "array", x.element, shape))

    def element(self, array, axis, position):
        """The array's element there, and at the first position of other axes, as an array without axes."""
        offsets = [position if k == axis else self.constant(0) for k in range(len(array.shape))]
        return self.emit("np.view", [array, *offsets], Value(self.fresh(), "array", array.element, (), False),
                         f"axes = array<i64>, operandSegmentSizes = array<i32: 1, {len(offsets)}, 0, 0>")

    def column(self, like):
        """A new array of one column, and another one of its elements, of one axis."""
        size = max(like.shape)
        value = Value(self.fresh(), "tensor", like.element, (size, 1), is_column=True)
        self.emit("np.full", [self.scalar(like.element), self.constant(size), self.constant(1)], value)
        column = self.emit("np.new", [value], dataclasses.replace(value, name=self.fresh(), kind="array"))
        self.values[-2:] = []  # for a loop alone
        return [column, self.emit("np.reshape", [column, self.constant(size)], Value(self.fresh(), "array", like.element, (size,)))]

    def elements(self, is_recurrence=False):
        """A loop over elements, as programs write them: some have an order, some not. Both arrays are often views of one. A recurrence reads
        through one of them what it has stored through the other."""
        target = self.pick("array", test=lambda v: v.shape and max(v.shape) > 1 and 0 not in v.shape and (v.contiguous or not is_recurrence))
        if not target:
            return None
        source = self.pick("array", test=lambda v: v.element == target.element and v.shape and 0 not in v.shape and max(v.shape) > 1)
        if self.random.random() < (0.1 if is_recurrence else 0.3):
            target, source = self.random.sample(self.column(target), 2)
        elif target.contiguous and (is_recurrence or self.random.random() < 0.5):
            size = int(np.prod(target.shape))
            source = self.emit("np.reshape", [target, self.constant(size), self.constant(1)],
                               Value(self.fresh(), "array", target.element, (size, 1), is_column=True))
            self.values.pop()  # for this loop alone
            if source and self.random.random() < 0.5:
                target, source = source, target
        if not source:
            return None
        axes = [v.shape.index(max(v.shape)) for v in (target, source)]
        shifts = [1, 0] if is_recurrence else self.random.choice([[0, 0], [0, 1], [1, 0], [1, 0], [1, 1]])
        count = min(v.shape[axis] - shift for v, axis, shift in zip((target, source), axes, shifts))
        low, high, step = self.constant(0), self.constant(count), self.constant(1)
        counter = Value(self.fresh(), "index")
        self.lines.append("  " * self.indent + f'"scf.for"({low.name}, {high.name}, {step.name}) ({{')
        self.lines.append("  " * self.indent + f"^bb0({counter.name}: index):")
        outside, self.indent = list(self.values), self.indent + 1
        places = [self.emit("arith.addi", [counter, self.constant(shift)], Value(self.fresh(), "index"), "overflowFlags = #arith.overflow<none>")
                  for shift in shifts]
        read = self.emit("np.load", [self.element(source, axes[1], places[1])], Value(self.fresh(), "tensor", source.element, ()))
        name = self.random.choice(BINARY[family(source.element)])
        value = self.emit("np.ufunc", [read, self.scalar(source.element)], Value(self.fresh(), "tensor", source.element, ()), f'name = "{name}"')
        self.emit("np.store", [value, self.element(target, axes[0], places[0])])
        self.emit("scf.yield", [])
        self.values, self.indent = outside, self.indent - 1
        self.lines.append("  " * self.indent + "}) : (index, index, index) -> ()")
        return low

    def create(self):
        like = self.pick("array", "tensor", test=lambda v: v.shape)
        if not like:
            return None
        value = self.scalar(like.element)
        extents = [self.dim(like, i) for i in range(len(like.shape))]
        return self.emit("np.full", [value, *extents], Value(self.fresh(), "tensor", like.element, like.shape))

    def chain(self):
        """Lines that need what was before more than once: what is not remembered takes exponential time."""
        x = self.tensor(lambda v: v.element in ("f64", "i64"))
        for _ in range(16 if x else 0):
            one, other = self.random.sample(["add", "maximum", "minimum", "subtract"], 2)
            inner = self.emit("np.ufunc", [x, x], dataclasses.replace(x, name=self.fresh()), f'name = "{one}"')
            x = self.emit("np.ufunc", [inner, x], dataclasses.replace(x, name=self.fresh()), f'name = "{other}"')
            self.values[-2:] = []
        if x:
            self.values.append(x)
        return x

    def exchange(self):
        """A halo, of which an element was read before."""
        tile = self.pick("array", test=lambda v: v.shape and v.contiguous and v.element in ("f64", "f32", "i64", "i32") and 0 not in v.shape)
        if not tile:
            return None
        rows = tile.shape[0]
        before, after = self.random.randint(1, rows), self.random.randint(0, rows)
        read = self.emit("np.load", [self.element(tile, 0, self.constant(0))], Value(self.fresh(), "tensor", tile.element, ()))
        self.emit("np.exchange_halo", [tile, self.constant(before), self.constant(after)])
        target = self.pick("array", test=lambda v: v.element == tile.element and v.shape)
        now = self.emit("np.load", [target], Value(self.fresh(), "tensor", target.element, target.shape))
        self.emit("np.store", [self.emit("np.ufunc", [now, read], Value(self.fresh(), "tensor", target.element, target.shape), 'name = "maximum"'), target])
        return read

    def new(self, test=lambda v: True):
        x = self.tensor(test)
        return x and self.emit("np.new", [x], Value(self.fresh(), "array", x.element, x.shape))

    def store(self):
        target = self.pick("array")
        if not target:
            return None
        fits = lambda v: v.element == target.element and self._broadcast(v.shape, target.shape) == target.shape and len(v.shape) <= len(target.shape)
        value = self.pick("tensor", test=fits) or self.view("tensor", target.shape)
        if value is None or value.element != target.element:
            value = self.scalar(target.element)
        self.emit("np.store", [value, target])
        return value

    def store_masked(self):
        target = self.pick("array", test=lambda v: v.shape)
        mask = target and self.pick("tensor", test=lambda v: v.element == "i1" and v.shape == target.shape)
        if not mask:
            return None
        self.emit("np.store_masked", [self.scalar(target.element), mask, target])
        return target

    def statement(self, nesting):
        if nesting and self.random.random() < 0.15:
            return self.random.choice([self.loop, self.branch])(nesting - 1)
        return self.random.choices([self.view, self.load, self.ufunc, self.where, self.cast, self.reduce, self.create, self.new, self.store,
                                    self.store_masked, self.scan, self.sort, self.search, self.random_bits, self.matmul, self.gather, self.reshape,
                                    self.reshape_array, self.elements, self.chain, self.exchange],
                                   [14, 6, 18, 3, 3, 5, 3, 5, 14, 3, 2, 2, 2, 2, 2, 2, 2, 4, 4, 1, 2])[0]()

    def _body(self, nesting, closing):
        """Statements of a region: its values are not seen outside."""
        outside, self.indent = list(self.values), self.indent + 1
        for _ in range(self.random.randint(1, 5)):
            self.statement(nesting)
        closing(outside)
        self.values, self.indent = outside, self.indent - 1

    def loop(self, nesting):
        """A counted loop; half of them carry two arrays that are swapped, as stencil codes do."""
        low, high, step = self.constant(0), self.constant(self.random.randint(0, 3)), self.constant(1)
        pair = []
        first = self.pick("array")
        second = first and self.pick("array", test=lambda v: v.type == first.type and v.shape == first.shape and v.name != first.name)
        if second and self.random.random() < 0.6:
            pair = [first, second]
        carried = [dataclasses.replace(v, name=self.fresh()) for v in pair]
        results = [dataclasses.replace(v, name=self.fresh()) for v in pair]
        counter = self.fresh()
        inside = "".join(f", {v.name}: {v.type}" for v in carried)
        left = ", ".join(r.name for r in results)
        self.lines.append("  " * self.indent + (left + " = " if left else "") + f'"scf.for"({", ".join(v.name for v in [low, high, step, *pair])}) ({{')
        self.lines.append("  " * self.indent + f"^bb0({counter}: index{inside}):")
        hidden = [v for v in self.values if v in pair]
        self.values = [v for v in self.values if v not in hidden] + carried
        self._body(nesting, lambda outside: self.emit("scf.yield", carried[::-1]))
        self.values = [v for v in self.values if v not in carried] + hidden + results
        types = ", ".join(["index"] * 3 + [v.type for v in pair])
        self.lines.append("  " * self.indent + f"}}) : ({types}) -> ({', '.join(v.type for v in results)})")
        return low

    def branch(self, nesting):
        size = self.pick("array", "tensor", test=lambda v: v.shape)
        if not size:
            return None
        condition = self.emit("arith.cmpi", [self.dim(size, 0), self.constant(self.random.randint(1, 5))], Value(self.fresh(), "scalar", "i1"),
                              f"predicate = {self.random.randint(0, 5)} : i64")
        self.lines.append("  " * self.indent + f'"scf.if"({condition.name}) ({{')
        self._body(nesting, lambda outside: self.emit("scf.yield", []))
        self.lines.append("  " * self.indent + "}, {")
        self._body(nesting, lambda outside: self.emit("scf.yield", []))
        self.lines.append("  " * self.indent + "}) : (i1) -> ()")
        return condition


def generate(seed, statements=14):
    """(module text, arguments): the function `f` takes arrays and gives back some of its values."""
    random = random_module.Random(f"npcc dialect {seed}")
    function = Function(random)
    arguments, arrays = [], []
    contiguous = random.random() < 0.5  # all or none, so that loops find two of one type to swap
    for i in range(random.randint(1, 3)):
        shape = tuple(random.choice(function.extents) for _ in range(random.choice([0, 1, 1, 2, 2])))
        element = random.choice(ELEMENTS)
        arguments.append(Value(f"%a{i}", "array", element, shape, contiguous=contiguous))
        numbers = np.random.default_rng(random.randrange(2**32)).integers(-9, 10, shape)
        dtype = {"i1": "bool", "ui8": "uint8"}.get(element, element.replace("i", "int").replace("f", "float"))
        values = np.asarray((numbers % 10 if element == "ui8" else numbers > 0 if element == "i1" else numbers / 4 if element[0] == "f" else numbers))
        arrays.append(values.astype(dtype))
    function.values = list(arguments)
    for _ in range(random.randint(3, statements)):
        function.statement(2)
    if random.random() < 0.5:  # what is wrong with aliasing shows in few other programs
        function.elements(is_recurrence=True)
    kept = random.sample(function.values, min(len(function.values), random.randint(1, 3)))
    function.emit("func.return", kept)
    takes, gives = ", ".join(a.type for a in arguments), ", ".join(k.type for k in kept)
    head = ", ".join(f"{a.name}: {a.type}" for a in arguments)
    lines = ['"builtin.module"() ({', f'  "func.func"() <{{function_type = ({takes}) -> ({gives}), sym_name = "f"}}> ({{', f"  ^bb0({head}):",
             *function.lines, "  }) : () -> ()", "}) : () -> ()"]
    return "\n".join(lines) + "\n", arrays
