"""Lists and objects of which a program makes any number: lists of lists, trees, objects that a loop makes; compiled, against Python."""
import unittest
from collections import defaultdict, deque, namedtuple
from dataclasses import dataclass

import numpy as np

import executed
import harness
from everything import Everything

edges = np.array([[0, 1], [0, 2], [1, 3], [2, 3], [3, 4], [5, 6]])
keys = np.array([5, 2, 8, 1, 9, 3, 7])
x = np.arange(1.0, 8.0) / 7


class Node:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None

    def depth(self):
        return 1 + max(self.left.depth() if self.left is not None else 0, self.right.depth() if self.right is not None else 0)


class Particle:
    def __init__(self, place, speed):
        self.place = place
        self.speed = speed
        self.hits = 0

    def move(self, step):
        self.place += self.speed * step
        if self.place > 1.0:
            self.place = 2.0 - self.place
            self.speed = -self.speed
            self.hits += 1


@dataclass
class Item:
    weight: float
    tags: list


def inserted(root, key):
    node = Node(key)
    if root is None:
        return node
    here = root
    while True:
        if key < here.key:
            if here.left is None:
                here.left = node
                return root
            here = here.left
        else:
            if here.right is None:
                here.right = node
                return root
            here = here.right


class ListsOfLists(Everything):
    def test_adjacency(self):
        def distances(n, edges):
            near = [[] for _ in range(n)]
            for u, v in edges:
                near[u].append(v)
                near[v].append(u)
            found = [-1] * n
            found[0] = 0
            queue = deque([0])
            while queue:
                u = queue.popleft()
                for w in near[u]:
                    if found[w] < 0:
                        found[w] = found[u] + 1
                        queue.append(w)
            return found, [len(row) for row in near], near
        self.check(distances, 7, edges)

    def test_methods(self):
        def changed(n):
            rows = [[k * 0.5] for k in range(n)]
            rows[1].append(2.0)
            rows[2] = [3.0, 5.0, 4.0]
            rows[0] = rows[2]
            rows[0].append(7.0)
            rows[1].insert(0, 9.0)
            rows[1].remove(0.5)
            rows[2].sort(reverse=True)
            rows[3].extend(rows[1])
            last = rows[3].pop(0)
            rows[2][1] = -1.0
            rows.append(rows[1] + [8.0])
            return rows, rows[0] is rows[2], rows[0] == rows[2], rows[1] == rows[0], 7.0 in rows[2], rows[2].index(4.0), last, rows[-1][1:]
        self.check(changed, 5)

    def test_comparisons(self):
        def compared(n):
            rows = [[k % 2, k] for k in range(n)]
            rows[1].append(5)
            rows.append([])
            rows.append(rows[1] + [])
            rows[2].extend(rows[2])
            found = []
            for one in rows:
                for other in rows:
                    found.append((one == other, one != other, one < other, one <= other, one > other, one >= other))
            return found, rows[1] == [1, 1, 5], [] == rows[n], rows[0] > []
        self.check(compared, 3)

    def test_identity(self):
        def chosen(n):
            rows = [[] for _ in range(n)]
            found = []
            for k in range(5):
                found.append((rows[k % n] is rows[k % n], rows[k % n] is rows[0], rows[k % n] is not rows[1]))
            rows[2].append(2)
            return rows, found
        self.check(chosen, 3)

    def test_functions_of_them(self):
        def summed(n):
            rows = []
            for k in range(n):
                rows.append(list(range(k + 1)))
            return [sum(row) for row in rows], max(len(row) for row in rows), sorted(rows[3], reverse=True), [k for row in rows for k in row]
        self.check(summed, 5)

    def test_arrays_of_them(self):
        def table(n):
            rows = []
            for i in range(n):
                row = []
                for j in range(3):
                    row.append(i * j * 0.5)
                rows.append(row)
            return np.array(rows)
        self.check(table, 4)

        def ragged(n):
            rows = []
            for i in range(n):
                rows.append(list(range(i + 1)))
            return np.array(rows)
        self.check(ragged, 3)

    def test_in_several_levels(self):
        def cells(points, width):
            count = int(1 / width)
            grid = [[[] for _ in range(count)] for _ in range(count)]
            for k in range(len(points)):
                grid[int(points[k] / width)][k % count].append(k)
            return grid, sum(len(cell) for line in grid for cell in line)
        self.check(cells, x * 0.9, 0.25)

    def test_in_dicts(self):
        def grouped(keys, values):
            groups = {}
            for k, v in zip(keys, values):
                groups.setdefault(k % 3, []).append(v)
            means = defaultdict(list)
            for k, group in sorted(groups.items()):
                means[k % 2].append(sum(group) / len(group))
            return groups, means
        self.check(grouped, keys, x)

    def test_in_tuples(self):
        def paths(n):
            open_ones, found = [(0, [0])], []
            while open_ones:
                k, path = open_ones.pop()
                if k >= n:
                    found.append(path)
                    continue
                open_ones.append((k + 1, path + [k + 1]))
                open_ones.append((k + 2, path))
            return found
        self.check(paths, 4)

    def test_recursion(self):
        def queens(n):
            solutions = []

            def place(row, columns):
                if row == n:
                    solutions.append(list(columns))
                    return
                for column in range(n):
                    if all(column != other and abs(column - other) != row - k for k, other in enumerate(columns)):
                        place(row + 1, columns + [column])
            place(0, [])
            return solutions
        self.check(queens, 5)

    def test_lists_that_loops_make(self):
        def sequences(n):
            made = []
            for start in range(1, n):
                sequence = [start]
                while start != 1:
                    start = start // 2 if start % 2 == 0 else 3 * start + 1
                    sequence.append(start)
                made.append(sequence)
            return made, len(sequence)
        self.check(sequences, 8)

    def test_errors(self):
        def outside(n, k):
            rows = [[] for _ in range(n)]
            rows[0].append(1)
            return rows[k].pop()
        self.check(outside, 3, 0)
        self.check(outside, 3, 1)
        self.check(outside, 3, 3)

        def missing(n):
            rows = [[k] for k in range(n)]
            rows[1].append(5)
            rows[2].remove(7)
        self.check(missing, 3)


