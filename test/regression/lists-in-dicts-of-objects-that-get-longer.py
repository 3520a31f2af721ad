# RUN: %python %s
# A list in a dict that an object holds was not made longer in compiled code: "list.append() cannot be compiled here", while that of a dict that is an argument
# itself was. With fallback=True Python ran the function.
import npcc


class Graph:
    def __init__(self):
        self.after = {}


def connect(graph, a, b):
    if a in graph.after:
        graph.after[a].append(b)
    else:
        graph.after[a] = [b]
    return len(graph.after[a])


compiled = npcc.jit(connect, target="cpu", fallback=True)
edges = [(0, 1), (0, 2), (1, 2), (2, 0), (0, 3)]
expected, graph = Graph(), Graph()
assert [compiled(graph, *edge) for edge in edges] == [connect(expected, *edge) for edge in edges]
assert graph.after == expected.after and not compiled.fallbacks, compiled.fallbacks
