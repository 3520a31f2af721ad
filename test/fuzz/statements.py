"""Random simple statements: new names, views, stores through views, in-place updates, `out=`, swaps, and mistakes."""
from __future__ import annotations

import numpy as np

from . import indexing
from .expressions import Expressions, broadcasts
from .scope import kind_of

IN_PLACE = {"b": ["&=", "|=", "^="], "u": ["+=", "*=", "|=", "&=", "//=", "%="], "i": ["+=", "-=", "*=", "//=", "%=", "^="],
            "f": ["+=", "-=", "*=", "/=", "+=", "*=", "**="], "c": ["+=", "-=", "*=", "/="]}
OUT = ["np.add({0}, {1}, out={2})", "np.multiply({0}, {1}, out={2})", "np.subtract({0}, {1}, {2})", "np.maximum({0}, {1}, out={2})",
       "np.sin({0}, out={2})", "np.negative({0}, out={2})", "np.sqrt(np.abs({0}), out={2})", "np.add({0}, {1}, out={2}, where={0} > 0.3)",
       "np.clip({0}, -1, 1, out={2})", "np.divide({0}, {1}, out={2})", "np.copyto({2}, {0})",
       "np.sum({0}, axis=0, out={2})", "np.max({0}, axis=-1, out={2})", "np.dot({0}, {1}, out={2})", "np.square({0}, {2})"]

LINES = ("{0}.ravel()", "{0}.reshape(-1)")


