# SPDX-License-Identifier: Apache-2.0
"""Everyday filters as users call them, one call per image, by Tessera and the libraries it is compared with; the edge
is repeated. Truth is SciPy in float64, rounded to nearest even and saturated for integers."""
import argparse
import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from convolve_device_peers import Npp
from peers import Absent, Contender, OnDevice, Prepared, build_npp_shim, into, library

import tessera

SIDES, QUICK_SIDES = [64, 256, 1024, 4096], [64, 256]
TYPES = ["uint8", "uint16", "float32"]
Filter = Callable[..., Any]

SHARP = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]], np.float64)
SLOPED = np.arange(25, dtype=np.float64).reshape(5, 5) / 300
SOBEL_X = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], np.float64)
LAPLACE = np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]], np.float64)
DISK = tessera.named_element("disk:3")


@dataclass(frozen=True)
class Word:
    """How each library is asked for a filter. `reach`: pixels that it sees to every side."""

    name: str
    reach: int
    ours: Filter  # image, then options of the call
    truth: Filter  # scipy.ndimage, image in float64
    opencv: Filter | None = None  # cv2, image, out
    vips: Filter | None = None  # an image of libvips
    skimage: Filter | None = None  # image
    npp: tuple[str, Any] | None = None  # its word in npp_everyday_shim.cu; weights, an element or a side
    exact: bool = False  # the values of the image itself: no rounding
    lacks: dict[str, str] = field(default_factory=dict)  # OpenCV: type -> why it has none


def opencv_filter(weights: np.ndarray) -> Filter:
    return lambda cv2, image, out: cv2.filter2D(image, -1, weights, out, borderType=cv2.BORDER_REPLICATE)


def convolved(weights: Any) -> Filter:
    return lambda image, **more: tessera.convolve(image, weights, border="replicate", **more)


def box(side: int) -> Word:
    return Word(f"mean {side}x{side}", side // 2, convolved(f"box:{side}x{side}"),
                lambda ndimage, image: ndimage.uniform_filter(image, side, mode="nearest"),
                lambda cv2, image, out: cv2.boxFilter(image, -1, (side, side), out, borderType=cv2.BORDER_REPLICATE),
                npp=("b", side))


def gauss(sigma: float) -> Word:
    radius = int(np.ceil(4 * sigma))
    side = 2 * radius + 1
    return Word(f"Gaussian {sigma}", radius, convolved(f"gauss:{sigma}"),
                lambda ndimage, image: ndimage.gaussian_filter(image, sigma, mode="nearest", radius=radius),
                lambda cv2, image, out: cv2.GaussianBlur(image, (side, side), sigma, out, sigma, cv2.BORDER_REPLICATE),
                skimage=lambda image: library("skimage.filters").gaussian(image, sigma, mode="nearest", truncate=4),
                npp=("g", gauss_weights(sigma, radius)))


def gauss_weights(sigma: float, radius: int) -> np.ndarray:
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    return weights / weights.sum()


def median(side: int) -> Word:
    wide = "OpenCV takes windows above 5x5 only in images of bytes"
    return Word(f"median {side}x{side}", side // 2,
                lambda image, **more: tessera.median_filter(image, side, mode="nearest", **more),
                lambda ndimage, image: ndimage.median_filter(image, side, mode="nearest"),
                lambda cv2, image, out: cv2.medianBlur(image, side, out),
                (lambda image: image.median(side)) if side <= 7 else None,
                lambda image: library("skimage.filters").median(image, np.ones((side, side)), mode="nearest"),
                npp=("m", side), exact=True, lacks={"uint16": wide, "float32": wide} if side > 5 else {})


def least(name: str, element: np.ndarray) -> Word:
    return Word(f"erosion {name}", element.shape[0] // 2,
                lambda image, **more: tessera.erode(image, element, border="replicate", **more),
                lambda ndimage, image: ndimage.minimum_filter(image, footprint=element, mode="nearest"),
                lambda cv2, image, out: cv2.erode(image, element, out, borderType=cv2.BORDER_REPLICATE),
                skimage=lambda image: library("skimage.morphology").erosion(image, element),
                npp=("e", element), exact=True)


