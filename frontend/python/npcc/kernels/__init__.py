from .raw import RawKernel, RawModule
