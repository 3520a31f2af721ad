# RUN: %python %s
"""With fallback=True, as `npcc run` compiles, a function that makes a list longer which it was given ran in Python: that it compiles with lists as objects
was not tried."""
import npcc


class Tree:
    def __init__(self, key, left=None, right=None):
        self.key, self.left, self.right = key, left, right


def collect(tree, least, found):
    if tree is None:
        return
    collect(tree.left, least, found)
    if tree.key >= least:
        found.append(tree.key)
    collect(tree.right, least, found)


def refused(tree, found):
    found.append(open)
    return tree.key


tree = Tree(5, Tree(2, None, Tree(3)), Tree(8))
compiled = npcc.jit(target="cpu", fallback=True)(collect)
for least in (3, 6):
    found = []
    compiled(tree, least, found)
    assert found == [key for key in (2, 3, 5, 8) if key >= least], found
assert compiled.fallbacks == {}, compiled.fallbacks
found = []
compiled = npcc.jit(target="cpu", fallback=True)(refused)
assert compiled(tree, found) == compiled(tree, found) == 5 and found == [open, open] and compiled.fallbacks
