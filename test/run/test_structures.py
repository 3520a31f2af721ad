"""What goes in and out of compiled functions: containers, objects, None, strings; and what names hold that differ from path to path."""
import copy
import enum
import unittest
from collections import namedtuple
from dataclasses import asdict, astuple, dataclass, field, replace

import numpy as np

from everything import Everything
from harness import jit

Point = namedtuple("Point", "x y")
Line = namedtuple("Line", "start end name", defaults=["line"])


@dataclass
class State:
    position: np.ndarray
    velocity: np.ndarray
    time: float = 0.0
    history: list = field(default_factory=list)

    def energy(self):
        return 0.5 * (self.velocity**2).sum()


@dataclass(frozen=True)
class Settings:
    rate: float = 0.5
    steps: int = 3

    def halved(self):
        return replace(self, rate=self.rate / 2)


class Welford:
    """A running mean and variance."""

    unit = 1

    def __init__(self):
        self.count = 0
        self.mean = 0.0
        self.squares = 0.0

    def push(self, x):
        self.count += self.unit
        difference = x - self.mean
        self.mean += difference / self.count
        self.squares += difference * (x - self.mean)

    @property
    def variance(self):
        return self.squares / (self.count - 1)

    @staticmethod
    def twice(x):
        return 2 * x

    @classmethod
    def of(cls, values):
        made = cls()
        for v in values:
            made.push(v)
        return made


class Doubling(Welford):
    unit = 2

    def __init__(self, start):
        super().__init__()
        self.start = start

    def push(self, x):
        super().push(self.twice(x))


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __getitem__(self, k):
        return self.x if k == 0 else self.y

    def __len__(self):
        return 2

    def __call__(self, t):
        return self.x + t * self.y


x = np.arange(1.0, 6.0)
table = np.arange(6.0).reshape(2, 3) + 0.5


class Renamed:
    """Attributes are elements of an array, and what is no element an error."""

    def __init__(self, data):
        object.__setattr__(self, "data", data.copy())
        object.__setattr__(self, "count", data.size)

    def __getattr__(self, name):
        return self.data[0 if name == "first" else -1]

    def __setattr__(self, name, value):
        self.data[0 if name == "first" else -1] = value


class Pair(namedtuple("Pair", "left right")):
    @property
    def total(self):
        return self.left + self.right

    def __getitem__(self, name):
        return getattr(self, name)


class Results(Everything):
    def test_nested(self):
        self.check(lambda a: (a.sum(), (1, (a.max(), "text")), [a[0], a, None]), x)
        self.check(lambda a: {"sum": a.sum(), "parts": [a[:2], a[2:]], 3: (), "none": None}, x)
        self.check(lambda a: [], x)
        self.check(lambda a: ([a, a], a), x)

    def test_named_tuples(self):
        self.check(lambda a: Point(a.sum(), 2 * a), x)
        self.check(lambda a: Line(Point(0.0, 1.0), Point(a[0], a[1])), x)
        self.check(lambda p: p.x + p[1], Point(1.5, x))
        self.check(lambda p: (p._replace(x=3), p._asdict(), len(p), p == Point(1, 2)), Point(1, 2))

    def test_lists_of_arrays_and_tuples(self):
        def arrays(a, n):
            made = []
            for k in range(n):
                made.append(a * k)
            return made
        self.check(arrays, x, 3)

        def pairs(a, limit):
            return [(k, v) for k, v in enumerate(a) if v > limit]
        self.check(pairs, x, 2.5)
        self.check(pairs, x, 25.0)

        def points(n):
            made = [Point(0, 1.0)]
            for k in range(n):
                made.append(Point(k, made[-1].y * 0.5))
            return made
        self.check(points, 4)

    def test_objects(self):
        self.check(lambda a: State(a, 2 * a), x)
        self.check(lambda a: Welford.of(a), x)
        self.check(lambda a, s: [Settings(a[0], 2), s.halved()], x, Settings())

    def test_local_classes(self):
        @dataclass
        class Local:
            value: float
        self.check(lambda a: Local(a[0]), x)


