"""What IR of the `np` dialect means, executed with NumPy: the definition that passes are held against."""
from __future__ import annotations

import re

import numpy as np

DTYPES = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "ui8": np.uint8, "ui16": np.uint16,
          "ui32": np.uint32, "ui64": np.uint64, "f16": np.float16, "f32": np.float32, "f64": np.float64, "index": np.int64,
          "complex<f32>": np.complex64, "complex<f64>": np.complex128}


class Unknown(Exception):
    """An operation that is not of the dialects interpreted here: the pass left their level."""


class Invalid(Exception):
    """IR that breaks its own rules when run: a region outside its source, an undefined value read."""


class Raised(Exception):
    """A Python exception of the program: (name, text)."""


def dtype_of(type_):
    element = re.sub(r"^(?:tensor|!np\.array)<(?:[?\d]+x)*(.*?)(?:,strided)?>$", r"\1", type_)
    try:
        return np.dtype(DTYPES[element])
    except KeyError:
        raise Unknown(f"type {type_}") from None


def halo_rows(rows, before, after):
    return [*range(int(before)), *range(rows - int(after), rows)]


def of_neighbour(values, row):
    """What a neighbour has for a row: other numbers each time, made of those that are there, so that it shows where an access has gone past an exchange."""
    with np.errstate(over="ignore", invalid="ignore"):
        return values * values.dtype.type(0.5) + values.dtype.type(row + 1) if values.dtype.kind == "f" else values ^ values.dtype.type(row + 5)


