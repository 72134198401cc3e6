# SPDX-License-Identifier: Apache-2.0
"""correlate against SciPy's and NumPy's correlations, scene_planes against scikit-image and OpenCV."""
import threading

import numpy as np
import pytest
from expected import random_image
from scipy import ndimage, signal

import tessera


def scipy_map(first, second, max_shift):
    """All four quadrants of the sum over planes, in double."""
    rows, columns = first.shape[-2:]
    total = sum(signal.correlate(a.astype(float), b.astype(float), mode="full", method="direct")
                for a, b in zip(first, second, strict=True))
    reach = max_shift - 1
    return total[rows - 1 - reach:rows + reach, columns - 1 - reach:columns + reach]


def fft_map(planes, max_shift):
    rows, columns = planes.shape[-2:]
    shape = (rows + max_shift, columns + max_shift)
    power = sum(np.abs(np.fft.rfft2(plane.astype(float), shape)) ** 2 for plane in planes)
    return np.fft.irfft2(power, shape)[:max_shift, :max_shift]


def error_of(actual, truth):
    return np.abs(actual - truth).max() / np.abs(truth).max()


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32", "float64"])
@pytest.mark.parametrize("method", ["auto", "reference", "direct", "fft"])
def test_agrees_with_scipy(rng, dtype, method):
    planes, other = (random_image(rng, (3, 40, 51), dtype) for _ in range(2))
    expected = scipy_map(planes, other, 12)
    every = tessera.correlate(planes, other, max_shift=12, quadrants="all", method=method, backend="cpu")
    assert every.shape == (23, 23) and every.dtype == np.float32
    assert error_of(every, expected) < 2e-6
    one = tessera.correlate(planes, other, max_shift=12, method=method, backend="cpu")
    assert error_of(one, expected[11:, 11:]) < 2e-6


def test_agrees_with_numpy_fft_at_full_size(rng):
    planes = rng.standard_normal((4, 500, 500)).astype("float32")
    assert error_of(tessera.correlate(planes, max_shift=250), fft_map(planes, 250)) < 1e-6


def test_sums_and_scales(rng):
    planes = rng.standard_normal((4, 30, 30)).astype("float32")
    both = tessera.correlate(planes, max_shift=10, sums="pairs")
    assert both.shape == (2, 10, 10)
    assert error_of(both[0], fft_map(planes[:2], 10)) < 2e-6
    assert error_of(both[1], fft_map(planes[2:], 10)) < 2e-6
    assert tessera.correlate(planes, max_shift=10, sums="joint").shape == (4, 10, 10)
    overlap = np.outer(30 - np.arange(10), 30 - np.arange(10))
    mean = tessera.correlate(planes, max_shift=10, scale="overlap")
    assert error_of(mean, fft_map(planes, 10) / overlap) < 2e-6
    assert tessera.correlate(planes, max_shift=10, scale="energy")[0, 0] == pytest.approx(1, abs=1e-6)


def test_axes_strides_batches_and_out(rng):
    planes = rng.standard_normal((3, 20, 25)).astype("float32")
    expected = tessera.correlate(planes, max_shift=8)
    assert np.array_equal(tessera.correlate(np.moveaxis(planes, 0, -1), channel_axis=-1, max_shift=8), expected)
    wide = np.zeros((3, 40, 50), "float32")
    wide[:, ::2, ::2] = planes
    assert np.array_equal(tessera.correlate(wide[:, ::2, ::2], max_shift=8), expected)
    batch = np.concatenate([planes, planes[::-1]])
    two = tessera.correlate(batch, max_shift=8, batch=2)
    assert two.shape == (2, 8, 8)
    assert np.allclose(two[0], expected, rtol=0, atol=1e-6 * expected[0, 0])
    out = np.empty((8, 8), "float32")
    assert tessera.correlate(planes, max_shift=8, out=out) is out
    assert np.array_equal(out, expected)
    assert tessera.correlate(planes[0], max_shift=8).shape == (8, 8)


@pytest.mark.parametrize("call, error, text", [
    (lambda p: tessera.correlate(p, max_shift=21), ValueError, "21"),
    (lambda p: tessera.correlate(p, max_shift=0), ValueError, "0"),
    (lambda p: tessera.correlate(p, max_shift=5, sums="9:0"), ValueError, "9"),
    (lambda p: tessera.correlate(p, max_shft=5), TypeError, "max_shift"),
    (lambda p: tessera.correlate(p, p[:, :9], max_shift=5), ValueError, "correlate"),
    (lambda p: tessera.correlate(p.astype("complex64"), max_shift=5), TypeError, "complex64"),
    (lambda p: tessera.correlate(p, max_shift=5, out=np.empty((4, 5), "float32")), ValueError, "(5, 5)"),
    (lambda p: tessera.correlate(p, max_shift=5, out=np.empty((5, 10), "float32")[:, ::2]), ValueError, "gaps"),
    (lambda p: tessera.scene_planes(p[0], gradient_scale=0), ValueError, "0.1 to 1000"),
    (lambda p: tessera.scene_planes(p[0], coding="xyz"), ValueError, "srgb"),
])
def test_bad_calls(rng, call, error, text):
    with pytest.raises(error) as raised:
        call(rng.standard_normal((3, 20, 20)).astype("float32"))
    assert text in str(raised.value)


