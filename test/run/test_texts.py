"""Strings that are known at run time only, and what is printed of arrays and objects: compiled, against Python."""
import contextlib
import io
import unittest
from dataclasses import dataclass, field

import numpy as np

import harness
from everything import Everything

x = np.linspace(-1.0, 2.0, 7)


@dataclass
class Point:
    x: float
    n: int
    hidden: int = field(default=0, repr=False)


class Named:
    def __init__(self, name, value):
        self.name = name
        self.value = value

    def __str__(self):
        return f"<{self.name}: {self.value:.2f}>"


class Texts(Everything):
    def check_printed(self, function, *arguments):
        texts = []
        for one in (function, harness.jit(function)):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                result = one(*arguments)
            texts.append((out.getvalue(), result))
        self.assertEqual(texts[1], texts[0])

    def test_lists(self):
        def labels(values):
            out = []
            for v in values:
                if v > 1.0:
                    out.append("high")
                elif v > 0.0:
                    out.append("mid")
                else:
                    out.append(f"low {v:.1f}")
            names = ["n" + str(k) for k in range(len(values))]
            names.sort(reverse=True)
            return out, names, sorted(out), max(names), names.index("n2"), "n9" in names, out[-1] == "high", ["+" if v > 0 else "-" for v in values]
        self.check(labels, x)

    def test_building(self):
        def built(n):
            s, digits = "", []
            for k in range(n):
                s += str(k) + ","
            m = n
            while m > 0:
                digits.append(str(m % 2))
                m //= 2
            return s, s[:-1], s[::-1], s[2], s[-2:], len(s), "".join(digits[::-1]), "-".join(reversed(digits)), s * 2, bool(s), s + "end"
        self.check(built, 12)
        self.check(built, 1)

    def test_long(self):
        def counted(n):
            s = ""
            for k in range(n):
                s += chr(97 + k % 26)
            vowels = 0
            for c in s:
                if c in "aeiou":
                    vowels += 1
            return vowels, s[n // 2], s.find("xyz"), len(s), s[:3] < s[3:6], s == s[:n]
        self.check(counted, 300)

    def test_arguments(self):
        def distance(a, b):
            d = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
            d[:, 0] = np.arange(len(a) + 1)
            d[0, :] = np.arange(len(b) + 1)
            for i in range(1, len(a) + 1):
                for j in range(1, len(b) + 1):
                    d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (a[i - 1] != b[j - 1]))
            return d[len(a), len(b)]
        compiled = harness.jit(distance)
        words = ["kitten", "sitting", "", "a", "flaw", "lawn", "saturday", "sunday", "héllo", "hello"]
        for one in words:
            for other in words:
                self.assertEqual(compiled(one, other), distance(one, other))
        self.assertLess(len(compiled.signatures), 8)  # a constant a few times, then any string

    def test_modes_stay_constants(self):
        def chosen(a, how):
            return a.sum(axis=0, dtype=how)
        compiled = harness.jit(chosen)
        for dtype in ("f8", "f4", "i4", "i8", "c16", "u2"):
            self.assertEqual(compiled(np.arange(3), dtype).dtype, np.dtype(dtype))

    def test_dicts(self):
        def grouped(n):
            d = {f"p{k}": float(k) for k in range(n)}
            total = 0.0
            for key, value in d.items():
                if key != "p2":
                    total += value
            counts = {"A": 0, "C": 0}
            for c in "ACGT" * n:
                if c in counts:
                    counts[c] += 1
            words = {}
            for w in ("a b a c b a " * n).split():
                words[w] = words.get(w, 0) + 1
            return total, "p3" in d, d["p1"], list(d), counts, words, d
        self.check(grouped, 4)

    def test_states(self):
        def states(values):
            state, seen, message = "idle", [], None
            for v in values:
                if state == "idle" and v > 0:
                    state = "run"
                elif state == "run" and v > 1:
                    state = f"done at {v}"
                    message = state.upper()
                seen.append(state)
            return state, seen, message, message is None
        self.check(states, x)
        self.check(states, x[:2])

    def test_methods(self):
        def called(n):
            s = f"  item {n} of Many  "
            t = s.strip()
            return (t, s.lstrip(), s.rstrip(), t.upper(), t.lower(), t.title(), t.swapcase(), t.replace("item", "x"), t.center(20, "*"), t.zfill(20), t.count("a"),
                    t.find("of"), t.find("no"), t.rfind("n"), t.index("of"), t.startswith("item"), t.endswith(("x", "Many")), t.isalpha(), str(n).isdigit(), t.partition(" "),
                    t.rpartition(" "), t.split(), t.split("m"), t.split(" ", 1), t.rsplit(" ", 1), (t + "\n" + t).splitlines(), t.ljust(3), t.removeprefix("item "),
                    [ord(c) for c in t[:3]], "9" > t, t >= "a")
        self.check(called, 7)
        self.check(called, 123456)

    def test_numbers(self):
        def read(text):
            parts = text.split(",")
            return [int(p) for p in parts], sum(float(p) for p in parts), int("1" + parts[0].strip() + "1", 2)
        self.check(read, "1, 01,11")

        def wrong(n):
            try:
                return int("x" + str(n))
            except ValueError:
                return -1
        self.check(wrong, 3)

        def raised(n):
            return int(f"{n}.5")
        self.check(raised, 3)

        def raised_too(n):
            return float(f"{n} m")
        self.check(raised_too, 3)

        def floats(n):
            return [float(t + s) for t in (" 1", "-", "+2_", "1e", ".") for s in (f"{n}", f"{n} ", f"{n}e5")]
        self.check(floats, 3)

    def test_characters(self):
        def shifted(n):
            out = []
            for c in "Attack at Dawn" * n:
                if c.isalpha():
                    base = ord("A") if c.isupper() else ord("a")
                    out.append(chr((ord(c) - base + n) % 26 + base))
                else:
                    out.append(c)
            return "".join(out), list("ab" + str(n)), [c + "!" for c in str(n * 111)]
        self.check(shifted, 3)

        def outside(n):
            return str(n)[n]
        self.check(outside, 5)

        def long_one(n):
            return ord(str(n))
        self.check(long_one, 55)

    def test_formats(self):
        def shown(n):
            s = "v" + str(n)
            return f"{s:>6}|{s!r}|{s:^7}", "%6s|%-6s|%r" % (s, s, s), "{:*<6} {}".format(s, s), str([s, n]), repr(s + "'")
        self.check(shown, 12)

    def test_objects(self):
        def best(n):
            things = [Named(f"thing{k}", k * 1.5 % 4) for k in range(n)]
            found = things[0]
            for thing in things:
                if thing.value > found.value:
                    found = thing
            return found.name, [thing.name for thing in things], str(found), f"{Point(n * 0.5, n)}"
        self.check(best, 6)

    def test_tuples(self):
        def pairs(n):
            out = []
            for k in range(n):
                out.append((f"k{k}", k * k))
            out.sort(key=lambda p: -p[1])
            return out, [a for a, b in out if b > 2]
        self.check(pairs, 4)

    def test_printing(self):
        def printed(values, n):
            print("x =", values)
            print(values.astype(np.int32), values > 0, values[:2].reshape(2, 1), sep="\n")
            print(f"mean {values.mean():.3f} of {values} and {values!r}", end="|")
            print([v * 2 for v in range(n)], [1, n, 2.5], (1, "a"), {"m": n, "k": values[:1]})
            print("%s and %r" % (values[:2], values[:2]), "{} {}".format(values > 0, [n]))
            print(["a" + str(k) for k in range(n)], Point(n + 0.5, 2), Named("me", n), [str(n)])
        self.check_printed(printed, x, 3)
        self.check_printed(printed, x.astype(np.float32), 1)
        self.check_printed(printed, np.arange(2000.0), 2)

    def test_errors(self):
        def added(n):
            return str(n) + n
        self.check(added, 3)

        def compared(n):
            return str(n) < n
        self.check(compared, 3)

        def raised(n):
            raise ValueError("no " + str(n) * 2 + f" {n!r}")
        self.check(raised, 3)


if __name__ == "__main__":
    unittest.main()
