# RUN: %python %s
# A list of objects that Python made was taken for rows of a table, when it was returned.
import npcc


class Reader:
    def __init__(self, text):
        self.words = text.split()
        self.at = 0

    def value(self):
        word = self.words[self.at]
        self.at += 1
        if word != "(":
            return int(word)
        items = []
        while self.words[self.at] != ")":
            items.append(self.value())
        self.at += 1
        return items


def read(texts):
    found = []
    for text in texts:
        found.append(Reader(text).value())
    return found


texts = ["( 1 2 )", "( 1 ( 2 3 ) )", "7"]
assert npcc.jit(target="cpu")(read)(texts) == read(texts) == [[1, 2], [1, [2, 3]], 7]
