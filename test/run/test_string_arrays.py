"""Arrays of strings: made, chosen, compared, sorted, counted and written; compiled, against NumPy."""
import unittest

import numpy as np

import everything
import harness

NAMES = np.array(["pear", "fig", "apple", "fig"])


def masked(names):
    mask = names == "fig"
    return mask, names[mask], names[[0, 2]], names[-1], names[1:3], names != "fig", (
        "fig" == names, names == names[::-1], names == ["pear", "x", "apple", "y"], names == 3)


def listed(n):
    names = np.array(["bb", "a", "ccc", "a"])
    return names, names.shape, names.ndim, names.size, len(names), names.itemsize, (
        names.dtype.kind, isinstance(names, np.ndarray), names.tolist(), np.array("b a".split()))


def drawn(n):
    rng = np.random.default_rng(3)
    region = rng.choice(["north", "south", "east"], size=n, p=[0.5, 0.3, 0.2])
    return region, rng.choice(["a", "b"]), "".join(rng.choice(list("ACGT"), 12)), rng.permutation(region[:4]), rng.random()


def drawn_of_old(n):
    state = np.random.RandomState(5)
    return state.choice(["x", "yy"], n), state.rand()


def counted(names, weights):
    kinds, first, inverse, counts = np.unique(names, return_index=True, return_inverse=True, return_counts=True)
    totals = {}
    for name, weight in zip(names, weights):
        totals[name] = totals.get(name, 0) + weight
    return kinds, first, inverse, counts, kinds[np.argmax(counts)], (
        {kind: float(weights[names == kind].sum()) for kind in kinds}, totals, np.unique(["b", "a", "b"]))


def banded(age):
    band = np.where(age < 35, "young", np.where(age < 60, "middle", "old"))
    return band, np.select([age < 20, age < 50], ["a", "bb"], "ccc"), np.full(3, "x"), np.full((1, 2), "long")


def ordered(names):
    return np.sort(names), np.argsort(names, kind="stable"), sorted(names), max(names), names < "g", names >= "fig", np.searchsorted(np.sort(names), "fig")


def changed(n):
    names = np.array(["x", "y", "zz"])
    other = names.copy()
    names[0] = "longer"
    names[names == "y"] = "q"
    names[1:][1:] = "w"
    return names, other, names is other


def put_together(names):
    return (np.concatenate([names, np.array(["banana"])]), np.append(names, "kiwi"), np.delete(names, 0), np.tile(names, 2), np.repeat(names, 2),
            np.isin(names, ["fig", "x"]), np.stack([names, names]), np.array([["a", "b"], ["cc", "d"]]).T, names.reshape(2, 2)[:, 1],
            np.intersect1d(names, ["fig", "a"]), np.setdiff1d(names, ["fig"]), np.union1d(names, ["a"]), np.array_equal(names, names), names.take([0, 0]),
            np.insert(names, 1, "bananas"))


def rearranged(names):
    return (np.hstack([names, names]), np.vstack([names, names]), np.column_stack([names, names]), np.flip(names), np.roll(names, 1),
            np.ravel(names.reshape(2, 2)), np.reshape(names, (2, 2)), np.transpose(names.reshape(1, 4)), np.squeeze(names.reshape(1, 4)),
            np.compress(names == "fig", names),
            np.extract(names != "fig", names), np.copy(names), np.asarray(names), np.take(names, [1, 0]), np.shape(names), np.size(names), np.ndim(names),
            names.flatten(), names.ravel(), names.item(1), names.repeat(2), names.argsort(kind="stable"), names.nbytes, names.astype(str))


def gone_over(names):
    found = [(k, name) for k, name in enumerate(names) if name.startswith("f") or name == "apple"]
    return found, list(names), set(names), {name: k for k, name in enumerate(names)}, "fig" in names, "x" in names, (
        "-".join(names), [name.upper() for name in names], [names[0]], str(names[1]))


def shrinking(names):
    while len(names) > 2:
        names = np.delete(names, 0)
    return names


def written(names):
    return f"{names[1]:>6}|{names}", str([names[0]]), repr(names), str(np.array(["abc" * 9] * 7)), repr(np.array(["abc" * 9] * 7)), str(names[:0])


def as_numbers(n):
    return np.array(["1.5", "2"]).astype(float), np.array(["1", "22"]).astype(int), np.array(["1", "2"], dtype=float), np.array(["abc", "d"], dtype="U2")


def on_paths(names, n):
    chosen = names[:1]
    if n > 1:
        chosen = names[names == "fig"]
    for k in range(n):
        chosen = np.append(chosen, "k")
    return chosen


def stored_into(names):
    names[0] = "x"
    return names


def with_more(names):
    return np.char.upper(names), [len(name) for name in names]


def table(rows):
    names, values = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    return {name: (values[names == name].mean(), int((names == name).sum())) for name in np.unique(names)}


class StringArrays(everything.Everything):
    def test_made(self):
        self.check(listed, 1)
        self.check(drawn, 9)
        self.check(drawn_of_old, 9)
        self.check(banded, np.arange(12) * 7)
        self.check(as_numbers, 1)
        self.check(table, [("a", 1.5), ("b", 2.0), ("a", 4.0)])

    def test_of_arguments(self):
        for function in (masked, ordered, put_together, rearranged, gone_over, shrinking, written, with_more, stored_into):
            self.check(function, NAMES)
        self.check(masked, NAMES[::-1])
        self.check(counted, NAMES, np.arange(4.0))
        self.check(on_paths, NAMES, 0)
        self.check(on_paths, NAMES, 3)
        self.check(shrinking, NAMES[:0])

    def test_changed(self):
        self.check(changed, 1)

    def test_argument_is_result(self):
        compiled = harness.jit(lambda names: names)
        self.assertIs(compiled(NAMES), NAMES)


if __name__ == "__main__":
    unittest.main()
