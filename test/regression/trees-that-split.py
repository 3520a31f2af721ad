# RUN: %python %s
"""Objects of a table whose attribute is None or a list of such objects: a read of it behind what had failed ended the process."""
import npcc


class Node:
    def __init__(self, low, high, depth=0):
        self.low, self.high, self.depth = low, high, depth
        self.points = []
        self.kids = None
        self.mass = 0.0

    def insert(self, x):
        self.mass += x
        if self.kids is None:
            self.points.append(x)
            if len(self.points) > 2 and self.depth < 6:
                self.split()
        else:
            self.child(x).insert(x)

    def split(self):
        middle = (self.low + self.high) / 2
        self.kids = [Node(self.low, middle, self.depth + 1), Node(middle, self.high, self.depth + 1)]
        points, self.points = self.points, []
        for x in points:
            self.child(x).insert(x)

    def child(self, x):
        return self.kids[x > (self.low + self.high) / 2]

    def count(self):
        return 1 if self.kids is None else 1 + sum(kid.count() for kid in self.kids)

    def pull(self, x, near):
        if self.kids is None or (self.high - self.low) / (abs(x - self.low) + 1) < near:
            return self.mass / (x - self.low + 1) ** 2
        total = 0.0
        for kid in self.kids:
            if kid.mass:
                total += kid.pull(x, near)
        return total


@npcc.jit
def pulls(xs, near):
    tree = Node(0.0, 1.0)
    for x in xs:
        tree.insert(x)
    return [tree.pull(x, near) for x in xs], tree.count(), tree.mass


xs = [k * 0.37 % 1 for k in range(12)]
assert pulls(xs, 0.5) == pulls.py_func(xs, 0.5)
