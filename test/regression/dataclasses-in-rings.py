# RUN: %python %s
"""The compiler crashed where objects of a dataclass are compared that hold objects of their class."""
from dataclasses import dataclass

import npcc


@dataclass
class Node:
    number: int
    following: "Node | None" = None


def is_one_long(n):
    head = None
    for k in range(n):
        head = Node(k, head)
    tail = head
    while tail.following is not None:
        tail = tail.following
    return head == tail


compiled = npcc.jit(is_one_long, target="cpu")
for n in (1, 3):
    try:
        assert compiled(n) == is_one_long(n)
    except npcc.CompileError as error:
        assert "dataclass 'Node'" in str(error) and "internal" not in str(error), error