class Objects(Everything):
    def test_tree(self):
        def ordered(keys):
            root = None
            for key in keys:
                root = inserted(root, key)
            found = []

            def walk(node):
                if node is None:
                    return
                walk(node.left)
                found.append(node.key)
                walk(node.right)
            walk(root)
            return found, root.left.key, root.right.left.key, root.left.left.left is None
        self.check(ordered, keys)

    def test_result(self):
        def built(keys):
            root = None
            for key in keys:
                root = inserted(root, key)
            return root

        def shape(node):
            return node and (node.key, shape(node.left), shape(node.right))
        compiled = harness.jit(built)(keys)
        self.assertIs(type(compiled), Node)
        self.assertEqual(shape(compiled), shape(built(keys)))

    def test_linked(self):
        def summed(n):
            head = None
            for k in range(n):
                node = Node(k)
                node.right = head
                head = node
            total, here = 0, head
            while here is not None:
                total = total * 3 + here.key
                here = here.right
            return total, head.right.right is head.right.right, head is head.right
        self.check(summed, 6)

    def test_changes(self):
        def moved(places, speeds, steps):
            particles = [Particle(place, speed) for place, speed in zip(places, speeds)]
            for _ in range(steps):
                for particle in particles:
                    particle.move(0.1)
            best = particles[0]
            for particle in particles:
                if particle.place > best.place:
                    best = particle
            best.hits += 100
            return np.array([p.place for p in particles]), [p.hits for p in particles], best.speed
        self.check(moved, x, x * 2, 9)

    def test_lists_in_them(self):
        def tagged(n):
            items = []
            for k in range(n):
                item = Item(k * 0.5, [])
                for j in range(k):
                    item.tags.append(j)
                items.append(item)
            items[0].tags = items[2].tags
            items[0].tags.append(7)
            return [len(item.tags) for item in items], sum(item.weight for item in items), items[2].tags
        self.check(tagged, 4)

    def test_errors(self):
        def walked(n):
            head = None
            for k in range(n):
                node = Node(k)
                node.left = head
                head = node
            for _ in range(5):
                head = head.left
            return head.key
        self.check(walked, 8)
        self.check(walked, 3)


