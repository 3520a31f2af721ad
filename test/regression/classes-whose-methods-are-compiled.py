# RUN: %python %s
"""npcc.jit refused classes, and a compiled method that another one calls was called without its object."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
class Account:
    """Money over time."""

    opened = 0

    def __init__(self, amounts):
        self.amounts = amounts
        self.days = 0

    def grow(self, rate, days):
        for _ in range(days):
            self.amounts = self.amounts * (1 + rate)
            self.days += 1
        return self.sum()

    def sum(self):
        return self.amounts.sum()

    @staticmethod
    def interest(x, rate):
        return x * rate

    @property
    def mean(self):
        return self.amounts.mean()

    @classmethod
    def empty(cls, n):
        return cls(np.zeros(n))

    def each(self):
        yield from self.amounts


class Savings(Account):
    def sum(self):
        return super().sum() + 1.0


account = Account(np.array([100.0, 200.0]))
assert account.grow(0.5, 2) == 675.0 and account.days == 2 and account.amounts.tolist() == [225.0, 450.0]
assert account.mean == 337.5 and Account.interest(np.ones(2), 0.5).tolist() == [0.5, 0.5]
assert Account.empty(3).sum() == 0.0 and list(account.each()) == [225.0, 450.0]
assert hasattr(Account.grow, "py_func") and not Account.grow.fallbacks and Account.__doc__ == "Money over time."
assert not hasattr(Account.__init__, "py_func") and Account.__name__ == "Account"
savings = Savings(np.ones(2))
assert savings.grow(1.0, 1) == 5.0 and type(savings) is Savings
assert "sum" in str(Account.sum.explain(account))


class Walker:
    def __init__(self):
        self.place = np.zeros(2)

    @npcc.jit(target="cpu")
    def far(self):
        return self.at(2) * 2

    @npcc.jit(target="cpu")
    def at(self, k):
        return self.place + k


assert Walker().far().tolist() == [4.0, 4.0]
