# RUN: %python %s
"""A format specification that a tuple or list takes on some path only made the function uncompilable, where Python raises TypeError."""
import npcc


def table(n):
    records = []
    for k in range(n):
        records.append({"area": k, "box": (k, k + 1)})
    return [f"{record['area']:3d} {record['box']}" for record in records]


def wrong(k, n):
    values = [tuple(range(n)), [1] * n, {"a": n}, (n, 2.5), 3]
    try:
        if k == 0:
            return f"{values[0]:>10}"
        if k == 1:
            return f"{values[1]:3d}"
        if k == 2:
            return f"{values[2]:5}"
        if k == 3:
            return "{:.2f}".format(values[3])
        return f"{values[4]:3d}"
    except TypeError as error:
        return str(error)


compiled = npcc.jit(target="cpu", fallback=False)
assert compiled(table)(3) == table(3)
for k in range(5):
    assert compiled(wrong)(k, 2) == wrong(k, 2), (k, compiled(wrong)(k, 2), wrong(k, 2))
