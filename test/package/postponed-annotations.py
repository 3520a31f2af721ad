# RUN: npcc %s --emit=np --target cpu | FileCheck %s
"""A dataclass looks for its module where annotations are texts: a script that has both could not be imported."""
from __future__ import annotations

from dataclasses import dataclass

import npcc


@dataclass
class Box:
    width: float
    height: float = 2.0


# CHECK-LABEL: func.func @volume
# CHECK:         return %{{.*}} : tensor<f64>
def volume(x: npcc.f64[:], width: float):
    box = Box(width)
    return x.sum() * box.width * box.height
