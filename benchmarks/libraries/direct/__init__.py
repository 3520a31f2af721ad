"""Calls of CUDA's libraries themselves, through ctypes: the bounds that npcc's functions are held against. A row names the method that makes its call."""
from .factors import Factors
from .fourier import Fourier
from .products import Products

PEERS = {"cublaslt": Products, "cufft": Fourier, "cusolver": Factors}
