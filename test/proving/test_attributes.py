"""test/attributes.py finds names of attributes that no row declares, and rows that nothing names."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import attributes  # noqa: E402


class Attributes(unittest.TestCase):
    rows = {"np.general", "np.thread"}
    used = ("compiler/a.cpp", 'op->hasAttr("np.general") || op->getAttr("np.thread")')

    def complaints(self, text, rows=frozenset(rows)):
        return list(attributes.complaints(set(rows), [self.used, ("compiler/b.cpp", text)]))

    def test_declared_names_are_fine(self):
        self.assertEqual(self.complaints('op->setAttr("np.thread", name); import("npcc.library")'), [])

    def test_names_without_a_row_are_found(self):
        for text in ('op->setAttr("np.mark", unit)', 'constexpr StringRef mark = "np.mark";', 'for (StringRef name : {"np.general", "np.mark"})'):
            self.assertEqual(len(self.complaints(text)), 1, text)

    def test_names_of_no_dialect_are_found(self):
        for text in ('op->setAttr("npcc.mark", unit)', 'op->getAttrOfType<StringAttr>("npcc.mark")', 'function.setArgAttr(k, "npcc.mark", unit)'):
            self.assertEqual(len(self.complaints(text)), 1, text)

    def test_rows_that_nothing_names_are_found(self):
        self.assertEqual(len(self.complaints("", self.rows | {"np.old"})), 1)

    def test_effects_are_no_attributes(self):
        self.assertEqual(self.complaints('llvm::StringRef getName() final { return "np.output"; }'), [])

    def test_the_table_is_read(self):
        rows, sources = attributes.read(os.path.join(os.path.dirname(__file__), "..", ".."))
        self.assertLess({"np.general", "np.weak", "np.scalar", "np.trips"}, rows)
        self.assertIn("compiler/Driver.cpp", [path for path, _ in sources])


if __name__ == "__main__":
    unittest.main()
