"""A small network trained in float32 and under npcc.autocast: products in bfloat16 or float16 on tensor cores, everything that is delicate in float32.

    python3 examples/mixed_precision.py [--steps 200] [--batch 256] [--width 256] [--dtype bfloat16] [--target cuda]

The backward pass is written in NumPy, so that this shows what each part is computed in. float16 has few exponents: its loss is scaled, so that small
gradients do not vanish (npcc.GradScaler). bfloat16 has those of float32 and needs no scale.
"""
import argparse
import time

import numpy as np

import npcc


def forward(layers, x):
    """The activations of each layer, then the scores of the classes."""
    activations = [x]
    for w, b in layers[:-1]:
        activations.append(np.maximum(activations[-1] @ w + b, 0))
    w, b = layers[-1]
    return activations, activations[-1] @ w + b


def loss_and_gradients(layers, x, labels, scale):
    """Cross entropy, and the gradients of all weights times `scale`. Exponentials, logarithms and sums are float32's under autocast, products are not."""
    activations, scores = forward(layers, x)
    scores = scores - np.max(scores, axis=1, keepdims=True)
    exponentials = np.exp(scores)
    totals = np.sum(exponentials, axis=1, keepdims=True)
    rows = np.arange(x.shape[0])
    loss = np.mean(np.log(totals[:, 0]) - scores[rows, labels])
    delta = exponentials / totals
    delta[rows, labels] -= 1
    delta *= scale / x.shape[0]
    gradients = []
    for (w, b), activation in zip(layers[::-1], activations[::-1]):
        gradients.append((activation.T @ delta, np.sum(delta, axis=0)))
        delta = np.where(activation > 0, delta @ w.T, 0)
    return loss, gradients[::-1]


def update(layers, gradients, rate):
    for (w, b), (dw, db) in zip(layers, gradients):
        w -= rate * dw
        b -= rate * db


def spirals(random, count, classes=3):
    """Points in a plane, in arms of spirals; the classes are the arms."""
    labels = random.integers(0, classes, count)
    radius = random.random(count)
    angle = 4 * radius + 2 * np.pi * labels / classes + 0.15 * random.standard_normal(count)
    points = np.stack([radius * np.sin(angle), radius * np.cos(angle)], axis=1)
    features = np.concatenate([points * k for k in (1, 2, 4)], axis=1)
    return np.concatenate([np.sin(np.pi * features), np.cos(np.pi * features), features], axis=1).astype(np.float32), labels


def network(random, widths):
    return [((random.standard_normal((m, n)) * np.sqrt(2 / m)).astype(np.float32), np.zeros(n, np.float32)) for m, n in zip(widths, widths[1:])]


def train(dtype, steps=200, batch=256, width=256, target=None, rate=0.1):
    """The losses of all steps; dtype: None for float32, "bfloat16" or "float16"."""
    random = np.random.default_rng(0)
    layers = network(random, (18, width, width, 3))
    compute = npcc.jit(loss_and_gradients, target=target)
    apply = npcc.jit(update, target=target)
    scaler = npcc.GradScaler(init_scale=2.0**12, growth_interval=100, enabled=dtype == "float16", target=target)
    losses = []
    for _ in range(steps):
        x, labels = spirals(random, batch)
        with npcc.autocast(dtype or "float16", enabled=dtype is not None):
            loss, gradients = compute(layers, x, labels, np.float32(scaler.get_scale()))
        gradients = [(np.asarray(dw, np.float32), np.asarray(db, np.float32)) for dw, db in gradients]
        scaler.unscale(gradients)
        scaler.step(apply, layers, gradients, np.float32(rate))
        scaler.update()
        losses.append(float(loss))
    return losses


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--dtype", choices=("bfloat16", "float16"), default="bfloat16")
    parser.add_argument("--target", choices=("cpu", "cuda"))
    options = parser.parse_args()
    finals = {}
    for dtype in (None, options.dtype):
        begin = time.perf_counter()
        losses = train(dtype, options.steps, options.batch, options.width, options.target)
        finals[dtype] = np.mean(losses[-20:])
        print(f"{dtype or 'float32':9}: loss {losses[0]:.4f} -> {finals[dtype]:.4f} in {time.perf_counter() - begin:.2f} s")
    print(f"difference of the losses: {abs(finals[None] - finals[options.dtype]):.4f}")


if __name__ == "__main__":
    main()
