# RUN: %python %s
"""dataclasses.replace() copied what the object held; Python calls the class, and with it __post_init__, and gives fields without init their defaults."""
from dataclasses import dataclass, field, replace

import npcc


@dataclass
class Item:
    price: float
    name: str = "item"
    sold: int = field(default=0, init=False)

    def __post_init__(self):
        if self.price < 0:
            raise ValueError(f"negative price of {self.name}")
        self.taxed = 1.25 * self.price


def changed(price):
    item = Item(2.0)
    item.sold = 3
    other = replace(item, price=price)
    return other.price, other.name, other.sold, other.taxed, item.taxed


def made_in_loops(n):
    items = [Item(1.0, "first")]
    for k in range(n):
        items.append(replace(items[-1], price=items[-1].price + k))
    return [(item.price, item.name, item.taxed) for item in items]


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except ValueError as error:
        return str(error)


for function, arguments in [(changed, (8.0,)), (changed, (-1.0,)), (made_in_loops, (4,))]:
    assert outcome(npcc.jit(function, target="cpu"), *arguments) == outcome(function, *arguments), function.__name__
