# SPDX-License-Identifier: Apache-2.0
"""match_template is scikit-image's, and its masked form scikit-image's masked correlation."""
import numpy as np
import pytest
from expected import random_image
from skimage.feature import match_template
from skimage.registration._masked_phase_cross_correlation import cross_correlate_masked

import tessera

BOUND = 2e-6
DTYPES = ["uint8", "uint16", "float32", "float64"]
MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]


def expected(image, template, **how):
    return match_template(image.astype("f8"), template.astype("f8"), **how)


def exact(image, template):
    """The definition, window by window, in long doubles."""
    windows = np.lib.stride_tricks.sliding_window_view(image.astype("g"), template.shape)
    f = windows - windows.mean(axis=(2, 3), keepdims=True)
    t = template.astype("g") - template.astype("g").mean()
    norm = np.sqrt((f * f).sum(axis=(2, 3)) * (t * t).sum())
    r = np.zeros(norm.shape)
    np.divide((f * t).sum(axis=(2, 3)), norm, out=r, where=norm > 0)
    return r


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("other", DTYPES)
def test_random_sizes(rng, dtype, other):
    for _ in range(40):
        rows, columns = rng.integers(2, 90, 2)
        image = random_image(rng, (rows, columns), dtype)
        template = random_image(rng, (rng.integers(1, rows + 1), rng.integers(1, columns + 1)), other)
        map_ = tessera.match_template(image, template)
        assert map_.dtype == np.float32
        if template.size > 1:
            np.testing.assert_allclose(map_, expected(image, template), atol=BOUND)
        else:
            assert not map_.any()
        doubles = tessera.match_template(image, template, output_type="float64")
        assert doubles.dtype == np.float64
        np.testing.assert_allclose(doubles, exact(image, template), atol=BOUND)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", ["uint8", "float64"])
def test_padding(rng, mode, dtype):
    for shape in [(3, 3), (4, 7), (1, 6), (20, 31)]:
        image = random_image(rng, (20, 31), dtype)
        template = random_image(rng, shape, dtype)
        how = {"constant_values": 3} if mode == "constant" else {}
        map_ = tessera.match_template(image, template, pad_input=True, mode=mode, **how)
        assert map_.shape == image.shape
        np.testing.assert_allclose(map_, expected(image, template, pad_input=True, mode=mode, **how), atol=BOUND)


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_channels_count_together(rng, channels):
    image = random_image(rng, (40, 50, channels), "uint8")
    template = image[7:19, 21:30]
    map_ = tessera.match_template(image, template, channel_axis=-1)
    np.testing.assert_allclose(map_.squeeze(), expected(image, template)[..., 0], atol=BOUND)
    assert np.unravel_index(map_.argmax(), map_.shape)[:2] == (7, 21)
    first = np.moveaxis(image, -1, 0)
    moved = tessera.match_template(first, np.moveaxis(template, -1, 0), channel_axis=0)
    assert np.array_equal(moved.squeeze(), map_.squeeze())


def test_batches_and_lines(rng):
    images = random_image(rng, (3, 30, 40), "float32")
    template = random_image(rng, (5, 6), "float32")
    maps = tessera.match_template(images, template, batch_axis=0)
    for image, map_ in zip(images, maps, strict=True):
        assert np.array_equal(map_, tessera.match_template(image, template))
    line = tessera.match_template(images[0, 0], template[0])
    assert np.array_equal(line, tessera.match_template(images[0, :1], template[:1])[0])


def test_masks_of_the_template(rng):
    image = random_image(rng, (60, 70), "float64")
    template = random_image(rng, (13, 17), "float64")
    mask = rng.random(template.shape) < 0.6
    full = cross_correlate_masked(image, template, np.ones(image.shape, bool), mask, mode="full", overlap_ratio=0,
                                  axes=(0, 1))
    map_ = tessera.match_template(image, template, mask=mask)
    np.testing.assert_allclose(map_, full[12:-12, 16:-16], atol=BOUND)
    holed = np.where(mask, template, np.nan)
    assert np.array_equal(tessera.match_template(image, holed), map_)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_masks_of_the_image(rng, dtype):
    image = random_image(rng, (50, 40), dtype)
    template = random_image(rng, (9, 8), dtype)
    mask, counts = rng.random(template.shape) < 0.8, rng.random(image.shape) < 0.7
    full = cross_correlate_masked(image.astype("f8"), template.astype("f8"), counts, mask, mode="full",
                                  overlap_ratio=0, axes=(0, 1))
    gaps = np.where(counts, image, np.nan)
    gaps[0, 0] = np.inf
    counts[0, 0] = False
    inside = tessera.match_template(gaps, template, True, "inside", mask=mask, overlap=0)
    valid = tessera.match_template(gaps, template, mask=mask, overlap=0)
    assert np.array_equal(inside[4:-4, 4:-3], valid)
    full = cross_correlate_masked(np.where(counts, image, 0).astype("f8"), template.astype("f8"), counts, mask,
                                  mode="full", overlap_ratio=0, axes=(0, 1))
    np.testing.assert_allclose(inside, full[4:-4, 3:-4], atol=1e-5)


