# RUN: %python %s
# A set in an object was asked for its items at the end of an import that was given up, which ended the process.
from collections import defaultdict

import npcc


class Graph:
    def __init__(self, edges):
        self.edges = defaultdict(dict)
        self.nodes = set()
        for u, v, w in edges:
            self.edges[u][v] = w
            self.nodes.update((u, v))

    def neighbours(self, u):
        return self.edges[u].items() if u in self.edges else []

    def __contains__(self, node):
        return node in self.nodes


def distances(graph, start):
    if start not in graph:
        raise KeyError(f"no node {start}")
    found = {start: 0}
    previous = {}
    waiting = [(0, start)]
    done = set()
    while waiting:
        d, u = waiting.pop()
        if u in done:
            continue
        done.add(u)
        for v, w in graph.neighbours(u):
            if d + w < found.get(v, 1e9):
                found[v] = d + w
                previous[v] = u
                waiting.append((d + w, v))
    return found, previous


graph = Graph([("a", "b", 4), ("a", "c", 2), ("c", "b", 1), ("b", "d", 5)])
assert npcc.jit(target="cpu")(distances)(graph, "a") == distances(graph, "a")
