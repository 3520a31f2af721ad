# RUN: %python %s
"""The compiler crashed where dicts that hold strings and lists are sorted."""
import npcc


def names(students):
    return [student["name"] for student in sorted(students, key=lambda student: sum(student["grades"]))]


students = [{"name": "Ann", "grades": [90, 85]}, {"name": "Bob", "grades": [60]}]
assert npcc.jit(target="cpu")(names)(students) == ["Bob", "Ann"]
