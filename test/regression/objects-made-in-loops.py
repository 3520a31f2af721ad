# RUN: %python %s
"""An object, dict or list that a loop's body makes anew in each iteration could not be used behind the loop: what it holds was forgotten there."""
import npcc


class Shop:
    def __init__(self, seed):
        self.seed = seed
        self.sold = []
        self.prices = {}
        if seed % 2:
            self.odd = seed

    def sell(self, name, price):
        self.sold.append(name)
        self.prices[name] = price
        return self


@npcc.jit(target="cpu")
def last(n, stop):
    for k in range(n):
        shop = Shop(k)
        for j in range(k + 1):
            shop.sell("abc"[j % 3], j * 1.5)
        counts = {}
        for name in shop.sold:
            counts[name] = counts.get(name, 0) + 1
        if k == stop:
            break
    shop.sell("d", 2.5)
    return shop.sold, shop.prices["d"], shop.seed, counts, hasattr(shop, "odd")


@npcc.jit(target="cpu")
def nested(n):
    for k in range(n):
        while True:
            pair = {"k": k, "names": ["x"]}
            if k > 1:
                pair["names"].append("y")
                continue_ = False
            else:
                continue_ = True
            if not continue_ or k <= 1:
                break
    return pair["k"], pair["names"]


for arguments in ((1, 9), (4, 9), (5, 2)):
    assert last(*arguments) == last.py_func(*arguments), arguments
for n in (1, 4):
    assert nested(n) == nested.py_func(n), n
try:
    last(0, 0)
    raise AssertionError("no error")
except UnboundLocalError as error:
    assert "'shop'" in str(error), error
