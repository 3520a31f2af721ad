# RUN: %python %s
# A string could not be cut with a step that is known at run time only.
import npcc


def parts(text, steps, start, stop):
    return [(text[k::step], text[start:stop:step], text[::step], text[:stop:step]) for step in steps for k in range(3)]


def columns(text, width):
    return [text[k::width] for k in range(width)]


compiled = npcc.jit(parts)
for start, stop in (0, 5), (-3, 2), (7, -9), (2, 40), (-40, 40):
    for text in "abcdefg", "", "x":
        assert compiled(text, [1, 2, -1, -3, 9], start, stop) == parts(text, [1, 2, -1, -3, 9], start, stop), (text, start, stop)
assert npcc.jit(columns)("abcdefghij", 3) == columns("abcdefghij", 3)
try:
    compiled("abc", [0], 0, 1)
except ValueError as error:
    assert str(error) == "slice step cannot be zero"
else:
    raise AssertionError("a step of zero is an error")
