"""Attributes of classes that functions assign to."""


def passed_on(new, old, is_inherited):
    """What a derived class has once one of its bases was given a new attribute."""
    return new if is_inherited else old
