# RUN: %python %s
"""ufunc.at with values that are broadcast: each position got an element of a row instead of the row. Slices, ellipses, new axes and masks beside
other indices were refused."""
import linecache

import numpy as np

import npcc

INDICES = """
[0, 1] | [0, 0, 4] | (np.array([0, 1]), np.array([1, 1])) | slice(1, 4) | ... | (slice(None), [0, 0]) | ([0, 0], slice(0, 2)) | (None, [1, 1])
a[:, 0] > 4 | a > 4 | (a[:, 0] > 4, 1) | 2 | -1 | [[0, 1], [1, 1]] | np.zeros(0, int) | (1, 2) | (slice(None, None, -1), np.array([2, 2])) | [7]
""".replace("\n", "|").strip("|").split("|")
VALUES = "np.array([1.0, 2, 3])", "np.array([[1.0], [2]])", "2"


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error).__name__, str(error)


def made(ufunc, index, value):
    text = f"def updated(a):\n    {ufunc}.at(a, {index.strip()}, {value})\n    return a\n"
    file = f"<{ufunc} {index} {value}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    names = {"np": np}
    exec(compile(text, file, "exec"), names)
    return names["updated"]


a = np.arange(15.0).reshape(5, 3) + 1
for ufunc in "np.add", "np.hypot":
    for index in INDICES:
        for value in VALUES:
            function = made(ufunc, index, value)
            expected, got = outcome(function, a.copy()), outcome(npcc.jit(function, target="cpu"), a.copy())
            if isinstance(expected, tuple):
                both_wrong = "[7]" in index and expected[0] == "IndexError"  # the positions and the values: either is said
                assert isinstance(got, tuple) and (both_wrong or got[1].startswith(expected[1])), (ufunc, index, value, expected, got)
            else:
                np.testing.assert_allclose(got, expected, err_msg=f"{ufunc} {index} {value}")
