"""f.explain(): bytes that a kernel reads and writes are exact where its positions are, and the page is well-formed."""
import unittest
import xml.etree.ElementTree

import numpy as np

import npcc
from harness import TARGET
from npcc.explaining import limits
from npcc.explaining.numbers import Numbers


def jitted(function):
    return npcc.jit(function, target=TARGET)


def explained(function, *arguments):
    compiled = jitted(function)
    compiled(*arguments)
    [said] = compiled.explain(device="H100").functions
    return [kernel for kernel in said.kernels if kernel.is_taken]


class Bytes(unittest.TestCase):
    def check(self, kernels, read, written, exact=True):
        self.assertEqual((sum(k.read for k in kernels), sum(k.written for k in kernels)), (read, written))
        self.assertEqual(all(k.is_exact for k in kernels), exact)

    def test_map(self):
        self.check(explained(lambda x, y: x + 2 * y, np.ones((30, 40)), np.ones((30, 40))), 2 * 30 * 40 * 8, 30 * 40 * 8)

    def test_narrow(self):
        self.check(explained(lambda x: x * np.float32(2), np.ones(1000, np.float32)), 4000, 4000)

    def test_stencil(self):
        """Neighbours' loads are the same elements: each counts once."""
        def inside(u, v):
            v[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1]
        self.check(explained(inside, np.ones((30, 40)), np.zeros((30, 40))), 30 * 38 * 8, 28 * 38 * 8)

    def test_slice_with_a_step(self):
        self.check(explained(lambda x: x[::3] + 1, np.ones(301)), 101 * 8, 101 * 8)

    def test_quotient(self):
        """It is rounded before anything is multiplied by it."""
        self.check(explained(lambda x: np.concatenate((x[::2], x[::2])), np.ones(4)), 4 * 8, 4 * 8, exact=False)

    def test_row(self):
        """A row that all rows share is read once."""
        self.check(explained(lambda x, r: x + r, np.ones((30, 40)), np.ones(40)), (30 * 40 + 40) * 8, 30 * 40 * 8)

    def test_reduction(self):
        self.check(explained(lambda x: np.sum(x * x, -1), np.ones((30, 40))), 30 * 40 * 8, 30 * 8)

    def test_gather(self):
        """What memory decides is the most that it may be."""
        kernels = explained(lambda x, k: x[k], np.ones(5000), np.arange(100))
        self.check(kernels, (100 + 100) * 8, 100 * 8, exact=False)

    def test_loop(self):
        """Of a loop whose iterations differ, all are counted; of a very long one, some stand for the others."""
        def total(text, n, **named):
            loops = [dict(variable="i1", first="1", step="1", count="n - 1"), dict(variable="i2", first="0", step="2", count="3")]
            return Numbers.of_call(["n"], [(n,)], ["int"], named).value(text, loops)
        self.assertEqual(total("8 * i1", 10), 3 * 8 * 45)
        self.assertEqual(total("n1 + i2", 10, n1="8 * i1"), 3 * 8 * 45 + 9 * 6)
        self.assertEqual(total("1", 10**9), 3 * (10**9 - 1))
        self.assertAlmostEqual(total("i1", 10**6) / (3 * 10**6 * (10**6 - 1) // 2), 1, places=3)
        self.assertIsNone(total("i1 + later", 10))


class Results(unittest.TestCase):
    def test_arguments(self):
        """A call that was not made."""
        function = jitted(lambda x: x + 1)
        self.assertEqual(str(function.explain()), "nothing has been compiled yet")
        [said] = function.explain(np.ones(7), device="H100").functions
        self.assertEqual([k.read for k in said.kernels], [56])

    def test_floor(self):
        [kernel] = explained(lambda x: x + 1, np.ones(1000000))
        self.assertAlmostEqual(kernel.floor(limits.named("H100")), 16e6 / 3.35e12)

    def test_device(self):
        function = jitted(lambda x: x + 1)
        with self.assertRaisesRegex(ValueError, "device is one of"):
            function.explain(np.ones(7), device="abacus")

    def test_page(self):
        def smooth(u, steps):
            for _ in range(steps):
                u[1:-1] = (u[:-2] + u[2:]) / 2  # "a" < b & c
            return u.sum(), u.mean()
        function = jitted(smooth)
        function(np.ones(50), 3)
        page = function.explain(device="A100").html()
        tree = xml.etree.ElementTree.fromstring(page.partition("\n")[2])
        self.assertEqual(tree.tag, "html")
        texts = ["".join(cell.itertext()) for cell in tree.iter("td")]
        self.assertTrue(any('# "a" < b & c' in text for text in texts))
        targets = {element.get("id") for element in tree.iter() if element.get("id")}
        links = {element.get("href")[1:] for element in tree.iter("a")}
        self.assertTrue(links and links <= targets)
        self.assertFalse(list(tree.iter("script")))


if __name__ == "__main__":
    unittest.main()
