# SPDX-License-Identifier: Apache-2.0
"""Background and noise of every pixel's box by Tessera, and by the tools of the field: filters of one percentile,
meshes of boxes, and BANE."""
import logging
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from peers import Absent, Contender, Prepared, into, library

import tessera

BINS = 1024
BANE_STEP = 16
WINDOW = 16  # side in pixels of the windows that are checked
TRIAL = 96  # side in pixels of the part that slow contenders try first


class Patience:
    """The longest time of a call: --longest."""

    seconds = 3.0


@dataclass(frozen=True)
class NoiseCase:
    width: int
    height: int
    box_width: int
    box_height: int
    dtype: str = "float32"
    channels: int = 1

    @property
    def box(self) -> tuple[int, int]:
        return self.box_height, self.box_width

    def name(self) -> str:
        return f"{self.width}x{self.height} {self.dtype}, boxes of {self.box_width}x{self.box_height}"

    def image(self) -> np.ndarray:
        """Noise on a slope, and a source every 500 pixels."""
        rng = np.random.default_rng(7)
        image = rng.standard_normal((self.height, self.width), np.float32)
        image += np.linspace(0, 3, self.width, dtype=np.float32)
        image.flat[rng.integers(0, image.size, image.size // 500)] += 20
        return image.astype(self.dtype)

    def bytes(self) -> int:
        return 3 * self.width * self.height * np.dtype(self.dtype).itemsize

    def flops(self) -> int:
        return 0

    def weights(self, rng: np.random.Generator) -> np.ndarray:
        return np.empty(0)


def places(case: NoiseCase) -> list[tuple[int, int]]:
    """Pixels of three windows: two corners, the middle."""
    height, width = min(case.height, WINDOW), min(case.width, WINDOW)
    corners = [(0, 0), ((case.height - height) // 2, (case.width - width) // 2),
               (case.height - height, case.width - width)]
    return [(top + y, left + x) for top, left in corners for y in range(height) for x in range(width)]


def box_at(image: np.ndarray, box: tuple[int, int], y: int, x: int) -> np.ndarray:
    """The part of the pixel's box inside the image, as a row."""
    top, left = y - box[0] // 2, x - box[1] // 2
    return image[max(0, top):top + box[0], max(0, left):left + box[1]].reshape(1, -1)


def from_parts(values: np.ndarray) -> np.ndarray:
    """Background and rms of boxes, (boxes, values), by the definition."""
    count = values.shape[1]
    places = [order * (count - 1) for order in (0.25, 0.5, 0.75)]
    kept = np.partition(values, sorted({min(int(p) + k, count - 1) for p in places for k in (0, 1)}), axis=1)
    at = lambda place: kept[:, min(place, count - 1)].astype(float)
    low, middle, high = (at(int(p)) + (p - int(p)) * (at(int(p) + 1) - at(int(p))) for p in places)
    return np.stack([middle, (high - low) / 1.34896]).astype(np.float32)


def wrong_noise(case: NoiseCase, image: np.ndarray, _: np.ndarray, result: np.ndarray) -> float:
    """The number of pixels that differ from the definition."""
    return 2.0 * sum(not np.array_equal(result[:, y, x], from_parts(box_at(image, case.box, y, x))[:, 0])
                     for y, x in places(case))


def binned_error(case: NoiseCase, image: np.ndarray, result: np.ndarray) -> float:
    """In units of two bins, and a little for the distance of neighbours in the sorted box."""
    bound = 2 * 12 * 2.0 / BINS / 1.34896 + 8 / (case.box_width * case.box_height)
    return max(float(abs(result[:, y, x] - from_parts(box_at(image, case.box, y, x))[:, 0]).max())
               for y, x in places(case)) / bound


def grid_error(case: NoiseCase, image: np.ndarray, result: np.ndarray) -> float:
    """The number of nodes, a box apart, that differ from the definition by more than a rounding."""
    along = lambda size, step: [step * k for k in (0, (size - 1) // step // 2, (size - 1) // step)]
    defined = lambda y, x: from_parts(box_at(image, case.box, y, x))[:, 0]
    return 2.0 * sum(not np.allclose(result[:, y, x], defined(y, x), rtol=1e-6, atol=0)
                     for y in along(case.height, case.box_height) for x in along(case.width, case.box_width))


def percentile_error(case: NoiseCase, image: np.ndarray, result: np.ndarray) -> float:
    """The number of pixels that differ from SciPy's lower quartile."""
    rows, columns = case.box
    padded = np.pad(image, ((rows, rows), (columns, columns)), "symmetric")
    place = int(rows * columns * 25 / 100)
    return 2.0 * sum(result[y, x] != np.partition(box_at(padded, case.box, y + rows, x + columns), place)[0, place]
                     for y, x in places(case))


def kept_to(ready: Prepared, error: Callable[[np.ndarray], float]) -> Prepared:
    """For contenders with their own definition instead of the reference's: runs once and checks that."""
    ready.run()
    wrong = error(ready.result())
    if not wrong <= 1:
        raise Absent(f"not timed: it differs from its own definition by {wrong:.3g} times the bound")
    return ready


def tried(work: Callable[[np.ndarray], Any], image: Any) -> None:
    """Absent if, judging by a part of the image, all of it would take too long."""
    part = image[:TRIAL, :TRIAL]
    start = time.perf_counter()
    work(part)
    seconds = (time.perf_counter() - start) / part.size
    if seconds * image.size > Patience.seconds:
        raise Absent(f"not timed: {part.shape[1]}x{part.shape[0]} of its pixels took {1e6 * seconds:.1f} us each; "
                     "raise --longest or give smaller --sizes")


MODES = {"exact": "", "binned": f"the quantiles of a histogram of {BINS} bins",
         "grid": "one value per box, bilinear between"}


class TesseraNoise(Contender):
    """In mode grid it has as many nodes as sep's mesh."""

    module = "tessera"
    def __init__(self, mode: str = "exact") -> None:
        self.mode = mode
        self.other = MODES[mode]
        self.name = "tessera" if mode == "exact" else f"tessera, mode {mode}"

    def plan(self, case: NoiseCase, image: np.ndarray, **options: Any) -> Any:
        grid = {"grid": case.box} if self.mode == "grid" else {}
        return tessera.Noise(image.shape, image.dtype, case.box, mode=self.mode, **grid, **options)

    def kept(self, case: NoiseCase, image: np.ndarray, ready: Prepared) -> Prepared:
        error = {"binned": binned_error, "grid": grid_error}.get(self.mode)
        return kept_to(ready, lambda result: error(case, image, result)) if error else ready

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        plan = self.plan(case, image, backend="cpu", threads=threads)
        out = np.empty((2, *image.shape), np.float32)
        return self.kept(case, image, into(out, lambda: plan(image, out=out)))


class TesseraAsBane(Contender):
    name = "tessera, BANE's definition"
    other = f"clipped mean and deviation at nodes {BANE_STEP} apart, in two passes"
    module = "tessera"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        plan = tessera.Noise(image.shape, image.dtype, case.box, mode="grid", grid=BANE_STEP, estimator="clip",
                             two_pass=True, backend="cpu", threads=threads)
        out = np.empty((2, *image.shape), np.float32)
        return into(out, lambda: plan(image, out=out))


class Percentile(Contender):
    """The lower quartile alone: a third of the quantiles that the noise needs."""

    other = "the lower quartile alone, an element of the box, borders reflected"

    def filter(self, case: NoiseCase, threads: int) -> Callable[[Any], Any]:
        raise NotImplementedError

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        filtered = self.filter(case, threads)
        tried(filtered, image)
        last: dict[str, np.ndarray] = {}

        def run() -> None:
            last["result"] = filtered(image)

        return kept_to(Prepared(run, lambda: last["result"]), lambda result: percentile_error(case, image, result))


class TesseraPercentile(Percentile):
    name = "tessera percentile_filter"
    module = "tessera"

    def filter(self, case: NoiseCase, threads: int) -> Callable[[Any], Any]:
        return lambda image: tessera.percentile_filter(image, 25, case.box, backend="cpu", threads=threads)


class ScipyPercentile(Percentile):
    name = "scipy ndimage.percentile_filter (1 thread)"
    module = "scipy"

    def filter(self, case: NoiseCase, threads: int) -> Callable[[Any], Any]:
        ndimage = library("scipy.ndimage")
        return lambda image: ndimage.percentile_filter(image, 25, case.box)


class SkimageRank(Contender):
    name = "scikit-image rank.percentile (1 thread)"
    other = "the lower quartile alone, of 4096 levels"
    module = "skimage"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        rank = library("skimage.filters.rank")
        levels = (4095 * (image - image.min()) / np.ptp(image)).astype(np.uint16)
        footprint = np.ones(case.box, np.uint8)
        out = np.empty_like(levels)
        tried(lambda part: rank.percentile(part, footprint, p0=0.25), levels)
        return into(out, lambda: rank.percentile(levels, footprint, out=out, p0=0.25))


def numpy_noise(image: np.ndarray, box: tuple[int, int]) -> np.ndarray:
    """A row at a time: whole boxes together, those at the borders one by one."""
    rows, columns = box
    out = np.empty((2, *image.shape), np.float32)
    first, last = columns // 2, image.shape[1] - columns + columns // 2  # columns whose boxes are whole
    for y in range(image.shape[0]):
        slab = image[max(0, y - rows // 2):y - rows // 2 + rows]
        if last >= first:
            boxes = np.lib.stride_tricks.sliding_window_view(slab, columns, axis=1).transpose(1, 0, 2)
            out[:, y, first:last + 1] = from_parts(boxes.reshape(len(boxes), -1))
        for x in [x for x in range(image.shape[1]) if x < first or x > last]:
            out[:, y, x] = from_parts(box_at(image, box, y, x))[:, 0]
    return out


class NumpyPartition(Contender):
    name = "numpy sliding_window_view and partition (1 thread)"
    module = "numpy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        tried(lambda part: numpy_noise(part, case.box), image)
        last: dict[str, np.ndarray] = {}

        def run() -> None:
            last["result"] = numpy_noise(image, case.box)

        return Prepared(run, lambda: last["result"])


class SepMesh(Contender):
    name = "sep.Background with back() and rms() (1 thread)"
    other = "one clipped value per box of a mesh, splines between"
    module = "sep"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        sep = library("sep")
        last: dict[str, np.ndarray] = {}

        def run() -> None:
            mesh = sep.Background(image, bw=case.box_width, bh=case.box_height)
            last["result"] = np.stack([mesh.back(), mesh.rms()])

        return Prepared(run, lambda: last["result"])


class PhotutilsMesh(Contender):
    name = "photutils Background2D"
    other = "one clipped value per box of a mesh, splines between"
    module = "photutils"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        background = library("photutils.background")
        last: dict[str, np.ndarray] = {}

        def run() -> None:
            mesh = background.Background2D(image, case.box)
            last["result"] = np.stack([mesh.background, mesh.background_rms])

        return Prepared(run, lambda: last["result"])


class Bane(Contender):
    """It reads its image from a file, and a child process does its work, whose time the process's clock does not count.
    Several children sometimes wait for each other for ever."""

    name = "BANE filter_image (1 core; cpu: without its child)"
    other = TesseraAsBane.other + ", from a file"
    module = "AegeanTools.BANE"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        bane, fits = library("AegeanTools.BANE"), library("astropy.io.fits")
        logging.getLogger("AegeanTools").setLevel(logging.ERROR)
        bane.logger.setLevel(logging.ERROR)
        folder = tempfile.TemporaryDirectory()
        path = Path(folder.name) / "image.fits"
        fits.writeto(path, image)
        last: dict[str, Any] = {"folder": folder}

        def run() -> None:
            last["result"] = bane.filter_image(str(path), None, step_size=(BANE_STEP, BANE_STEP), box_size=case.box,
                                               cores=1)

        return Prepared(run, lambda: np.stack(last["result"]))


NOISE_ON_CPU: list[Contender] = [
    TesseraNoise(), TesseraNoise("binned"), TesseraNoise("grid"), NumpyPartition(), TesseraPercentile(),
    ScipyPercentile(), SkimageRank(), SepMesh(), PhotutilsMesh(), TesseraAsBane(), Bane()]
