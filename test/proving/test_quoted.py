"""test/quoted.py finds lines of code on pages that no source has."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import quoted  # noqa: E402

PAGE = """Text that no source has.

```cpp
int old();
  int  kept();
PyValue emit(...) { ... }
```

1. A list:

   ```
   def Row
   ```
"""


class Quoted(unittest.TestCase):
    def test_only_code_is_looked_for(self):
        self.assertEqual(list(quoted.quoted_lines(PAGE)), [(4, "int old();"), (5, "int kept();"), (12, "def Row")])

    def test_what_no_source_has_is_found(self):
        found = list(quoted.complaints({"page.md": PAGE}, {"int kept();", "def Row"}))
        self.assertEqual(found, ["page.md:4: no source has this line: int old();"])


if __name__ == "__main__":
    unittest.main()
