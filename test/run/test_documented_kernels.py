"""The examples of docs/own-kernels.md run."""
import unittest

from documented import run_page
from own_kernels import OnGpu


class Documentation(OnGpu):
    def test_examples(self):
        self.assertGreater(run_page("own-kernels.md"), 3)


if __name__ == "__main__":
    unittest.main()
