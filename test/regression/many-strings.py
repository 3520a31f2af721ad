# RUN: %python %s
# Code was made for each list of strings and each string in an object anew, with all loops over them written out.
import contextlib
import io
from collections import Counter, defaultdict

import npcc

WORDS = tuple(f"w{k % 7}" for k in range(40))


def specialiser(compiled):
    return compiled.inspect.__self__


def check(compiled, *arguments):
    given, expected = compiled(*arguments), compiled.py_func(*arguments)
    assert repr(given) == repr(expected), (given, expected)


@npcc.jit(target="cpu")
def pairs(words):
    follow = defaultdict(Counter)
    for a, b in zip(words, words[1:]):
        follow[a][b] += 1
    return {a: follow[a].most_common(1)[0] for a in sorted(follow)}


for count in (20, 30, 50):
    check(pairs, [f"w{k * k % 5}" for k in range(count)])
assert len(specialiser(pairs).structured) == 1


@npcc.jit(target="cpu")
def totals(rows, wanted):
    found = {}
    for name, count, price in rows:
        found[name] = found.get(name, 0.0) + count * price
    return found, [row for row in rows if row[0] == wanted], sorted(rows)[:2]


for count in (17, 40):
    check(totals, [(f"n{k % 4}", k, k / 2) for k in range(count)], "n1")
assert len(specialiser(totals).structured) == 1


@npcc.jit(target="cpu")
def changed(words):
    words.append("z")
    words.sort()
    return words, words.index("z"), "" in words


words = ["b", "", "a"] * 6
result = changed(words)
assert result == (sorted(["b", "", "a"] * 6 + ["z"]), 18, True) and result[0] is words


class Person:
    def __init__(self, name, age):
        self.name, self.age = name, age


@npcc.jit(target="cpu")
def greeting(person, title):
    return f"{title} {person.name} is {person.age}", len(person.name)


for age in range(12):
    check(greeting, Person("x" * age, age), "Dr" if age % 2 else "Ms")
assert len(specialiser(greeting).structured) <= 6


@npcc.jit(target="cpu")
def entry(settings):
    return {"low": 1, "high": 2}[settings["level"]] + settings["offset"]


for offset in range(3):
    for level in ("low", "high"):
        check(entry, {"level": level, "offset": offset})


@npcc.jit(target="cpu")
def shown(n):
    for k, word in enumerate(WORDS):
        if k < n:
            print(word, end=" ")
    return [word + "!" for word in WORDS[:n]]


for n in (3, 5):
    outputs = []
    for function in (shown, shown.py_func):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            outputs.append((function(n), output.getvalue()))
    assert outputs[0] == outputs[1], outputs
assert shown.inspect("np").count("np.print") == 1


@npcc.jit(target="cpu")
def hashed(text):
    h = 0xCBF29CE484222325  # which Python computes with
    for c in text:
        h = ((h ^ ord(c)) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return h


for k in range(20):
    check(hashed, f"word {k}")
assert sum(uses_python for _, _, uses_python in specialiser(hashed).structured) <= 6
