"""Normalise a batch of images per channel, and mirror those that a mask selects."""
import numpy as np

SIZES = {"tiny": dict(shape=(4, 3, 8, 8)), "quick": dict(shape=(10, 3, 64, 64)), "cpu": dict(shape=(64, 3, 224, 224)),
         "gpu": dict(shape=(1000, 3, 224, 224))}


def run(images, mask, mean, deviation):
    scaled = (images / 255.0 - mean) / deviation
    scaled[mask] = scaled[mask, :, :, ::-1]
    return scaled


def inputs(size, fill):
    mask = fill((size["shape"][0],)) > 0.5
    mean, deviation = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
    return [fill(size["shape"], 0.0, 255.0), mask, mean.reshape(1, 3, 1, 1), deviation.reshape(1, 3, 1, 1)]


def floor(size):
    return 16 * int(np.prod(size["shape"])), 3 * int(np.prod(size["shape"]))


def pick(size, result):
    return [result[:3, :, 0, :], result[-3:, :, -1, :]]


def expected(size, arguments):
    images, mask, mean, deviation = arguments
    return [run(images[:3, :, :1], mask[:3], mean, deviation)[:, :, 0], run(images[-3:, :, -1:], mask[-3:], mean, deviation)[:, :, 0]]


def jax_run(jax):
    def run_jax(images, mask, mean, deviation):
        scaled = (images / 255.0 - mean) / deviation
        return jax.numpy.where(mask[:, None, None, None], scaled[..., ::-1], scaled)
    return jax.jit(run_jax)


def torch_run(torch):
    def run_torch(images, mask, mean, deviation):
        scaled = (images / 255.0 - mean) / deviation
        return torch.where(mask[:, None, None, None], torch.flip(scaled, [-1]), scaled)
    return torch.compile(run_torch)