class Interpreter:
    """Runs one function on arrays. `limit` bounds the operations executed, so that a broken loop ends."""

    def __init__(self, limit=200_000):
        self.left = limit

    def run(self, region, arguments):
        with np.errstate(all="ignore"):
            return self.region(region, arguments, {})

    def region(self, blocks, arguments, env):
        """Values given to the terminator that leaves the region."""
        labels = {block.label: block for block in blocks}
        block = blocks[0]
        while True:
            if len(block.arguments) != len(arguments):
                raise Invalid(f"block {block.label} takes {len(block.arguments)} values, got {len(arguments)}")
            env.update(zip(block.arguments, arguments))
            for op in block.operations[:-1]:
                self.step(op, env)
            last = block.operations[-1]
            self.spend()
            if last.name in ("cf.br", "cf.cond_br"):
                label, arguments = self.branch(last, env)
                block = labels[label]
                continue
            values = [self.value(env, o) for o in last.operands]
            return self.leave(last, values, env)

    def leave(self, last, values, env):
        """What a region gives that ends here."""
        if last.name in ("func.return", "scf.yield", "scf.condition"):
            return values
        raise Unknown(last.name)

    def branch(self, op, env):
        """The generic form lists all operands in front, and how many belong to each successor in a segment attribute."""
        values = [self.value(env, o) for o in op.operands]
        if op.name == "cf.br":
            return op.successors[0][0], values
        _, first, second = op.attributes["operandSegmentSizes"]
        if values[0]:
            return op.successors[0][0], values[1:1 + first]
        return op.successors[1][0], values[1 + first:1 + first + second]

    def spend(self):
        self.left -= 1
        if self.left < 0:
            raise Invalid("runs without end")

    @staticmethod
    def value(env, name):
        try:
            return env[name]
        except KeyError:
            raise Invalid(f"{name} is used before it is defined") from None

    def step(self, op, env):
        self.spend()
        dialect, name = op.name.split(".", 1)
        method = getattr(self, f"{dialect}_{name}", None)
        if method is None:
            binary = ARITH.get(op.name)
            if binary is None:
                raise Unknown(op.name)
            results = [binary(*[self.value(env, o) for o in op.operands])]
        else:
            results = method(op, [self.value(env, o) for o in op.operands], env)
        if len(results) != len(op.results):
            raise Invalid(f"{op.name} gives {len(results)} values for {len(op.results)} results")
        env.update(zip(op.results, results))

    # ---- control flow
    def scf_if(self, op, operands, env):
        region = op.regions[0 if operands[0] else 1] if len(op.regions) > 1 or operands[0] else []
        return self.region(region, [], env) if region else []

    def scf_for(self, op, operands, env):
        low, high, step, *carried = operands
        if step <= 0:
            raise Invalid(f"a loop with step {step}")
        for i in range(int(low), int(high), int(step)):
            self.spend()
            carried = self.region(op.regions[0], [i, *carried], env)
        return carried

    def scf_while(self, op, operands, env):
        carried = operands
        while True:
            go, *carried = self.region(op.regions[0], carried, env)
            if not go:
                return carried
            carried = self.region(op.regions[1], carried, env)

    def ub_poison(self, op, operands, env):
        return [np.zeros((), dtype_of(op.result_types[0]))[()] if not op.result_types[0].startswith("!np") else None]

    def arith_constant(self, op, operands, env):
        value, type_ = op.attributes["value"], op.result_types[0]
        if isinstance(value, str):
            return [dense(value, type_)]
        return [int(value) if type_ == "index" else dtype_of(type_).type(value)]

    def arith_index_cast(self, op, operands, env):
        return [int(operands[0])] if op.result_types[0] == "index" else [dtype_of(op.result_types[0]).type(operands[0])]

    def arith_cmpi(self, op, operands, env):
        a, b = operands
        code = op.attributes["predicate"]
        return [np.bool_([a == b, a != b, a < b, a <= b, a > b, a >= b][code])] if code < 6 else self._unsigned(code, a, b)

    def _unsigned(self, code, a, b):
        a, b = (int(v) % 2**64 for v in (a, b))
        return [np.bool_([a < b, a <= b, a > b, a >= b][code - 6])]

    # ---- names
    def np_var(self, op, operands, env):
        return [[None]]

    def np_get(self, op, operands, env):
        if operands[0][0] is None:
            raise Invalid("an unbound name is read")
        return [operands[0][0]]

    def np_set(self, op, operands, env):
        operands[1][0] = operands[0]
        return []

    def np_unbound(self, op, operands, env):
        return [None]

    # ---- arrays
    def np_new(self, op, operands, env):
        return [np.array(operands[0], order="C")]

    def np_empty(self, op, operands, env):
        extents = iter(operands)
        shape = [int(next(extents)) if e is None else e for e in static_shape(op.result_types[0])]
        array = np.empty(shape, dtype_of(op.result_types[0]))
        array[...] = 113  # not zero: what is read before it is written must show
        return [array]

    def np_load(self, op, operands, env):
        return [operands[0].copy()]

    def np_exchange_halo(self, op, operands, env):
        tile, before, after = operands
        for row in halo_rows(tile.shape[0], before, after):
            tile[row] = of_neighbour(tile[row], row)
        return []

    def np_store(self, op, operands, env):
        value, array = np.asarray(operands[0]), operands[1]
        if value.dtype != array.dtype:
            raise Invalid(f"a store of {value.dtype} into {array.dtype}")
        try:
            array[...] = np.broadcast_to(value, array.shape).copy()
        except ValueError:
            raise Raised("ValueError", f"could not broadcast input array from shape {text(value.shape)} into shape {text(array.shape)}") from None
        return []

    def np_store_masked(self, op, operands, env):
        value, mask, array = operands
        array[mask] = np.broadcast_to(value, array.shape)[mask]
        return []

    def np_view(self, op, operands, env):
        source, offsets, extents, steps = segments(op, operands)
        return [window(source[0], offsets, op.attributes["axes"], extents, steps)]

    def np_insert(self, op, operands, env):
        value, destination, offsets, extents, steps = segments(op, operands)
        result = destination[0].copy()
        window(result, offsets, op.attributes["axes"], extents, steps)[...] = value[0]
        return [result]

    def np_reshape(self, op, operands, env):
        return [operands[0].reshape([int(e) for e in operands[1:]])]

    def np_dim(self, op, operands, env):
        return [int(operands[0].shape[op.attributes["axis"]])]

    # ---- values
    def np_full(self, op, operands, env):
        return [np.full([int(e) for e in operands[1:]], operands[0], dtype_of(op.result_types[0]))]

    def np_arange(self, op, operands, env):
        start, step, extent = operands
        return [(start + np.arange(int(extent)) * step).astype(dtype_of(op.result_types[0]))]

    def np_ufunc(self, op, operands, env):
        try:
            value = getattr(np, op.attributes["name"])(*operands)
        except ValueError as error:
            raise Raised("ValueError", str(error).strip()) from None
        return [np.asarray(value) if op.result_types[0].startswith("tensor") else value]

    def np_cast(self, op, operands, env):
        value = np.asarray(operands[0]).astype(dtype_of(op.result_types[0]))
        return [value if op.result_types[0].startswith("tensor") else value[()]]

    def np_broadcast(self, op, operands, env):
        try:
            return [np.broadcast_to(operands[0], [int(e) for e in operands[1:]])]
        except ValueError:
            raise Invalid("a broadcast that was not checked before") from None

    def np_broadcast_extent(self, op, operands, env):
        a, b, *extents = (int(v) for v in operands)
        kind, rank = op.attributes["kind"], op.attributes["lhs_rank"]
        if a == b or a == 1 or (b == 1 and kind != "store"):
            return [b if a == 1 else a]
        left, right = tuple(extents[:rank]), tuple(extents[rank:])
        if kind == "store":
            raise Raised("ValueError", f"could not broadcast input array from shape {text(left)} into shape {text(right)}")
        raise Raised("ValueError", f"operands could not be broadcast together with shapes {text(left)} {text(right)}")

    def np_reduce(self, op, operands, env):
        kind, axes, value = op.attributes["kind"], tuple(op.attributes["axes"]), operands[0]
        if kind.startswith("arg"):
            return [np.asarray(getattr(np, kind)(value, axis=axes[0]), np.int64)]
        return [np.asarray(getattr(np, kind).reduce(value, axis=axes, dtype=value.dtype))]

    def np_scan(self, op, operands, env):
        return [getattr(np, op.attributes["kind"]).accumulate(operands[0], axis=op.attributes["axis"], dtype=operands[0].dtype)]

    def np_sort(self, op, operands, env):
        if op.attributes["positions"]:
            return [np.argsort(operands[0], axis=-1, kind="stable").astype(np.int64)]
        return [np.sort(operands[0], axis=-1)]

    def np_search(self, op, operands, env):
        order, values = operands
        return [np.asarray(np.searchsorted(order, values, "right" if "right" in op.attributes else "left"), np.int64)]

    def np_random_bits(self, op, operands, env):
        key, start, *shape = (int(operand) for operand in operands)
        number = np.arange(start, start + np.prod(shape, dtype=np.int64)).astype(np.uint64)
        left, right, low = number & np.uint64(2**32 - 1), number >> np.uint64(32), np.uint64(2**32 - 1)
        for turn in range(10):  # Philox 2x32-10
            product = left * np.uint64(0xD256D193)
            left, right = (product >> np.uint64(32)) ^ np.uint64((key + turn * 0x9E3779B9) % 2**32) ^ right, product & low
        return [(right << np.uint64(32) | left).reshape(shape)]

    def np_matmul(self, op, operands, env):
        (lhs,), (rhs,), *rest = segments(op, operands)
        return [with_epilogue(op, lhs @ rhs, *rest)]

    def np_compress(self, op, operands, env):
        return [operands[0][operands[1]]]

    def np_gather(self, op, operands, env):
        source, *indices = operands
        axes = op.attributes["axes"]
        return [source[tuple([slice(None)] * axes[0] + list(indices))]]

    def np_item(self, op, operands, env):
        return [operands[0][()]]

    def np_check_index(self, op, operands, env):
        position, size = map(int, operands)
        if not -size <= position < size:
            raise Raised("IndexError", f"index {position} is out of bounds for axis {op.attributes['axis']} with size {size}")
        return [position + size if position < 0 else position]

    def np_assert(self, op, operands, env):
        if not operands[0]:
            message = op.attributes["message"]
            for i, value in enumerate(operands[1:]):
                message = message.replace("{" + str(i) + "}", str(int(value)))
            raise Raised(op.attributes["error"], message)
        return []


