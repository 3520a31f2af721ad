# RUN: %python %s
"""A frozenset was left to Python, and one that was an argument gave sets; keys of dicts and sets were numbers, strings and tuples only. The order of the
items and hash() are CPython's."""
from dataclasses import dataclass

import npcc

BASES = frozenset("acgt")


@dataclass(frozen=True)
class Cell:
    x: int
    y: int


class Word:
    def __init__(self, text):
        self.text = text

    def __eq__(self, other):
        return self.text == other.text

    def __hash__(self):
        return hash(self.text)


class Node:
    def __init__(self):
        self.near = []


def algebra(given, numbers):
    own = frozenset(numbers)
    grown = given
    for number in numbers:
        grown |= {number}
    return given | {7}, {7} | given, given & own, own - given, own ^ given, list(own), own <= grown, own == set(numbers), repr(own), given is frozenset(given)


def as_keys(pairs):
    counts, seen = {}, set()
    for a, b in pairs:
        pair = frozenset((a, b))
        counts[pair] = counts.get(pair, 0) + 1
        seen.add(pair | {"x"})
    return counts, len(seen), counts[frozenset(("b", "a"))]


def of_arguments(weights, groups):
    groups.add(frozenset([7, 8]))
    return weights[frozenset((1, 2))] + sum(weights.values()), frozenset([2, 1]) in groups


def of_a_global(text):
    return sum(letter in BASES for letter in text), BASES & set(text) == frozenset("ac")


def of_objects(count, texts):
    cells = {Cell(k % 3, k % 2) for k in range(count)}
    words = {}
    for text in texts:
        words[Word(text)] = words.get(Word(text), 0) + 1
    nodes = [Node() for _ in range(count)]
    for k in range(count):
        nodes[k].near.append(nodes[(k + 1) % count])
    seen, waiting = {}, [nodes[0]]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen[node] = len(seen)
            waiting.extend(node.near)
    return [(cell.x, cell.y) for cell in cells], Cell(1, 1) in cells, [word.text for word in words], list(words.values()), [seen[node] for node in nodes]


def hashes(number):
    return hash(number), hash((number, 2.5)), hash(frozenset([number, 7])), hash(complex(number, 2)), hash(Cell(number, 3))


def changed(items):
    try:
        frozenset(items).add(3)
    except AttributeError as error:
        return str(error)


for function, arguments in (
    (algebra, (frozenset([1, 9, 40]), [40, 3, 77, 200, 1])),
    (as_keys, ([("a", "b"), ("b", "a"), ("c", "a")],)),
    (of_arguments, ({frozenset((1, 2)): 5.0, frozenset((3,)): 1.0}, {frozenset((1, 2)), frozenset((3,))})),
    (of_a_global, ("caab",)),
    (of_objects, (7, ["a", "bb", "a"])),
    (hashes, (12345678912345,)),
    (changed, ([1, 2],)),
):
    wanted = function(*arguments)
    got = npcc.jit(function, target="cpu")(*arguments)
    assert got == wanted and repr(type(got)) == repr(type(wanted)), (function.__name__, got, wanted)
    assert type(got) is not tuple or list(map(type, got)) == list(map(type, wanted)), (function.__name__, got, wanted)
result = npcc.jit(algebra, target="cpu")(frozenset([1]), [2])
assert type(result[0]) is frozenset and type(result[1]) is set
