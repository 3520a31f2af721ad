# RUN: %python %s
"""Lists and attributes of many objects could not hold members of an enumeration, and functions could not return one."""
from enum import Enum

import npcc


class Kind(Enum):
    TOOL = 1
    FOOD = "food"
    BOOK = 3


class Product:
    def __init__(self, name, kind):
        self.name, self.kind = name, kind


@npcc.jit(target="cpu")
def sorted_out(n):
    products = []
    for k in range(n):
        products.append(Product("abc"[k % 3], Kind.TOOL if k % 3 == 0 else Kind.FOOD if k % 3 == 1 else Kind.BOOK))
    kinds = [p.kind for p in products]
    counts = 0
    for p in products:
        if p.kind is Kind.FOOD or p.kind == Kind.BOOK:
            counts += 1
    names = [kind.name for kind in kinds]
    return counts, kinds, names, kinds[-1], Kind.TOOL in kinds, Kind.TOOL, products


for n in (1, 2, 7):
    got, wanted = sorted_out(n), sorted_out.py_func(n)
    assert got[:-1] == wanted[:-1], (got, wanted)
    assert [p.kind for p in got[-1]] == [p.kind for p in wanted[-1]]
sorted_out.inspect("np", "int")  # raises what is refused: no part of it is left to Python
