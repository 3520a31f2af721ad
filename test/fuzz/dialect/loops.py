"""What the loop form means: memory as memrefs are, and kernels whose iterations run in any order."""
from __future__ import annotations

import random
import re

import numpy as np

from .interpret import ARITH, DTYPES, Interpreter, Invalid, Unknown, halo_rows, of_neighbour, segments, with_epilogue

DYNAMIC = -2**63  # MLIR's mark of an extent that an operand gives


class Memory:
    """A memref: elements of a flat buffer. Several may share one buffer, as views do."""

    def __init__(self, buffer, offset, sizes, strides):
        self.buffer, self.offset, self.sizes, self.strides = buffer, offset, tuple(sizes), tuple(strides)

    @staticmethod
    def of(array):
        """The memory of an array, in C order. Memory has bool as bytes, and integers without a sign of their own."""
        flat = np.ascontiguousarray(array).reshape(-1)
        if flat.dtype.kind in "bu":
            flat = flat.view(f"i{flat.dtype.itemsize}")
        return Memory(flat, 0, array.shape, contiguous(array.shape))

    def place(self, indices):
        if len(indices) != len(self.sizes):
            raise Invalid(f"{len(indices)} indices of {len(self.sizes)} axes")
        for index, size in zip(indices, self.sizes):
            if not 0 <= index < size:
                raise Invalid(f"position {index} of an axis of {size}")
        place = self.offset + sum(int(i) * s for i, s in zip(indices, self.strides))
        if not 0 <= place < len(self.buffer):
            raise Invalid(f"element {place} of a buffer of {len(self.buffer)}")
        return place

    def array(self):
        """The elements, copied."""
        if 0 in self.sizes:
            return np.empty(self.sizes, self.buffer.dtype)
        first, last = self.place([0] * len(self.sizes)), self.place([s - 1 for s in self.sizes])
        assert 0 <= min(first, last)
        strides = [s * self.buffer.itemsize for s in self.strides]
        return np.lib.stride_tricks.as_strided(self.buffer[self.offset:], self.sizes, strides).copy()

    def fill(self, array):
        for position in np.ndindex(*self.sizes):
            self.buffer[self.place(position)] = array[position]


