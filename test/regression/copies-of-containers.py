# RUN: %python %s
# copy.copy() of a set, deque or dict with computed keys shared its items; a deep copy of a list of lists that is an argument
# changed what the caller has. Copies of special dicts were plain ones.
import copy
from collections import Counter, OrderedDict, defaultdict, deque

import npcc


def sets(n):
    one = {1, 2}
    two, three = copy.copy(one), copy.deepcopy(one)
    two.add(n)
    three.add(99)
    return sorted(one), sorted(two), sorted(three)


def deques(n):
    one = deque([1, 2, n], maxlen=3)
    two, three = copy.copy(one), one.copy()
    two.append(4)
    three.append(5)
    return list(one), list(two), list(three)


def dicts(n):
    one = OrderedDict()
    two = defaultdict(list)
    three = Counter()
    for k in range(n):
        one[k] = k
        two[k].append(k)
        three[k] += 1
    four, five, six = copy.copy(one), two.copy(), copy.copy(three)
    four[0] = 7
    five[9].append(1)
    six[9] += 1
    return str(four), str(five), str(six), len(one), len(two), len(three)


for function in sets, deques, dicts:
    assert npcc.jit(target="cpu")(function)(5) == function(5), (function.__name__, npcc.jit(target="cpu")(function)(5))


@npcc.jit(target="cpu")
def changed(rows):
    other = copy.deepcopy(rows)
    other[0][0] = 9
    return other


rows = [[1], [2, 3]]
assert changed(rows) == [[9], [2, 3]] and rows == [[1], [2, 3]]
