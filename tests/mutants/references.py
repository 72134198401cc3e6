# SPDX-License-Identifier: Apache-2.0
"""Files as Tessera and the reference readers read them, in one form that can be compared."""
import io
import itertools
import signal
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

PATIENCE = 0.7  # seconds


class Refused(Exception):
    """A reader says that the file is damaged or unknown to it."""


def result_of(read: Callable[[], np.ndarray], warnings_refuse: bool) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("error" if warnings_refuse else "ignore")
        try:
            return np.asarray(read())
        except Exception as error:
            raise Refused(f"{type(error).__name__}: {error}") from None


def give_up(*_) -> None:
    raise TimeoutError(f"more than {PATIENCE} s")


def by_reference(read: Callable[[], np.ndarray]) -> np.ndarray:
    """Headers that claim millions of values keep some readers busy for minutes."""
    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        return result_of(read, warnings_refuse=False)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


# Tessera ---------------------------------------------------------------------------------------------------------
LIMITS = {"max_side": 1 << 14, "max_pixels": 1 << 22, "max_bytes": 1 << 26}


def tessera_image(path: Path) -> np.ndarray:
    import tessera
    return tessera.read(path, **LIMITS)


def tessera_voltages(path: Path) -> np.ndarray:
    import tessera
    found = tessera.read_voltages(path)
    data = found["voltages"]
    if data.dtype != np.complex64:
        data = data[..., 0] + 1j * data[..., 1]
    data = (data + found["offset"] * (1 + 1j)) * found["scale"]
    if found["real"]:
        data = data.real
    if found["valid"] is not None:
        data = np.where(found["valid"][:, None], data, 0)
    return np.squeeze(data)


# References ------------------------------------------------------------------------------------------------------
def by_tifffile(path: Path) -> np.ndarray:
    import tifffile
    with tifffile.TiffFile(path) as file:
        pages = [page.asarray() for page in file.pages]
        planar = file.pages[0].planarconfig == 2 and file.pages[0].samplesperpixel > 1
    data = pages[0] if len(pages) == 1 else np.stack(pages)
    return np.moveaxis(data, -3, -1) if planar and data.ndim > 2 else data


def by_pillow(path: Path) -> np.ndarray:
    from PIL import Image, ImageSequence
    Image.MAX_IMAGE_PIXELS = 1 << 24
    with Image.open(path) as image:
        frames = []
        for frame in ImageSequence.Iterator(image):
            transparent = "transparency" in frame.info
            if frame.mode in ("P", "PA"):
                frame = frame.convert("RGBA" if transparent else "RGB")
            elif transparent and frame.mode in ("L", "RGB"):
                frame = frame.convert("LA" if frame.mode == "L" else "RGBA")
            pixels = np.asarray(frame)
            frames.append(pixels * np.uint8(255) if pixels.dtype == bool else pixels)
    return frames[0] if len(frames) == 1 else np.stack(frames)


def by_opencv(path: Path) -> np.ndarray:
    import cv2
    _, pages = cv2.imreadmulti(str(path), flags=cv2.IMREAD_UNCHANGED | cv2.IMREAD_IGNORE_ORIENTATION)
    if not pages:
        raise ValueError("cannot be read")
    pages = [colours_of_opencv(page) for page in pages]
    return pages[0] if len(pages) == 1 else np.stack(pages)


def colours_of_opencv(page: np.ndarray) -> np.ndarray:
    if page.ndim != 3:
        return page
    page = page[..., [2, 1, 0, 3][:page.shape[2]]]
    if page.shape[2] == 4 and np.array_equal(page[..., :2], page[..., 1:3]):
        return page[..., [0, 3]]  # grey and alpha, which OpenCV makes RGBA
    return page


def by_astropy(path: Path) -> np.ndarray:
    from astropy.io import fits
    with fits.open(path, memmap=False) as hdus:
        return next(hdu.data for hdu in hdus if hdu.is_image and hdu.data is not None)


def by_numpy(path: Path) -> np.ndarray:
    return np.load(path, allow_pickle=False)


