"""Kernels of the user's own: CUDA C that NVRTC compiles, PTX and machine code, launched beside compiled functions.

    nvrtc.py        the compiler, opened at run time
    headers.py      which files a source includes
    images.py       source or file -> machine code, cached
    symbols.py      the names in it
    parameters.py   what a kernel takes, as far as its text says it
    raw.py          RawKernel, RawModule
    elementwise.py  ElementwiseKernel; reduction.py: ReductionKernel
    source_module.py  SourceModule, In, Out, InOut
"""
from .elementwise import ElementwiseKernel
from .raw import RawKernel, RawModule
from .reduction import ReductionKernel
from .source_module import In, InOut, Out, SourceModule

__all__ = ["ElementwiseKernel", "In", "InOut", "Out", "RawKernel", "RawModule", "ReductionKernel", "SourceModule"]
