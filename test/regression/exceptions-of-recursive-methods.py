# RUN: %python %s
"""A recursive function that raises exceptions of eight classes or more was refused: each of them was an alternative of its result."""
import npcc


class Reader:
    def __init__(self, text):
        self.text = text
        self.position = 0

    def value(self, depth):
        c = self.text[self.position] if self.position < len(self.text) else ""
        self.position += 1
        if c == "(":
            if depth > 3:
                raise SyntaxError("deep")
            v = self.value(depth + 1)
            if v == 0:
                raise ZeroDivisionError("none")
            if v == 1:
                raise NameError("one")
            if v == 2:
                raise ArithmeticError("two")
            if v == 3:
                raise LookupError("three")
            if v == 4:
                raise TypeError("four")
            if v == 5:
                raise AttributeError("five")
            if v == 6:
                raise RuntimeError("six")
            return 10.0 / v
        return float(c)


def read(text):
    return Reader(text).value(0)


compiled = npcc.jit(target="cpu")(read)
for text in ["7", "(7", "((8", "(0", "(1", "(2", "(3", "(4", "(5", "(6", "(x", "((((((1"]:
    results = []
    for function in (read, compiled):
        try:
            results.append(function(text))
        except Exception as error:
            results.append((type(error), str(error)))
    assert results[0] == results[1], (text, results)
