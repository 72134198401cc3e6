# SPDX-License-Identifier: Apache-2.0
"""Cells found in a frame and followed through a film by Tessera and by programs that a user would write with NumPy,
SciPy, scikit-image and OpenCV. The film is made here, so that the positions of the cells are known. A contender that
looks for something else (blobs, circles, patches that move) says so and must still find half of the cells."""
import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from peers import Absent, Contender, Prepared, library

import tessera

CELLS, RADIUS = 36, 10.0
NEAR = 2.0  # pixels from a cell's true centre
MISSED = 0.1  # share of the cells that may be missed
RADII = range(6, 15)
SAMPLES = 150
THRESHOLD = 1.8
DISK = 12
HALF_WINDOW = (20, 40)  # rows and columns to each side of a cell
MGVF_STEPS = 500


@dataclass(frozen=True)
class CellsCase:
    width: int
    height: int
    frames: int  # 1: only finding
    dtype: str = "uint8"
    channels: int = 1

    def name(self) -> str:
        what = "found in a frame" if self.frames == 1 else f"followed through {self.frames} frames"
        return f"{self.width}x{self.height} {self.dtype}, {CELLS} cells {what}"

    def shape(self) -> tuple[int, ...]:
        return self.frames, self.height, self.width

    def image(self) -> np.ndarray:
        return made_film(self)

    def bytes(self) -> int:
        return self.frames * self.width * self.height

    def flops(self) -> int:
        return 0

    def weights(self, rng: np.random.Generator) -> np.ndarray:
        return np.empty(0)


