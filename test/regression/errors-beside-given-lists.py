# RUN: %python %s | FileCheck %s
"""An error in a function that was given a list ended in a crash, when what the list holds was to be handed back."""
import npcc


@npcc.jit(target="cpu")
def repeated(words):
    kept = []
    while len(kept) < 2:
        kept.append(words)
    return kept


try:
    print(repeated(["x", "y"]))
except npcc.CompileError as error:
    # CHECK: {{a list of a list that is made in a loop|x.*y.*x.*y}}
    print(error)
