"""Methods of Python's strings that compiled code is made of, and what strings are made of lists."""


def number_of(string):
    """In compiled code the number of a string, which is equal for equal ones."""
    return hash(string)


def numpy_text(number):
    """The numpy.str_ of a number."""
    raise TypeError("numbers of strings are compiled code's")


def texts(numbers, are_numpys):
    """A list of the strings whose numbers an array has: numpy.str_, or Python's."""
    raise TypeError("numbers of strings are compiled code's")


def shown_list(items):
    """str(list(items))."""
    result = []
    for item in items:
        result.append(repr(item))
    return "[" + ", ".join(result) + "]"


def shown_tuple(items):
    """str(tuple(items))."""
    result = []
    for item in items:
        result.append(repr(item))
    return "(" + ", ".join(result) + (",)" if len(result) == 1 else ")")


def stepped(string, start, stop, step):
    """string[start:stop:step], with a step that is known at run time only."""
    if step == 0:
        raise ValueError("slice step cannot be zero")
    lowest, highest = (0, len(string)) if step > 0 else (-1, len(string) - 1)
    first, last = (lowest, highest) if step > 0 else (highest, lowest)
    if start is not None:
        first = max(start + len(string), lowest) if start < 0 else min(start, highest)
    if stop is not None:
        last = max(stop + len(string), lowest) if stop < 0 else min(stop, highest)
    return "".join([string[k] for k in range(first, last, step)])


def spaced(items, separator):
    """What print(*items) writes."""
    return separator.join([str(item) for item in items])


def spaced_before(items, separator):
    """What print(*items, one) writes in front of the one."""
    return "".join([str(item) + separator for item in items])


def spaced_behind(items, separator):
    """What print(one, *items) writes behind the one."""
    return "".join([separator + str(item) for item in items])


def startswith(string, prefix, start=0, end=None):
    stop = len(string) if end is None else end
    if isinstance(prefix, tuple):
        found = False
        for one in prefix:
            found = found or string[start:stop].find(one, 0, len(one)) == 0
        return found
    return string[start:stop].find(prefix, 0, len(prefix)) == 0


def endswith(string, suffix, start=0, end=None):
    stop = len(string) if end is None else end
    part = string[start:stop]
    if isinstance(suffix, tuple):
        found = False
        for one in suffix:
            found = found or (len(one) <= len(part) and part[len(part) - len(one):] == one)
        return found
    return len(suffix) <= len(part) and part[len(part) - len(suffix):] == suffix


def index(string, part, start=0, end=None):
    found = string.find(part, start, len(string) if end is None else end)
    if found < 0:
        raise ValueError("substring not found")
    return found


def rindex(string, part):
    found = string.rfind(part)
    if found < 0:
        raise ValueError("substring not found")
    return found


def partition(string, separator):
    found = string.find(separator)
    if found < 0:
        return string, "", ""
    return string[:found], separator, string[found + len(separator):]


def rpartition(string, separator):
    found = string.rfind(separator)
    if found < 0:
        return "", "", string
    return string[:found], separator, string[found + len(separator):]


def split(string, sep=None, maxsplit=-1):
    parts = []
    start = 0
    size = len(string)
    if sep is None:
        while True:
            while start < size and string[start].isspace():
                start += 1
            if start == size:
                break
            if maxsplit >= 0 and len(parts) == maxsplit:
                parts.append(string[start:].rstrip())
                break
            stop = start
            while stop < size and not string[stop].isspace():
                stop += 1
            parts.append(string[start:stop])
            start = stop
        return parts
    if len(sep) == 0:
        raise ValueError("empty separator")
    while maxsplit < 0 or len(parts) < maxsplit:
        found = string.find(sep, start)
        if found < 0:
            break
        parts.append(string[start:found])
        start = found + len(sep)
    parts.append(string[start:])
    return parts


def rsplit(string, sep=None, maxsplit=-1):
    parts = []
    stop = len(string)
    if sep is None:
        while True:
            while stop > 0 and string[stop - 1].isspace():
                stop -= 1
            if stop == 0:
                break
            if maxsplit >= 0 and len(parts) == maxsplit:
                parts.append(string[:stop].lstrip())
                break
            start = stop
            while start > 0 and not string[start - 1].isspace():
                start -= 1
            parts.append(string[start:stop])
            stop = start
        return parts[::-1]
    if len(sep) == 0:
        raise ValueError("empty separator")
    while maxsplit < 0 or len(parts) < maxsplit:
        found = string.rfind(sep, 0, stop)
        if found < 0:
            break
        parts.append(string[found + len(sep):stop])
        stop = found
    parts.append(string[:stop])
    return parts[::-1]


ENDS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"


def all_of_strings(items):
    """The items of a list of several types, as a list of strings."""
    strings = []
    for k in range(len(items)):
        item = items[k]
        if not isinstance(item, str):
            raise TypeError(f"sequence item {k}: expected str instance, {type(item).__name__} found")
        strings.append(str(item))
    return strings


def splitlines(string, keepends=False):
    lines = []
    start = 0
    size = len(string)
    while start < size:
        stop = start
        while stop < size and string[stop] not in ENDS:
            stop += 1
        behind = stop
        if behind < size:
            behind += 1
            if string[stop] == "\r" and behind < size and string[behind] == "\n":
                behind += 1
        lines.append(string[start:behind] if keepends else string[start:stop])
        start = behind
    return lines
