"""Attributes of classes that compiled functions read, assign to, and change the containers of, against Python."""
import copy
import unittest

from everything import same
from harness import jit


class Account:
    made = 0
    rate = 0.5
    names = []

    def __init__(self, name, balance=0.0):
        Account.made += 1
        self.number = Account.made
        self.balance = balance
        self.names.append(name)

    def grown(self):
        return self.balance * (1 + self.rate)


class Savings(Account):
    rate = 2.0
    opened = 0

    @classmethod
    def open(cls, name):
        cls.opened += 1
        return cls(name, 10.0)


class Child(Savings):
    pass


class Part:
    counts = {}
    kind = "part"

    def __init__(self):
        n = Part.counts.get(self.kind, 0) + 1
        Part.counts[self.kind] = n
        self.name = f"{self.kind}{n}"


class Wheel(Part):
    kind = "wheel"


class Node:
    last = None
    total = 0.0

    def __init__(self, value):
        self.value = value
        type(self).total += value
        self.__class__.last = value


def make_accounts(n):
    accounts = [Account("a"), Savings("b", 1.0)]
    for k in range(n):
        accounts[0] = Account(f"x{k}", k * 1.0)
    return [a.number for a in accounts], Account.made, [a.grown() for a in accounts], list(Account.names)


def open_savings():
    first, second, third = Savings.open("s"), Savings.open("t"), Child.open("c")
    return first.number, second.number, third.number, Savings.opened, Child.opened


def reset():
    Account.made = 100
    a = Account("r")
    Account.made += 0.5
    return a.number, Account.made


def parts():
    made = [Part(), Wheel(), Wheel()]
    return [p.name for p in made], Part.counts


def chain(values):
    for v in values:
        Node(v)
    return Node.total, Node.last


def descend(n):
    if n == 0:
        return Account.made
    Account.made += n
    return descend(n - 1)


def in_parts(numbers):
    """Python runs the lines about `found`, and looks at the class too."""
    found = {"k": 1, 2: "v"}
    for n in numbers:
        found[n] = Account(str(n))
        found.setdefault("of", []).append(found[n].number)
    return found["of"], Account.made, found.get("k")


def caught(n):
    try:
        Account("e")
        if n > 1:
            raise ValueError("large")
        Account("f")
    except ValueError as error:
        return str(error), Account.made
    return "", Account.made


class ClassAttributes(unittest.TestCase):
    def reset(self):
        Account.made, Savings.opened, Node.total, Node.last = 0, 0, 0.0, None
        Account.names.clear()
        Part.counts.clear()
        if "opened" in vars(Child):
            del Child.opened

    def results(self, function, arguments):
        self.reset()
        results = []
        for _ in range(3):
            result = function(*arguments)
            state = (Account.made, Savings.opened, Child.opened, "opened" in vars(Child), Account.names, Part.counts, Node.total, Node.last)
            results.append(copy.deepcopy((result, state)))
        return results

    def test_assigned(self):
        for function, *arguments in ((make_accounts, 3), (open_savings,), (reset,), (parts,), (chain, [1.5, 2.0]), (descend, 4),
                                     (in_parts, [1, 2]), (caught, 1), (caught, 2)):
            with self.subTest(function=function.__name__):
                expected, got = self.results(function, arguments), self.results(jit(function), arguments)
                self.assertIsNone(same(expected, got), f"{function.__name__}: {expected}, compiled {got}")

    def test_containers_stay_the_same_objects(self):
        self.reset()
        before = Account.names, Part.counts
        jit(make_accounts)(1)
        jit(parts)()
        self.assertIs(Account.names, before[0])
        self.assertIs(Part.counts, before[1])

    def test_read_attributes_that_change(self):
        def grown(balance):
            return Account("a", balance).grown(), Savings("b", balance).grown()

        def of_object(account):
            return account.grown()

        self.reset()
        compiled, of_one, account = jit(grown), jit(of_object), Savings("a", 4.0)
        for rate, of_savings in ((0.5, 2.0), (0.25, 2.0), (0.25, 3.0)):
            Account.rate, Savings.rate = rate, of_savings
            self.assertEqual(compiled(8.0), grown(8.0))
            self.assertEqual(of_one(account), of_object(account))
        account.rate = 7.0
        self.assertEqual(of_one(account), of_object(account))


if __name__ == "__main__":
    unittest.main()
