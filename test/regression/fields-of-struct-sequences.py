# RUN: %python %s
"""The named tuples of C have their fields by name and by position."""

import sys

import npcc


def limits():
    return sys.float_info.max, sys.float_info.min, sys.float_info.dig, sys.int_info.bits_per_digit


def version():
    major, minor = sys.version_info[:2]
    newer = sys.version_info >= (3, 8)
    return major, minor, newer, sys.version_info.major == sys.version_info[0], len(sys.version_info)


for function in (limits, version):
    want, got = function(), npcc.jit(function, target="cpu")()
    assert repr(want) == repr(got), (want, got)
