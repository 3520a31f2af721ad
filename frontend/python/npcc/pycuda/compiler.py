"""pycuda.compiler: CUDA C, compiled by NVRTC."""
from ..kernels import SourceModule
from ..kernels.raw import RawModule

DEFAULT_NVCC_FLAGS = []

__all__ = ["DEFAULT_NVCC_FLAGS", "SourceModule", "RawModule"]