def contiguous(sizes):
    strides = [1] * len(sizes)
    for axis in range(len(sizes) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * int(sizes[axis + 1])
    return strides


def static_sizes(type_):
    return [None if e == "?" else int(e) for e in re.match(r"memref<((?:[?\d]+x)*)", type_)[1].split("x")[:-1]]


def element_of(type_):
    element = re.match(r"memref<(?:[?\d]+x)*([^,>]*(?:<\w+>)?)", type_)[1]
    if element not in DTYPES:
        raise Unknown(f"type {type_}")
    return np.dtype(np.int8 if element == "i1" else DTYPES[element])


def unsigned(value):
    """A number of a signless type as an unsigned one."""
    return int(value) % 2**64 if isinstance(value, int) else int(value) % 2**(8 * np.asarray(value).dtype.itemsize)


class LoopInterpreter(Interpreter):
    """Runs a function of the loop form. `seed` decides the order of a kernel's iterations."""

    def __init__(self, seed=0, limit=400_000):
        super().__init__(limit)
        self.random = random.Random(seed)

    def leave(self, last, values, env):
        if last.name == "scf.reduce":
            return list(zip(values, last.regions))
        return values if last.name in ("scf.reduce.return", "np.yield", "np.end") else super().leave(last, values, env)

    # ---- kernels
    def np_kernel(self, op, operands, env):
        positions = list(np.ndindex(*(max(int(extent), 0) for extent in operands)))
        self.random.shuffle(positions)
        for position in positions:
            self.spend()
            self.region(op.regions[0], [int(k) for k in position], env)
        return []

    def np_fold(self, op, operands, env):
        """Elements of all positions first, then the totals in order, then what is done with them: nobody may tell."""
        extent, *totals = operands
        elements, running = {}, {}
        order = list(range(max(int(extent), 0)))
        self.random.shuffle(order)
        for k in order:
            self.spend()
            elements[k] = self.region(op.regions[0], [k], env)
        for k in sorted(order):
            totals = running[k] = self.region(op.regions[1], [*totals, *elements[k]], env)
        self.random.shuffle(order)
        for k in order:
            self.region(op.regions[2], [k, *running[k]], env)
        return totals

    def scf_parallel(self, op, operands, env):
        count = op.attributes["operandSegmentSizes"][0]
        low, high, step = (list(map(int, operands[k * count:(k + 1) * count])) for k in range(3))
        totals = operands[3 * count:]
        shape = [len(range(*axis)) for axis in zip(low, high, step)]
        positions = list(np.ndindex(*shape))
        self.random.shuffle(positions)
        for position in positions:
            self.spend()
            at = [first + int(k) * by for first, k, by in zip(low, position, step)]
            for k, (value, region) in enumerate(self.region(op.regions[0], at, env)):
                totals[k], = self.region(region, [totals[k], value], env)
        return totals

    # ---- memory
    def np_alloc(self, op, operands, env):
        extents, type_ = iter(operands), op.result_types[0]
        sizes = [int(next(extents)) if e is None else e for e in static_sizes(type_)]
        if any(s < 0 for s in sizes):
            raise Invalid("a negative extent")
        # Not zero: what is read before it is written must show.
        return [Memory(np.full(int(np.prod(sizes)), 113, element_of(type_)), 0, sizes, contiguous(sizes))]

    def np_retain(self, op, operands, env):
        return []

    np_release = np_retain

    def memref_copy(self, op, operands, env):
        source, target = operands
        for place in np.ndindex(*source.sizes):
            target.buffer[target.place(place)] = source.buffer[source.place(place)]
        return []

    def np_is_reached(self, op, operands, env):
        return [True]  # a check that fails ends the program here

    def np_mirror(self, op, operands, env):
        array = operands[0]
        copy = Memory(np.empty(int(np.prod(array.sizes)), array.buffer.dtype), 0, array.sizes, contiguous(array.sizes))
        self.memref_copy(op, [array, copy], env)
        return [copy]

    def np_rebase(self, op, operands, env):
        return operands

    memref_cast = np_rebase

    def np_is_read_only(self, op, operands, env):
        return [np.bool_(False)]

    def np_exchange_halo(self, op, operands, env):
        memory, before, after = operands
        for row in halo_rows(memory.sizes[0], before, after):
            for rest in np.ndindex(*memory.sizes[1:]):
                place = memory.place((row, *rest))
                memory.buffer[place] = of_neighbour(memory.buffer[place], row)
        return []

    def np_call_reshape(self, op, operands, env):
        source, sizes = operands[0], [int(e) for e in operands[1:]]
        if source.strides == tuple(contiguous(source.sizes)):
            return [Memory(source.buffer, source.offset, sizes, contiguous(sizes))]
        raise Unknown("np.call_reshape of what is not contiguous: a view or a copy, as NumPy decides")

    def np_call_sort(self, op, operands, env):
        source, result, *bound = operands
        elements = source.array()
        if bound and not np.all((elements >= 0) & (elements < int(bound[0]))):
            raise Unknown("np.call_sort of an element that is not below its bound")
        if op.attributes["is_unsigned"]:
            elements = elements.view(f"u{elements.itemsize}")
        ordered = np.argsort(elements, -1, "stable").astype(np.int64) if op.attributes["positions"] else np.sort(elements, -1)
        result.fill(ordered.view(result.buffer.dtype))
        return []

    def np_call_matmul(self, op, operands, env):
        (lhs,), (rhs,), (result,), alpha, addend, beta, bias = segments(op, operands)
        arrays = ([memory.array() for memory in memories] for memories in (addend, bias))
        result.fill(with_epilogue(op, lhs.array() @ rhs.array(), alpha, next(arrays), beta, next(arrays)))
        return []

    def memref_load(self, op, operands, env):
        return [operands[0].buffer[operands[0].place(operands[1:])]]

    def memref_store(self, op, operands, env):
        value, memory, *indices = operands
        if np.asarray(value).dtype != memory.buffer.dtype:
            raise Invalid(f"a store of {np.asarray(value).dtype} into {memory.buffer.dtype}")
        memory.buffer[memory.place(indices)] = value
        return []

    def memref_dim(self, op, operands, env):
        return [int(operands[0].sizes[operands[1]])]

    def memref_extract_strided_metadata(self, op, operands, env):
        memory = operands[0]
        return [Memory(memory.buffer, 0, (), ()), memory.offset, *memory.sizes, *memory.strides]

    def memref_reinterpret_cast(self, op, operands, env):
        source, given = operands[0], iter(operands[1:])
        offsets, sizes, strides = ([int(next(given)) if e == DYNAMIC else e for e in op.attributes[name]]
                                   for name in ("static_offsets", "static_sizes", "static_strides"))
        return [Memory(source.buffer, offsets[0], sizes, strides)]

    # ---- numbers
    def _widen(self, op, operands, env):
        value = operands[0]
        if op.name in ("arith.extui", "arith.uitofp"):
            value = unsigned(value) if value.dtype.kind == "i" else int(value)
        elif value.dtype.kind == "b":
            value = -int(value)  # one bit with a sign
        return [np.asarray(value).astype(DTYPES[op.result_types[0]])[()]]

    arith_extui = arith_extsi = arith_uitofp = arith_sitofp = arith_extf = arith_truncf = _widen

    def arith_trunci(self, op, operands, env):
        return [np.bool_(int(operands[0]) & 1) if op.result_types[0] == "i1" else operands[0].astype(DTYPES[op.result_types[0]])]

    def arith_cmpf(self, op, operands, env):
        a, b = operands
        code, apart = op.attributes["predicate"], bool(np.isnan(a) or np.isnan(b))
        holds = [a == b, a > b, a >= b, a < b, a <= b, a != b, True]  # the last: both are numbers
        if code in (0, 15):
            return [np.bool_(code == 15)]
        return [np.bool_(not apart and holds[code - 1])] if code < 8 else [np.bool_(apart or (code < 14 and holds[code - 8]))]


def least(a, b):
    return a if unsigned(a) <= unsigned(b) else b


def most(a, b):
    return b if unsigned(a) <= unsigned(b) else a


ARITH.update({
    "arith.minimumf": np.minimum, "arith.maximumf": np.maximum, "arith.negf": lambda a: -a, "arith.minui": least, "arith.maxui": most,
    "arith.divui": lambda a, b: type(a)(unsigned(a) // unsigned(b)), "arith.remui": lambda a, b: type(a)(unsigned(a) % unsigned(b)),
    "math.sin": np.sin, "math.floor": np.floor, "math.absf": np.abs, "math.absi": np.abs,
})