WORDS = [
    Word("3x3 weights", 1, convolved(SHARP), lambda ndimage, image: ndimage.correlate(image, SHARP, mode="nearest"),
         opencv_filter(SHARP), lambda image: image.conv(vips_matrix(SHARP), precision="float"), npp=("w", SHARP)),
    Word("5x5 weights", 2, convolved(SLOPED), lambda ndimage, image: ndimage.correlate(image, SLOPED, mode="nearest"),
         opencv_filter(SLOPED), lambda image: image.conv(vips_matrix(SLOPED), precision="float"), npp=("w", SLOPED)),
    box(3), box(9), box(31), gauss(1), gauss(2.5),
    Word("Sobel x", 1, convolved("sobel:x"), lambda ndimage, image: ndimage.sobel(image, 1, mode="nearest"),
         lambda cv2, image, out: cv2.Sobel(image, -1, 1, 0, out, borderType=cv2.BORDER_REPLICATE),
         npp=("w", SOBEL_X)),
    Word("Laplace", 1, convolved(LAPLACE),
         lambda ndimage, image: ndimage.laplace(image, mode="nearest"),
         lambda cv2, image, out: cv2.Laplacian(image, -1, out, borderType=cv2.BORDER_REPLICATE), npp=("w", LAPLACE)),
    median(3), median(5), median(7), median(15),
    least("3x3", np.ones((3, 3), np.uint8)), least("15x15", np.ones((15, 15), np.uint8)), least("disk 3", DISK),
]


def vips_matrix(weights: np.ndarray) -> Any:
    return library("pyvips").Image.new_from_list(weights.tolist())


@dataclass(frozen=True)
class EverydayCase:
    side: int
    dtype: str
    word: Word
    channels: int = 1

    def name(self) -> str:
        return f"{self.side}x{self.side} {self.dtype}, {self.word.name}"

    def shape(self) -> tuple[int, ...]:
        return self.side, self.side

    def bytes(self) -> int:
        return 2 * self.side * self.side * np.dtype(self.dtype).itemsize

    def flops(self) -> int:
        return 0

    def weights(self, rng: np.random.Generator) -> np.ndarray:
        return np.ones((1, 1))


def everyday_cases(options: argparse.Namespace) -> list[EverydayCase]:
    """Images are squares: of --sizes the width counts. --words are parts of names."""
    sides = [width for width, _ in options.sizes] if options.sizes else QUICK_SIDES if options.quick else SIDES
    wanted = [word for word in WORDS if not options.words or any(part in word.name for part in options.words)]
    return [EverydayCase(side, dtype, word) for side in sides for word in wanted
            for dtype in options.types or TYPES]


