# SPDX-License-Identifier: Apache-2.0
"""SciPy and scikit-image on correlate: sums over all shifts of given planes, and of the colours of a photograph."""
import numpy as np
from image_inputs import grey, scene
from judging import Case, package_version, tessera

PACKAGES = {"pypi": ["scipy", "scikit-image>=0.23,<1"]}
TOOL = "SciPy"
COMPARED = "correlate: all shifts of planes, and of CIE a* and b* of a photograph"
SHIFTS = 9


def version() -> str:
    return f"{package_version('scipy')}, scikit-image {package_version('scikit-image')}"


def all_shifts(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """C(dx, dy) = sum of first(x + dx, y + dy) second(x, y), in double."""
    from scipy import signal
    full = signal.correlate(first.astype(float), second.astype(float), method="direct")
    y, x = second.shape[0] - 1, second.shape[1] - 1
    return full[y - SHIFTS + 1:y + SHIFTS, x - SHIFTS + 1:x + SHIFTS]


def means(folder, count: int) -> np.ndarray:
    """The maps of one image; the planes after them, standard errors, have no value for a single image."""
    return np.load(folder / "out.npy").reshape(-1, 2 * SHIFTS - 1, 2 * SHIFTS - 1)[:count]


def planes_case(dtype: str) -> Case:
    image, other = grey(dtype, 8), grey(dtype, 9)

    def theirs(_):
        return {"auto": all_shifts(image, image), "cross": all_shifts(image, other)}

    def ours(folder):
        result = {}
        np.save(folder / "a.npy", image)
        np.save(folder / "b.npy", other)
        for name, more in (("auto", []), ("cross", ["--with", folder / "b.npy"])):
            tessera("correlate", folder / "a.npy", "-o", folder / "out.npy", "--planes", "as-is", "--quadrants", "all",
                    "--max-shift", SHIFTS, "--sums", "each", "--quiet", "--force", *more)
            result[name] = means(folder, 1)[0]
        return result

    # Maps of one image are in float: n products summed, 2 n eps M^2 with n the number of pixels.
    bound = 2 * image.size * np.finfo("f4").eps * float(max(abs(image).max(), abs(other).max())) ** 2
    return Case(f"planes, {dtype}", theirs, ours, bound)


def colour_case() -> Case:
    photo = scene("uint8", 10, 20, 27, channels=3)

    def theirs(_):
        from skimage.color import rgb2lab
        lab = rgb2lab(photo)
        return {"a": all_shifts(lab[..., 1], lab[..., 1]), "b": all_shifts(lab[..., 2], lab[..., 2])}

    def ours(folder):
        np.save(folder / "photo.npy", photo)
        tessera("correlate", folder / "photo.npy", "-o", folder / "out.npy", "--planes", "scene", "--normalise", "none",
                "--quadrants", "all", "--max-shift", SHIFTS, "--sums", "0:0,1:1", "--quiet")
        return dict(zip("ab", means(folder, 2), strict=True))

    # scikit-image has an older matrix of sRGB, whose row of Z differs by 8e-5: b* = 200 (f(Y) - f(Z)) by up to
    # 200 / 3 times that, 5.5e-3. A sum of n products whose factors are off by e is off by at most 2 e sqrt(n C(0, 0))
    # + n e^2 (Cauchy and Schwarz).
    pixels, e = photo.shape[0] * photo.shape[1], 5.5e-3
    return Case("colours of a photograph", theirs, ours,
                lambda map: 2 * e * np.sqrt(pixels * map[SHIFTS - 1, SHIFTS - 1]) + pixels * e**2)


def cases() -> list[Case]:
    return [planes_case("float32"), planes_case("uint8"), colour_case()]
