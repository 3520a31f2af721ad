"""What compiled functions cost, and why they are what they are: `npcc explain`, and f.explain() of a compiled function (docs/explain.md)."""
from .explanation import Explanation, of_target, read

__all__ = ["Explanation", "of_target", "read"]
