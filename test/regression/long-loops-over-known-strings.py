# RUN: %python %s
"""A loop over a few known strings is straight code for each of them, but not where that would be much code: then it is one loop, whose body stands there
once. So what a function is compiled to does not grow with the number of its cases."""
import linecache

import npcc

HEADER = """
def report(text):
    counts, longest, vowels = {}, "", 0
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
        if len(word) > len(longest):
            longest = word
        for letter in word:
            vowels += letter in "aeiou"
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return f"{longest:<8}{vowels:>3}{len(counts):>3} " + ", ".join(f"{word} {count}" for word, count in ranked)
"""


def program(cases):
    names, file = {}, f"<a program of {len(cases)} cases>"
    source = HEADER + f"""
def run():
    lines = []
    for text in {cases}:
        lines.append(report(text))
    return lines
"""
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    exec(compile(source, file, "exec"), names)
    return names["run"]


cases = ("to be or not to be", "a rose is a rose", "one two one", "so it goes so", "all is well", "x y z x", "who knows who", "end of all")
few, many = program(8 * cases[:4]), program(8 * cases)
assert npcc.jit(many, target="cpu")() == many()
lines = [npcc.jit(one, target="cpu").inspect("np", types=()).count("\n") for one in (few, many)]
assert lines[1] < 1.3 * lines[0], lines
