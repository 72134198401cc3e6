# SPDX-License-Identifier: Apache-2.0
"""Every dtype that samples can hold, in both byte orders, against SciPy: ranks and morphology to the bit; sums as
SciPy's in float64, rounded to nearest even and saturated."""
import numpy as np
import pytest
from expected import SCIPY_MODES
from scipy import ndimage

import tessera

SIGNED = ["int8", "int16", "int32"]
DTYPES = ["bool", *SIGNED, "uint8", "uint16", "uint32", "float16", "float32", "float64"]
ORDERS = ["<", ">"]
WEIGHTS = np.array([[1, -2, 3, 0], [4, 0, -5, 2], [1, 1, 7, -3]], float)
CROOKED = np.array([[0, 1, 1, 0, 1], [1, 0, 0, 0, 0], [0, 0, 1, 1, 1], [0, 1, 0, 0, 0]], bool)
LAYOUTS = {
    "packed": lambda a: a,
    "backwards": lambda a: a[::-1, ::-1],
    "every second": lambda a: a[::2, 1::3],
    "transposed": lambda a: a.T,
    "one row for all": lambda a: np.broadcast_to(a[0], a.shape),
    "Fortran": np.asfortranarray,
}
SHAPES = [(1, 1), (1, 9), (40, 1), (2, 3), (0, 5), (5, 0)]


def numbers(rng, shape, dtype, order="="):
    """Values all over the dtype's range."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        image = rng.integers(0, 2, shape).astype(bool)
    elif dtype.kind == "f":
        image = rng.normal(0, 50, shape)
    else:
        limits = np.iinfo(dtype)
        image = rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    return image.astype(dtype.newbyteorder(order))


def as_dtype(values, dtype):
    """Rounded to nearest even and saturated."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.rint(values) > 0
    if dtype.kind == "f":
        return values.astype(dtype)
    limits = np.iinfo(dtype)
    return np.clip(np.rint(values), limits.min, limits.max).astype(dtype)


def correlated(image, weights=WEIGHTS, **options):
    return ndimage.correlate(image.astype(float), weights, **options)


def small(image, most=1000):
    """Integers whose sums floats hold exactly."""
    return image if image.dtype.kind in "bf" or image.dtype.itemsize == 1 else (image % most).astype(image.dtype)


def native(image):
    return image.astype(image.dtype.newbyteorder("="))


def same(actual, expected):
    assert actual.dtype == expected.dtype.newbyteorder("=")
    assert np.array_equal(actual, expected, equal_nan=expected.dtype.kind == "f")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("border", SCIPY_MODES)
