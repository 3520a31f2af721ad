# RUN: %python %s
"""np.float64(text) was a part of the program that Python ran, and refused in functions that call themselves."""
import numpy as np

import npcc


def evaluated(text, names):
    words = text.split()
    position = 0

    def take():
        nonlocal position
        position += 1
        return words[position - 1]

    def atom():
        word = take()
        if word == "(":
            value = total()
            take()
            return value
        return names[word] if word in names else np.float64(word)

    def total():
        nonlocal position
        value = atom()
        while take() == "+":
            value = value + atom()
        position -= 1
        return value

    return total(), position


def numbers(text):
    words = text.split(";")
    return [np.float32(word) for word in words[:2]], np.int64(words[2]), np.uint8(words[3]), np.float64(words[0]) / 3, np.float64("2.5")


def said(function, *arguments):
    try:
        return repr(function(*arguments))
    except (ValueError, OverflowError) as error:
        return repr(error)


names = {"a": np.float64(3.0), "b": np.float64(1.5)}
for text in ("( a + 2 ) .", "1e3 + ( ( b + -4 ) + .5 ) + inf .", "a + x ."):
    assert said(npcc.jit(evaluated, target="cpu"), text, names) == said(evaluated, text, names), text
for text in ("0.1; 2 ; 7 ;255", "1;nan;-3;0", "1;2;3.5;1", "1;2;3;256", "one;2;3;4"):
    assert said(npcc.jit(numbers, target="cpu"), text) == said(numbers, text), (text, said(npcc.jit(numbers, target="cpu"), text), said(numbers, text))
