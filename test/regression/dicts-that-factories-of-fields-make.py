# RUN: %python %s
# A dict that `field(default_factory=dict)` makes was refused where the program computes its keys.
from dataclasses import dataclass, field

import npcc


@dataclass
class Account:
    cash: float
    holdings: dict = field(default_factory=dict)
    prices: dict = field(default_factory=lambda: {"cash": 1.0})

    def order(self, asset, shares):
        self.cash -= shares
        self.holdings[asset] = self.holdings.get(asset, 0.0) + shares
        self.prices[asset + "!"] = shares


def bought(names, n):
    account = Account(10.0)
    for k in range(n):
        for name in names:
            account.order(name, k * 0.5)
    return account.holdings, account.prices, account.cash


def many(names, n):
    accounts = [Account(float(k)) for k in range(n)]
    for k, account in enumerate(accounts):
        for name in names[: k % 3]:
            account.order(name, 1.0)
    return [account.holdings for account in accounts]


for function in bought, many:
    compiled = npcc.jit(target="cpu")(function)
    for n in 0, 1, 5:
        assert compiled(["x", "y", "z"], n) == function(["x", "y", "z"], n), (function, n)
    assert not compiled.fallbacks and not compiled.inspect.__self__.with_python