def by_baseband(module: str) -> Callable[[Path], np.ndarray]:
    def read(path: Path) -> np.ndarray:
        import importlib
        reader = importlib.import_module(f"baseband.{module}")
        with reader.open(str(path), "rs", squeeze=False) as stream:
            if stream.shape[0] * int(np.prod(stream.sample_shape)) > 1 << 22:
                raise ValueError("too many samples for a mutant")
            return np.squeeze(stream.read())
    return read


OURS = {"vdif": tessera_voltages, "dada": tessera_voltages, "guppi": tessera_voltages}
THEIRS: dict[str, dict[str, Callable[[Path], np.ndarray]]] = {
    "tiff": {"tifffile": by_tifffile, "Pillow": by_pillow, "OpenCV": by_opencv},
    "fits": {"astropy": by_astropy},
    "jpeg": {"Pillow": by_pillow, "OpenCV": by_opencv},
    "png": {"Pillow": by_pillow, "OpenCV": by_opencv},
    "npy": {"NumPy": by_numpy},
    "vdif": {"baseband": by_baseband("vdif")},
    "dada": {"baseband": by_baseband("dada")},
    "guppi": {"baseband": by_baseband("guppi")},
}
ENDINGS = {"tiff": ".tif", "fits": ".fits", "jpeg": ".jpg", "png": ".png", "npy": ".npy", "vdif": ".vdif",
           "dada": ".dada", "guppi": ".raw"}


def ours(form: str, path: Path) -> np.ndarray:
    """Tessera's warnings are exit code 4: the user is told."""
    return result_of(lambda: OURS.get(form, tessera_image)(path), warnings_refuse=True)


def equal(a: np.ndarray, b: np.ndarray) -> bool:
    if a.shape != b.shape:
        return False
    with np.errstate(all="ignore"):
        return bool(np.array_equal(a, b, equal_nan=np.issubdtype(a.dtype, np.inexact)) or
                    np.allclose(a, b, rtol=1e-6, atol=0, equal_nan=True))


def same_values(form: str, a: np.ndarray, b: np.ndarray) -> bool:
    """The same numbers, whatever their type; axes of length 1 do not count."""
    a, b = np.squeeze(a), np.squeeze(b)
    if a.dtype == bool or b.dtype == bool:  # tifffile says True where others say 255
        a, b = a != 0, b != 0
    return same_voltages(a, b) if form in OURS else equal(a, b)


def same_voltages(a: np.ndarray, b: np.ndarray) -> bool:
    """Readers choose the order of polarisations, channels and antennas, and the voltages of the codes of few bits:
    their order must be the same."""
    if a.size == b.size and equal(a.ravel(), b.ravel()):
        return True  # the antennas of PSRDADA are further samples to baseband
    if sorted(a.shape) != sorted(b.shape):
        return False
    parts = (np.real, np.imag) if np.iscomplexobj(a) or np.iscomplexobj(b) else (np.real,)
    for order in itertools.permutations(range(b.ndim)):
        turned = b.transpose(order)
        if turned.shape == a.shape and (equal(a, turned) or all(equal(ranks(p(a)), ranks(p(turned))) for p in parts)):
            return True
    return False


def ranks(values: np.ndarray) -> np.ndarray:
    return np.unique(values, return_inverse=True)[1].reshape(values.shape)


def verdict(form: str, path: Path, say_phase: Callable[[str], None] = lambda _: None,
            alone: bool = False) -> tuple[str, str]:
    """("same" | "refused" | "stricter" | "only ours" | "differs", why); alone: only "same" if Tessera reads it, or
    "refused"."""
    say_phase("tessera")
    own, reason = None, ""
    try:
        own = ours(form, path)
    except Refused as error:
        reason = str(error)
    if alone:
        return ("same" if own is not None else "refused"), reason
    answers, reasons = {}, []
    for name, read in THEIRS[form].items():
        say_phase(name)
        try:
            answers[name] = by_reference(lambda read=read: read(path))
        except Refused as error:
            reasons.append(f"{name}: {error}")
    if own is None:
        return ("stricter" if answers else "refused"), reason
    if not answers:
        return "only ours", "; ".join(reasons)
    if any(same_values(form, own, other) for other in answers.values()):
        return "same", ""
    text = io.StringIO()
    for name, other in {"tessera": own, **answers}.items():
        print(f"{name} {other.dtype}{list(other.shape)}", end=" ", file=text)
    return "differs", text.getvalue()
