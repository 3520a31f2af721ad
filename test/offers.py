#!/usr/bin/env python3
"""Alternatives are offered by np.alternatives and planned by one pass.

  offers.py ROOT OPT

What depends on the extents is no branch that a pass makes by itself, but an offer, which npcc-plan-alternatives decides. That pass comes directly behind
each pass that offers, so that no other one meets an offer. A number that decides (np.choice) is the emitters' and the library's only. `OPT` is npcc-opt,
which is asked for its pipelines.
"""
import os
import re
import subprocess
import sys

PIPELINES = ("npcc-np-to-loops", "npcc-loops-to-cpu", "npcc-loops-to-launches")
PLANNING = "npcc-plan-alternatives"
# Who may decide by a number, or by a condition that is no two regions of code.
CHOOSING = {"compiler/gpu/emit/HostSide.cpp", "frontend/numpy/Routines.cpp"}


def pass_name(definition):
    """GROUPUPDATES has no words any more, so names are compared without their hyphens."""
    return "npcc" + definition.lower()


def read(root):
    """(path from the root, text) of all sources of the compiler and of the importer."""
    for top in ("compiler", "frontend"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith((".cpp", ".h")):
                    with open(os.path.join(folder, name), errors="replace") as file:
                        yield os.path.relpath(os.path.join(folder, name), root), file.read()


def find_offering(root, sources):
    """Passes, without hyphens, that offer: by their own code, or, as their tests show, by that of a helper."""
    found = {pass_name(name) for _, text in sources if "AlternativesOp::create" in text for name in re.findall(r"GEN_PASS_DEF_(\w+)", text)}
    for folder in ("passes", "cpu", "gpu"):
        for name in sorted(os.listdir(os.path.join(root, "test", folder))):
            if name.endswith(".mlir") and name != "plan-alternatives.mlir":
                with open(os.path.join(root, "test", folder, name)) as file:
                    if re.search(r"^// CHECK[^\n]*np\.alternatives", file.read(), re.M):
                        found.add(pass_name(name[:-len(".mlir")].replace("-", "")))
    return found


def complaints(sources, pipelines, offering):
    """`pipelines`: the names of the passes of each, in order."""
    for path, text in sources:
        if "ChoiceOp::create" in text and path not in CHOOSING:
            yield f"{path} decides by an np.choice: two regions of code are offered by np.alternatives"
    for passes in pipelines:
        for name, following in zip(passes, passes[1:] + [""]):
            if name.replace("-", "") in offering and following != PLANNING:
                yield f"{name} offers alternatives, and {following or 'nothing'} comes behind it"


def dump(opt, pipeline):
    """The passes of a pipeline, whatever they are nested in."""
    done = subprocess.run([opt, f"--{pipeline}", "--dump-pass-pipeline"], input="module {}", capture_output=True, text=True, check=True)
    text = done.stderr + done.stdout
    return [name for name in re.findall(r"[\w.-]+", re.sub(r"\{[^{}]*\}", "", text)) if name.startswith("npcc-") or name in ("canonicalize", "cse")]


def main():
    root, opt = sys.argv[1:]
    sources = list(read(root))
    offering = find_offering(root, sources)
    pipelines = [dump(opt, pipeline) for pipeline in PIPELINES]
    passes = {name.replace("-", "") for each in pipelines for name in each}
    found = list(complaints(sources, pipelines, offering))
    print("\n".join(found + [f"{len(offering & passes)} passes offer, {len(found)} complaints"]))
    return 1 if found or not offering & passes else 0


if __name__ == "__main__":
    sys.exit(main())
