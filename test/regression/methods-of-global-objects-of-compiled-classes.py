# RUN: %python %s
# A method of a global object that Python keeps, as one with a dict of anything, was called without the object where npcc.jit has compiled its class: TypeError,
# an argument is missing.
import npcc


@npcc.jit(target="cpu")
class Words:
    def __init__(self):
        self.tree = {}

    def put(self, word):
        here = self.tree
        for letter in word:
            here = here.setdefault(letter, {})
        here["end"] = True

    def after(self, start):
        here = self.tree
        for letter in start:
            here = here[letter]
        return self.ends(here)

    def ends(self, here):
        found = []
        for letter, inner in here.items():
            found.extend([""] if letter == "end" else [letter + end for end in self.ends(inner)])
        return tuple(found)


words = Words()
for word in ("dog", "deer", "cat"):
    words.put(word)


def completed(start):
    return tuple(start + end for end in words.after(start))


for fallback in (False, True):
    assert npcc.jit(completed, target="cpu", fallback=fallback)("d") == ("dog", "deer")
