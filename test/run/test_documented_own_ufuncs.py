"""The examples of docs/own-ufuncs.md run."""
import unittest

from documented import run_page


class Documentation(unittest.TestCase):
    def test_examples(self):
        self.assertGreater(run_page("own-ufuncs.md"), 3)


if __name__ == "__main__":
    unittest.main()