class LocalClasses(Everything):
    def test_class_in_a_function(self):
        def accumulated(a):
            class Total:
                def __init__(self):
                    self.value = 0.0

                def add(self, v):
                    self.value += v

            total = Total()
            for v in a:
                total.add(v)
            return total.value
        self.check(accumulated, x)

    def test_named_tuple_in_a_function(self):
        def extremes(a):
            Extremes = namedtuple("Extremes", "low high")
            found = Extremes(a.min(), a.max())
            return found.low, found.high, found._replace(low=0.0)[0]
        self.check(extremes, x)


class AttributesOfSeveralTypes(Everything):
    def test_none_and_numbers(self):
        class Tree:
            def __init__(self, depth):
                self.depth = depth
                self.left = None
                self.right = None
                self.value = None
                self.cut = 0

            def train(self, x, y):
                if len(x) < 4 or self.depth == 1:
                    self.value = np.mean(y)
                    return
                k = len(x) // 2
                self.cut = x[k]
                self.left = Tree(self.depth - 1)
                self.right = Tree(self.depth - 1)
                self.left.train(x[:k], y[:k])
                self.right.train(x[k:], y[k:])

            def predict(self, v):
                if self.value is not None:
                    return self.value
                if v >= self.cut:
                    return self.right.predict(v)
                return self.left.predict(v)

        def predicted(x, q):
            tree = Tree(4)
            tree.train(x, x * 2)
            return [float(tree.predict(v)) for v in q]
        x = np.sort(np.random.default_rng(3).random(20))
        self.check(predicted, x, x[:3] + 0.01)

    def test_strings_and_numbers(self):
        class Cell:
            def __init__(self):
                self.tag = None
                self.weight = 0

        def marked(n):
            cells = [Cell() for _ in range(n)]
            for i in range(n):
                if i % 2:
                    cells[i].tag = "odd"
                    cells[i].weight = i * 0.5
                if i % 3 == 0:
                    cells[i].tag = i
            return [(c.tag, c.weight) for c in cells], sum(c.weight for c in cells)
        self.check(marked, 7)

    def test_trees_that_calls_give(self):
        def build(low, high):
            if low >= high:
                return None
            middle = (low + high) // 2
            node = Node(middle)
            node.left = build(low, middle)
            node.right = build(middle + 1, high)
            return node

        def size(node):
            return 0 if node is None else 1 + size(node.left) + size(node.right)

        def balanced(n):
            root = build(0, n)
            return size(root), root.key, root.left.key
        self.check(balanced, 7)

    def test_queues_of_lists(self):
        def shortest(walls, end):
            queue = deque([((0, 0), [(0, 0)])])
            seen = {(0, 0)}
            while queue:
                (row, column), path = queue.popleft()
                if (row, column) == end:
                    return path
                for down, right in ((0, 1), (1, 0)):
                    place = (row + down, column + right)
                    if place[0] < 3 and place[1] < 3 and place not in walls and place not in seen:
                        seen.add(place)
                        queue.append((place, path + [place]))
            return None
        self.check(shortest, [(0, 1), (1, 1)], (2, 2))

        def counted(n):
            queue = deque([[0]])
            while queue:
                path = queue.popleft()
                if path[-1] == n:
                    return path
                queue.append(path + [path[-1] + 1])
            return None
        self.check(counted, 4)


if __name__ == "__main__":
    unittest.main()