@pytest.mark.parametrize("offset", [0, 1e3, 1e6, -1e9])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_bright_images(rng, offset, dtype):
    image = (rng.random((90, 80)) + offset).astype(dtype)
    template = (rng.random((7, 9)) - offset).astype(dtype)
    np.testing.assert_allclose(tessera.match_template(image, template), exact(image, template), atol=BOUND)


def test_flat_parts(rng):
    image = rng.random((60, 50)) + 1e6
    image[:30] = 123456.7
    template = rng.random((6, 7))
    map_ = tessera.match_template(image, template)
    assert not map_[:25].any()
    np.testing.assert_allclose(map_, exact(image, template), atol=BOUND)
    assert not tessera.match_template(image, np.full((3, 3), 0.1)).any()
    assert not tessera.match_template(np.full((9, 9), 0.3), template[:3, :3]).any()


@pytest.mark.parametrize("dtype", [">u2", ">f4", ">f8", "int16", "bool", "float16"])
def test_more_dtypes(rng, dtype):
    image = random_image(rng, (30, 40), "float32")
    image = (image * (100 if np.dtype(dtype).kind in "iu" else 1) > 0.5 if dtype == "bool" else image).astype(dtype)
    template = image[3:12, 5:16]
    map_ = tessera.match_template(image, template)
    assert map_.dtype == np.float32
    np.testing.assert_allclose(map_, exact(image, template), atol=BOUND)


def test_steps_and_results(rng):
    image = random_image(rng, (80, 90), "uint16")
    template = random_image(rng, (5, 4), "uint16")
    view = image[::-2, 1::3]
    expected_map = tessera.match_template(view.copy(), template)
    assert np.array_equal(tessera.match_template(view, template[::1]), expected_map)
    out = np.zeros(expected_map.shape[::-1], "float32").T
    assert tessera.match_template(view, template, out=out) is out
    assert np.array_equal(out, expected_map)
    for how in [{"threads": 1}, {"threads": 3}, {"method": "fft"}, {"method": "direct"}]:
        np.testing.assert_allclose(tessera.match_template(view, template, **how), expected_map, atol=BOUND)


def test_peaks(rng):
    page = random_image(rng, (120, 140), "uint8")
    page[80:91, 30:43] = page[20:31, 100:113]
    map_ = tessera.match_template(page, page[20:31, 100:113])
    assert [peak[:2] for peak in tessera.match_peaks(map_, 2)] == [(20, 100), (80, 30)]
    assert tessera.match_peaks(map_)[0][2] == pytest.approx(1, abs=BOUND)
    assert tessera.match_peaks(map_, 9, threshold=0.9) == tessera.match_peaks(map_, 2)


@pytest.mark.parametrize(("call", "message"), [
    (lambda a, t: tessera.match_template(t, a), "the template is 9x8, larger than the image of 4x3; it must fit"),
    (lambda a, t: tessera.match_template(a, t[0]), r"template is \(4,\) for images of \(8, 9\)"),
    (lambda a, t: tessera.match_template(a, np.zeros((0, 3))), "the template is 3x0"),
    (lambda a, t: tessera.match_template(a, t * np.nan), "no pixel of the template counts"),
    (lambda a, t: tessera.match_template(a, t, mask=np.ones((3, 3))), "the mask is 3x3"),
    (lambda a, t: tessera.match_template(a, t, mode="edges", pad_input=True), "mode: 'edges' is not known"),
    (lambda a, t: tessera.match_template(a, t, backend="cuda"), "it runs on the CPU only; give backend auto or cpu"),
    (lambda a, t: tessera.match_template(a, t, output_type="uint8"), "a map is f32 or f64"),
    (lambda a, t: tessera.match_template(a, t, overlap=2), "overlap is 2"),
    (lambda a, t: tessera.match_peaks(a, 0), "peaks is 0; it can be 1 or more"),
    (lambda a, t: tessera.match_template(np.zeros((8, 9, 3)), np.zeros((3, 4, 1)), channel_axis=-1),
     "the template has 1 channel and the image 3 channels"),
])
def test_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(np.zeros((8, 9)), np.ones((3, 4)))
