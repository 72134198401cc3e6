# SPDX-License-Identifier: Apache-2.0
"""The scene around the cells: tissue from photographs, its movements, light and camera."""
import numpy as np
from scipy import ndimage
from skimage import filters, transform

MARGIN = 80  # pixels of tissue beyond each side of the picture, for shifts


def tissue(photo: np.ndarray, size, random, blur: float) -> np.ndarray:
    """A crop of a photograph, blurred, of mean 0 and deviation 1, with MARGIN pixels beyond the picture."""
    columns, rows = (side + 2 * MARGIN for side in size)
    photo = np.asarray(photo, float)
    scale = max(rows / photo.shape[0], columns / photo.shape[1]) * random.uniform(1, 1.5)
    photo = transform.rescale(photo, scale, order=1, anti_aliasing=scale < 1)
    top, left = (random.randint(have - need + 1) for have, need in zip(photo.shape, (rows, columns), strict=True))
    crop = filters.gaussian(photo[top:top + rows, left:left + columns], blur)
    crop = crop - 0.7 * filters.gaussian(crop, 60)  # large areas of sky or shade are not like tissue
    crop = np.tanh((crop - crop.mean()) / (2 * crop.std()))  # nor are the hardest edges
    return (crop - crop.mean()) / crop.std()


class Movement:
    """How far the tissue, and every cell with it, is shifted: the same everywhere, or more in some parts."""

    def __init__(self, frames: int):
        self.shifts = np.zeros((frames, 2))  # x, y of the whole picture
        self.breath = np.zeros(frames)       # times direction() at each place
        self.wave = None

    def drift(self, velocity: np.ndarray) -> None:
        frames = len(self.shifts)
        self.shifts += (np.arange(frames) - frames / 2)[:, None] * velocity

    def jump(self, frame: int, by: np.ndarray) -> None:
        self.shifts[frame:] += by

    def breathe(self, random, amplitude: float, period: float) -> None:
        """A sine in time; its strength and direction vary smoothly over the picture."""
        self.breath = amplitude * np.sin(2 * np.pi * np.arange(len(self.breath)) / period + random.uniform(0, 6))
        self.wave = random.uniform(0, 2 * np.pi, 4)

    def direction(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        heading, one, two, three = self.wave
        strength = 0.7 + 0.3 * np.sin(x / 70 + one) * np.cos(y / 55 + two)
        angle = heading + 0.5 * np.sin(x / 90 + y / 120 + three)
        return strength * np.cos(angle), strength * np.sin(angle)

    def moved(self, path: np.ndarray) -> np.ndarray:
        """The path of something on the tissue, as the camera sees it."""
        path = path + self.shifts
        if self.wave is None:
            return path
        return path + self.breath[:, None] * np.stack(self.direction(path[:, 0], path[:, 1]), 1)

    def picture(self, wide: np.ndarray, frame: int, size) -> np.ndarray:
        """The tissue at that frame; wide has MARGIN more on each side."""
        y, x = np.mgrid[:size[1], :size[0]].astype(float)
        across, down = (np.zeros(()), np.zeros(())) if self.wave is None else self.direction(x, y)
        right, below = self.shifts[frame]
        rows, columns = y - below - self.breath[frame] * down, x - right - self.breath[frame] * across
        return ndimage.map_coordinates(wide, [rows + MARGIN, columns + MARGIN], order=1, mode="nearest")

    def still(self, frame: int) -> bool:
        """Like the frame before."""
        same = (self.shifts[frame] == self.shifts[frame - 1]).all() and self.breath[frame] == self.breath[frame - 1]
        return bool(frame > 0 and same)


def vignette(size, strength: float) -> np.ndarray:
    """1 in the middle, 1 - strength in the corners."""
    y, x = np.mgrid[:size[1], :size[0]].astype(float)
    middle = (np.array(size) - 1) / 2
    return 1 - strength * (((x - middle[0]) / middle[0]) ** 2 + ((y - middle[1]) / middle[1]) ** 2) / 2


def camera(levels: np.ndarray, random, photons: float, read_noise: float, bits: int) -> np.ndarray:
    """Grey levels of 0 to 255 with photon noise (photons per level) and read noise (levels), as 8 or 16 bits."""
    noisy = random.poisson(np.clip(levels, 0, None) * photons) / photons + random.normal(0, read_noise, levels.shape)
    if bits == 8:
        return np.clip(np.round(noisy), 0, 255).astype(np.uint8)
    return np.clip(np.round(100 + 40 * noisy), 0, 65535).astype(np.uint16)
