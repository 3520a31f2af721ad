# RUN: %python %s
"""A small array that a global holds is a constant of the code. What a function stored into its rows, or in place by a method, was lost without a word;
what it stored by an index was a TypeError that Python does not know. Such an array is handed over with each call, as large ones are."""
import numpy as np

import npcc


class Held:
    def add(self, x):
        self.total += x


def put(a):
    a[0, 0] = 5


def rows_of_a_loop():
    for row in TABLE:
        row[0] = 9


def by_index():
    TABLE[0, 0] = 5


def under_another_name():
    table = TABLE
    table[0, 0] = 5


def in_a_helper():
    put(TABLE)


def rows_taken_apart():
    first, _, last = TABLE
    first[1] = last[1] = 100


def a_row():
    TABLE[1][2] = 7


def in_place():
    TABLE.fill(3)
    TABLE[1:] += 1


def transposed():
    TABLE.T[0, 1] = 8


def as_output():
    np.add(TABLE, 1, out=TABLE)


def sorted_in_place():
    TABLE[::-1].sort(axis=0)
    np.copyto(TABLE[0], 3)


def in_containers():
    LIST[0][1] = 4
    DICT["table"][0, 0] = 5
    Held.row[1] = 6


def augmented():
    table = TABLE
    table += 1
    for k, row in enumerate(LIST):
        row *= k + 2
    Held().add(3)


def in_a_recursion(depth, a=None):
    if a is None:
        return in_a_recursion(depth, TABLE[1])
    a[depth] = depth
    return depth if depth == 0 else in_a_recursion(depth - 1, a)


def read_alone():
    return (TABLE.copy() * 2).sum()


def renew():
    global TABLE, LIST, DICT
    TABLE = np.arange(12.0).reshape(3, 4)
    LIST, DICT, Held.row, Held.total = [TABLE], {"table": TABLE}, TABLE[2], TABLE[1]


for function in (rows_of_a_loop, by_index, under_another_name, in_a_helper, rows_taken_apart, a_row, in_place, transposed, as_output, sorted_in_place,
                 in_containers, augmented, read_alone):
    renew()
    compiled = npcc.jit(function, target="cpu", cache=False)
    for _ in range(2):
        before = TABLE.copy()
        function()
        expected = TABLE.copy()
        TABLE[...] = before
        compiled()
        assert np.array_equal(TABLE, expected), (function.__name__, TABLE)
    assert npcc.jit(read_alone, target="cpu", cache=False)() == read_alone()

renew()
npcc.jit(in_a_recursion, target="cpu", cache=False)(2)
assert TABLE[1].tolist() == [0, 1, 2, 7], TABLE

# Records are not handed over: what is stored into them is an error of the compilation, and no word of what is read-only.
RECORDS = np.zeros(2, [("x", "f8"), ("inner", [("k", "i8")])])


def into_records():
    RECORDS["x"][0] = 1.5


def into_inner_records():
    RECORDS[1]["inner"]["k"] = 4


for function in into_records, into_inner_records:
    try:
        npcc.jit(function, target="cpu", cache=False)()
    except npcc.CompileError as error:
        assert "a small array that a global holds" in str(error), error
    else:
        assert RECORDS["x"][0] == 1.5 or RECORDS[1]["inner"]["k"] == 4
