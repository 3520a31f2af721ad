# RUN: %python %s
"""Items that may be strings, numbers or None are compared when they are sorted; those that have no order raise Python's TypeError."""
import npcc


@npcc.jit
def table(text):
    rows = []
    for line in text.splitlines():
        row = dict(zip(("site", "count"), line.split(",")))
        row["count"] = int(row["count"]) if row["count"] else None
        rows.append(row)
    sites = sorted({row["site"] for row in rows})
    counts = sorted([row["count"] for row in rows if row["count"] is not None], reverse=True)
    return sites, counts, [row["site"] for row in sorted(rows, key=lambda row: row["site"])]


@npcc.jit
def everything(text):
    items = []
    for word in text.split():
        items.append(word if word.isalpha() else int(word))
    return sorted(items)


assert table("b,3\na,\nc,12\na,7") == table.py_func("b,3\na,\nc,12\na,7")


@npcc.jit
def total(text):
    items = []
    for word in text.split():
        items.append(word if word.isalpha() else int(word))
    return sum(items) / len(items), len(text) * "-"


for text in ("3 1 2", "3 b", "b"):
    outcomes = []
    for one in (total, total.py_func):
        try:
            outcomes.append(one(text))
        except TypeError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1], outcomes
for text in ("b a c", "3 1 2", "b 1"):
    outcomes = []
    for one in (everything, everything.py_func):
        try:
            outcomes.append(one(text))
        except TypeError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1], outcomes
