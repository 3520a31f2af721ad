"""Arrays of structured dtypes and records, as scientists write with them; compiled, against NumPy."""
import unittest

import numpy as np

import harness
from everything import Everything

PARTICLE = np.dtype([("x", "f8"), ("y", "f8"), ("vx", "f8"), ("vy", "f8"), ("m", "f8"), ("alive", "?")])  # packed: 41 bytes
STATE = np.dtype([("x", "f8"), ("v", "f8"), ("k", "i8")])  # can be addressed in place
CELL = np.dtype([("rho", "f8"), ("mom", "f8", (2,)), ("E", "f8")])
EDGE = np.dtype([("src", "i4"), ("dst", "i4"), ("w", "f8")])
PIXEL = np.dtype([("r", "u1"), ("g", "u1"), ("b", "u1")])
NESTED = np.dtype([("pos", [("x", "f8"), ("y", "f8")]), ("id", "i4")])
TABLE = np.array([(1, 2.5), (3, 4.5)], dtype=[("z", "i4"), ("w", "f8")])


def filled(dtype, shape):
    numbers = np.random.default_rng(3)
    array = np.zeros(shape, dtype)
    for name in dtype.names:
        if dtype[name].names is None:
            array[name] = (numbers.random(array[name].shape) * 4).astype(dtype[name].base)
        else:
            array[name] = filled(dtype[name], shape)
    return array


