"""Normalisation of a batch of images by channel, and a horizontal flip of those that a mask selects."""
import numpy as np


# npcc export normalise(float64[:,:,:,:], bool[:]), normalise(float32[:,:,:,:], bool[:])
def normalise(images, flip):
    """images: (batch, channel, height, width). Each channel gets mean 0 and deviation 1 over the batch."""
    mean = np.mean(images, axis=(0, 2, 3), keepdims=True)
    deviation = np.std(images, axis=(0, 2, 3), keepdims=True)
    result = (images - mean) / deviation
    result[flip] = result[flip, :, :, ::-1]
    return result


if __name__ == "__main__":
    images = np.random.default_rng(0).uniform(0, 255, (8, 3, 32, 32))
    out = normalise(images, np.arange(8) % 2 == 0)
    print("means", np.round(out.mean(axis=(0, 2, 3)), 12), "deviations", out.std(axis=(0, 2, 3)))
