# RUN: %python %s
# An object or list that a result leads to twice was two, and one that leads to itself ended the process.
import npcc


class Node:
    def __init__(self, x):
        self.x = x
        self.other = None


@npcc.jit(target="cpu")
def twice(x):
    node, numbers, names = Node(x), [x], {"x": x}
    return node, [node], {"a": node}, numbers, (numbers, 1), [names, names]


node, nodes, named, numbers, pair, dicts = twice(1.5)
assert node is nodes[0] is named["a"] and numbers is pair[0] and dicts[0] is dicts[1]
assert (node.x, numbers, dicts[0]) == (1.5, [1.5], {"x": 1.5})


@npcc.jit(target="cpu")
def ring(x):
    first, second = Node(x), Node(x + 1)
    first.other, second.other = second, first
    return first


first = ring(2)
assert first.other.other is first and (first.x, first.other.x) == (2, 3)


@npcc.jit(target="cpu")
def itself(x):
    numbers = [x]
    numbers.append(numbers)
    return numbers


numbers = itself(1)
assert numbers[1] is numbers and numbers[0] == 1
