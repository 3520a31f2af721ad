# RUN: not %python %s 2>&1 | FileCheck %s
"""A coroutine is no function to compile, which is said of it, not that its source cannot be found."""
import npcc


@npcc.jit(cache=False)
async def waited(x):
    return x + 1


waited(1)
# CHECK: async-function.py", line 6
# CHECK: npcc.errors.CompileError: async def 'waited' cannot be compiled: use a plain function
