# RUN: %python %s
# A deep copy of a list or dict of objects, of any number, had the same objects in it; one of an object that leads to itself
# ended the process.
import copy

import numpy as np

import npcc


class Node:
    def __init__(self, value):
        self.value = value
        self.next = None


def of_list(n):
    nodes = []
    for k in range(n):
        nodes.append(Node(k))
    nodes.append(nodes[0])
    copies = copy.deepcopy(nodes)
    copies[0].value = 9
    return [node.value for node in nodes], [node.value for node in copies]


def of_dict(n):
    nodes = {}
    for k in range(n):
        nodes[k] = Node([k])
    copies = copy.deepcopy(nodes)
    copies[0].value[0] = 9
    return nodes[0].value, copies[0].value


def of_circle(n):
    node = Node(np.zeros(n))
    node.next = node
    other = copy.deepcopy(node)
    other.value[0] = 9
    return node.value[0], other.next.value[0], other.next is other


def of_twice(n):
    row = np.zeros(n)
    rows = copy.deepcopy([row, row])
    rows[0][0] = 1
    return rows[1][0], row[0]


for function in of_list, of_dict, of_circle, of_twice:
    assert npcc.jit(target="cpu")(function)(3) == function(3), function.__name__
