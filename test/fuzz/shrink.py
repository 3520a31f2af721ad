"""Make a failing program small: take away statements, blocks, expressions and array contents while it fails alike."""
from __future__ import annotations

import ast
import copy
import dataclasses
import math
import re
import time

import numpy as np


def shrink(program, fails, seconds=60.0, attempts=600):
    """The smallest program found for which `fails(program)` still holds. Deterministic within the limits given."""
    return _Shrinker(fails, time.monotonic() + seconds, attempts).run(program)


class _Shrinker:
    def __init__(self, fails, deadline, attempts):
        self.fails, self.deadline, self.left, self.seen = fails, deadline, attempts, set()

    def run(self, program):
        """Pass after pass, from statements to argument values, until a whole round changes nothing."""
        while True:
            before = program.source()
            for candidates in PASSES:
                program = self.reduce(program, candidates)
            if program.source() == before or self.left <= 0 or time.monotonic() > self.deadline:
                return program

    def reduce(self, program, candidates):
        """Take the first cut that still fails, and go on from its place: what failed before it rarely succeeds after it."""
        place = 0
        while True:
            for number, candidate in enumerate(candidates(program)):
                if number < place:
                    continue
                if self.accept(candidate):
                    program, place = candidate, number
                    break
            else:
                return program

    def accept(self, candidate):
        if self.left <= 0 or time.monotonic() > self.deadline:
            return False
        text = candidate.source()
        if text in self.seen:
            return False
        self.seen.add(text)
        self.left -= 1
        return self.fails(candidate)


def _ends(tree):
    """Whether every `while` still counts down: a cut that loses the count would only hang."""
    return all(any(isinstance(s, ast.AugAssign) and isinstance(s.op, ast.Sub) and isinstance(s.target, ast.Name) for s in node.body)
               for node in ast.walk(tree) if isinstance(node, ast.While))


def _with_functions(program, tree):
    if not _ends(tree):
        return
    try:
        text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        exec(compile(text, "<cut>", "exec"), {"np": np})
    except Exception:  # the cut left no program, or took a class that another one is made of
        return
    yield program.replace(functions=text)


def _bodies(tree):
    """(path to) every statement list of the tree, outer ones first."""
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            if isinstance(getattr(node, field, None), list):
                yield node, field


def _edit(tree, index, change):
    """A copy of the tree with `change(statement list)` applied to its index-th body."""
    changed = copy.deepcopy(tree)
    node, field = list(_bodies(changed))[index]
    setattr(node, field, change(getattr(node, field)))
    if field == "body" and not node.body and not isinstance(node, ast.Module):
        node.body = [ast.Pass()]
    return changed


def _without_statements(tree):
    for index, (node, field) in enumerate(_bodies(tree)):
        count = len(getattr(node, field))
        run = count
        while run >= 1:
            for start in range(0, count, run):
                removed = getattr(node, field)[start:start + run]
                needed = any(isinstance(s, ast.FunctionDef) and s.name == "program" for s in removed)
                if not needed and not all(isinstance(s, ast.Pass) for s in removed):
                    yield _edit(tree, index, lambda body, a=start, b=start + run: body[:a] + body[b:])
            run //= 2


def _unwrapped_blocks(tree):
    """`if`, `for`, `while` replaced by their bodies; a loop's counter by its first value."""
    for index, (node, field) in enumerate(_bodies(tree)):
        for place, statement in enumerate(getattr(node, field)):
            if isinstance(statement, (ast.If, ast.While, ast.For)):
                for part in ("body", "orelse"):
                    inner = getattr(statement, part)
                    if not inner:
                        continue
                    if isinstance(statement, ast.For) and isinstance(statement.target, ast.Name):
                        inner = [ast.Assign([statement.target], ast.Constant(1)), *inner]
                    yield _edit(tree, index, lambda body, p=place, i=inner: body[:p] + copy.deepcopy(i) + body[p + 1:])


def _smaller_results(tree):
    """Each returned element alone; then a bare return of any assigned name."""
    for number, node in enumerate(n for n in ast.walk(tree) if isinstance(n, ast.Return)):
        options = list(node.value.elts) if isinstance(node.value, ast.Tuple) else []
        for option in options:
            changed = copy.deepcopy(tree)
            [n for n in ast.walk(changed) if isinstance(n, ast.Return)][number].value = option
            yield changed


def _expressions(tree):
    """Every replaceable expression as (parent, field, position or None)."""
    for parent in ast.walk(tree):
        if isinstance(parent, (ast.arguments, ast.JoinedStr)):
            continue
        for field, value in ast.iter_fields(parent):
            if field in ("func", "targets", "target", "slice", "annotation"):
                continue
            if isinstance(value, ast.expr):
                yield parent, field, None
            elif isinstance(value, list):
                yield from ((parent, field, i) for i, v in enumerate(value) if isinstance(v, ast.expr))