ARITH = {
    "arith.addi": lambda a, b: a + b, "arith.subi": lambda a, b: a - b, "arith.muli": lambda a, b: a * b,
    "arith.minsi": min, "arith.maxsi": max, "arith.select": lambda c, a, b: a if c else b,
    "arith.andi": lambda a, b: a & b, "arith.ori": lambda a, b: a | b, "arith.xori": lambda a, b: a ^ b,
    "arith.floordivsi": lambda a, b: a // b, "arith.ceildivsi": lambda a, b: -(-a // b),
    "arith.divsi": lambda a, b: int(a / b) if abs(a) < 2**52 else a // b, "arith.remsi": lambda a, b: a - b * int(a / b),
    "arith.addf": lambda a, b: a + b, "arith.subf": lambda a, b: a - b, "arith.mulf": lambda a, b: a * b, "arith.divf": lambda a, b: a / b,
}


def text(shape):
    return "(" + ",".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def static_shape(type_):
    shaped = re.match(r"(?:tensor|!np\.array)<((?:[?\d]+x)*)", type_)
    if not shaped:
        raise Unknown(f"the type {type_}")
    return [None if e == "?" else int(e) for e in shaped[1].split("x")[:-1]]


def dense(attribute, type_):
    """Splat constants of tensors; others are beyond what passes make of random programs."""
    match = re.match(r"dense<(-?[\d.eE+\-]+|true|false)>", attribute)
    if not match:
        raise Unknown(f"constant {attribute}")
    value = {"true": True, "false": False}.get(match[1]) if match[1] in ("true", "false") else float(match[1])
    return np.full(static_shape(type_), value, dtype_of(type_))


