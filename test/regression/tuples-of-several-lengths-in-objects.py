# RUN: %python %s
# Objects of one class whose attribute holds tuples of several lengths, made by a comprehension or handed to sorted(), were left to Python.
import npcc


class Version:
    def __init__(self, text):
        self.parts = tuple(int(part) for part in text.split("."))

    def __lt__(self, other):
        return self.parts < other.parts


class Point:
    def __init__(self, place):
        self.place = place


def in_order(n):
    versions = sorted(map(Version, ["1.10", "1.9.3", "2.0", "1.9"]))
    points = [Point((k, 1.5) if k % 2 else (k, 2.5, k)) for k in range(n)]
    return [version.parts for version in versions], max(versions).parts, [point.place for point in points], sum([len(point.place) for point in points])


compiled = npcc.jit(target="cpu")(in_order)
assert compiled(5) == in_order(5)
assert not compiled.fallbacks and not compiled.inspect.__self__.with_python
