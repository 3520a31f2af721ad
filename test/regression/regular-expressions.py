# RUN: %python %s
"""The Python code of `re` was compiled as the program's own, which ended the process. Python runs it."""
import json
import re

import npcc


def words(text):
    return re.findall(r"[a-z]+", text.lower()), re.sub(r"\d+", "#", text)


def numbers(text):
    total = 0
    for match in re.finditer(r"(\d+)x", text):
        total += int(match.group(1))
    return total, json.loads("[1, 2]")[0]


for function in (words, numbers):
    assert npcc.jit(target="cpu")(function)("Hello 12x World 3x") == function("Hello 12x World 3x"), function.__name__
