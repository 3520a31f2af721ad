# RUN: %python %s
"""`"%i and %s" % (1, "text")`, all of it known, was a TypeError of % between a string and a tuple."""
import npcc


@npcc.jit(target="cpu")
def shown():
    return "%i and %s" % (1, "text")


assert shown() == "1 and text"
