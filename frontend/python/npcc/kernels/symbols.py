"""The names of kernels in machine code and PTX, and what the user may call them."""
import re
import struct

from .. import _npcc

PTX_ENTRY = re.compile(rb"\.entry\s+([A-Za-z0-9_$]+)")


def kind_of(image):
    """"cubin", "fatbin" or "ptx"; None if the bytes are none of these."""
    if image.startswith(b"\x7fELF"):
        return "cubin"
    if image.startswith((b"\x50\xed\x55\xba", b"\xb1\x43\x62\x46")):
        return "fatbin"
    return "ptx" if b".version" in image and b".target" in image else None


def kernels_in(image):
    """The symbols of the kernels; None where they cannot be read (a fatbin is compressed)."""
    kind = kind_of(image)
    if kind == "ptx":
        return [name.decode() for name in PTX_ENTRY.findall(image)]
    return [name[6:] for name in sections(image) if name.startswith(".text.")] if kind == "cubin" else None


def sections(image):
    """The names of an ELF file's sections, each with its bytes' number."""
    return dict(_sections(image))


def _sections(image):
    table, = struct.unpack_from("<Q", image, 0x28)
    size, count, names = struct.unpack_from("<HHH", image, 0x3A)
    offset, = struct.unpack_from("<Q", image, table + names * size + 0x18)
    for k in range(count):
        start = offset + struct.unpack_from("<I", image, table + k * size)[0]
        yield image[start:image.index(b"\0", start)].decode(), struct.unpack_from("<Q", image, table + k * size + 0x20)[0]


def demangled(symbol):
    """"void scale<float>(float*, int)" of a mangled name, the name itself of another."""
    return _npcc.demangle(symbol) if symbol.startswith("_Z") else symbol  # "f" alone would be the type float


def _without_spaces(text):
    return re.sub(r"\s+", "", text)


def base_name(text):
    """"scale<float>" of "void scale<float>(float*, int)"."""
    depth = 0
    for position in range(len(text) - 1, -1, -1):
        depth += (text[position] in ")>") - (text[position] in "(<")
        if depth == 0 and text[position] == "(":
            text = text[:position].rstrip()
            break
    depth = 0
    for position in range(len(text) - 1, -1, -1):  # what stands before the name is the result's type
        depth += (text[position] in ")>") - (text[position] in "(<")
        if depth == 0 and text[position] == " ":
            return text[position + 1:]
    return text


def find(name, lowered, symbols):
    """The symbol for a name as the user writes it. ValueError, whose text lists what there is, if there is none or more than one."""
    if name in lowered:
        return lowered[name]
    if symbols is None or name in symbols:
        return name
    matches = [s for s in symbols if s.startswith("_Z") and _without_spaces(base_name(demangled(s))) == _without_spaces(name)]
    if len(matches) == 1:
        return matches[0]
    listed = ", ".join(sorted(demangled(s).removeprefix("void ") for s in matches or [*symbols, *lowered.values()])) or "none"
    if matches:
        raise ValueError(f"there are several kernels '{name}': {listed}")
    raise ValueError(f"there is no kernel '{name}'; the kernels here are: {listed}")
