# RUN: timeout 120 %python %s
"""Lists of several lengths in a list that was given became the rows of one array where a function that calls itself looks into them: a ValueError."""
import npcc


def components(graph):
    """Tarjan's strongly connected components."""
    index, low, on_stack = {}, {}, set()
    stack, found = [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        on_stack.add(v)
        for w in graph[v]:
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in on_stack:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            component = []
            while not component or component[-1] != v:
                component.append(stack.pop())
                on_stack.discard(component[-1])
            found.append(component)

    for v in range(len(graph)):
        if v not in index:
            visit(v)
    return found


def size(graph):
    def below(v):
        return 1 + sum([below(w) for w in graph[v]])

    return below(0)


compiled = npcc.jit(target="cpu")(components)
for graph in ([[1, 2], [0], [3], [2]], [[1, 2], [3], [], [0]], [[1, 2, 0], [0], [0, 3], [2]], [[1], [0]]):
    assert compiled(graph) == components(graph), graph
for tree in ([[1, 2], [3], [4, 5], [6], [7], [8, 9], [], [], [], []], [[1, 2, 3], [4], [], [], []]):
    assert npcc.jit(size, target="cpu")(tree) == size(tree), tree
