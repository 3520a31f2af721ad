# REQUIRES: x86
# RUN: npcc %s --emit=asm | FileCheck %s
"""What bits of data decide, in a loop that carries it, is a selection: no branch, which would be told wrong half of the time."""
import npcc


# CHECK-LABEL: checksum
# CHECK-COUNT-8: cmov
@npcc.jit(target="cpu")
def checksum(data: npcc.u8[:], poly: int):
    total = 0xFFFF
    for byte in data:
        for _ in range(8):
            if (total & 1) ^ (byte & 1):
                total = (total >> 1) ^ poly
            else:
                total >>= 1
            byte >>= 1
    return total
