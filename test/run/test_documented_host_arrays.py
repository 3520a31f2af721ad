"""The examples of docs/host-arrays.md run."""
import unittest

from documented import run_page


class Documentation(unittest.TestCase):
    def test_examples(self):
        self.assertEqual(run_page("host-arrays.md"), 5)


if __name__ == "__main__":
    unittest.main()
