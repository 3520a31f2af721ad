# RUN: npcc explain --target cpu %s more | FileCheck %s
# RUN: npcc explain --target cpu --html %t.html %s 2>&1 | FileCheck %s --check-prefix=PAGE
# RUN: npcc explain --target cpu %s --html %t.behind.html 2>&1 | FileCheck %s --check-prefix=PAGE
# RUN: FileCheck %s --check-prefix=HTML < %t.html
"""`npcc explain` runs the script, and shows what its functions became for the calls that it made."""
import sys

import numpy as np


def length(x):
    return np.sqrt(x * x + 1)


# CHECK: arguments: 2
# CHECK: length(float64[:]), cpu
# CHECK-NEXT: for x: 100000
# CHECK-NEXT: kernel 1: map over 100,000 [explain-a-script.py:12
# CHECK-NEXT: return np.sqrt(x * x + 1)
# CHECK-NEXT: reads x 800,000 bytes
# CHECK-NEXT: writes {{.*}} 800,000 bytes
# CHECK-NEXT: floor {{.*}} on this machine's memory
# CHECK-NEXT: measured
# PAGE: arguments: 1
# PAGE: npcc: the page is {{.*}}.html
# HTML: <code>length(float64[:])</code> cpu
# HTML: <td class="number">12</td><td>    return np.sqrt(x * x + 1)</td><td class="marks"><a class="kernel"
# HTML-NOT: src=
print("arguments:", len(sys.argv), flush=True)
length(np.arange(1e5))
