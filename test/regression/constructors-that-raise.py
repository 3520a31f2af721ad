# RUN: %python %s
"""The objects that a loop made behind one whose constructor had raised an exception were said to lack their attributes."""
import npcc


class Date:
    def __init__(self, month, day):
        if not 1 <= month <= 12:
            raise ValueError(f"month {month}")
        self.month = month
        if day > 30:
            raise ValueError(f"day {day}")
        self.day = day

    def __lt__(self, other):
        return (self.month, self.day) < (other.month, other.day)


def dates(pairs):
    found, errors = [], []
    for month, day in pairs:
        try:
            found.append(Date(month, day))
        except ValueError as error:
            errors.append(str(error))
    return [(date.month, date.day) for date in sorted(found)], errors


pairs = [(13, 1), (5, 7), (2, 31), (0, 2), (4, 4), (12, 99), (4, 1)]
assert npcc.jit(dates)(pairs) == dates(pairs)