def test_threads_share_nothing(rng):
    planes = rng.standard_normal((4, 64, 64)).astype("float32")
    expected, found = tessera.correlate(planes, max_shift=32), []
    workers = [threading.Thread(target=lambda: found.append(tessera.correlate(planes, max_shift=32, threads=1)))
               for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 4 and all(np.array_equal(each, expected) for each in found)


def test_a_plan_is_kept(rng):
    planes, other = rng.standard_normal((2, 4, 40, 50)).astype("float32")
    plan = tessera.Correlate(planes.shape, planes.dtype, max_shift=20, sums="pairs", scale="energy")
    assert plan.output_shape == (2, 20, 20)
    assert "correlate 4 planes of 50x40" in plan.describe()
    assert np.array_equal(plan(planes), tessera.correlate(planes, max_shift=20, sums="pairs", scale="energy"))
    both = tessera.correlate(planes, other, max_shift=20, sums="pairs", scale="energy")
    out = np.empty((2, 20, 20), "float32")
    assert plan(planes, other, out=out) is out
    assert np.array_equal(out, both)
    wide = np.zeros((4, 80, 100), "float32")
    wide[:, ::2, ::2] = planes
    assert np.array_equal(plan(wide[:, ::2, ::2], other), both)
    with pytest.raises(ValueError, match=r"it must be \(4, 40, 50\) of float32"):
        plan(planes[:2])
    with pytest.raises(ValueError, match="41"):
        tessera.Correlate((4, 40, 50), "float32", max_shift=41)
    found = []
    workers = [threading.Thread(target=lambda: found.append(plan(planes, other))) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 4 and all(np.array_equal(each, both) for each in found)


def plain_lab(image):
    """sRGB from 0 to 1 to L*a*b*, by the formulas, in double."""
    light = np.where(image <= 0.04045, image / 12.92, ((image + 0.055) / 1.055) ** 2.4)
    xyz = light @ np.array([[0.4124564, 0.2126729, 0.0193339],
                            [0.3575761, 0.7151521, 0.1191920],
                            [0.1804375, 0.0721750, 0.9503041]])
    xyz /= np.array([0.95047, 1, 1.08883])
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])])


def plain_orientation(lightness, fine, coarse):
    """x1 and x2 with SciPy's Gaussians."""
    def smooth(image, sigma, order=(0, 0)):
        return ndimage.gaussian_filter(image, sigma, order=order, mode="mirror", radius=int(np.ceil(4 * sigma)))
    gx, gy = smooth(lightness, fine, (0, 1)), smooth(lightness, fine, (1, 0))
    energy = smooth(gx * gx + gy * gy, coarse) + 1e-4
    return np.stack([smooth(gy * gy - gx * gx, coarse), smooth(2 * gx * gy, coarse)]) / energy


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32", "float64"])
def test_planes_agree_with_the_formulas(rng, dtype):
    photo = random_image(rng, (60, 70, 3), dtype)
    if dtype.startswith("float"):
        photo = np.clip(np.abs(photo), 0, 1)
    scale = {"uint8": 255, "uint16": 65535}.get(dtype, 1)
    planes = tessera.scene_planes(photo, normalise="none", texture_scale=2)
    lab = plain_lab(photo.astype(float) / scale)
    assert planes.shape == (4, 60, 70) and planes.dtype == np.float32
    assert np.abs(planes[:2] - lab[1:]).max() < 2e-4
    assert np.abs(planes[2:] - plain_orientation(lab[0], 1, 2)).max() < 2e-3  # their slopes differ


def test_colours_agree_with_opencv(rng):
    cv2 = pytest.importorskip("cv2")
    photo = rng.random((50, 60, 3)).astype("float32")
    theirs = cv2.cvtColor(photo, cv2.COLOR_RGB2Lab)
    planes = tessera.scene_planes(photo, normalise="none")
    assert np.abs(planes[:2] - np.moveaxis(theirs[..., 1:], -1, 0)).max() < 0.5  # theirs is a spline


def test_colours_agree_with_skimage(rng):
    color = pytest.importorskip("skimage.color")
    photo = random_image(rng, (50, 60, 3), "uint8")
    planes = tessera.scene_planes(photo, normalise="none")
    assert np.abs(planes[:2] - np.moveaxis(color.rgb2lab(photo)[..., 1:], -1, 0)).max() < 0.01


def test_normalisation_and_layouts(rng):
    photo = random_image(rng, (40, 50, 3), "uint8")
    planes = tessera.scene_planes(photo)
    assert np.allclose(planes.mean(axis=(1, 2)), 0, atol=1e-6)
    assert np.allclose(planes.std(axis=(1, 2)), 1, atol=1e-6)
    unit = tessera.scene_planes(photo, normalise="unit")
    assert np.allclose(np.hypot(unit[0], unit[1]), 1, atol=1e-6)
    assert np.array_equal(tessera.scene_planes(np.moveaxis(photo, -1, 0), channel_axis=0), planes)
    alpha = np.concatenate([photo, random_image(rng, (40, 50, 1), "uint8")], axis=-1)
    assert np.array_equal(tessera.scene_planes(alpha), planes)
    grey = tessera.scene_planes(photo[..., 0])
    assert not grey[:2].any() and grey[2:].any()