class Alternatives(Everything):
    def test_none_or_value(self):
        def first_above(a, limit):
            for k in range(len(a)):
                if a[k] > limit:
                    return k
            return None
        for limit in (0.0, 3.5, 9.0):
            self.check(first_above, x, limit)

        def best(a, limit):
            found, where = None, -1
            for k, v in enumerate(a):
                if v < limit and (found is None or v > found):
                    found, where = v, k
            return found, where
        for limit in (0.0, 3.5, 9.0):
            self.check(best, x, limit)

        def best_pair(a):
            closest = None
            for i in range(len(a)):
                for j in range(i + 1, len(a)):
                    d = abs(a[i] - a[j])
                    if closest is None or d < closest[0]:
                        closest = (d, i, j)
            return closest
        self.check(best_pair, np.array([5.0, 1.0, 2.5, 2.0]))
        self.check(best_pair, np.array([5.0]))

    def test_tuples_of_two_lengths(self):
        def ends(a, n):
            if n > 2:
                return a, n
            return a, n, "short"
        self.check(ends, x, 1)
        self.check(ends, x, 5)

    def test_operations(self):
        def weighted(a, n):
            w = None if n < 3 else 2.0 if n < 5 else a
            if w is not None:
                a = a * w
            return a.sum(), w is None
        for n in (1, 3, 7):
            self.check(weighted, x, n)

        def undefined(a, n):
            w = None if n < 3 else a
            return w + 1
        self.check(undefined, x, 5)
        with self.assertRaises(TypeError):
            jit(undefined)(x, 1)

        def functions(a, n):
            f = np.sin if n > 2 else np.cos
            label = "sin" if n > 2 else "cosine"
            return f(a), label, len(label)
        self.check(functions, x, 1)
        self.check(functions, x, 3)

    def test_arrays_of_two_types(self):
        def either(a, b):
            return b if a > 1 else a
        for a in (0.5, 2.0):
            self.check(either, np.array([a]), np.array([True, False]))

    def test_default_of_none(self):
        def total(a, w=None):
            if w is None:
                w = np.ones_like(a)
            return (a * w).sum()
        self.check(total, x)
        self.check(total, x, x)

    def test_positions_of_the_program(self):
        def choose(a, n):
            names = ("zero", "one", "two")
            steps = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
            return names[n], steps[n], (a, 3)[n - 1]
        self.check(choose, x, 1)
        self.check(choose, x, 2)
        self.check(choose, x, -1)
        self.check(choose, x, 7)


@dataclass
class Spot:
    x: float
    y: float


@dataclass
class Path:
    name: str
    points: list
    ends: dict = None


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5


class Kinds(Everything):
    def test_dataclasses_as_dicts(self):
        def shown(x):
            path = Path("a", [Spot(x, 1.0), (Spot(2.0, x), 3)], {"first": Spot(x, x)})
            path.length = 2
            return asdict(path), astuple(path)
        self.check(shown, 4.0)

    def test_members_of_an_int_enum(self):
        def levels(numbers):
            names, level, total = [], Level.LOW, 0
            for k in numbers:
                level = Level.HIGH if k > 3 else Level.LOW
                names.append(level.name + str(level.value))
                total += level
            return names, level, total, Level.HIGH > Level.LOW
        self.check(levels, [1, 4, 9])

    def test_rows_of_one_of_several_lists(self):
        def spiral(rows):
            found = []
            rows = [row[:] for row in rows]
            while rows:
                found += rows.pop(0)
                rows = [list(row) for row in zip(*rows)][::-1]
            return found
        self.check(spiral, [[1, 2, 3], [4, 5, 6], [7, 8, 9]])


class Arguments(Everything):
    def test_containers(self):
        self.check(lambda c: c["grid"] * c["h"] + c["n"][0], {"grid": x, "h": 0.5, "n": [1, 2.5], "name": "a"})
        self.check(lambda l: sum(l) / len(l), [1, 2, 3.5])
        self.check(lambda l: np.stack(l).sum(axis=0), [x, 2 * x])
        self.check(lambda l: [sum(row) for row in l], [[1, 2], [3]])
        self.check(lambda l: sum(a * b for a, b in l), [(1, 2), (3, 4)])
        self.check(lambda t: t[0] * t[1][1], (x, (1, 2.0)))
        self.check(lambda t: t[0] * t[1], (0.25, 2.0))

    def test_unpacked(self):
        def model(p, t):
            omega, alpha, *rest = p
            return omega + alpha * t + len(rest)
        self.check(model, [0.1, 0.2, 3], 2.0)

        def three(p):
            a, b, c = p
            return a + b * c
        self.check(three, [1.0, 2.0, 3.0])
        self.check(three, [1.0, 2.0])
        self.check(lambda w: np.array([0.0, *w]), [1.0, 2.0, 3.0])

    def test_changed(self):
        def fill(c):
            c["out"] = c["grid"] * 2
            c["n"] += 1
            return c["n"]
        self.check(fill, {"grid": x, "n": 1})

        def step(s, n):
            for _ in range(n):
                s.position += 0.1 * s.velocity
                s.velocity = s.velocity * 0.9
                s.time += 0.1
            return s.energy()
        self.check(step, State(x.copy(), 2 * x), 3)

        def swap(pair):
            pair[0], pair[1] = pair[1], pair[0]
        self.check(swap, [x, 3])

    def test_the_object_itself(self):
        def moved(s):
            s.time = 3.0
            return s
        state = State(x.copy(), x)
        self.assertIs(jit(moved)(state), state)
        self.assertEqual(state.time, 3.0)

    def test_an_object_twice(self):
        def both(a, b):
            a.time += 1.0
            return b.time
        state = State(x.copy(), x)
        self.assertEqual(jit(both)(state, state), 1.0)
        self.assertEqual(jit(both)(state, copy.copy(state)), 1.0)

    def test_variable_parameters(self):
        def total(a, *more, scale=1.0, **named):
            return a.sum() * scale + sum(more) + len(named)
        compiled = jit(total)
        for args, named in [((x,), {}), ((x, 1, 2.5), {}), ((x, 1), dict(scale=2.0, extra=1))]:
            self.assertEqual(compiled(*args, **named), total(*args, **named))

    def test_methods(self):
        class Filter:
            def __init__(self, gain):
                self.gain = gain

            @jit
            def apply(self, a):
                self.last = a.sum()
                return a * self.gain
        f = Filter(0.5)
        np.testing.assert_array_equal(f.apply(x), x * 0.5)
        self.assertEqual(f.last, x.sum())

    def test_what_is_not_known(self):
        state = State(x.copy(), x)
        state.log = open  # held, and not used
        state.file = object()
        self.assertEqual(jit(lambda s: s.time)(state), 0.0)
        self.assertIs(jit(lambda s: s.file)(state), state.file)


