# RUN: npcc %s --emit=import | FileCheck %s
"""print() and f-strings: what is known is text already."""


# CHECK-LABEL: func.func @show
# npcc export show(int, float, float64[:])
def show(n, x, a):
    # CHECK: np.print ["step ", [0, ""], " of 10\0A"](%arg0) : i64
    print("step", n, "of", 10)
    # CHECK: np.print [{{\[}}0, ".3f"], "|", [1, ">5"], "end"](%arg1, %arg0) : f64, i64
    print(f"{x:.3f}", f"{n:>5}", sep="|", end="end")
    # CHECK: np.print ["max ", [0, ""], "\0A"](%{{.*}}) : f64
    print("max", a.max())
    # CHECK: np.print ["(", [0, ""], ", 2)\0A"]
    print((n, 2))
