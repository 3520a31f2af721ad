# RUN: %python %s
"""Of given objects that hold each other, the inner ones get their attributes first: their values took the places of the outer ones', and an object
that the function made had none."""
import npcc


class Node:
    def __init__(self, data, following=None):
        self.data = data
        self.following = following


class Tree:
    def __init__(self, number, left=None, right=None):
        self.number, self.left, self.right = number, left, right


def insert(head, data):
    new = Node(data)
    node = head
    while node.following:
        node = node.following
    node.following = new
    return head


def from_the_side(tree):
    """The numbers that are seen from above, by their columns."""
    seen, waiting = {}, [(tree, 0)]
    while waiting:
        node, column = waiting.pop(0)
        if column not in seen:
            seen[column] = node.number
        if node.left:
            waiting.append((node.left, column - 1))
        if node.right:
            waiting.append((node.right, column + 1))
    return sorted(seen.items())


def items(node):
    found = []
    while node is not None:
        found.append(node.data)
        node = node.following
    return found


for function in (insert, npcc.jit(insert, target="cpu")):
    for length in range(1, 5):
        head = None
        for k in range(length):
            head = Node(k, head)
        assert function(head, 9) is head
        assert items(head) == [*reversed(range(length)), 9], items(head)

tree = Tree(3, Tree(9), Tree(20, Tree(15), Tree(7)))
assert npcc.jit(from_the_side, target="cpu")(tree) == from_the_side(tree)