def wrong_everyday(case: EverydayCase, image: np.ndarray, weights: np.ndarray, result: np.ndarray) -> float:
    """The worst difference from the truth in three windows, in units of what is allowed: nothing if values are those
    of the image, one level for sums of integers (libraries round in different ways), 1e-5 for floats."""
    side = min(case.side, 128)
    worst = 0.0
    for first in {0, (case.side - side) // 2, case.side - side}:
        top, end = max(0, first - case.word.reach), min(case.side, first + side + case.word.reach)
        part = image[top:end, top:end].astype(np.float64)
        truth = case.word.truth(library("scipy.ndimage"), part)
        inside = slice(first - top, first - top + side)
        truth = truth[inside, inside]
        if image.dtype.kind == "u":
            truth = np.clip(np.rint(truth), 0, np.iinfo(image.dtype).max)
        allowed = 0.5 if case.word.exact else 1.01 if image.dtype.kind == "u" else 1e-5
        worst = max(worst, float(abs(truth - result[first:first + side, first:first + side]).max()) / allowed)
    return worst


class TesseraEveryday(Contender):
    name = "tessera"
    module = "tessera"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        out = np.empty_like(image)
        options = {"backend": "cpu", "out": out} | ({"threads": threads} if threads else {})
        return into(out, lambda: case.word.ours(image, **options))


class OpenCvEveryday(Contender):
    name = "opencv"
    module = "cv2"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cv2 = library("cv2")
        if not case.word.opencv:
            raise Absent("OpenCV does not have it")
        if case.dtype in case.word.lacks:
            raise Absent(case.word.lacks[case.dtype])
        cv2.setNumThreads(threads or cv2.getNumberOfCPUs())
        out = np.empty_like(image)
        return into(out, lambda: case.word.opencv(cv2, image, out))


class ScipyEveryday(Contender):
    name = "scipy ndimage (1 thread)"
    module = "scipy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        ndimage = library("scipy.ndimage")
        if image.dtype.kind == "u" and not case.word.exact:
            raise Absent("it cuts sums of integers off, or wraps them around")
        last = {}

        def run() -> None:
            last["result"] = case.word.truth(ndimage, image)

        return Prepared(run, lambda: last["result"])


class SkimageEveryday(Contender):
    name = "scikit-image (1 thread)"
    module = "skimage"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        if not case.word.skimage:
            raise Absent("not compared")
        if not case.word.exact and image.dtype.kind == "u":
            raise Absent("its sums of integers are floats")
        last = {}

        def run() -> None:
            last["result"] = case.word.skimage(image)

        return Prepared(run, lambda: last["result"])


class VipsEveryday(Contender):
    name = "libvips"

    def version(self) -> str:
        vips = library("pyvips")
        return ".".join(str(vips.version(part)) for part in range(3))

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        vips = library("pyvips")
        if not case.word.vips:
            raise Absent("not compared")
        if not case.word.exact and image.dtype.kind == "u":
            raise Absent("its sums of integers are floats")
        vips.cache_set_max(0)
        names = {"uint8": "uchar", "uint16": "ushort", "float32": "float"}
        given = vips.Image.new_from_memory(image.data, case.side, case.side, 1, names[case.dtype])
        last = {}

        def run() -> None:
            last["result"] = case.word.vips(given).write_to_memory()

        return Prepared(run, lambda: np.frombuffer(last["result"], image.dtype).reshape(image.shape))


class TesseraEverydayCuda(OnDevice):
    name = "tessera"
    module = "tessera"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        given, out = cupy.asarray(image), cupy.empty(image.shape, image.dtype)
        return Prepared(lambda: case.word.ours(given, out=out), lambda: cupy.asnumpy(out))


class WithArraysOf:
    """Functions of cupyx.scipy.ndimage that take NumPy's arrays too, such as weights. These are copied once."""

    def __init__(self, cupy: Any, ndimage: Any) -> None:
        self.cupy, self.ndimage = cupy, ndimage
        self.copies: dict[int, Any] = {}

    def there(self, value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        return self.copies.setdefault(id(value), self.cupy.asarray(value))

    def __getattr__(self, name: str) -> Any:
        function = getattr(self.ndimage, name)
        return lambda *given, **named: function(*map(self.there, given),
                                                **{key: self.there(value) for key, value in named.items()})


class CupyEveryday(OnDevice):
    name = "cupyx ndimage"
    module = "cupy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy, ndimage = self.cupy(), library("cupyx.scipy.ndimage")
        if image.dtype.kind == "u" and not case.word.exact:
            raise Absent("it cuts sums of integers off, or wraps them around")
        given = cupy.asarray(image)
        last = {}
        on_device = WithArraysOf(cupy, ndimage)

        def run() -> None:
            last["result"] = case.word.truth(on_device, given)

        return Prepared(run, lambda: cupy.asnumpy(last["result"]))


class NppEveryday(OnDevice):
    name = "npp"
    shim: Any = None

    def version(self) -> str:
        return Npp().version()

    def build(self) -> Any:
        shim = build_npp_shim("npp_everyday_shim.cu", "nppif", "nppim", "nppc")
        shim.npp_everyday.argtypes = [ctypes.c_char, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int,
                                      ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
        shim.npp_median_bytes.restype = ctypes.c_longlong
        shim.npp_everyday_stream.argtypes = [ctypes.c_void_p]
        shim.npp_everyday_stream.restype = None
        return shim

    def values(self, cupy: Any, word: str, given: Any) -> tuple[int, Any]:
        """How wide the filter is, and what NPP reads of it from the device."""
        if isinstance(given, int):
            return given, None
        side = len(given)
        if word == "e":
            return side, None if side == 3 and given.all() else cupy.asarray(given, "u1")
        turned = word == "w" and turns_weights(cupy)
        return side, cupy.asarray(np.ascontiguousarray(given[::-1, ::-1] if turned else given), "f4")

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        if not case.word.npp:
            raise Absent("not compared")
        if self.shim is None:
            NppEveryday.shim = self.build()
        self.shim.npp_everyday_stream(cupy.cuda.get_current_stream().ptr)
        word = case.word.npp[0]
        if word == "m" and case.word.npp[1] > 5 and case.side > 256:
            # NPP of CUDA 13 reads outside its memory here, and every later call of the process fails.
            raise Absent("its medians of more than 5x5 end with an illegal address in images of this size")
        taps, values = self.values(cupy, *case.word.npp)
        bytes_needed = self.shim.npp_median_bytes(image.itemsize, case.side, taps) if word == "m" else 0
        buffer = cupy.empty(max(1, bytes_needed), "u1")
        given, out = cupy.asarray(image), cupy.empty(image.shape, image.dtype)
        call = (word.encode(), image.itemsize, given.data.ptr, out.data.ptr, case.side, taps,
                None if values is None else values.data.ptr, buffer.data.ptr)

        def run() -> None:
            status = self.shim.npp_everyday(*call)
            if status:
                raise Absent(f"NPP answers {status}")

        keep = (given, values, buffer)
        return Prepared(run, lambda: (keep, cupy.asnumpy(out))[1])


def turns_weights(cupy: Any) -> bool:
    """Whether NPP's FilterBorder reads weights backwards, as convolution's benchmark finds out."""
    filters = Npp()
    if Npp.shim is None:
        Npp.shim = filters.build()
    Npp.shim.npp_use_stream(cupy.cuda.get_current_stream().ptr)
    return filters.turns_filters(cupy)


EVERYDAY_CONTENDERS: dict[str, list[Contender]] = {
    "cpu": [TesseraEveryday(), OpenCvEveryday(), ScipyEveryday(), SkimageEveryday(), VipsEveryday()],
    "cuda": [TesseraEverydayCuda(), CupyEveryday(), NppEveryday()],
}
