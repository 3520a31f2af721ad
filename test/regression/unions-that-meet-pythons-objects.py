# RUN: %python %s
# Where a value of several types met an object of Python's, the process ended: the paths that made an object of it bound all names anew while
# these were gone over.
import npcc


class Reader:
    def __init__(self, text):
        self.words = text.split()
        self.at = 0

    def value(self):
        word = self.words[self.at]
        self.at += 1
        if word == "(":
            items = []
            while self.words[self.at] != ")":
                items.append(self.value())
            self.at += 1
            return items
        if word == "{":
            items = {}
            while self.words[self.at] != "}":
                name = self.words[self.at]
                self.at += 1
                items[name] = self.value()
            self.at += 1
            return items
        for name, value in (("true", True), ("null", None)):
            if word == name:
                return value
        try:
            return float(word) if "." in word else int(word)
        except ValueError:
            return word


def by_class(text):
    return Reader(text).value()


text = "( 1 2.5 true ( x null ) { a 1 b ( 2 ) } )"
assert repr(npcc.jit(target="cpu")(by_class)(text)) == repr(by_class(text))
