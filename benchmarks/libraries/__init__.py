"""Functions behind libraries: products, Fourier transforms, factorisations, sorts and random numbers beside the peers'."""