class StructuredArrays(Everything):
    def check_memory(self, function, *arguments):
        """Which results share memory with which arguments and results, and whether a result is an argument."""
        def memory(results):
            everything = [*results, *arguments]
            return [[np.shares_memory(a, b) for b in everything] + [any(a is b for b in arguments)] for a in results]
        self.check(function, *arguments)
        self.assertEqual(memory(harness.jit(function)(*arguments)), memory(function(*arguments)))

    def test_particles(self):
        def push(p, dt):
            p["x"] += p["vx"] * dt
            p["y"] += p["vy"] * dt
            out = (p["x"] < 0.5) | (p["x"] > 3.0)
            p["vx"][out] *= -1
            p["x"] = np.clip(p["x"], 0.5, 3.0)
            return np.count_nonzero(out), (0.5 * p["m"] * (p["vx"]**2 + p["vy"]**2)).sum()

        def attract(p, dt, steps):
            for _ in range(steps):
                for i in range(len(p)):
                    ax = 0.0
                    for j in range(len(p)):
                        if i != j:
                            dx, dy = p[j]["x"] - p[i]["x"], p[j]["y"] - p[i]["y"]
                            ax += p[j]["m"] * dx / (dx * dx + dy * dy + 0.01)
                    p[i]["vx"] += ax * dt
                p["x"] += dt * p["vx"]

        def each(p):
            total = 0.0
            for i, q in enumerate(p):
                if q["alive"]:
                    total += q["x"] * q["m"]
                else:
                    q["m"] = i
            for q, w in zip(p, p["vx"]):
                q["y"] = w
            return total

        def nearest(p):
            best = None
            for q in p:
                if best is None or q["x"] < best["x"]:
                    best = q
            best["m"] = 100
            return best, p[np.argmax(p["m"])]["y"]

        particles = filled(PARTICLE, 7)
        self.check(push, particles, 0.1)
        self.check(attract, particles, 0.1, 2)
        self.check(each, particles)
        self.check(nearest, particles)
        self.check(lambda p: p[p["alive"]], particles)
        self.check(lambda p: (p["x"].sum(), p[p["alive"]]), particles[:0])

    def test_helpers(self):
        def kinetic(q):
            return 0.5 * q["m"] * q["vx"]**2

        def living(p):
            for q in p:
                if q["alive"]:
                    yield q

        def last(p, i):
            return p[0]["x"] if i == 0 else p[i]["x"] + last(p, i - 1)

        def all_of_them(p):
            total = 0.0
            for q in living(p):
                total += kinetic(q)
                q["y"] = 0
            return total, kinetic(p), [q["x"] for q in p], max(q["y"] for q in p), last(p, 3)
        self.check(all_of_them, filled(PARTICLE, 5))

    def test_cells(self):
        def pressure(g):
            return 0.4 * (g["E"] - 0.5 * (g["mom"]**2).sum(axis=-1) / g["rho"])

        def step(g):
            n = g.copy()
            n["rho"][1:-1, 1:-1] = 0.25 * (g["rho"][2:, 1:-1] + g["rho"][:-2, 1:-1] + g["rho"][1:-1, 2:] + g["rho"][1:-1, :-2])
            g[...] = n
            g[0], g[-1], g[:, 0] = g[1], g[-2], g[:, 1]
            for i in range(g.shape[0]):
                for j in range(g.shape[1]):
                    c = g[i, j]
                    c["mom"][0] = c["rho"]
                    c["mom"] *= 2
            return g, g[1, 2]["mom"], g["mom"][..., 0], g[::2, 1], g.size, g.reshape(2, -1)["E"]
        self.check(pressure, filled(CELL, (4, 5)))
        self.check(step, filled(CELL, (4, 5)))

    def test_graphs(self):
        def shortest(e, n):
            dist = np.full(n, np.inf)
            dist[0] = 0
            for _ in range(n - 1):
                for edge in e:
                    if dist[edge["src"]] + edge["w"] < dist[edge["dst"]]:
                        dist[edge["dst"]] = dist[edge["src"]] + edge["w"]
            return dist

        def spanning(e, n):
            s = e[np.argsort(e["w"])]
            parent = np.arange(n)
            total = 0.0
            for k in range(len(s)):
                a, b = s["src"][k], s["dst"][k]
                while parent[a] != a:
                    a = parent[a]
                while parent[b] != b:
                    b = parent[b]
                if a != b:
                    parent[a] = b
                    total += s["w"][k]
            return total

        def degrees(e, n):
            counts = np.zeros(n, dtype=[("out", "i8"), ("weight", "f8")])
            np.add.at(counts["out"], e["src"], 1)
            for k in range(len(e)):
                counts[e["dst"][k]]["weight"] += e[k]["w"]
            return counts, np.bincount(e["dst"], minlength=n)
        for function in (shortest, spanning, degrees):
            self.check(function, filled(EDGE, 12), 4)

    def test_images(self):
        def swapped(im):
            out = np.empty_like(im)
            out["r"], out["g"], out["b"] = im["b"], im["g"], im["r"]
            im[0, 0] = (1, 2, 3)
            im[1][1]["g"] += 7
            return out, 0.299 * im["r"] + 0.587 * im["g"], im[im["r"] > 1]
        self.check(swapped, filled(PIXEL, (4, 5)))

    def test_tables(self):
        def by_channel(s):
            out = np.zeros(3, dtype=[("ch", "i8"), ("mean", "f8"), ("n", "i8")])
            for c in range(3):
                chosen = s[s["k"] == c]
                out[c] = (c, np.sum(chosen["x"]), len(chosen))
            return out

        def ordered(s):
            s.sort(order=["k", "x"])
            t = np.sort(s, order="v")
            return t, s[np.argsort(s["x"])], np.argsort(s, order="x"), np.unique(np.concatenate([s, t])), np.lexsort((s["x"], s["k"]))

        def joined(s):
            return (np.roll(s, 1), np.flip(s), np.take(s, [1, 2]), np.append(s, s[:1]), np.delete(s, 1), np.repeat(s, 2), np.where(s["x"] > 1, s, s[::-1]),
                    np.stack([s, s]), np.hstack((s, s)), np.array_equal(s, s), np.compress(s["x"] > 1, s), s.ravel(), s.copy())

        def described(s):
            names = [name for name in s.dtype.names]
            return names, s.dtype["x"].itemsize, s.itemsize, s.nbytes, s.ndim, s.shape, len(s), "x" in s.dtype.names, s.dtype == STATE, isinstance(s[0], np.void)

        def compared(s):
            return s == s[::-1], s != s, s[0] == s[0], (s == s).sum()
        for function in (by_channel, ordered, joined, described, compared):
            self.check(function, filled(STATE, 9))

    def test_made(self):
        def made(n):
            t = np.dtype([("a", "f8"), ("b", "i8", 2)])
            u = np.dtype({"names": ["a", "b"], "formats": ["f4", "i2"]})
            w = np.dtype([("c", "i1"), ("d", "f8")], align=True)
            ones = np.ones(n, dtype=t)
            ones["b"][:, 1] += np.arange(n)
            return ones, np.zeros((2, n), u), np.full(3, 7, dtype=u), np.zeros_like(ones), np.zeros(n, "f8, i4"), np.empty(0, w), np.zeros((), t), np.zeros(2, w)

        def listed(n, x):
            a = np.array([(1, 2.0), (3, n)], dtype=[("i", "i4"), ("f", "f8")])
            b = np.array([(i, i * 0.5) for i in range(n)], dtype=a.dtype)
            c = np.array([(1, (2, 3)), (4, (5, n))], dtype=[("a", "i4"), ("b", [("u", "f4"), ("v", "i2")])])
            d = np.array([[(1, 2), (3, 4)], [(5, 6), (7, n)]], dtype="i4, f8")
            e = np.array((x.mean(), x.size), dtype=[("mean", "f8"), ("n", "i8")])
            f = np.array(list(zip(x, x)), dtype=a.dtype)
            return a, b, c, d, e, f, np.array([(1, [2, n])], dtype=[("a", "i4"), ("b", "f8", 2)])

        def nested(n):
            a = np.zeros(n, dtype=[("p", [("x", "f8"), ("y", "f4")], 2), ("m", "f8", (2, 2)), ("z", "c16")])
            a["p"]["x"][:, 1] = 4
            a[1]["p"][0]["x"] = 3
            a[2]["p"] = (1, 2)
            a["m"] = np.eye(2)
            a["z"].real = 3
            return a, a["p"].shape, a["p"][:, 0], a[0]["m"] @ a["m"][1], abs(a["z"])
        self.check(made, 4)
        self.check(listed, 4, np.linspace(0, 1, 4))
        self.check(nested, 3)

    def test_stores(self):
        def stores(a):
            a[0] = (1, 2, 3)
            a[1:3] = a[3:5]
            a[2:] = a[:-2]
            a[a["x"] > 2] = a[0]
            a["x"][a["k"] > 1] = -1
            a[["x", "v"]] = a[["v", "x"]]
            t = a[3].copy()
            a[3] = a[4]
            a[4] = t
            a[-1] = 5
            a[[0, 1]] = a[[1, 0]]
            a["v"][1:] /= 2
            a[2]["v"] -= 1
            q = a
            q["k"][:] |= 1
            x, v, k = a[3]
            return x + v, a[1].item(), a[:2].tolist(), a["k"][-1]

        def nested(a):
            a["pos"]["y"] = a["pos"]["x"]**2
            a[1]["pos"]["x"] = 7
            p = a["pos"]
            p[0] = (8, 9)
            a[2] = ((1, 2), 3)
            return a["pos"], np.sort(a, order="id"), a["pos"][a["id"] > 1]

        def turns(a, n):
            cur, nxt = a.copy(), np.empty_like(a)
            view = a
            for i in range(n):
                nxt["x"] = cur["x"] + cur["v"] * 0.1
                nxt["v"], nxt["k"] = -cur["v"], i
                cur, nxt = nxt, cur
                view = view[1:] if i % 2 else view[::-1]
                view["x"] += i
            return cur
        for dtype in (STATE, np.dtype([("x", "f8"), ("v", "f4"), ("k", "i8")]), np.dtype([("x", "f4"), ("v", "f8"), ("k", "i8")], align=True)):
            for array in (filled(dtype, 6), filled(dtype, 12)[::2], filled(dtype, 12)[::-2]):
                self.check(stores, array)
                self.check(turns, array, 3)
        self.check(nested, filled(NESTED, 4))

    def test_orders_of_arrays(self):
        """Fields that are arrays are ordered by their bytes."""
        numbers = np.random.default_rng(0)
        for dtype in ("f8", "i4", "u1"):
            array = np.zeros(40, [("k", "i4"), ("p", dtype, 2)])
            array["p"], array["k"] = numbers.integers(0, 3, (40, 2)), numbers.integers(0, 3, 40)
            array["p"] -= numbers.integers(0, 2, (40, 2)).astype(dtype)
            self.check(lambda a: (np.sort(a, order="k"), np.sort(a[["p"]])["p"]), array)

    def test_memory(self):
        def parts(a):
            return a, a["x"], a[1:], a[["x", "k"]], a[::-2]

        def new(a):
            b = a.copy()
            return b, b["x"], b[1:], a

        def both(a, b):
            a["x"][:-2] += b["v"]
            b["x"] *= 2
            a[1:] = a[:-1]
            return b[1:], a["v"]
        for dtype in (STATE, np.dtype([("x", "f8"), ("v", "f4"), ("k", "i8")])):
            self.check_memory(parts, filled(dtype, 6))
            self.check_memory(new, filled(dtype, 6))
        whole = filled(STATE, 6)
        self.check_memory(both, whole, whole[2:])
        packed = filled(PARTICLE, 6)
        with self.assertRaisesRegex(TypeError, "share memory with an array of packed records"):
            harness.jit(lambda a, b: a["x"] + b["x"])(packed, packed[:])

    def test_record_arguments(self):
        def moved(p):
            p["x"] += 4
            return p["k"] + 1, p
        for dtype in (STATE, np.dtype([("x", "f8"), ("k", "i4")])):
            array = filled(dtype, 3)
            harness.jit(moved)(array[1])
            expected = filled(dtype, 3)
            moved(expected[1])
            self.assertEqual(array.tolist(), expected.tolist())
            self.check(moved, filled(dtype, ()))

    def test_record_arrays(self):
        def attributes(r):
            r.a = 7
            r[0].b = 9
            s = r[1:]
            s.b += r.a[0]
            for q in r:
                q.a += 1
            return r, s, r.copy(), r[0], r.b.sum(), r["a"], r[1].a

        def made(x, k):
            r = np.rec.fromarrays([x, k], names="x,k")
            r.x[0] = 9
            s = np.recarray(len(x), dtype=[("x", "f4"), ("k", "i4")])
            s.x, s["k"] = x, k
            s[0].x = 4
            v = np.zeros(len(x), dtype=[("u", "f8")]).view(np.recarray)
            v.u = x
            return r, s, v, np.rec.array([(1, 2)], dtype=[("i", "i4"), ("f", "f8")])
        self.check(attributes, np.rec.array([(1, 2.0), (3, 4.0)], dtype=[("a", "i4"), ("b", "f8")]))
        self.check(attributes, np.rec.array([(1, 2.0), (3, 4.0)], dtype=[("a", "i8"), ("b", "f8")]))
        self.check(made, np.linspace(0, 1, 4), np.arange(4))

    def test_held(self):
        class Simulation:
            def __init__(self, n):
                self.p, self.t = np.zeros(n, STATE), 0.0

            def step(self, dt):
                self.p["x"] += self.p["v"] * dt + 1
                self.t += dt

        def run(n):
            s = Simulation(n)
            for _ in range(3):
                s.step(0.1)
            return s.p, s.t, {"all": s.p, "some": [s.p["x"]]}

        def changed(items):
            items[0]["x"] = 1
            return items[1]["x"].sum(), TABLE["w"][1] + TABLE[0]["z"]
        self.check(run, 4)
        self.check(changed, [filled(STATE, 3), filled(PARTICLE, 2)])

    def test_other_fields(self):
        """Fields of other dtypes are left alone."""
        named = np.array([("ab", 1.0, 2), ("cd", 3.0, 4)], dtype=[("name", "U4"), ("x", "f8"), ("k", "i4")])

        def others(a):
            a["x"] *= 2
            return a[a["x"] > 1]["k"], a[1]["k"], a[1:]
        self.check(others, named)
        odd = np.dtype({"names": ["a", "b"], "formats": ["i4", "f8"], "offsets": [4, 16], "itemsize": 32})
        self.check(lambda a: (a[1:], a.copy(), np.zeros_like(a), np.concatenate([a, a])), filled(odd, 3))
        overlapping = np.zeros(3, np.dtype({"names": ["a", "b"], "formats": ["i8", "i4"], "offsets": [0, 0]}))

        def low(a):
            a["b"] = 7
            a["a"] += 256
            return a["b"]
        self.check(low, overlapping)

    def test_errors(self):
        def caught(p, i):
            try:
                return p[i]["x"]
            except IndexError:
                return -1.0
        array = filled(STATE, 3)
        self.check(caught, array, 9)
        self.check(lambda p, i: p[i]["x"], array, 9)
        self.check(lambda p: p["nope"], array)
        self.check(lambda p: p[0]["nope"], array)
        self.check(lambda p: p[0, 1], array)
        self.check(lambda p: p.x, array)
        self.check(lambda p: p[0][9], array)
        self.check(lambda p: np.sort(p, order="nope"), array)

        def short(p):
            p[0] = (1, 2)

        def mean(p):
            return np.mean(p)

        def true(p):
            return 1 if p else 2

        def text(p):
            return p.tobytes()

        def more(p):
            return p + 1

        def printed(p):
            return str(p)

        def stored(p):
            p["x"] = 1
        self.check(short, array)
        array.setflags(write=False)
        with self.assertRaisesRegex(ValueError, "assignment destination is read-only"):
            harness.jit(stored)(array)
        for function, words in ((mean, "(?:ufunc .add. did not contain a loop|No loop matching)"), (true, "is true cannot be compiled"),
                                (text, "'tobytes' of an array of records"), (more, "unsupported operand"), (printed, "an array of records cannot be printed")):
            with self.assertRaisesRegex(Exception, words):
                harness.jit(function)(array)


if __name__ == "__main__":
    unittest.main()
