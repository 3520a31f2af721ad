# RUN: %python %s
"""A string that is stored into an array of numbers is read as one, with Python's words where it is none."""
import numpy as np

import npcc


@npcc.jit
def read(text):
    table, counts = np.full(3, np.nan), np.zeros(3, int)
    for k, word in enumerate(text.split()):
        table[k] = word
        counts[k] = word.partition(".")[0]
    return table, counts


@npcc.jit
def mixed(text):
    row, table = {}, np.zeros(2)
    for word in text.split():
        row[word] = int(word) if len(word) == 1 else word
    for k, word in enumerate(row):
        table[k] = row[word]
    return table


for function, text in [(read, "1.5 2 3e2"), (read, "1 x"), (read, "-7.25"), (mixed, "3 45"), (mixed, "3 4e")]:
    outcomes = []
    for one in (function, function.py_func):
        try:
            outcomes.append(repr(one(text)))
        except ValueError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1], outcomes
