"""The examples of docs/language.md run."""
import unittest

from documented import run_page


class Documentation(unittest.TestCase):
    def test_examples(self):
        self.assertGreater(run_page("language.md"), 8)


if __name__ == "__main__":
    unittest.main()
