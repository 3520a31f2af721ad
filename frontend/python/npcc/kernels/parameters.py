"""What a kernel takes, read from its text: the declaration in the source, or the demangled name, which has the types of templates. What is not
understood is taken as the driver knows it: a number of bytes."""
import re

from .symbols import base_name, demangled

DTYPES = {name: number for number, name in enumerate(
    ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128"))}
INTEGERS = {"char": "int8", "signed char": "int8", "unsigned char": "uint8", "short": "int16", "unsigned short": "uint16", "int": "int32",
            "unsigned int": "uint32", "long": "int64", "unsigned long": "uint64", "long long": "int64", "unsigned long long": "uint64"}
OTHERS = {"bool": "bool", "half": "float16", "__half": "float16", "float16": "float16", "float": "float32", "double": "float64",
          "size_t": "uint64", "ptrdiff_t": "int64", "intptr_t": "int64", "uintptr_t": "uint64", "complex<float>": "complex64",
          "complex<double>": "complex128", "cuFloatComplex": "complex64", "cuComplex": "complex64", "cuDoubleComplex": "complex128"}
OTHERS |= {f"{sign}int{bits}_t": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
QUALIFIERS = re.compile(r"\b(const|volatile|__restrict__|__restrict|restrict|__grid_constant__|register|struct|typename)\b")
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\])*")', re.DOTALL)
ANY = -1


def without_comments(source):
    return COMMENT.sub(lambda match: match.group(1) or " ", source)


def dtype_of(text):
    """The npcc dtype's number of a type's name, None if it is none of a number."""
    words = QUALIFIERS.sub(" ", text).split()
    text = re.sub(r"\s*(<|>|::)\s*", r"\1", " ".join(words))
    text = re.sub(r"\b(thrust|cuda|std)::|^::", "", text)
    if set(words) <= {"unsigned", "signed", "long", "short", "int", "char"} and words:
        unsigned, base = "unsigned" in words, [w for w in words if w not in ("unsigned", "signed")]
        if "char" in base:
            name = "signed char" if "signed" in words else "char"
        else:
            name = "long long" if base.count("long") == 2 else next((w for w in ("long", "short") if w in base), "int")
        text = f"unsigned {name}" if unsigned else name
    name = INTEGERS.get(text) or OTHERS.get(text)
    return None if name is None else DTYPES[name]


def split_list(text):
    """At the commas that stand in no bracket."""
    parts, depth, part = [], 0, ""
    for character in text:
        depth += (character in "(<[{") - (character in ")>]}")
        if character == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += character
    return [p.strip() for p in [*parts, part] if p.strip()]


def parameter(text, named):
    """A parameter's (kind, dtype, bytes, text) from its declaration; named: it ends with a name (or has one in it)."""
    shown = " ".join(text.split())
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)|__align__\s*\(.*?\)|alignas\s*\(.*?\)", " ", text.partition("=")[0])
    if "(" in text or "&" in text:
        return ("U", ANY, -1, shown)
    pointers = text.count("*")
    array = re.search(r"\[[^\]]*\]\s*$", text)
    if array:
        text, pointers = text[:array.start()], pointers + 1
    if pointers:
        pointee = text.partition("*")[0]
        if array and "*" not in text:
            pointee = re.sub(r"\w+\s*$", "", pointee) if named else pointee
        dtype = dtype_of(pointee) if pointers == 1 else None
        return ("P", ANY if dtype is None else dtype, 8, shown)
    dtype = dtype_of(text)
    if dtype is None and named:
        dtype = dtype_of(re.sub(r"\w+\s*$", "", text.rstrip()))
    return ("U", ANY, -1, shown) if dtype is None else ("S", dtype, -1, shown)


def from_list(text, named):
    """Of all between the parentheses."""
    parts = split_list(text)
    return () if parts in ([], ["void"]) else tuple(parameter(part, named) for part in parts)


def closing(text, start):
    """The position of the parenthesis that closes the one at `start`."""
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] == "(") - (text[position] == ")")
        if depth == 0:
            return position
    return len(text)


def from_source(source, name):
    """The parameters of `__global__ void name(...)` in the source; None if it is not found just once."""
    text = without_comments(source)
    found = []
    for match in re.finditer(rf"(?<![\w:]){re.escape(name)}\s*\(", text):
        before = re.split(r"[;{}]", text[:match.start()])[-1]
        if "__global__" in before:
            found.append(from_list(text[match.end():closing(text, match.end() - 1)], named=True))
    return found[0] if found and all(f == found[0] for f in found) else None


def of_kernel(symbol, source):
    """The parameters of the kernel with this symbol; None if they are not known."""
    if not symbol.startswith("_Z"):
        return from_source(source, symbol) if source else None
    text = demangled(symbol)
    if text == symbol or not text.endswith(")"):
        return None
    start = text.rindex(base_name(text)) + len(base_name(text))
    return from_list(text[start + 1:-1], named=False)
