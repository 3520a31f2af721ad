# RUN: %python %s
"""Dicts of known keys, of which a loop makes any number, were ones with computed keys: slow, and none of values that a dict cannot mix."""
import copy

import numpy as np

import npcc


def counted(x):
    rows = []
    for k in range(len(x)):
        rows.append({"n": k, "v": x[k]})
    for r in rows:
        r["n"] += 1
    return [r["n"] for r in rows]


def sorted_by(x):
    rows = [{"k": k, "ms": float(v)} for k, v in enumerate(x)]
    s = sorted(rows, key=lambda r: r["ms"])
    return [r["k"] for r in s], max(rows, key=lambda r: r["ms"])["k"]


def changed(x):
    rows = [{"k": k, "ms": float(v)} for k, v in enumerate(x)]
    rows[2]["ms"] = 99.0
    rows[-1]["k"] = 7
    return rows


def of_arrays(x):
    rows = []
    for k in range(4):
        rows.append({"id": k, "v": x * k})
    return sum(r["v"].sum() for r in rows)


def of_parents(x):
    tree = []
    for k in range(len(x)):
        tree.append({"parent": None if k == 0 else tree[k // 2], "v": float(x[k])})
    node = tree[-1]
    t = 0.0
    while node is not None:
        t += node["v"]
        node = node["parent"]
    return t


def best(x):
    best = None
    for k in range(len(x)):
        row = {"k": k, "v": float(x[k])}
        if best is None or row["v"] > best["v"]:
            best = row
    return best


def some_lack_one(x):
    rows = []
    for k in range(len(x)):
        r = {"k": k, "v": float(x[k])}
        if x[k] > 2:
            r["flag"] = True
        rows.append(r)
    return [r.get("flag", False) for r in rows], ["flag" in r for r in rows], rows


def missing(x):
    rows = []
    for k in range(len(x)):
        rows.append({"k": k, "v": float(x[k])})
    try:
        return rows[0]["missing"]
    except KeyError as e:
        return str(e)


def without_one(x):
    rows = [{"k": k} for k in range(len(x))]
    del rows[0]["k"]
    return rows


def with_a_computed_one(x, name):
    rows = [{"k": k} for k in range(len(x))]
    rows[1][name] = 5
    return rows


def in_two_orders(x):
    a = []
    for k in range(3):
        a.append({"x": k, "y": 1.5})
    for k in range(3):
        a.append({"y": 2.5, "x": k})
    return a, [list(r) for r in a]


def in_a_dict(x):
    nodes = {}
    for k in range(len(x)):
        nodes[k] = {"next": [], "cost": float(x[k])}
    for k in range(len(x) - 1):
        nodes[k]["next"].append(k + 1)
    total = 0.0
    for k, n in nodes.items():
        for m in n["next"]:
            total += nodes[m]["cost"]
    return total, nodes


def in_each_other(x):
    rows = [{"id": k, "sub": {"a": k, "b": x[k]}} for k in range(len(x))]
    for r in rows:
        r["sub"]["a"] *= 2
    return sum(r["sub"]["a"] for r in rows), rows[1]


def copied(x):
    rows = [{"id": k, "v": float(v)} for k, v in enumerate(x)]
    copy = [dict(r) for r in rows]
    more = [{**r, "w": r["v"] * 2} for r in rows]
    copy[0]["v"] = -1.0
    return rows, copy, more


def compared(x):
    rows = [{"id": k, "v": float(v)} for k, v in enumerate(x)]
    return rows[0] == rows[1], rows[0] == {"id": 0, "v": 3.0}, rows[0] in rows, rows.index(rows[2]), f"{rows[0]}"


def in_tuples(x):
    q = []
    for k in range(len(x)):
        q.append((float(x[k]), k, {"job": k, "left": 3}))
    q.sort(key=lambda t: t[0])
    done = []
    while q:
        t, k, j = q.pop(0)
        j["left"] -= 1
        if j["left"] > 0:
            q.append((t + 1, k, j))
        else:
            done.append(j["job"])
    return done


def of_given_ones(rows):
    out = []
    for r in rows:
        out.append({"name": r["name"].upper(), "total": r["q"] * r["p"]})
    out.sort(key=lambda r: (-r["total"], r["name"]))
    return out


def grouped(x):
    rows = [{"g": k % 2, "v": float(v)} for k, v in enumerate(x)]
    groups = {}
    for r in rows:
        groups.setdefault(r["g"], []).append(r)
    return {g: sum(r["v"] for r in rs) for g, rs in groups.items()}


def or_none(x):
    rows = []
    rows.append({"k": 1, "tag": None})
    for v in x:
        rows.append({"k": int(v), "tag": "big" if v > 2 else None})
    return rows, [r for r in rows if r["tag"] is not None]


x = np.array([3.0, 1.0, 2.5, 0.5, 9.0])
sold = [{"name": "a", "q": 2, "p": 1.5}, {"name": "b", "q": 4, "p": 2.5}, {"name": "c", "q": 4, "p": 2.5}]
alone = [counted, sorted_by, changed, of_arrays, of_parents, best, some_lack_one, missing, without_one, in_two_orders, in_a_dict, in_each_other, copied]
for function, arguments in [
    *((function, (x,)) for function in [*alone, compared, in_tuples, grouped, or_none]),
    (with_a_computed_one, (x, "name")),
    (of_given_ones, (sold,)),
]:
    expected = function(*copy.deepcopy(arguments))
    found = npcc.jit(function, target="cpu")(*copy.deepcopy(arguments))
    assert repr(found) == repr(expected), (function.__name__, found, expected)
