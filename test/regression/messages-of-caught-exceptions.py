# RUN: %python %s
"""The message of an exception that is caught, where it shows values of the program: str(), f-strings, args, its class's name; several that meet."""
import npcc


class Empty(Exception):
    pass


class Account:
    def __init__(self, balance):
        self.balance = balance

    def withdraw(self, x):
        if x > self.balance:
            raise ValueError(f"insufficient funds: {self.balance} < {x:.2f}")
        self.balance -= x


def bank(amounts):
    account = Account(100.0)
    errors = []
    for x in amounts:
        try:
            account.withdraw(x)
        except ValueError as error:
            errors.append(str(error))
    return account.balance, errors


def several(k, name):
    try:
        if k == 0:
            raise ValueError(f"{name} is {k}")
        if k == 1:
            raise ValueError("known")
        if k == 2:
            raise Empty("nothing in", name)
        if k == 3:
            [1, 2][k]
    except (ValueError, Empty) as error:
        return f"{error}", type(error).__name__, isinstance(error, Empty)
    except IndexError as error:
        return error.args
    return None


assert npcc.jit(bank, target="cpu")([10.0, 200.0, 95.5]) == bank([10.0, 200.0, 95.5])
for k in range(5):
    assert npcc.jit(several, target="cpu")(k, "k") == several(k, "k"), (k, npcc.jit(several, target="cpu")(k, "k"))