def test_sums_of_whole_weights_are_exact(rng, dtype, order, border):
    image = small(numbers(rng, (37, 41), dtype, order))
    if image.dtype.kind == "f":
        image = np.rint(image).astype(image.dtype)
    actual = tessera.convolve(image, WEIGHTS, border=border, constant=3)
    same(actual, as_dtype(correlated(image, mode=SCIPY_MODES[border], cval=3), dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_are_within_the_bound(rng, dtype):
    image = numbers(rng, (61, 67), dtype)
    weights = rng.normal(size=(5, 4))
    eps = 2.0**-52 if np.dtype(dtype) in ("int32", "uint32", "float64") else 2.0**-23
    bound = 2 * weights.size * eps * np.abs(weights).sum() * np.abs(image.astype(float)).max()
    expected, actual = correlated(image, weights, mode="mirror"), tessera.convolve(image, weights)
    assert actual.dtype == image.dtype
    if image.dtype.kind == "f":
        bound += np.abs(expected) * np.finfo(dtype).eps / 2
    else:
        limits = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        expected, bound = np.clip(expected, *limits), bound + 0.5
    assert np.all(np.abs(actual.astype(float) - expected) <= bound)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("element", ["box:5x7", "disk:4", CROOKED], ids=str)
def test_morphology_keeps_the_dtype(rng, dtype, order, element):
    image = numbers(rng, (53, 47), dtype, order)
    shape = tessera.named_element(element) if isinstance(element, str) else element
    whole = image.astype(float)
    for ours, theirs in ((tessera.erode, ndimage.grey_erosion), (tessera.dilate, ndimage.grey_dilation)):
        for border in ("reflect", "constant"):
            expected = theirs(whole, footprint=shape, mode=SCIPY_MODES[border], cval=1)
            same(ours(image, element, border=border, constant=1), expected.astype(dtype))


@pytest.mark.parametrize("dtype", ["bool", *SIGNED, "uint32", "float16"])
def test_an_element_that_reaches_no_pixel(dtype):
    corner = np.zeros((9, 9))
    corner[0, 0] = 1
    image = np.zeros((3, 3), dtype)
    kind = np.dtype(dtype).kind
    least, most = (False, True) if kind == "b" else (-np.inf, np.inf) if kind == "f" else \
        (np.iinfo(dtype).min, np.iinfo(dtype).max)
    assert np.array_equal(tessera.erode(image, corner), np.full((3, 3), most, dtype))
    assert np.array_equal(tessera.dilate(image, corner), np.full((3, 3), least, dtype))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("mode", SCIPY_MODES.values())
def test_ranks_keep_the_dtype(rng, dtype, order, mode):
    image = numbers(rng, (43, 39), dtype, order)
    plain = native(image).astype("float32") if dtype == "float16" else native(image)
    for window in ({"size": 3}, {"size": (4, 9)}, {"footprint": CROOKED}):
        options = {**window, "mode": mode, "cval": 1.0}
        same(tessera.median_filter(image, **options), ndimage.median_filter(plain, **options).astype(dtype))
        same(tessera.rank_filter(image, 2, **options), ndimage.rank_filter(plain, 2, **options).astype(dtype))
        same(tessera.percentile_filter(image, 80, **options),
             ndimage.percentile_filter(plain, 80, **options).astype(dtype))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", ["bool", "int16", "int32", "float16", "float32"])
def test_layouts(rng, layout, order, dtype):
    image = LAYOUTS[layout](numbers(rng, (45, 62), dtype, order))
    packed = native(np.ascontiguousarray(image))
    same(tessera.convolve(image, WEIGHTS), tessera.convolve(packed, WEIGHTS))
    same(tessera.dilate(image, "disk:3"), tessera.dilate(packed, "disk:3"))
    out = LAYOUTS[layout](np.zeros((45, 62), image.dtype))
    if out.flags.writeable:
        assert tessera.median_filter(image, 3, out=out) is out
        same(native(out), tessera.median_filter(packed, 3))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", ["bool", "int8", "int16", "int32", "float16"])
def test_small_images(rng, shape, dtype):
    image = small(numbers(rng, shape, dtype, ">"), 50)
    results = [tessera.convolve(image, WEIGHTS), tessera.erode(image, "box:3x3"), tessera.median_filter(image, 3)]
    assert all(result.shape == shape and result.dtype == np.dtype(dtype) for result in results)
    if image.size:
        expected = correlated(np.where(np.isfinite(image), np.rint(image.astype(float)), 0), mode="mirror")
        same(tessera.convolve(np.rint(image.astype(float)).astype(image.dtype), WEIGHTS), as_dtype(expected, dtype))
        same(results[2], ndimage.median_filter(native(image).astype(float), 3).astype(dtype))


@pytest.mark.parametrize("axes", [{"channel_axis": -1}, {"channel_axis": 0}, {"batch_axis": 0},
                                  {"channel_axis": 1, "batch_axis": 3}], ids=str)
def test_channels_and_batches(rng, axes):
    shape = (5, 12, 13, 3) if len(axes) == 2 else (6, 11, 7)
    image = numbers(rng, shape, "int16", ">")
    expected = tessera.convolve(native(image).astype("float32"), "gauss:1", **axes)
    same(tessera.convolve(image, "gauss:1", **axes), as_dtype(expected.astype(float), "int16"))


@pytest.mark.parametrize("limit", [0, 300_000])
@pytest.mark.parametrize("threads", [1, 2])
def test_strips_and_threads_do_not_matter(rng, limit, threads):
    image = numbers(rng, (700, 300), "int16", ">")
    expected = tessera.convolve(native(image).astype("float32"), "gauss:2", border="wrap")
    actual = tessera.convolve(image, "gauss:2", border="wrap", threads=threads, memory_limit=limit)
    same(actual, as_dtype(expected.astype(float), "int16"))
    same(tessera.dilate(image, "disk:9", threads=threads, memory_limit=limit),
         tessera.dilate(native(image).astype("int32"), "disk:9").astype("int16"))


def test_plans(rng):
    image = numbers(rng, (20, 30), "int16", ">")
    for dtype in ("int16", ">i2", np.int16, "i16", np.dtype(">i2")):
        blur = tessera.Convolve(image.shape, dtype, "gauss:1")
        same(blur(image), tessera.convolve(image, "gauss:1"))
        same(blur(native(image)), blur(image))
    thinner = tessera.Erode(image.shape, image.dtype, "disk:2")
    same(thinner(image), tessera.erode(image, "disk:2"))
    with pytest.raises(ValueError, match=r"image is \(20, 30\) of float32; it must be \(20, 30\) of int16"):
        thinner(image.astype("float32"))
    with pytest.raises(ValueError, match=r"out is \(20, 30\) of float32; it must be \(20, 30\) of int16"):
        thinner(image, out=np.empty(image.shape, "float32"))


def test_types_of_results(rng):
    image = numbers(rng, (20, 30), "int16")
    floats = tessera.convolve(image.astype("float32"), "sobel:x")
    for name in ("f32", "float32", ">f4"):
        same(tessera.convolve(image, "sobel:x", output_type=name), floats)
    same(tessera.convolve(image, "sobel:x", output_type="f64"),
         tessera.convolve(image.astype("float32"), "sobel:x", output_type="f64"))
    for dtype in ("bool", "int8", "int16", "int32", "float16"):
        given = image.astype(dtype)
        for name in (dtype, given.dtype, given.dtype.newbyteorder("S"), None):
            same(tessera.convolve(given, "box:3x3", output_type=name), tessera.convolve(given, "box:3x3"))
    swapped = np.empty(image.shape, ">f4")
    assert tessera.convolve(image.astype("float32"), "sobel:x", out=swapped) is swapped
    same(native(swapped), floats)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ORDERS)
def test_noise_and_correlation_take_values(rng, dtype, order):
    image = numbers(rng, (40, 50), dtype, order)
    values = native(image).astype("float64" if dtype in ("int32", "uint32", "float64") else "float32")
    if dtype not in ("uint8", "uint16", "bool"):
        assert np.array_equal(tessera.noise(image, 9).rms, tessera.noise(values, 9).rms)
        assert np.array_equal(tessera.correlate(image, max_shift=5), tessera.correlate(values, max_shift=5))
    else:
        plain = native(image).astype("uint8" if dtype == "bool" else dtype)
        assert np.array_equal(tessera.noise(image, 9).rms, tessera.noise(plain, 9).rms)
        assert np.array_equal(tessera.correlate(image, max_shift=5), tessera.correlate(plain, max_shift=5))
    stack = numbers(rng, (2, 40, 50), dtype, order)[:, ::-1, ::2]
    whole = native(np.ascontiguousarray(stack))
    assert np.array_equal(tessera.noise(stack, 9).background, tessera.noise(whole, 9).background)
    assert np.array_equal(tessera.correlate(stack, max_shift=5), tessera.correlate(whole, max_shift=5))


def test_a_mask_of_integers(rng):
    image, mask = numbers(rng, (40, 50), "int16", ">"), np.zeros((40, 50), bool)
    mask[3:9, 4:20] = True
    values = np.where(mask, np.nan, image.astype("float32")).astype("float32")
    for given in ({"image": image, "mask": mask}, {"image": np.ma.array(image, mask=mask)}):
        assert np.array_equal(tessera.noise(box=9, **given).rms, tessera.noise(values, 9).rms, equal_nan=True)


def test_enhance_takes_both_byte_orders(rng):
    image = numbers(rng, (40, 50, 3), "uint16", ">")
    same(tessera.enhance(image), tessera.enhance(native(image)))
    assert np.array_equal(tessera.histogram(image), tessera.histogram(native(image)))
    same(tessera.Enhance(image.shape, image.dtype)(image), tessera.enhance(image))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", ["int16", "int32"])
@pytest.mark.parametrize("name", ["a.npy", "a.tif", "a.fits"])
def test_signed_integers_in_files(rng, tmp_path, dtype, order, name):
    image = numbers(rng, (20, 30), dtype, order)
    tessera.write(tmp_path / name, image[::-1])
    read = tessera.read(tmp_path / name)
    assert read.dtype == ("float32" if image.itemsize == 2 else "float64")
    assert np.array_equal(read, image[::-1])


@pytest.mark.parametrize("call", [lambda a: tessera.convolve(a, "box:3x3"), lambda a: tessera.erode(a, "disk:1"),
                                  lambda a: tessera.median_filter(a, 3), tessera.noise, tessera.correlate])
@pytest.mark.parametrize("dtype, advice", [
    ("int64", r'image.astype\("f8"\) is right for whole numbers up to 2\^53'), (">u8", "2\\^53"),
    ("complex64", "float64 work$"), ("datetime64[s]", "float64 work$"),
    ("S3", "float64 work$"), ("O", "float64 work$")])
def test_other_dtypes_are_refused(call, dtype, advice):
    image = np.zeros((8, 9), dtype)
    with pytest.raises(TypeError, match=advice.replace("image", "(image|planes)")):
        call(image)


@pytest.mark.parametrize("dtype", ["int16", ">f4"])
def test_results_have_their_own_memory(dtype):
    memory = np.zeros((20, 10), dtype)
    for call, window in ((tessera.convolve, "box:3x3"), (tessera.erode, "disk:1"), (tessera.median_filter, 3)):
        for image, out in ((memory, memory), (memory[:10], memory[5:15]), (memory[:10], memory[9::-1])):
            with pytest.raises(ValueError, match="give the output its own memory"):
                call(image, window, out=out)


def test_results_of_bytes_can_be_signed(rng):
    image = rng.integers(0, 256, (33, 41), "uint8")
    weights = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    expected = ndimage.correlate(image.astype(np.float64), weights, mode="nearest").astype(np.int16)
    out = np.empty(image.shape, np.int16)
    for output_type in ("i16", np.int16):
        result = tessera.convolve(image, weights, border="replicate", output_type=output_type)
        assert result.dtype == np.int16 and np.array_equal(result, expected)
    tessera.convolve(image, weights, border="replicate", output_type="i16", out=out)
    assert np.array_equal(out, expected)
    with pytest.raises(ValueError, match="output type i32"):
        tessera.convolve(image, weights, output_type="i32")
