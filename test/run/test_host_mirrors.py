"""Loops of the host around kernels, whose iterations begin with a few elements of the arguments: the host has copies of these."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison


def fill_triangles(corners, faces, colors, height, width):
    image = np.zeros((height, width))
    depth = np.full((height, width), np.inf)
    for f in range(len(faces)):
        corner = corners[faces[f]]
        x, y, z = corner[:, 0], corner[:, 1], corner[:, 2]
        left, right = max(int(np.floor(x.min())), 0), min(int(np.ceil(x.max())), width - 1)
        low, high = max(int(np.floor(y.min())), 0), min(int(np.ceil(y.max())), height - 1)
        if left > right or low > high:
            continue
        px, py = np.meshgrid(np.arange(left, right + 1), np.arange(low, high + 1))
        area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
        if abs(area) < 1e-12:
            continue
        first = ((x[1] - px) * (y[2] - py) - (x[2] - px) * (y[1] - py)) / area
        second = ((x[2] - px) * (y[0] - py) - (x[0] - px) * (y[2] - py)) / area
        here = first * z[0] + second * z[1] + (1 - first - second) * z[2]
        near = (first >= 0) & (second >= 0) & (first + second <= 1) & (here < depth[low:high + 1, left:right + 1])
        depth[low:high + 1, left:right + 1][near] = here[near]
        image[low:high + 1, left:right + 1][near] = colors[f]
    return image, depth


def centre_of_boxes(corners, image):
    """The host reads what is made of the few elements, and not themselves."""
    for k in range(len(corners)):
        corner = corners[k] * 1.5
        low, high = int(np.floor(corner.min())), int(np.ceil(corner.max()))
        image[low:high] += corner[0] - corner[1] * np.arange(low, high)
    return image


def brighten(boxes, image):
    """Each box depends on what was read of `boxes`, and the next one on what this one has left."""
    for k in range(len(boxes)):
        place = boxes[k] // 2
        y, x = place[0], place[1]
        image[y:y + 3, x:x + 3] = image[y:y + 3, x:x + 3] * 0.5 + image[y + 1:y + 4, x:x + 3].max() + place[1]
    return image


def walk(places, image):
    """What a step reads, the one before has stored: no copy from before the loop would do."""
    for k in range(len(places) - 1):
        place = places[k] + 1
        y, x = place[0], place[1]
        image[y:y + 2, x:x + 2] += image[:2, :2].max() + y
        places[k + 1] = (place * 3 + k) % 5
    return image


def triangles(count, seed):
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-2, 22, (count, 1, 2))
    corners = np.concatenate([centres + rng.uniform(-5, 5, (count, 3, 2)), rng.uniform(1, 9, (count, 3, 1))], axis=2)
    return corners.reshape(-1, 3), rng.permutation(3 * count).reshape(count, 3), rng.uniform(0, 1, count)


class HostMirrors(Comparison):
    def test_triangles(self):
        compiled = npcc.jit(fill_triangles, target=TARGET)
        for count in (24, 0, 1):
            self.compare(fill_triangles, [*triangles(count, count), 20, 18], compiled)

    def test_errors(self):
        compiled = npcc.jit(fill_triangles, target=TARGET)
        corners, faces, colors = triangles(20, 5)
        faces[17, 1] = len(corners)
        self.compare(fill_triangles, [corners, faces, colors, 16, 16], compiled)
        corners[faces[3, 0], 0] = np.nan
        self.compare(fill_triangles, [corners, faces, colors, 16, 16], compiled)

    def test_made_of_few(self):
        rng = np.random.default_rng(4)
        self.compare(centre_of_boxes, [rng.uniform(0, 20, (30, 2)), rng.uniform(0, 1, 40)])

    def test_dependent_boxes(self):
        rng = np.random.default_rng(2)
        self.compare(brighten, [rng.integers(0, 30, (40, 2)), rng.uniform(0, 1, (24, 24))])

    def test_stored_in_the_loop(self):
        rng = np.random.default_rng(3)
        self.compare(walk, [rng.integers(0, 5, (40, 2)), rng.uniform(0, 1, (8, 8))])

    def test_one_memory(self):
        """The image and the places are one array."""
        for function, at in ((brighten, slice(0, 6)), (walk, slice(2, 8))):
            memory = np.arange(64).reshape(8, 8) % 5
            self.compare(function, [memory[at, :2], memory])

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_launches(self):
        counts = [self.launches(fill_triangles, *triangles(count, 7), 16, 16) for count in (20, 60)]
        # Its box, and what is stored where it is near; none that the host would wait for.
        self.assertLessEqual(counts[1] - counts[0], 3 * 40)
        rng = np.random.default_rng(5)
        counts = [self.launches(centre_of_boxes, rng.uniform(0, 20, (count, 2)), rng.uniform(0, 1, 40)) for count in (20, 60)]
        self.assertEqual(counts[1] - counts[0], 40)


if __name__ == "__main__":
    unittest.main()
