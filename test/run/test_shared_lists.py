"""Lists that have several names, some of them on one path only: a change is seen under all of them; compiled, against Python."""
import unittest

import numpy as np

from everything import Everything


class SharedLists(Everything):
    def check_both(self, function):
        self.check(function, 0)
        self.check(function, 1)

    def test_one_of_two_names(self):
        def stored_in_first(c):
            x = [1, 2]
            y = x
            if c > 0:
                y = [3, 4]
            x[0] = 9
            return y, x
        self.check_both(stored_in_first)

        def stored_in_second(c):
            x = [1, 2]
            y = x
            if c > 0:
                y = [3, 4]
            y[0] = 9
            return y, x
        self.check_both(stored_in_second)

        def appended_to_first(c):
            x = [1, 2]
            y = x
            if c > 0:
                y = [3, 4]
            x.append(9)
            return y, x
        self.check_both(appended_to_first)

        def appended_to_either(c):
            x, z = [1, 2], [5, 6]
            y = x if c > 0 else z
            y.append(7)
            return y, x, z
        self.check_both(appended_to_either)

        def of_several_lengths(c):
            x = [1, 2]
            y = [3, 4, 5] if c > 0 else x
            y[0] = 9
            x.append(8)
            return y, x
        self.check_both(of_several_lengths)

    def test_item_of_a_list(self):
        def stored(c):
            x = [[1, 2], [3, 4]]
            x[c][0] = 9
            return x
        self.check_both(stored)

        def named(c):
            x = [[1, 2], [3, 4]]
            r = x[c]
            r[1] = 7
            r += [8]
            r *= 2
            return x, r
        self.check_both(named)

        def popped(c):
            x = [[1, 2], [3, 4]]
            for r in x:
                r.append(c)
            x[c].pop()
            return x
        self.check_both(popped)

        def extended(c):
            x = [[], []]
            y = x[c]
            x[c] += [1, 2]
            x[0].extend([3])
            return x, y
        self.check_both(extended)

        def swapped(c):
            x = [[0, 0], [0, 0]]
            x[c], x[1 - c] = [1, 2], x[c]
            x[0][1] = 9
            return x
        self.check_both(swapped)

        def of_arrays(c):
            x = [np.zeros(2), np.ones(2)]
            x[c][0] = 5
            return x
        self.check_both(of_arrays)

    def test_item_of_others(self):
        def of_a_dict(c):
            d = {"a": [1], "b": [2]}
            d["a" if c else "b"].append(5)
            return d
        self.check_both(of_a_dict)

        def of_a_tuple(c):
            x = ([1], [2])
            x[c].append(3)
            x[1 - c].clear()
            return x
        self.check_both(of_a_tuple)

        def of_two(c):
            x, y = [1, 2], [3]
            for q in (x, y):
                q.append(c)
            w = (x, y)[c]
            w.sort(reverse=True)
            w.insert(0, 7)
            return x, y
        self.check_both(of_two)

    def test_neighbours_of_a_graph(self):
        def neighbours(edges, n):
            lists = [[] for _ in range(n)]
            for a, b in edges:
                lists[a].append(b)
                lists[b].append(a)
            return lists
        self.check(neighbours, [(0, 1), (1, 2), (0, 3)], 4)

        def one(a, b, n):
            lists = [[] for _ in range(n)]
            lists[a].append(b)
            return lists
        self.check(one, 1, 2, 3)


class PrivateNames(Everything):
    def test_attributes_and_methods(self):
        class Account:
            __rate = 0.5

            def __init__(self, held):
                self.__held = held

            def __interest(self, years):
                __factor = self.__rate * years
                return self.__held * __factor

            def after(self, years):
                return self.__held + self.__interest(years)

        def total(held):
            account = Account(held)
            return account.after(2), account._Account__held
        self.check(total, 4.0)

    def test_class_in_the_function(self):
        def total(held):
            class Account:
                def __init__(self, held):
                    self.__held = held

                def __twice(self):
                    return 2 * self.__held

                def twice(self):
                    return self.__twice()
            return Account(held).twice()
        self.check(total, 4.0)


if __name__ == "__main__":
    unittest.main()