def _get(place):
    parent, field, position = place
    return getattr(parent, field) if position is None else getattr(parent, field)[position]


def _simpler(node):
    """Expressions to try in place of this one: its parts, then constants."""
    if isinstance(node, (ast.Constant, ast.Name)):
        return
    parts = [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr) and not (isinstance(n, ast.Name) and n.id == "np")]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        parts = [node.func.value, *node.args] if not isinstance(node.func.value, ast.Name) or node.func.value.id != "np" else node.args
    yield from (p for p in parts if not isinstance(p, (ast.Slice, ast.Starred)))
    yield ast.Constant(2)
    if isinstance(node, ast.Call):
        for i in range(len(node.keywords)):
            smaller = copy.deepcopy(node)
            del smaller.keywords[i]
            yield smaller


def _smaller_expressions(tree):
    for number, place in enumerate(_expressions(tree)):
        for option in _simpler(_get(place)):
            changed = copy.deepcopy(tree)
            parent, field, position = list(_expressions(changed))[number]
            option = copy.deepcopy(option)
            if position is None:
                setattr(parent, field, option)
            else:
                getattr(parent, field)[position] = option
            yield changed


def _fewer_arguments(program):
    tree = ast.parse(program.functions)
    entry = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "program")
    used = {n.id for n in ast.walk(entry) if isinstance(n, ast.Name)}
    for i, (name, _) in enumerate(program.arguments):
        if name not in used and not any(name == text for _, text in program.arguments):
            changed = copy.deepcopy(tree)
            for node in changed.body:
                if isinstance(node, ast.FunctionDef) and node.name == "program":
                    del node.args.args[i]
            without = program.replace(functions=ast.unparse(changed) + "\n", arguments=program.arguments[:i] + program.arguments[i + 1:])
            if program.later:
                bases, arguments = program.later
                if any(name == text for _, text in arguments):
                    continue
                without = without.replace(later=(bases, arguments[:i] + arguments[i + 1:]))
            yield without


def _plain_layouts(program):
    for i, (name, text) in enumerate(program.arguments):
        base = next((b for b in program.bases if re.search(rf"\b{b.name}\b", text)), None)
        if base is not None and text != base.name:
            yield program.replace(arguments=[*program.arguments[:i], (name, base.name), *program.arguments[i + 1:]])


def _smaller_extents(program):
    """All axes of one extent cut alike, since programs rely on equal extents; then single bases."""
    extents = sorted({n for b in program.bases for n in b.shape}, reverse=True)
    for old in extents:
        for new in dict.fromkeys([1, 2, old // 2, old - 1]):
            if 0 < new < old:
                yield program.replace(bases=[_resized(b, tuple(new if n == old else n for n in b.shape)) for b in program.bases])


def _resized(base, shape):
    if shape == base.shape:
        return base
    if base.values is None:
        return dataclasses.replace(base, shape=shape)
    kept = []
    for flat in range(math.prod(shape)):
        index, rest = 0, flat
        weight = 1
        for have, want in zip(reversed(base.shape), reversed(shape)):
            index += rest % want * weight
            rest //= want
            weight *= have
        kept.append(base.values[index])
    return dataclasses.replace(base, shape=shape, values=kept)


def _simpler_values(program):
    """All values of a base at once: counting numbers, then each array's numbers rounded."""
    for i, base in enumerate(program.bases):
        if not base.values:
            continue
        cast = bool if base.dtype == "bool_" else complex if base.dtype.startswith("complex") else \
            float if base.dtype.startswith("float") else int
        counting = [cast(k % 2) if cast is bool else cast(k % 100 + 1) for k in range(len(base.values))]
        for values in (counting, [cast(1)] * len(base.values)):
            if values != base.values and not (base.values == counting):
                yield program.replace(bases=[*program.bases[:i], dataclasses.replace(base, values=values), *program.bases[i + 1:]])


def _on_trees(edits):
    def candidates(program):
        for tree in edits(ast.parse(program.functions)):
            yield from _with_functions(program, tree)
    return candidates


def _one_call(program):
    """Without the later call, or with its arguments alone."""
    if program.later:
        yield program.replace(later=None)
        yield program.in_later_call()


def _of_each_call(candidates):
    """What makes the arguments of the first call smaller, and those of the later one."""
    def both(program):
        yield from candidates(program)
        if program.later:
            yield from (program.replace(later=(p.bases, p.arguments)) for p in candidates(program.in_later_call()))
    return both


PASSES = [_one_call, _on_trees(_without_statements), _on_trees(_smaller_results), _on_trees(_unwrapped_blocks), _on_trees(_without_statements),
          _on_trees(_smaller_expressions), _fewer_arguments, *map(_of_each_call, (_plain_layouts, _smaller_extents, _simpler_values))]