class Statements:
    """Draws simple statements into a scope. Each method returns whether it wrote one."""

    def __init__(self, random, scope, inputs):
        self.random, self.scope, self.inputs = random, scope, inputs
        self.expressions = Expressions(random, scope, inputs)
        self.count = 0

    def new_name(self):
        self.count += 1
        return f"{self.random.choice('xyzuvwpqrst')}{self.count}"

    def simple(self, depth):
        kinds = [(self.assign, 24), (self.view, 12), (self.store, 22), (self.update, 12), (self.update_whole, 8), (self.out, 8),
                 (self.swap, 3), (self.unpack, 2), (self.method, 4), (self.rebind, 5), (self.overlap, 6), (self.scalar, 6)]
        for _ in range(8):
            draw = self.random.choices([k for k, _ in kinds], [w for _, w in kinds])[0]
            if draw(depth):
                return True
        return False

    def assign(self, depth):
        found = self.expressions.draw(depth)
        return found is not None and self.scope.run(f"{self.new_name()} = {found.text}")

    def scalar(self, depth):
        found = self.expressions.draw(depth, lambda v: np.ndim(v) == 0 and not isinstance(v, np.ndarray))
        return found is not None and self.scope.run(f"{self.new_name()} = {found.text}")

    def rebind(self, depth):
        names = self.scope.arrays()
        if not names:
            return False
        name = self.random.choice(names)
        found = self.expressions.draw(depth, lambda v: kind_of(v) == kind_of(self.scope.env[name]))
        return found is not None and self.scope.run(f"{name} = {found.text}")

    def view(self, depth):
        names = self.scope.arrays(lambda v: v.ndim)
        if not names:
            return False
        name = self.random.choice(names)
        text = f"{name}[{indexing.subscript(self.random, name, self.scope, self.expressions.counters, views_only=True)}]"
        if self.random.random() < 0.25:
            text = self.random.choice(["{0}.T", "{0}.ravel()", "{0}.reshape(-1)", "{0}", "{0}[::-1]", "np.transpose({0})"])
            if text in LINES and not self.scope.is_view_in_line(self.scope.env[name]):
                return False
            text = text.format(name)
        try:
            if not isinstance(self.scope.evaluate(text), np.ndarray):
                return False
        except Exception:
            return False
        return self.scope.run(f"{self.new_name()} = {text}")

    def target(self):
        """A writable element or region of an array: its text and its value now."""
        names = self.scope.arrays(lambda v: v.flags.writeable)
        for _ in range(4):
            if not names:
                return None
            name = self.random.choice(names)
            subscript = indexing.subscript(self.random, name, self.scope, self.expressions.counters)
            try:
                return f"{name}[{subscript}]", self.scope.evaluate(f"{name}[{subscript}]")
            except Exception:
                continue
        return None

    def _value_for(self, region, depth):
        """An expression that broadcasts into the region without NumPy refusing the cast of a store."""
        region = np.asarray(region)
        ranks = "biufc"
        fits = lambda v: (isinstance(v, (np.ndarray, np.generic, int, float)) and np.ndim(v) <= region.ndim
                          and broadcasts(np.shape(v), region.shape) and np.broadcast_shapes(np.shape(v), region.shape) == region.shape
                          and ranks.index(np.asarray(v).dtype.kind) <= max(ranks.index(region.dtype.kind), 1))
        return self.expressions.draw(depth, fits, tries=8) or self.expressions.constant("i" if region.dtype.kind in "bui" else "f")

    def store(self, depth):
        target = self.target()
        return target is not None and self.scope.run(f"{target[0]} = {self._value_for(target[1], depth).text}")

    def update(self, depth):
        target = self.target()
        if target is None:
            return False
        operator = self.random.choice(IN_PLACE[np.asarray(target[1]).dtype.kind])
        return self.scope.run(f"{target[0]} {operator} {self._value_for(target[1], depth - 1).text}")

    def update_whole(self, depth):
        names = self.scope.arrays(lambda v: v.flags.writeable)
        if not names:
            return False
        name = self.random.choice(names)
        operator = self.random.choice(IN_PLACE[self.scope.env[name].dtype.kind])
        return self.scope.run(f"{name} {operator} {self._value_for(self.scope.env[name], depth - 1).text}")

    def overlap(self, depth):
        """A store whose source and target are different parts of the same memory: NumPy acts as if through a copy."""
        names = self.scope.arrays(lambda v: v.ndim and v.flags.writeable and v.shape[0] > 2)
        if not names:
            return False
        name = self.random.choice(names)
        forms = ["{0}[1:] = {0}[:-1]", "{0}[:-1] = {0}[1:]", "{0}[:] = {0}[::-1]", "{0}[1:] += {0}[:-1]", "{0}[::-1] += {0}",
                 "{0}[1:-1] = {0}[:-2] + {0}[2:]", "{0}[1:] *= {0}[:-1]", "{0}[[0, 1]] = {0}[[1, 0]]", "{0} += {0}[0]", "{0} -= {0}[-1]"]
        if self.scope.env[name].ndim == 2 and len(set(self.scope.env[name].shape)) == 1:
            forms += ["{0} += {0}.T", "{0}[:] = {0}.T", "{0}[...] = {0} @ {0}"]
        return self.scope.run(self.random.choice(forms).format(name))

    def out(self, depth):
        names = self.scope.arrays(lambda v: v.flags.writeable)
        x = self.expressions.array(depth - 1)
        if not names or x is None:
            return False
        y = self.expressions.beside(x.value, depth - 1)
        target = self.random.choice(names)
        if self.random.random() < 0.3 and self.scope.env[target].ndim:
            target += self.random.choice(["[:]", "[1:]", "[::-1]", "[..., 0]"])
        return self.scope.run(self.random.choice(OUT).format(x.text, y.text, target))

    def swap(self, depth):
        names = self.scope.arrays()
        pairs = [(a, b) for a in names for b in names if a < b and kind_of(self.scope.env[a]) == kind_of(self.scope.env[b])]
        if not pairs:
            return False
        a, b = self.random.choice(pairs)
        if self.scope.env[a].ndim and self.scope.env[a].shape == self.scope.env[b].shape and self.random.random() < 0.2:
            return self.scope.run(f"{a}[:], {b}[:] = {b}, {a}")
        return self.scope.run(f"{a}, {b} = {b}, {a}")

    def unpack(self, depth):
        names = self.scope.arrays(lambda v: v.ndim in (1, 2) and 0 < v.shape[0] <= 3)
        if self.random.random() < 0.5 or not names:
            names = self.scope.arrays(lambda v: 0 < v.ndim <= 3)
            if not names:
                return False
            name = self.random.choice(names)
            return self.scope.run(", ".join(self.new_name() for _ in self.scope.env[name].shape) + f"{',' if self.scope.env[name].ndim == 1 else ''} = {name}.shape")
        name = self.random.choice(names)
        left = ", ".join(self.new_name() for _ in range(self.scope.env[name].shape[0]))
        return self.scope.run(f"{left}{'' if ',' in left else ','} = {name}")

    def method(self, depth):
        names = self.scope.arrays(lambda v: v.flags.writeable)
        if not names:
            return False
        forms = ["{0}.fill(2)", "{0}.sort()", "{0}.sort(axis=0)", "np.fill_diagonal({0}, 1)", "{0}[...] = 0.75", "{0}.ravel()[::2] = 1",
                 "np.add.at({0}, 0, 1)", "{0}.T[...] = {0}.T[::-1]", "{0}.flat[0] = 3", "{0}.flat[::2] = 1", "{0}.reshape(-1)[0] = 1", "np.put({0}, [0, -1], 2)", "np.copyto({0}, 1, where={0} > 1)"]
        form, name = self.random.choice(forms), self.random.choice(names)
        if form.startswith(LINES) and not self.scope.is_view_in_line(self.scope.env[name]):
            return False
        return self.scope.run(form.format(name))

    def mistake(self):
        """Text of a statement that NumPy or Python raises on, as data decides it at run time, or None."""
        names = self.scope.arrays(lambda v: v.ndim)
        if not names:
            return None
        name = self.random.choice(names)
        array = self.scope.env[name]
        n, rank, new = array.shape[0], array.ndim, self.new_name()
        forms = [f"{new} = {name}[{n}]", f"{new} = {name}[{-n - 1}]", f"{name}[{n}] = 1", f"{new} = {name} + np.ones({n + 2})",
                 f"{name}[:] = np.ones({n + 3})", f"{new} = {name}.reshape({array.size + 1})", f"{new} = {name}[[0, {n}]]",
                 f"{new} = np.sum({name}, axis={rank})", f"{new} = {name}[0:0].max()", f"{new} = np.concatenate([{name}, np.ones(({n},) * {rank + 1})])",
                 f"{new} = len({name}) // (len({name}) - {n})", f"{new} = {name} @ np.ones({array.shape[-1] + 1})",
                 f"{new} = np.arange({n}) ** (-np.arange({n}))", f"{new} = 1 if {name} > 0 else 2",
                 f"{new} = {name}.transpose({', '.join('0' * (rank + 1))})", "raise ValueError('too few rows')",
                 f"{new} = int({name})", f"{new} = np.broadcast_to({name}, ({n + 1},) * {rank})", f"{new} = [][{n}]"]
        # What the array's dtype does not hold.
        numbers = ("np.nan", "np.inf", "300", "-1", "1j", "np.float64('nan')", f"{n} - 2**40")
        forms += [f"{name}{at} = {number}" for at in ("[0]", "[...]", "[[0]]") for number in numbers]
        forms += [f"{new} = {name} + (2**40 - {n})", f"{name}.fill(np.nan)", f"np.copyto({name}, 0.5)",
                  f"{new} = np.full({n}, 70000 + {n}, dtype={name}.dtype)"]
        text = self.random.choice(forms)
        try:
            self.scope._exec(text)
        except Exception:
            return text
        finally:
            self.scope.replay()
        return None
