# SPDX-License-Identifier: Apache-2.0
"""A scan made grey, counted, stretched and smoothed by Tessera and by the libraries it is compared with, on the
CPU. A contender that computes something else says so, and is timed without being compared with the reference."""
import concurrent.futures
import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from peers import Absent, Contender, Prepared, TesseraCpu, library

import tessera

STEPS = "grey,contrast,smooth"
TRIANGLE = np.array([1, 2, 3, 2, 1])
REACH = 2  # of the weights; peers have no border that leaves out pixels outside
LEVELS = 2  # a peer may be off: one for rounding grey differently, one for rounding the smoothed image
ROUGHLY = 8  # levels on average that another definition may be off; more is a wrong call


@dataclass(frozen=True)
class EnhanceCase:
    width: int
    height: int
    dtype: str = "uint8"
    channels: int = 3

    def name(self) -> str:
        return f"{self.width}x{self.height} {self.dtype} x{self.channels}, {STEPS}"

    def shape(self) -> tuple[int, ...]:
        return self.height, self.width, self.channels

    def image(self) -> np.ndarray:
        for grey in ("classic", "bt601"):
            truth(self, grey)  # now, not while a contender is checked
        return made_scan(self)

    def bytes(self) -> int:
        """Two sweeps: colours in and grey out, grey in and the result out."""
        return 6 * self.width * self.height * np.dtype(self.dtype).itemsize

    def flops(self) -> int:
        return 0

    def weights(self, rng: np.random.Generator) -> np.ndarray:
        return np.empty(0)


