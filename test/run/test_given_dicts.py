"""Dicts as arguments whose keys the function computes, dicts of dicts, and containers that are given inside of results; compiled, against Python."""
import collections
import copy
import heapq
import unittest

import npcc
from everything import Everything

LETTERS = {"a": ["b", "c"], "b": ["c"], "c": ["a"]}
NUMBERS = {0: [1, 2], 1: [2], 2: [0], 3: []}
ROADS = {"a": {"b": 1, "c": 4}, "b": {"c": 2}, "c": {}}


class GivenDicts(Everything):
    def check_changes(self, function, *arguments):
        mine = copy.deepcopy(arguments)
        expected = function(*arguments)
        result = npcc.jit(function)(*mine)
        self.assertEqual((result, mine), (expected, arguments))
        self.assertEqual(repr((result, mine)), repr((expected, arguments)))  # the order of keys, int or float
        return result, mine

    def test_graphs(self):
        def in_breadth(graph, start):
            seen, order = {start}, []
            waiting = collections.deque([start])
            while waiting:
                node = waiting.popleft()
                order.append(node)
                for other in graph[node]:
                    if other not in seen:
                        seen.add(other)
                        waiting.append(other)
            return order
        self.check_changes(in_breadth, copy.deepcopy(LETTERS), "a")
        self.check_changes(in_breadth, copy.deepcopy(NUMBERS), 1)

        def distances(roads, start):
            found = {place: float("inf") for place in roads}
            found[start] = 0
            waiting = [(0, start)]
            while waiting:
                length, place = heapq.heappop(waiting)
                for other, more in roads[place].items():
                    if length + more < found[other]:
                        found[other] = length + more
                        heapq.heappush(waiting, (length + more, other))
            return found
        self.check_changes(distances, copy.deepcopy(ROADS), "a")
        self.check_changes(distances, {1: {2: 1, 3: 4}, 2: {3: 2}, 3: {}}, 1)

    def test_changed(self):
        def counted(counts, words):
            for word in words:
                counts[word] = counts.get(word, 0) + 1
            return len(counts)
        self.check_changes(counted, {"a": 2}, ["b", "a", "c", "b"])

        def doubled(table):
            for name in table:
                for key in table[name]:
                    table[name][key] *= 2
            return sum(table[name][key] for name in table for key in table[name])
        self.check_changes(doubled, {"a": {"x": 1, "y": 2}, "b": {"x": 3}})

        def linked(graph, pairs):
            for one, other in pairs:
                graph[one].append(other)
        inner = NUMBERS[0]
        graph = {0: inner, 1: [5]}
        npcc.jit(linked)(graph, [(0, 7), (1, 8), (0, 9)])
        self.assertEqual(graph, {0: [1, 2, 7, 9], 1: [5, 8]})
        self.assertIs(graph[0], inner)
        del inner[2:]

    def test_given_in_results(self):
        def pair(table, key):
            return key, table[key]
        table = {1: {2: 3}, 4: {5: 6}}
        key, row = npcc.jit(pair)(table, 4)
        self.assertEqual((key, row), (4, {5: 6}))
        self.assertIs(row, table[4])

        def longest(rows):
            best = rows[0]
            for row in rows:
                if len(row) > len(best):
                    best = row
            return [best, rows]
        rows = [[1], [2, 3], [4]]
        best, same = npcc.jit(longest)(rows)
        self.assertEqual(best, [2, 3])
        self.assertIs(same, rows)

    def test_dicts_of_dicts(self):
        def products(n):
            table = {}
            for i in range(n):
                table[i] = {}
                for j in range(i):
                    table[i][j] = i * j
            return table
        self.check_changes(products, 4)

        def grouped(n):
            groups = collections.defaultdict(dict)
            for i in range(n):
                groups[i % 3][i] = i * i
            return groups
        self.check_changes(grouped, 7)

        def counted(n):
            counts = collections.defaultdict(lambda: collections.defaultdict(int))
            for i in range(n):
                counts[i % 3][i % 5] += i
            return {key: dict(count) for key, count in counts.items()}, counts[1]
        self.check_changes(counted, 12)

        def rows(n):
            row = [{} for _ in range(n)]
            for i in range(n):
                row[i][(i + 1) % n] = 1.5 * i
            return row[0], [max(one.values()) for one in row]
        self.check_changes(rows, 5)

        def sets(n):
            groups = {}
            for i in range(n):
                groups.setdefault(i % 4, set()).add(i // 4)
            return {key: len(group) for key, group in groups.items()}, groups
        self.check_changes(sets, 10)

        def queues(n):
            waiting = [collections.deque(maxlen=3) for _ in range(2)]
            for i in range(n):
                waiting[i % 2].append(i)
            return waiting
        self.check_changes(queues, 9)

    def test_counters(self):
        def arithmetic(words):
            counts = collections.Counter(words)
            others = collections.Counter({"a": 1, "z": 4})
            others.update(counts)
            twice = counts + others
            less = counts - collections.Counter(set(words))
            counts.subtract(others)
            return others, twice, less, twice & others, less | others, counts
        self.check_changes(arithmetic, ["a", "b", "a", "c"])


if __name__ == "__main__":
    unittest.main()
