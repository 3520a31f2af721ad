"""Reads MLIR in its generic form (`--mlir-print-op-generic`): operations, regions, blocks, attributes; types stay text."""
from __future__ import annotations

import dataclasses
import re
import struct

TOKEN = re.compile(r"""\s+|//[^\n]*|(?P<t>"(?:[^"\\]|\\.)*"|->|::|<\{|\}>|%[\w$.\-]+(?:\#\d+)?|\^[\w$.\-]+|@[\w$.\-]+|@"[^"]*"
    |0x[0-9A-Fa-f]+|-?\d+\.\d*(?:[eE][-+]?\d+)?|-?\d+|[!#]?[A-Za-z_][\w$.]*|[{}()\[\]<>:,=?*+\-\#!;&|/])""", re.VERBOSE)


class ParseError(Exception):
    """Text that is not the generic form: an unreadable output is a failure of whoever printed it."""


@dataclasses.dataclass
class Operation:
    name: str
    results: list
    operands: list
    successors: list  # (block label, operands)
    attributes: dict
    regions: list
    operand_types: list
    result_types: list


@dataclasses.dataclass
class Block:
    label: str
    arguments: list
    types: list
    operations: list


def tokens(text):
    out, place = [], 0
    while place < len(text):
        match = TOKEN.match(text, place)
        if not match:
            raise ParseError(f"unreadable at {text[place:place + 40]!r}")
        if match["t"]:
            out.append(match["t"])
        place = match.end()
    return out + [""]


class Parser:
    def __init__(self, text):
        self.tokens, self.place = tokens(text), 0

    @property
    def next(self):
        return self.tokens[self.place]

    def take(self, wanted=None):
        token = self.next
        if wanted is not None and token != wanted:
            raise ParseError(f"{wanted!r} expected before {' '.join(self.tokens[self.place:self.place + 8])!r}")
        self.place += 1
        return token

    def accept(self, token):
        if self.next == token:
            self.place += 1
            return True
        return False

    def separated(self, close, read):
        items = []
        while self.next != close:
            items.append(read())
            if not self.accept(","):
                break
        self.take(close)
        return items

    def module(self):
        while self.next.startswith("#"):  # aliases of attributes and locations
            self._skip_alias()
        return self.operation()

    def _skip_alias(self):
        self.take()
        self.take("=")
        self.attribute()

    def operation(self):
        results = []
        while self.next.startswith("%"):
            name = self.take()
            if self.accept(":"):
                results += [f"{name}#{i}" for i in range(int(self.take()))]
            else:
                results.append(name)
            if not self.accept(","):
                break
        if results:
            self.take("=")
        name = self.take().strip('"')
        self.take("(")
        operands = self.separated(")", self.take)
        successors = []
        if self.accept("["):
            successors = self.separated("]", self._successor)
        attributes, regions = {}, []
        if self.accept("<{"):
            attributes.update(self.separated("}>", self._named))
        if self.accept("("):
            regions = self.separated(")", self.region)
        if self.accept("{"):
            attributes.update(self.separated("}", self._named))
        self.take(":")
        self.take("(")
        operand_types = self.separated(")", self.type)
        self.take("->")
        result_types = self.separated(")", self.type) if self.accept("(") else [self.type()]
        if self.next == "loc":
            self.take()
            self._balanced()
        return Operation(name, results, operands, successors, attributes, regions, operand_types, result_types)

    def _successor(self):
        label, operands = self.take(), []
        if self.accept("("):
            while self.next != ":":
                operands.append(self.take())
                self.accept(",")
            self.take(":")
            self.separated(")", self.type)
        return label, operands

    def region(self):
        self.take("{")
        blocks = []
        while not self.accept("}"):
            block = Block("", [], [], [])
            if self.next.startswith("^"):
                block.label = self.take()
                if self.accept("("):
                    for name, type_ in self.separated(")", self._argument):
                        block.arguments.append(name)
                        block.types.append(type_)
                self.take(":")
            while self.next != "}" and not self.next.startswith("^"):
                block.operations.append(self.operation())
            blocks.append(block)
        return blocks

    def _argument(self):
        name = self.take()
        self.take(":")
        type_ = self.type()
        if self.next == "loc":
            self.take()
            self._balanced()
        return name, type_

    def _named(self):
        name = self.take().strip('"')
        return name, self.attribute() if self.accept("=") else True

    def _balanced(self):
        """Skip one bracketed group and give its text."""
        pairs, depth, words = {"(": ")", "<": ">", "[": "]", "{": "}", "<{": "}>"}, [], []
        while True:
            token = self.take()
            words.append(token)
            if token in pairs:
                depth.append(pairs[token])
            elif depth and token == depth[-1]:
                depth.pop()
            elif depth and token == "}>" and depth[-2:] == [">", "}"]:  # `array<{…}>` written without a space
                depth = depth[:-2]
            if not depth:
                return "".join(words)
            if not token:
                raise ParseError("a bracket is never closed")

    def type(self):
        if self.next == "(":
            inner = self._balanced()
            self.take("->")
            return f"{inner}->{self._balanced() if self.next == '(' else self.type()}"
        text = self.take()
        return text + (self._balanced() if self.next == "<" else "")

    def attribute(self):
        token = self.next
        if token.startswith('"'):
            return self.take()[1:-1].encode().decode("unicode_escape")
        if token in ("true", "false"):
            self.take()
            if self.accept(":"):
                self.type()
            return token == "true"
        if token == "[":
            self.take()
            return self.separated("]", self.attribute)
        if token == "{":
            self.take()
            return dict(self.separated("}", self._named))
        if token == "array":
            self.take()
            self.take("<")
            self.take()
            values = []
            if self.accept(":"):
                while self.next != ">":
                    word = self.take()
                    values.append({"true": True, "false": False}.get(word) if word in ("true", "false") else _number(word))
                    self.accept(",")
            self.take(">")
            return values
        if re.fullmatch(r"-?\d.*|0x.*", token):
            value = _number(self.take())
            return _typed(token, value, self.type()) if self.accept(":") else value
        if token.startswith(("#", "@")) or token == "dense":
            text = self.take() + (self._balanced() if self.next == "<" else "")
            return text + (":" + self.type() if self.accept(":") else "")
        return self.type()


def _number(word):
    if word.startswith("0x"):
        return int(word, 16)
    return float(word) if any(c in word for c in ".eE") else int(word)


def _typed(token, value, type_):
    """Floats that have no decimal form are printed as their bits."""
    if token.startswith("0x") and type_ in ("f16", "f32", "f64"):
        size, code, whole = {"f16": (2, "e", "H"), "f32": (4, "f", "I"), "f64": (8, "d", "Q")}[type_]
        return struct.unpack("<" + code, struct.pack("<" + whole, value))[0] if size else value
    return float(value) if type_ in ("f16", "f32", "f64") else value


def functions(text):
    """{symbol: func.func operation} of the functions of a module that have bodies."""
    module = Parser(text).module()
    found = {}
    for block in module.regions[0] if module.name == "builtin.module" else []:
        for op in block.operations:
            if op.name == "func.func" and op.regions and op.regions[0]:
                found[op.attributes["sym_name"]] = op
    if module.name == "func.func":
        found[module.attributes["sym_name"]] = module
    return found