@functools.cache
def made_scan(case: EnhanceCase) -> np.ndarray:
    """A scene with a margin of paper, as in scans: many pixels of one value."""
    margin = max(2, min(case.width, case.height) // 24)
    scan = np.empty(case.shape(), np.uint8)
    scan[:] = (236, 233, 225)
    inside = (case.width - 2 * margin, case.height - 2 * margin)
    scan[margin:-margin, margin:-margin] = tessera.sample_scene(*inside, seed=1)
    return scan


@functools.cache
def truth(case: EnhanceCase, grey: str) -> np.ndarray:
    return tessera.enhance(made_scan(case), steps=STEPS, grey=grey, backend="cpu", method="reference")


def inside(image: np.ndarray) -> np.ndarray:
    return image[REACH:-REACH, REACH:-REACH].astype(np.int16)


def wrong_levels(case: EnhanceCase, image: np.ndarray, _: np.ndarray, result: np.ndarray) -> float:
    """The largest difference from the reference away from the border, in units of the one allowed. Peers have the
    weights of BT.601 or are given ours."""
    worst = [int(abs(inside(truth(case, grey)) - inside(result)).max()) for grey in ("classic", "bt601")]
    return min(worst) / LEVELS


def limits(counts: np.ndarray) -> tuple[int, int]:
    """The values that become black and white: those at 0.35% and 99.65% of the pixels."""
    pixels, below = int(counts.sum()), np.cumsum(counts)
    ranks = [-(-share * pixels // 10**9) for share in (3_500_000, 996_500_000)]
    low, high = (int(np.searchsorted(below, rank)) for rank in ranks)
    return low, high


def curve(counts: np.ndarray) -> np.ndarray:
    low, high = limits(counts)
    stretched = ((np.arange(256) - low) * 255 + (high - low) // 2) // (high - low)
    return np.clip(stretched, 0, 255).astype(np.uint8)


def roughly(case: EnhanceCase, result: Callable[[], np.ndarray]) -> Callable[[], np.ndarray]:
    """For contenders with another definition: not the same levels, but the same picture."""

    def checked() -> np.ndarray:
        found = result()
        off = float(abs(inside(truth(case, "classic")) - inside(found)).mean())
        if off > ROUGHLY:
            raise Absent(f"not timed: it is {off:.1f} levels off on average, which is a different picture")
        return found

    return checked


def exactly(case: EnhanceCase, result: Callable[[], np.ndarray]) -> Callable[[], np.ndarray]:
    def checked() -> np.ndarray:
        found = result()
        if not np.array_equal(found, truth(case, "classic")):
            raise Absent("not timed: its bytes differ from the reference")
        return found

    return checked


class TesseraEnhance(TesseraCpu):
    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        plan = tessera.Enhance(image.shape, image.dtype, steps=STEPS, backend="cpu", method=self.method,
                               threads=threads)
        out = np.empty(image.shape[:2], image.dtype)
        return Prepared(lambda: plan(image, out), exactly(case, lambda: out))


class CopyCeiling(Contender):
    """The ceiling of memory: the bytes that must move, half of them read and half written."""

    name = "a copy of as many bytes"
    other = "no work at all"
    module = "numpy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        count = threads or len(os.sched_getaffinity(0))
        given = np.ones(case.bytes() // 2, np.uint8)
        out = np.empty_like(given)
        pairs = list(zip(np.array_split(given, count), np.array_split(out, count), strict=True))
        pool = concurrent.futures.ThreadPoolExecutor(count)
        return Prepared(lambda: list(pool.map(lambda pair: np.copyto(pair[1], pair[0]), pairs)), lambda: out)


class OpenCvEnhance(Contender):
    """cvtColor, calcHist, LUT and one of its ways to smooth."""

    module = "cv2"
    def __init__(self, smooth: str) -> None:
        self.smooth = smooth
        self.name = f"opencv cvtColor, calcHist, LUT, {smooth}"
        self.other = "Gaussian weights" if smooth == "GaussianBlur" else ""

    def smoother(self, cv2: Any) -> Callable[..., Any]:
        row = (TRIANGLE / TRIANGLE.sum()).astype(np.float32)
        whole = np.outer(TRIANGLE, TRIANGLE).astype(np.float32) / 81
        border = {"borderType": cv2.BORDER_REPLICATE}
        return {"filter2D": lambda grey, out: cv2.filter2D(grey, -1, whole, out, **border),
                "sepFilter2D": lambda grey, out: cv2.sepFilter2D(grey, -1, row, row, out, **border),
                "GaussianBlur": lambda grey, out: cv2.GaussianBlur(grey, (5, 5), 0, out, **border)}[self.smooth]

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cv2 = library("cv2")
        cv2.setNumThreads(threads or cv2.getNumberOfCPUs())
        smooth = self.smoother(cv2)
        grey, stretched, out = (np.empty(image.shape[:2], np.uint8) for _ in range(3))

        def run() -> None:
            cv2.cvtColor(image, cv2.COLOR_RGB2GRAY, grey)
            counts = cv2.calcHist([grey], [0], None, [256], [0, 256])
            cv2.LUT(grey, curve(counts.ravel().astype(np.int64)), stretched)
            smooth(stretched, out)

        return Prepared(run, roughly(case, lambda: out) if self.other else lambda: out)


class NumpyEnhance(Contender):
    """The definition in NumPy, including the border: nothing is added outside the image."""

    name = "numpy and scipy, plain (1 thread)"
    module = "scipy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        correlate1d = library("scipy.ndimage").correlate1d

        def sums(grey: np.ndarray) -> np.ndarray:
            return correlate1d(correlate1d(grey, TRIANGLE, 0, mode="constant"), TRIANGLE, 1, mode="constant")

        total = sums(np.ones(image.shape[:2], np.uint16))
        last = {}

        def run() -> None:
            colours = image.astype(np.uint16)
            grey = (77 * colours[..., 0] + 151 * colours[..., 1] + 28 * colours[..., 2] + 128) >> 8
            stretched = curve(np.bincount(grey.ravel(), minlength=256))[grey]
            last["result"] = ((sums(stretched.astype(np.uint16)) + total // 2) // total).astype(np.uint8)

        return Prepared(run, exactly(case, lambda: last["result"]))


class SkimageEnhance(Contender):
    name = "scikit-image, floats (1 thread)"
    other = "weights of BT.709, floats, Gaussian weights"
    module = "skimage"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        colour, exposure, filters = (library(f"skimage.{part}") for part in ("color", "exposure", "filters"))
        last = {}

        def run() -> None:
            grey = colour.rgb2gray(image)
            limits = tuple(np.percentile(grey, (0.35, 99.65)))
            stretched = exposure.rescale_intensity(grey, in_range=limits, out_range=(0, 1))
            last["result"] = filters.gaussian(stretched, 1.1, truncate=1.8)

        return Prepared(run, roughly(case, lambda: np.rint(255 * last["result"]).astype(np.uint8)))


class VipsEnhance(Contender):
    name = "libvips recomb, hist_find, maplut, conv"

    def version(self) -> str:
        vips = library("pyvips")
        return ".".join(str(vips.version(part)) for part in range(3))

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        vips = library("pyvips")
        vips.cache_set_max(0)
        given = vips.Image.new_from_memory(image.data, case.width, case.height, 3, "uchar")
        grey_weights = vips.Image.new_from_array([[77 / 256, 151 / 256, 28 / 256]])
        mask = vips.Image.new_from_array(np.outer(TRIANGLE, TRIANGLE).tolist(), scale=81)
        last = {}

        def run() -> None:
            grey = (given.recomb(grey_weights) + 0.5).cast("uchar").copy_memory()
            counts = np.frombuffer(grey.hist_find().write_to_memory(), np.uint32)
            table = curve(np.pad(counts, (0, 256 - counts.size)).astype(np.int64))
            stretched = grey.maplut(vips.Image.new_from_memory(table.data, 256, 1, 1, "uchar"))
            last["result"] = stretched.conv(mask, precision="integer").cast("uchar").write_to_memory()

        return Prepared(run, lambda: np.frombuffer(last["result"], np.uint8).reshape(image.shape[:2]))


class MagickEnhance(Contender):
    name = "imagemagick (start, load and save counted)"
    other = "its own percentiles and rounding"

    @staticmethod
    def command() -> list[str]:
        for name in ("magick", "convert"):
            said = subprocess.run([name, "-version"], capture_output=True, text=True) if shutil.which(name) else None
            if said and "ImageMagick" in said.stdout:
                return [name]
        raise Absent("no command magick or convert that is ImageMagick's")

    def version(self) -> str:
        return subprocess.run([*self.command(), "-version"], capture_output=True, text=True).stdout.split("\n")[0]

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        folder = tempfile.TemporaryDirectory(prefix="magick_")
        given, made = Path(folder.name) / "given.ppm", Path(folder.name) / "made.pgm"
        given.write_bytes(b"P6 %d %d 255\n" % (case.width, case.height) + image.tobytes())
        matrix = ",".join(str(w) for w in np.outer(TRIANGLE, TRIANGLE).ravel())
        words = [*self.command(), "-limit", "thread", str(threads or 1024), str(given), "-grayscale", "Rec601Luma",
                 "-depth", "8", "-contrast-stretch", "0.35%x0.35%", "-convolve", matrix, str(made)]

        def run(keep: Any = folder) -> None:  # the folder lives as long as this does
            done = subprocess.run(words, capture_output=True, text=True)
            if done.returncode:
                raise Absent(f"it ends with {done.returncode}: {done.stderr.strip()}")

        def result() -> np.ndarray:
            return np.frombuffer(made.read_bytes()[-case.width * case.height:], np.uint8).reshape(image.shape[:2])

        return Prepared(run, roughly(case, result))


ENHANCE_CPU: list[Contender] = [
    TesseraEnhance(), TesseraEnhance("fused"), TesseraEnhance("steps"), OpenCvEnhance("filter2D"),
    OpenCvEnhance("sepFilter2D"), OpenCvEnhance("GaussianBlur"), VipsEnhance(), MagickEnhance(), NumpyEnhance(),
    SkimageEnhance(), CopyCeiling()]
