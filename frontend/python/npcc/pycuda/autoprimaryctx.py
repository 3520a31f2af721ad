"""`import npcc.pycuda.autoinit`: the GPU is opened when it is first used, so there is nothing to begin."""
from . import driver

device = driver.Device(driver.current_device())
context = device.make_context()