def segments(op, operands):
    out, place = [], 0
    for size in op.attributes["operandSegmentSizes"]:
        out.append(operands[place:place + size])
        place += size
    return out


def with_epilogue(op, product, alpha, addend, beta, bias):
    """activation(alpha * product + beta * addend + bias) of what the product has of these, each in a list."""
    product = product * alpha[0] if alpha else product
    product = product + (addend[0] * beta[0] if beta else addend[0]) if addend else product
    product = product + bias[0] if bias else product
    return np.maximum(product, 0) if "activation" in op.attributes else product


def window(source, offsets, axes, extents, steps):
    """The region of an np.view as a NumPy view, refused when it reaches outside the source."""
    offsets, extents, steps = ([int(v) for v in part] for part in (offsets, extents, steps))
    if any(e < 0 for e in extents):
        raise Invalid("a negative extent")
    strides = [steps[j] * source.strides[axes[j]] if axes[j] >= 0 else 0 for j in range(len(axes))]
    if 0 in extents:
        return np.empty(extents, source.dtype)
    for k, size in enumerate(source.shape):
        ends = [offsets[k]] + [offsets[k] + (extents[j] - 1) * steps[j] for j in range(len(axes)) if axes[j] == k]
        if min(ends) < 0 or max(ends) >= size:
            raise Invalid(f"a region from {min(ends)} to {max(ends)} of an axis of {size}")
    start = source[tuple(slice(o, o + 1) for o in offsets)] if source.ndim else source
    return np.lib.stride_tricks.as_strided(start, extents, strides)
