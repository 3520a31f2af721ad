# RUN: %python %s
"""Lists inside of what a global, a default, a class or a closure's name holds were copied into the code: a function that changed one under another name
(`rows = list(TABLE); rows[0].append(1)`) left the global as it was. After each call all that Python has must be what it is without compiled code, and the
same objects where they are the same there."""
import copy
import itertools
from collections import deque

import npcc


class Point:
    def __init__(self, x):
        self.x, self.tags = x, [x]


class Register:
    rows = [[1], [2]]

    def add(self):
        mine = list(self.rows)
        mine[0].append(4)


def makes_a_closure():
    held = [[1], [2]]

    def closure():
        mine = list(held)
        mine[0].append(1)
        return mine
    return closure, held


def fresh():
    """The globals as they are before a call."""
    row = [1]
    closure, held = makes_a_closure()
    Register.rows = [[1], [2]]
    return dict(ROWS=[[1], [2]], DEEP=[[[1], [2]], [[3]]], DICT={"a": [1], "b": [2]}, PAIRS=[("a", [1]), ("b", [2])], TUPLE=([1], [2]), ROW=row,
                SHARED=[row, row], POINTS=[Point(1), Point(2)], POINT=Point(1), WORDS=[["a"], ["b"]], closure=closure, held=held)


def of_copy():
    rows = list(ROWS)
    rows[0].append(5)


def of_shallow_copy():
    rows = copy.copy(ROWS)
    rows[0].append(5)
    return rows


def of_deep_copy():
    rows = copy.deepcopy(ROWS)
    rows[0].append(5)
    return rows


def of_loop():
    for row in ROWS:
        row.append(7)


def of_iterators(n):
    for k, row in zip(range(n), ROWS):
        row.append(k)
    for row in itertools.chain(ROWS, DEEP[0]):
        row.append(n)
    for row in map(lambda row: row, ROWS):
        row[0] += n


def of_names():
    first, *others = ROWS
    first.append(1)
    others[0].append(2)
    return first


def of_choice(k):
    row = ROWS[0] if k else ROWS[1]
    row.append(3)
    return row


def of_builtins():
    min(ROWS, key=len).append(5)
    sorted(ROWS)[1].append(6)


def of_while():
    waiting = list(ROWS)
    while waiting:
        row = waiting.pop()
        row.append(0)


def of_queue():
    queue = deque(ROWS)
    queue.popleft().append(5)


def of_inner_lists():
    parts = [list(part) for part in DEEP]
    parts[0][0].append(0)
    return parts


def of_dict(k):
    other = dict(DICT)
    other["a"].append(3)
    DICT.get(k).append(4)
    DICT.setdefault("a", []).append(5)
    for value in DICT.values():
        value.append(6)


def of_pairs():
    for name, row in PAIRS:
        row.append(len(name))


def of_tuple():
    a, b = TUPLE
    b.append(3)
    for row in TUPLE:
        row.append(4)


def of_shared():
    SHARED[0].append(5)
    return len(SHARED[1]), len(ROW)


def of_objects():
    for point in POINTS:
        point.tags.append(3)
    some = list(POINTS)
    some[0].x = 9
    POINT.x += 1
    POINT.tags.append(POINT.x)
    return POINT.x, POINTS[0].x


def of_class():
    Register().add()
    for row in Register.rows:
        row.append(7)


def of_default(x, rows=[[], []]):
    for row in rows:
        row.append(x)
    return len(rows[0])


def of_closure():
    return closure()


def of_strings(s):
    words = list(WORDS)
    words[0].append(s)


def unchanged(k):
    rows = sorted(ROWS)
    rows.append([3])
    mine = list(ROWS[0])
    mine.append(4)
    return rows[k][0], len(mine)


def shape(value, seen):
    """All that a value leads to, with numbers for the objects that are met again."""
    if isinstance(value, (int, str, type(None))):
        return repr(value)
    if id(value) in seen:
        return f"<{seen[id(value)]}>"
    seen[id(value)] = len(seen)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {shape(item, seen)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return type(value).__name__ + "(" + ", ".join(shape(item, seen) for item in value) + ")"
    return shape(vars(value), seen)


def outcome(function, arguments, compile_it):
    found = fresh()
    globals().update(found)
    function.__defaults__ = copy.deepcopy(DEFAULTS[function])
    of_it = [function(*arguments) for function in [compile_it(function)] * 2]
    del found["closure"]
    return shape([list(found.values()), Register.rows, function.__defaults__], {}), [shape(result, {}) for result in of_it]


CASES = [(of_copy,), (of_shallow_copy,), (of_deep_copy,), (of_loop,), (of_iterators, 2), (of_names,), (of_choice, 0), (of_choice, 1), (of_builtins,),
         (of_while,), (of_queue,), (of_inner_lists,), (of_dict, "b"), (of_pairs,), (of_tuple,), (of_shared,), (of_objects,), (of_class,), (of_default, 3),
         (of_closure,), (of_strings, "q"), (unchanged, 0)]
DEFAULTS = {function: function.__defaults__ for function, *_ in CASES}
for function, *arguments in CASES:
    expected = outcome(function, arguments, lambda one: one)
    for target in ("cpu", "debug"):
        found = outcome(function, arguments, npcc.jit(target=target))
        assert found == expected, (function.__name__, target, found, expected)


def beside(n):
    """A global list beside one that is made of what the call gives was no list to the operator."""
    longer = ROW + [n]
    for k in range(n):
        longer = [k] + ROW
    return longer, (0, n) + TUPLE[:0]


globals().update(fresh())
assert npcc.jit(target="cpu")(beside)(3) == beside(3) and ROW == [1]


def rows():
    for row in ROWS:
        yield row


def of_generator():
    for row in rows():
        row.append(5)
    joined = ROWS + [[3]]
    joined[0].append(1)
    return joined


DEFAULTS[of_generator] = None
assert outcome(of_generator, (), npcc.jit(target="cpu")) == outcome(of_generator, (), lambda one: one)
