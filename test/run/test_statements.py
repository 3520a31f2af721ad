"""Lists that change, exceptions that are caught, match: compiled, against Python."""
import contextlib
import math
import unittest

import numpy as np

from everything import Everything

x = np.arange(1.0, 6.0)


class Lists(Everything):
    def test_stack(self):
        def walk(n):
            stack, order = [0], []
            while stack:
                k = stack.pop()
                order.append(k)
                if k < n:
                    stack.append(k + 1)
                    if k % 2 == 0:
                        stack.append(k + 2)
            return order
        self.check(walk, 0)
        self.check(walk, 6)

    def test_changes(self):
        def changed(l, n):
            l = list(l)
            for k in range(n):
                l.extend([k, k])
            l.pop(1)
            l.remove(3)
            l.insert(0, 9)
            first = l.index(9), l.count(0)
            l.reverse()
            l.sort()
            return l, first, 9 in l, len(l)
        self.check(changed, [1, 2, 3], 0)
        self.check(changed, [1, 2, 3], 4)
        self.check(changed, [1, 2], 0)

        def emptied(n):
            l = [k for k in range(n)]
            while len(l) > 2:
                l.pop(0)
            last = l.pop()
            l.clear()
            return l, last
        self.check(emptied, 5)
        self.check(emptied, 0)

    def test_tuples(self):
        def paths(n):
            made = []
            for i in range(n):
                for j in range(i):
                    made.append((i * 0.5, j))
            made.sort(key=lambda p: (p[1], -p[0]))
            i, j = made[-1]
            made[0] = (0.0, 7)
            return made, i + j, made[1:3], np.array(made), [a for a, b in made if b > 1]
        self.check(paths, 4)

        def events(a, limit):
            found = [(v, k) for k, v in enumerate(a) if v > limit]
            return sorted(found, reverse=True), min(found), max(found, key=lambda p: -p[1])
        self.check(events, np.array([3.0, 1.0, 4.0, 1.5]), 1.2)

    def test_builtins(self):
        def over(a, l):
            return (any(v > 4 for v in a), all(v > 4 for v in a), sum(v * 2 for v in l), sorted(l), sorted(l, reverse=True, key=lambda v: -v),
                    min(l, key=lambda v: -v), max(range(len(l)), key=lambda k: l[k]), list(map(lambda v: v + 1, l)),
                    list(filter(lambda v: v > 1, l)), list(range(len(l))), list(zip(l, a)))
        self.check(over, x[:3], [3, 1, 2])

    def test_ragged_comprehension(self):
        self.check(lambda n: [i * j for i in range(n) for j in range(i)], 5)


class Refused(ValueError):
    pass


class Exceptions(Everything):
    def test_checks(self):
        def divided(v, n):
            try:
                r = math.sqrt(v) / n
            except ZeroDivisionError as error:
                return str(error)
            except (ValueError, TypeError):
                return "no root"
            else:
                r += 1
            return r
        for v, n in ((4.0, 2), (4.0, 0), (-4.0, 2)):
            self.check(divided, v, n)

        def item(a, k):
            try:
                return float(a[k])
            except IndexError:
                return -1.0
        self.check(item, x, 2)
        self.check(item, x, -5)
        self.check(item, x, 5)

    def test_linear_algebra(self):
        def inverse(a):
            try:
                return np.linalg.inv(a)
            except np.linalg.LinAlgError:
                return np.full_like(a, np.nan)
        self.check(inverse, np.eye(2) * 4)
        self.check(inverse, np.zeros((2, 2)))

    def test_raised_in_functions(self):
        def checked(k):
            if k > 2:
                raise Refused(f"{k} is too much")
            return k

        def caught(n):
            count = 0
            for k in range(n):
                try:
                    count += checked(k)
                except Refused:
                    count -= 1
                    if k == 5:
                        break
            return count
        self.check(caught, 2)
        self.check(caught, 9)

        def passed_on(n):
            try:
                return checked(n)
            except KeyError:
                return -1
        self.check(passed_on, 1)
        self.check(passed_on, 3)

        def again(n):
            try:
                if n > 2:
                    raise Refused("again")
                return n
            except Refused:
                raise
        self.check(again, 1)
        self.check(again, 3)

    def test_finally(self):
        def steps(n, a):
            done = 0
            for k in range(n):
                try:
                    if k == 1:
                        continue
                    if k == 4:
                        return done
                    done += 10
                finally:
                    done += 1
                    a[0] += 1
            return -done
        self.check(steps, 3, x)
        self.check(steps, 9, x)

        def cleaned(a, k):
            try:
                return a[k]
            finally:
                a[0] = 100.0
        self.check(cleaned, x, 1)
        self.check(cleaned, x, 9)

    def test_other_classes(self):
        def looked_up(n):
            if n == 0:
                raise KeyError("zero")
            if n == 1:
                raise StopIteration
            if n == 2:
                raise FloatingPointError("two")
            if n == 3:
                raise Exception("three")
            return n
        for n in range(5):
            self.check(looked_up, n)


class Match(Everything):
    def test_patterns(self):
        def numbers(n):
            match n:
                case 1 | 2:
                    return "few"
                case k if k < 0:
                    return "negative"
                case 10:
                    result = "ten"
                case _:
                    result = "many"
            return result
        for n in (1, 2, -3, 10, 50):
            self.check(numbers, n)

        def shapes(p, a):
            match p:
                case ("circle", r):
                    return 3.0 * r
                case ("box", w, h):
                    return w * h + a
                case {"sum": k}:
                    return k + a
                case [first, *rest]:
                    return first + len(rest)
        def one_of(k):
            found = None if k % 3 == 0 else k if k % 3 == 1 else (k, k + 1)
            match found:
                case (a, b):
                    return a + b
                case None:
                    return -1
                case int(n):
                    return n * 100
        for k in (3, 4, 5):
            self.check(one_of, k)
        self.check(shapes, ("circle", 2.0), 1.0)
        self.check(shapes, ("box", 2.0, 4.0), 1.0)
        self.check(shapes, {"sum": 2.0}, 1.0)
        self.check(shapes, [1.0, "a", 2], 1.0)


class Contexts(Everything):
    def test_suppress(self):
        def found(d, key):
            with contextlib.suppress(KeyError):
                return d[key]
            return -1

        def quotients(texts):
            results = []
            for text in texts:
                with np.errstate(all="ignore"), contextlib.suppress(ValueError, ZeroDivisionError):
                    k = int(text)
                    if k == 7:
                        break
                    results.append(10 / k)
            return results

        def raised(k):
            with contextlib.suppress(ZeroDivisionError):
                return [1, 2][k]
        self.check(found, {"a": 1}, "a")
        self.check(found, {"a": 1}, "b")
        self.check(quotients, ["1", "x", "0", "4", "7", "2"])
        self.check(raised, 5)


if __name__ == "__main__":
    unittest.main()