@functools.cache
def centres(case: CellsCase) -> tuple[np.ndarray, np.ndarray]:
    """The positions of the cells in frame 0, (cells, 2) as x, y, and their movement per frame."""
    rng = np.random.default_rng(3)
    across = 9
    spots = np.array([(k % across, k // across) for k in range(CELLS)]) + rng.uniform(0.35, 0.65, (CELLS, 2))
    spots *= np.array([case.width - 120, case.height - 90]) / np.array([across, CELLS / across])
    return spots + np.array([60, 45]), np.stack([rng.uniform(0.3, 1.2, CELLS), np.zeros(CELLS)], 1)


@functools.cache
def made_film(case: CellsCase) -> np.ndarray:
    rng = np.random.default_rng(5)
    y, x = np.mgrid[:case.height, :case.width]
    start, moves = centres(case)
    film = np.empty(case.shape(), np.uint8)
    for frame in range(case.frames):
        light = np.full((case.height, case.width), 110.0)
        for cell_x, cell_y in start + frame * moves:
            light += 40 / (1 + np.exp((np.hypot(x - cell_x, y - cell_y) - RADIUS).clip(-50, 50) / 0.75))
        film[frame] = np.rint(light + rng.normal(0, 4, light.shape)).clip(0, 255)
    return film


def found_share(case: CellsCase, found: np.ndarray) -> float:
    start, moves = centres(case)
    truth = start + (case.frames - 1) * moves
    if not len(found):
        return 0.0
    distances = np.hypot(*(truth[:, None] - np.asarray(found, float).reshape(-1, 2)[None]).transpose(2, 0, 1))
    return float((distances.min(1) <= NEAR).mean())


def missed_cells(case: CellsCase, film: np.ndarray, _: np.ndarray, result: np.ndarray) -> float:
    """Cells that are not found, or not followed to the last frame, in units of the number allowed."""
    return (1 - found_share(case, result)) / MISSED


def roughly(case: CellsCase, result: Callable[[], np.ndarray]) -> Callable[[], np.ndarray]:
    """For contenders with another definition: they must find half of the cells."""

    def checked() -> np.ndarray:
        share = found_share(case, result())
        if share < 0.5:
            raise Absent(f"not timed: it finds {100 * share:.0f}% of the cells")
        return result()

    return checked


def door(name: str) -> Any:
    if not hasattr(tessera, name):
        raise Absent(f"this tessera has no {name}")
    return getattr(tessera, name)


def only(case: CellsCase, follows: bool) -> None:
    if (case.frames > 1) != follows:
        raise Absent("it only follows cells" if follows else "it only finds cells")


class TesseraCells(Contender):
    name = "tessera"
    module = "tessera"

    def __init__(self, backend: str = "cpu") -> None:
        self.backend = backend

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        last: dict[str, Any] = {}
        words = {"backend": self.backend, "flow": 0.0, "threads": threads}

        def positions() -> np.ndarray:
            found = last["found"]
            there = found["FRAME"] == case.frames - 1 if "FRAME" in found else slice(None)
            return np.stack([found["POSITION_X"][there], found["POSITION_Y"][there]], 1)

        if case.frames == 1:
            detect = door("detect_cells")
            return Prepared(lambda: last.update(found=detect(image[0], **words)), positions)
        track = door("track_cells")
        # Ten frames are too few to tell which cells stand still, and the others do not look for that either.
        words |= {"background": "none", "min_frames": min(10, case.frames)}
        return Prepared(lambda: last.update(found=track(image, **words)), positions)


def gicov(frame: np.ndarray) -> np.ndarray:
    """The largest m / sqrt(v) over all circles, by shifting whole images."""
    gy, gx = np.gradient(frame.astype(np.float32))
    margin = max(RADII) + 2
    height, width = frame.shape
    inside = (slice(margin, height - margin), slice(margin, width - margin))
    best = np.zeros_like(gx[inside])
    angles = 2 * np.pi * np.arange(SAMPLES) / SAMPLES
    for radius in RADII:
        total, squares = np.zeros_like(best), np.zeros_like(best)
        for angle in angles:
            dx, dy = round(radius * np.cos(angle)), round(radius * np.sin(angle))
            part = (slice(margin + dy, height - margin + dy), slice(margin + dx, width - margin + dx))
            slope = gx[part] * np.float32(np.cos(angle)) + gy[part] * np.float32(np.sin(angle))
            total += slope
            squares += slope * slope
        mean = total / SAMPLES
        score = mean / np.sqrt((squares - SAMPLES * mean * mean) / (SAMPLES - 1) + 1e-12)
        best = np.where(abs(score) > abs(best), score, best)
    whole = np.zeros_like(gx)
    whole[inside] = best
    return whole


def maxima(score: np.ndarray) -> np.ndarray:
    y, x = np.mgrid[-DISK:DISK + 1, -DISK:DISK + 1]
    square = score * score
    dilated = library("scipy.ndimage").grey_dilation(square, footprint=x * x + y * y <= DISK * DISK)
    rows, columns = np.nonzero((square == dilated) & (square > THRESHOLD ** 2))
    return np.stack([columns, rows], 1).astype(float)


class NumpyGicov(Contender):
    name = "numpy GICOV, scipy grey_dilation (1 thread)"
    module = "numpy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        only(case, False)
        last: dict[str, np.ndarray] = {}
        return Prepared(lambda: last.update(found=maxima(gicov(image[0]))), lambda: last["found"])


class SkimageBlobs(Contender):
    name = "scikit-image blob_log (1 thread)"
    other = "Laplacians of Gaussians"
    module = "skimage"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        only(case, False)
        blobs = library("skimage.feature").blob_log
        last: dict[str, np.ndarray] = {}

        def run() -> None:
            found = blobs(image[0] / 255, min_sigma=5, max_sigma=9, num_sigma=5, threshold=0.05)
            last["found"] = found[:, 1::-1]

        return Prepared(run, roughly(case, lambda: last["found"]))


class OpenCvCircles(Contender):
    name = "opencv HoughCircles"
    other = "votes of edges for circles"
    module = "cv2"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        only(case, False)
        cv2 = library("cv2")
        cv2.setNumThreads(threads or cv2.getNumberOfCPUs())
        last: dict[str, np.ndarray] = {}

        def run() -> None:
            smooth = cv2.GaussianBlur(image[0], (0, 0), 2)
            found = cv2.HoughCircles(smooth, cv2.HOUGH_GRADIENT, 1.5, 20, param1=60, param2=18, minRadius=6,
                                     maxRadius=14)
            last["found"] = np.empty((0, 2)) if found is None else found[0, :, :2]

        return Prepared(run, roughly(case, lambda: last["found"]))


def mgvf(edges: np.ndarray) -> np.ndarray:
    """The fields of all windows at once, (cells, rows, columns), with an exact step for the arctangent."""
    field = edges.copy()
    for _ in range(MGVF_STEPS):
        padded = np.pad(field, ((0, 0), (1, 1), (1, 1)), "edge")

        def difference(dx: int, dy: int, padded: np.ndarray = padded, field: np.ndarray = field) -> np.ndarray:
            rows, columns = field.shape[1:]
            return padded[:, 1 + dy:1 + dy + rows, 1 + dx:1 + dx + columns] - field

        total = 0.5 * (difference(1, -1) + difference(-1, 1))
        for dx, dy in ((0, 1), (1, 0), (1, 1)):
            total += np.maximum(difference(dx, dy), 0) + np.minimum(difference(-dx, -dy), 0)
        spread = field + 0.1 * total
        changed = spread - 0.2 * edges * (spread - edges)
        if abs(changed - field).mean() <= 1e-5:
            return changed
        field = changed
    return field


def settled(field: np.ndarray, x: float, y: float) -> tuple[float, float]:
    """A star of 20 radii in one field; stops when its centre does."""
    sample = functools.partial(library("scipy.ndimage").map_coordinates, order=1, mode="nearest")
    slope_y, slope_x = np.gradient(field)
    steep = np.hypot(slope_x, slope_y) + 1e-12
    slope_x, slope_y = slope_x / steep, slope_y / steep
    angles = 2 * np.pi * np.arange(20) / 20
    cosine, sine = np.cos(angles), np.sin(angles)
    radii = np.full(20, RADIUS)
    for _ in range(1000):
        points = np.stack([y + radii * sine, x + radii * cosine])
        value, along_x, along_y = sample(field, points), sample(slope_x, points), sample(slope_y, points)
        length = np.hypot(*np.diff(points, axis=1, append=points[:, :1])).sum()
        pull = (value + along_x * radii * cosine + along_y * radii * sine - value.sum() / length) / length
        radii = (radii + 0.2 * pull + 0.04 * RADIUS) / 1.04
        step_x, step_y = 0.2 * along_x.sum() / length, 0.2 * along_y.sum() / length
        x, y = x + step_x, y + step_y
        if abs(step_x) + abs(step_y) < 1e-3:
            break
    return x, y


def windows(frame: np.ndarray, spots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Edges around every cell, from 0 to 1, and the corners of the windows."""
    half_y, half_x = HALF_WINDOW
    limit = np.array([frame.shape[1] - 2 * half_x - 1, frame.shape[0] - 2 * half_y - 1])
    corners = np.clip(spots.astype(int) - np.array([half_x, half_y]), 0, limit)
    slope_y, slope_x = np.gradient(frame.astype(float))
    steep = np.hypot(slope_x, slope_y)
    cut = np.stack([steep[y:y + 2 * half_y + 1, x:x + 2 * half_x + 1] for x, y in corners])
    low, high = cut.min((1, 2), keepdims=True), cut.max((1, 2), keepdims=True)
    return (cut - low) / (high - low), corners


class NumpyMgvf(Contender):
    name = "numpy MGVF and snakes (1 thread)"
    module = "numpy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        only(case, True)
        last: dict[str, np.ndarray] = {}

        def run() -> None:
            smooth = library("scipy.ndimage").gaussian_filter(image.astype(np.float32), (0, 1.5, 1.5))
            spots = maxima(gicov(image[0]))
            for frame in smooth[1:]:
                edges, corners = windows(frame, spots)
                local = zip(mgvf(edges), spots - corners, strict=True)
                spots = np.array([settled(field, x, y) for field, (x, y) in local]) + corners
            last["found"] = spots

        return Prepared(run, lambda: last["found"])


class OpenCvFlow(Contender):
    name = "numpy GICOV, opencv calcOpticalFlowPyrLK"
    other = "patches of the image that move"
    module = "cv2"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        only(case, True)
        cv2 = library("cv2")
        cv2.setNumThreads(threads or cv2.getNumberOfCPUs())
        last: dict[str, np.ndarray] = {}

        def run() -> None:
            spots = maxima(gicov(image[0])).astype(np.float32)[:, None]
            for before, after in zip(image[:-1], image[1:], strict=True):
                spots, seen, _ = cv2.calcOpticalFlowPyrLK(before, after, spots, None, winSize=(25, 25), maxLevel=1)
                spots = spots[seen.ravel() == 1]
            last["found"] = spots[:, 0]

        return Prepared(run, roughly(case, lambda: last["found"]))


class Trackpy(Contender):
    name = "trackpy locate and link"
    other = "centres of mass of bright spots"
    module = "trackpy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        trackpy = library("trackpy")
        trackpy.quiet()
        last: dict[str, np.ndarray] = {}

        def run() -> None:
            found = trackpy.batch(image, 21, minmass=500, processes=threads or "auto")
            if case.frames > 1:
                found = trackpy.link(found, 5, memory=3)
            last["found"] = found[found["frame"] == case.frames - 1][["x", "y"]].to_numpy()

        return Prepared(run, roughly(case, lambda: last["found"]))


class Rodinia(Contender):
    name = "rodinia leukocyte, OpenMP"

    def version(self) -> str:
        raise Absent("its program, films and libraries are not here; measured figures are in docs/study-cells.md")


CELLS_CONTENDERS = {
    "cpu": [TesseraCells(), NumpyGicov(), SkimageBlobs(), OpenCvCircles(), NumpyMgvf(), OpenCvFlow(), Trackpy(),
            Rodinia()],
    "cuda": [TesseraCells("cuda")]}
