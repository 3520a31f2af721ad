"""PyCUDA's names, for programs that are written for it: `pycuda` in their imports becomes `npcc.pycuda`.

    import npcc.pycuda.autoinit
    import npcc.pycuda.driver as drv
    from npcc.pycuda.compiler import SourceModule
    from npcc.pycuda import gpuarray

    driver       memory, copies, streams, events, devices, In, Out, InOut
    compiler     SourceModule
    gpuarray     GPUArray, to_gpu, zeros, ...; cumath: functions of its elements
    elementwise  ElementwiseKernel; reduction: ReductionKernel; scan: InclusiveScanKernel, ExclusiveScanKernel
    curandom     rand and generators of random numbers; tools: pools of memory, what a device has

There is one context, the device's own, which npcc, CuPy and PyTorch share; what programs do about contexts is accepted and does nothing.
"""