class Objects(Everything):
    def test_methods_and_properties(self):
        def moments(a):
            w = Welford()
            for v in a:
                w.push(v)
            return w.count, w.mean, w.variance
        self.check(moments, x)

        def inherited(a):
            d = Doubling(a[0])
            for v in a:
                if v > 2:
                    d.push(v)
            return d.count, d.mean, d.start, isinstance(d, Welford), Welford.twice(3)
        self.check(inherited, x)

    def test_operators(self):
        def vectors(a):
            u, v = Vector(a[0], 1.0), Vector(2.0, a[1])
            w = 3 * (u + v) + -u
            return w.x, w[1], len(w), w(0.5), w == w, u == v
        self.check(vectors, x)

    def test_two_names(self):
        def shared(n):
            a = Vector(1, 2)
            b = a
            for _ in range(n):
                b.x += 1
            c = b if n > 2 else Vector(0, 0)
            c.y = 7
            return a.x, a.y, b is a, c is a
        self.check(shared, 1)
        self.check(shared, 3)

    def test_dicts(self):
        def counted(n):
            seen = {}
            for k in (1, 2, 1):
                seen[k] = seen.get(k, 0) + n
            seen.update({"last": n}, )
            return seen, list(seen.items())[0], 1 in seen, len(seen), seen.pop(2), [k for k in seen]
        self.check(counted, 3)

        def options(a):
            o = {"axis": 0}
            squares = {k: k * a[0] for k in range(3)}
            return a.sum(**o), squares, {**o, "keepdims": True}
        self.check(options, table)

    def test_attributes(self):
        def read(p):
            setattr(p, "z", 3.0)
            return getattr(p, "x"), getattr(p, "w", 5), hasattr(p, "y"), hasattr(p, "w"), p.z
        self.check(read, Vector(1, 2))

        def missing(p):
            return p.nothing
        with self.assertRaisesRegex(AttributeError, "'Vector' object has no attribute 'nothing'"):
            jit(missing)(Vector(1, 2))

    def test_copies(self):
        def copies(a):
            s = State(a, a.copy(), 1.0, [])
            shallow, deep, listed = copy.copy(s), copy.deepcopy(s), copy.copy([a[0], 2])
            shallow.time = 2.0
            deep.position[0] = 7.0
            shallow.position[1] = 8.0
            return s.position, s.time, deep.position, listed, asdict(Settings(a[2], 1))
        self.check(copies, x)

    def test_attributes_by_methods(self):
        def methods(a):
            part = Renamed(a)
            part.first = a[1] * 2
            other = Pair(a[0], a[1])
            return part.first, part.last, part.count, other.total, other["left"], other.left
        self.check(methods, x)

    def test_a_changed_class(self):
        class Scale:
            def factor(self):
                return 2

        def scaled(a):
            return a * Scale().factor()
        compiled = jit(scaled)
        np.testing.assert_array_equal(compiled(x), 2 * x)
        Scale.factor = lambda self: 3
        np.testing.assert_array_equal(compiled(x), 3 * x)


if __name__ == "__main__":
    unittest.main()
