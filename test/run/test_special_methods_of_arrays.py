"""The special methods of arrays called by their names, and what hasattr() knows of arrays and numbers."""
import operator
import unittest

import numpy as np

from harness import Comparison, jit


def arithmetic(a, b):
    return (a.__add__(b), a.__sub__(b), a.__mul__(b), a.__truediv__(b), a.__floordiv__(b), a.__mod__(b), a.__pow__(2), a.__divmod__(b),
            a.__neg__(), a.__pos__(), a.__abs__())


def reflected(a, b):
    return (a.__radd__(1), a.__rsub__(1), a.__rmul__(2), a.__rtruediv__(3.0), a.__rfloordiv__(7), a.__rmod__(7), a.__rpow__(2), a.__rdivmod__(7),
            a.__matmul__(b), a.__rmatmul__(b))


def of_bits(a, b):
    return a.__and__(b), a.__or__(b), a.__xor__(b), a.__lshift__(b), a.__rshift__(b), a.__invert__()


def of_bits_reflected(a, b):
    return a.__rand__(3), a.__ror__(3), a.__rxor__(3), b.__rlshift__(3), b.__rrshift__(300)


def compared(a, b):
    return a.__lt__(b), a.__le__(b), a.__gt__(b), a.__ge__(b), a.__eq__(b), a.__ne__(b)


def in_place(a, b):
    c = a.__iadd__(b)
    c.__isub__(1)
    a.__imul__(3)
    return c, a


def floats_in_place(a, b):
    a.__itruediv__(b).__ifloordiv__(0.5)
    a.__imod__(3)
    a.__ipow__(2)
    return a.__imatmul__(b)


def bits_in_place(a, b):
    a.__iand__(7)
    a.__ior__(8)
    a.__ixor__(b)
    a.__ilshift__(2)
    return a.__irshift__(1)


def as_a_container(a, b):
    a.__setitem__(0, 5)
    a.__setitem__((slice(None), 1), b[0, :2])
    return a.__len__(), a.__getitem__(1), a.__getitem__((0, 1)), a.__contains__(5), a.__copy__(), a.__deepcopy__({})


def as_a_number(a, b):
    one = a[:1, :1]
    return one[0].sum().__int__(), one.sum().__float__(), one.sum().__bool__(), a.sum().__add__(1)


def as_a_complex(a, b):
    return a[0, :1].sum(keepdims=True).reshape(()).__complex__()


def as_text(a, b):
    return (len(a.__str__()), len(a.__format__("")), a.__repr__() == repr(a), a.__array__() is a, a.__array__("f4"), a.__array__(copy=True), list(a.__iter__()),
            [row.sum() for row in a.__iter__()])


def texts(a):
    return a.__str__(), a.__repr__(), a[0].__str__()


def as_a_position(a, b):
    return [10, 20, 30][a[:1, 0].sum(keepdims=True).reshape(()).__index__()]


def as_no_position(a, b):
    return a.__index__()


def hashed(a, b):
    return a.__hash__()


def deleted(a, b):
    return a.__delitem__(0)


def refused(a, b):
    caught = 0
    try:
        a.__hash__()
    except TypeError:
        caught += 1
    try:
        a.__delitem__(0)
    except ValueError:
        caught += 1
    return caught


def by_operators(a, b):
    return operator.abs(a), operator.inv(a)


def by_the_class(a, b):
    return (np.ndarray.__len__(a), np.ndarray.sum(a), np.ndarray.sum(a, axis=0), np.ndarray.__add__(a, b), np.ndarray.__getitem__(a, 0),
            list(map(np.ndarray.max, [a, b])), sorted([a, b], key=np.ndarray.min)[0].copy())


def known(a, b):
    x, number, numbers = a.sum(), float(a[0, 0]), [1, 2]
    return [hasattr(one, name) for one in (a, x, number, numbers)
            for name in ("__len__", "__iter__", "__getitem__", "__array__", "__float__", "dot", "mT", "flags", "tolist", "append", "no_such_name")]


class SpecialMethods(Comparison):
    def test_floats(self):
        a, b = np.array([[1.5, -2.0], [3.0, 4.25]]), np.array([[2.0, 0.5], [-1.0, 3.0]])
        of_numbers = (arithmetic, reflected, compared, in_place, floats_in_place)
        for function in (*of_numbers, as_a_container, as_a_number, as_text, hashed, deleted, refused, by_the_class, known):
            with self.subTest(function.__name__):
                self.compare(function, [a, b])

    def test_integers(self):
        a, b = np.array([[1, 12], [3, 4]]), np.array([[2, 5], [1, 3]])
        of_numbers = (arithmetic, of_bits, of_bits_reflected, compared, in_place, bits_in_place)
        for function in (*of_numbers, as_a_container, as_a_number, as_text, as_a_position, as_no_position, by_operators):
            with self.subTest(function.__name__):
                self.compare(function, [a, b])

    def test_text(self):
        for a in (np.array([[1.5, -2.0]]), np.arange(3)):
            self.assertEqual(jit(texts)(a), texts(a))

    def test_complex(self):
        self.compare(as_a_complex, [np.array([[1 + 2j]]), np.ones((1, 1))])


if __name__ == "__main__":
    unittest.main()
