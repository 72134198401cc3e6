# SPDX-License-Identifier: Apache-2.0
"""noise and noise_quantiles against NumPy, box by box."""
import sys
from concurrent.futures import ThreadPoolExecutor

import noise_numpy as plain
import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator

import tessera

DTYPES = ["uint8", "uint16", "float32", "float64"]
BOXES = [3, 8, 15, (5, 12), (40, 3)]


def sky(rng, shape=(37, 45), dtype="float32"):
    """Noise about a slope, and a few sources."""
    rows, columns = np.mgrid[:shape[0], :shape[1]]
    image = rng.normal(100, 9, shape) + 0.5 * rows + 0.2 * columns
    image.flat[rng.integers(0, image.size, 12)] += 90
    return np.rint(image).astype(dtype) if np.dtype(dtype).kind == "u" else image.astype(dtype)


def with_blanks(rng, image):
    image = image.copy()
    image.flat[rng.integers(0, image.size, image.size // 9)] = np.nan
    image[5, 6], image[7, 8] = np.inf, -np.inf
    image[20:30, 10:24] = np.nan
    return image


def maps_type(image):
    return np.float64 if image.dtype == np.float64 else np.float32


def assert_same(actual, expected):
    """To the bit, except the payloads of NaN."""
    assert actual.shape == expected.shape
    expected = expected.astype(actual.dtype)
    assert np.array_equal(np.isnan(actual), np.isnan(expected))
    assert np.array_equal(actual, expected, equal_nan=True), abs(actual - expected)[np.isfinite(expected)].max()


def stacked(maps):
    return np.stack([maps.background, maps.rms])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("box", BOXES, ids=str)
def test_every_pixel_has_its_boxs_quartiles(rng, dtype, box):
    image = sky(rng, dtype=dtype)
    maps = tessera.noise(image, box)
    assert maps.background.dtype == maps.rms.dtype == maps_type(image)
    assert_same(stacked(maps), plain.noise_maps(image, box))


def test_masked_arrays_have_their_mask(rng):
    image = sky(rng)
    mask = rng.random(image.shape) < 0.2
    other = rng.random(image.shape) < 0.1
    masked = np.ma.array(image, mask=mask)
    assert_same(stacked(tessera.noise(masked, 9)), stacked(tessera.noise(image, 9, mask=mask)))
    assert_same(stacked(tessera.noise(masked, 9, mask=other)), stacked(tessera.noise(image, 9, mask=mask | other)))
    assert_same(tessera.noise_quantiles(masked, 0.5, 9), tessera.noise_quantiles(image, 0.5, 9, mask=mask))
    plan = tessera.Noise(image.shape, image.dtype, 9)
    assert_same(stacked(plan(masked)), stacked(tessera.noise(image, 9, mask=mask)))
    whole = np.ma.array(sky(rng, dtype="uint8"))
    assert_same(stacked(tessera.noise(whole, 9)), stacked(tessera.noise(whole.data, 9)))


@pytest.mark.parametrize("options", [{"fill": True}, {"nomask": True}], ids=str)
def test_blank_pixels_have_no_signal_over_noise(rng, options):
    image = sky(rng)
    image[5, 6], image[7, 8], image[9, 9] = np.inf, np.nan, 0
    maps = tessera.noise(image, 9, **options)
    assert not np.isnan(maps.rms).any()
    assert sorted(zip(*np.nonzero(np.isnan(maps.snr)), strict=True)) == [(5, 6), (7, 8)]
    maps = tessera.noise(image, 9, zero_is_blank=True, threads=1, **options)
    assert not np.isnan(maps.rms).any()
    assert sorted(zip(*np.nonzero(np.isnan(maps.snr)), strict=True)) == [(5, 6), (7, 8), (9, 9)]


def test_quantiles_are_numpys(rng):
    image = sky(rng, dtype="float64")
    orders = [0.9, 0.1, 0.5, 0, 1, 1 / 3]
    maps = tessera.noise_quantiles(image, orders, (7, 10), border="reflect")
    assert maps.shape == (6, 37, 45)
    assert_same(maps, plain.quantile_maps(image, orders, (7, 10), "reflect"))
    assert np.allclose(maps, np.quantile(plain.boxes_of(image, (7, 10), "reflect")[0], orders, axis=2), rtol=1e-14)
    assert_same(tessera.noise_quantiles(image, 0.1, (7, 10), border="reflect"), maps[1:2])
    assert_same(tessera.noise_quantiles(image, np.array([0.9]), (7, 10), border="reflect"), maps[:1])


@pytest.mark.parametrize("border", [*plain.PAD_MODES, "inside"])
@pytest.mark.parametrize("box", [6, (9, 4), (30, 41)], ids=str)
def test_borders(rng, border, box):
    image = sky(rng)
    assert_same(stacked(tessera.noise(image, box, border=border)), plain.noise_maps(image, box, border=border))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("nomask", [False, True])
@pytest.mark.parametrize("border", ["inside", "reflect"])
def test_blanks_do_not_count(rng, dtype, nomask, border):
    image = with_blanks(rng, sky(rng, dtype=dtype))
    maps = tessera.noise(image, (6, 5), nomask=nomask, border=border)
    expected = plain.noise_maps(image, (6, 5), nomask=nomask, border=border)
    assert np.isnan(expected).any() and np.isfinite(expected).any()
    assert_same(stacked(maps), expected)


def test_zero_is_blank_where_asked(rng):
    image = sky(rng)
    image[10:14, 5:30] = 0
    image[15, 5:30] = -0.0
    assert_same(stacked(tessera.noise(image, 8, zero_is_blank=True)), plain.noise_maps(image, 8, zero_is_blank=True))
    kept = tessera.noise(image, 8)
    assert_same(stacked(kept), plain.noise_maps(image, 8))
    assert not np.signbit(kept.background[kept.background == 0]).any()


@pytest.mark.parametrize("estimator", ["mad", "clip", "mode"])
@pytest.mark.parametrize("dtype", ["uint16", "float32", "float64"])
def test_estimators(rng, estimator, dtype):
    image = sky(rng, (23, 27), dtype)
    if image.dtype.kind == "f":
        image = with_blanks(rng, np.pad(image, ((0, 10), (0, 0)), "wrap"))
    maps = stacked(tessera.noise(image, (9, 7), estimator=estimator))
    expected = plain.noise_maps(image, (9, 7), estimator)
    if estimator == "mad":
        return assert_same(maps, expected)
    assert np.array_equal(np.isnan(maps), np.isnan(expected))
    assert np.allclose(maps, expected, rtol=1e-6 if maps.dtype == np.float32 else 1e-12, equal_nan=True)


def test_the_normal_distributions_own_divisor(rng):
    image = sky(rng)
    assert_same(stacked(tessera.noise(image, 9, normal=True)), plain.noise_maps(image, 9, divisor=1.3489795))


def beyond(maps, image, orders, box):
    """How far quantiles lie outside the two sorted values that the exact ones lie between."""
    values, count, _ = plain.valid_boxes(image, box)
    worst = 0.0
    for plane, order in zip(maps, orders, strict=True):
        low, high = plain.neighbours(values, count, order)
        outside = np.maximum(low - plane, plane - high)[np.isfinite(plane)]
        worst = max(worst, outside.max())
    return worst


@pytest.mark.parametrize("bins", [16, 256, 1024])
def test_binned_is_the_histograms(rng, bins):
    image = with_blanks(rng, sky(rng, (40, 60)))
    box, orders = (20, 31), (0.25, 0.5, 0.9)
    maps = tessera.noise_quantiles(image, orders, box, mode="binned", bins=bins)
    exact = tessera.noise_quantiles(image, orders, box)
    low, width = plain.bins_of(image, bins)
    values, count, _ = plain.valid_boxes(image, box)
    finite = np.isfinite(exact)
    assert np.array_equal(np.isfinite(maps), finite)
    assert beyond(maps, image, orders, box) <= width * (1 + 1e-6)
    for y, x in zip(rng.integers(0, 40, 60), rng.integers(0, 60, 60), strict=True):
        if not finite[0, y, x]:
            continue
        codes = np.clip(np.floor((values[y, x, :count[y, x]] - low) / width), 0, bins - 1).astype(int)
        expected = [plain.binned_quantile(codes, order, bins, low, width) for order in orders]
        wanted = exact[:, y, x] if None in expected else np.array(expected)
        assert np.allclose(maps[:, y, x], wanted, rtol=1e-6)


def test_binned_has_a_range_a_tile(rng):
    image = rng.normal(3, 2, (270, 40)).astype("float32")
    image[256:] *= 100  # the second tile's
    maps = tessera.noise_quantiles(image, (0.25, 0.75), 16, mode="binned")
    assert not np.array_equal(maps, tessera.noise_quantiles(image, (0.25, 0.75), 16))
    assert beyond(maps, image, (0.25, 0.75), 16) <= 12 * 250 / 1024
    maps[:, 256:] = np.nan
    assert beyond(maps, image, (0.25, 0.75), 16) <= 12 * 2.5 / 1024


def nodes_of(length, step):
    return np.unique([*range(0, length, step), length - 1])


@pytest.mark.parametrize("grid, steps", [(None, (3, 2)), (5, (5, 5)), ((4, 7), (4, 7)), (1, (1, 1)), (500, (500, 500))])
@pytest.mark.parametrize("estimator", ["iqr", "clip"])
def test_grid_is_bilinear_between_nodes(rng, grid, steps, estimator):
    image = sky(rng, (33, 29))
    box = (12, 10)
    maps = stacked(tessera.noise(image, box, mode="grid", grid=grid, estimator=estimator, refine=0))
    whole = plain.noise_maps(image, box, estimator)
    rows, columns = nodes_of(33, steps[0]), nodes_of(29, steps[1])
    everywhere = tuple(np.mgrid[:33, :29])
    for actual, plane in zip(maps, whole, strict=True):
        expected = RegularGridInterpolator((rows, columns), plane[np.ix_(rows, columns)])(everywhere)
        assert np.allclose(actual, expected, rtol=1e-5)


def test_grid_fills_nodes_and_masks_blanks(rng):
    image = sky(rng, (48, 64))
    image[:, 30:] = np.nan  # nodes there have nothing to see
    plan = tessera.Noise(image.shape, image.dtype, 8, mode="grid", grid=8)
    maps = plan(image)
    assert np.isnan(maps.rms[:, 30:]).all() and np.isfinite(maps.rms[:, :30]).all()
    kept = tessera.noise(image, 8, mode="grid", grid=8, nomask=True)
    assert np.isfinite(kept.rms).all() and np.isfinite(kept.background).all()
    assert np.array_equal(kept.rms[:, :30], maps.rms[:, :30])
    assert "9x7 nodes" in plan.describe()


@pytest.mark.parametrize("mode", ["exact", "binned", "grid"])
@pytest.mark.parametrize("shape", [(3, 37, 45), (2, 1, 37, 45)], ids=str)
def test_planes_of_a_cube_are_images(rng, mode, shape):
    cube = np.stack([(1 + k) * sky(rng) for k in range(shape[0])]).reshape(shape)
    cube[0, ..., :20, :9] = np.nan
    cube[1] = np.nan  # a plane without a value
    mask = rng.random(shape) < 0.1
    maps = tessera.noise(cube, 9, mode=mode, mask=mask, fill=True)
    assert maps.background.shape == maps.rms.shape == maps.snr.shape == shape
    quantiles = tessera.noise_quantiles(cube, [0.1, 0.5], 9, mode=mode)
    plan = tessera.Noise(shape, "f4", 9, mode=mode)
    assert quantiles.shape == plan.output_shape == (2, *shape)
    for index in np.ndindex(shape[:-2]):
        one = tessera.noise(cube[index], 9, mode=mode, mask=mask[index], fill=True)
        assert_same(maps.background[index], one.background)
        assert_same(maps.rms[index], one.rms)
        assert_same(maps.snr[index], one.snr)
        assert_same(quantiles[(slice(None), *index)], tessera.noise_quantiles(cube[index], [0.1, 0.5], 9, mode=mode))
        assert_same(plan(cube).rms[index], tessera.noise(cube[index], 9, mode=mode).rms)
    turned = np.moveaxis(np.moveaxis(cube, 0, -1).copy(), -1, 0)  # planes innermost in memory
    assert_same(tessera.noise(turned, 9, mode=mode).rms, plan(cube).rms)


@pytest.mark.parametrize("estimator", ["iqr", "clip"])
def test_grid_is_refined_near_bright_sources(rng, estimator):
    rows, columns = np.mgrid[:100, :90]
    image = rng.normal(size=(100, 90)).astype("f4")
    for y, x in ((30, 25), (60, 70), (85, 30)):
        image += (500 * np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / 18)).astype("f4")
    exact = tessera.noise(image, 20, estimator=estimator)

    def worst(refine):
        maps = tessera.noise(image, 20, mode="grid", estimator=estimator, refine=refine)
        return (abs(maps.rms - exact.rms) / exact.rms).max()

    assert worst(0) > 1 and worst(0.2) < 0.5 and worst(0.05) < 0.2


def test_two_pass_is_the_noise_of_what_is_left(rng):
    image = sky(rng, (40, 50), "float64") + 20 * np.mgrid[:40, :50][1]  # a steep slope widens every box
    one, two = (tessera.noise(image, 11, two_pass=two_pass, border="reflect") for two_pass in (False, True))
    assert np.array_equal(one.background, two.background)
    left = image - one.background
    assert np.allclose(two.rms, tessera.noise(left, 11, border="reflect").rms, rtol=1e-6)
    assert np.median(two.rms) < 0.5 * np.median(one.rms)


@pytest.mark.parametrize("mode", ["exact", "binned", "grid"])
@pytest.mark.parametrize("dtype", ["uint16", "float32"])
def test_a_mask_is_blanks(rng, mode, dtype):
    image = sky(rng, dtype=dtype)
    mask = rng.uniform(size=image.shape) < 0.2
    before = image.copy()
    maps = tessera.noise(image, 9, mask=mask, mode=mode)
    expected = tessera.noise(np.where(mask, np.nan, image.astype("float32")).astype("float32"), 9, mode=mode)
    assert_same(stacked(maps), stacked(expected))
    assert_same(maps.snr, expected.snr)
    assert np.isnan(maps.snr[mask]).all() and np.array_equal(image, before)
    plain = {"mode": mode, "refine": 0} if mode == "grid" else {"mode": mode}  # other maps refine other cells
    quantiles = tessera.noise_quantiles(image, [0.5], 9, mask=mask.tolist(), **plain)
    assert_same(quantiles[0], tessera.noise(image, 9, mask=mask, **plain).background)


def test_fill_takes_the_nearest(rng):
    image = sky(rng)
    image[10:25, 12:30] = np.nan
    open_maps, filled = tessera.noise(image, 5), tessera.noise(image, 5, fill=True)
    blank = np.isnan(open_maps.rms)
    assert blank.any() and not np.isnan(filled.rms).any()
    assert np.array_equal(filled.rms[~blank], open_maps.rms[~blank])
    rows, columns = np.nonzero(~blank)
    for y, x in zip(*np.nonzero(blank), strict=True):
        distance = (rows - y) ** 2 + (columns - x) ** 2
        assert filled.background[y, x] in open_maps.background[rows, columns][distance == distance.min()]
    assert np.isnan(tessera.noise(np.full((9, 9), np.nan), 3, fill=True).rms).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_signal_to_noise(rng, dtype):
    image = sky(rng, dtype=dtype)
    image[2:12, 2:12] = 7  # no spread there
    maps = tessera.noise(image, 7)
    assert maps.snr is maps.snr and maps.snr.dtype == maps_type(image)
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = (image.astype(float) - maps.background) / maps.rms
    expected[maps.rms == 0] = np.nan
    assert np.isnan(expected).any()
    assert np.allclose(maps.snr, expected, rtol=1e-6, equal_nan=True)


@pytest.mark.parametrize("mode", ["exact", "binned", "grid"])
def test_same_bits_for_any_threads_and_memory(rng, mode):
    image = with_blanks(rng, sky(rng, (300, 150)))
    expected = stacked(tessera.noise(image, (16, 24), mode=mode, threads=1))
    for options in ({}, {"threads": 2}, {"threads": 3, "memory_limit": 1e6}):
        assert stacked(tessera.noise(image, (16, 24), mode=mode, **options)).tobytes() == expected.tobytes()


@pytest.mark.parametrize("method", ["reference", "boxes", "columns"])
def test_methods_give_the_same_bytes(rng, method):
    image = with_blanks(rng, sky(rng))
    plan = tessera.Noise(image.shape, image.dtype, (7, 12), method=method, backend="cpu")
    assert method in plan.describe()
    assert_same(stacked(plan(image)), plain.noise_maps(image, (7, 12)))


@pytest.mark.parametrize("turn", [lambda a: a[::2, ::-1], lambda a: a[::-3].T, np.asfortranarray, lambda a: a[3:, 5:9]])
def test_any_strides(rng, turn):
    image = turn(sky(rng))
    expected = tessera.noise(np.ascontiguousarray(image), 5)
    assert_same(stacked(tessera.noise(image, 5)), stacked(expected))


def test_out_and_plans(rng):
    image = sky(rng)
    plan = tessera.Noise(image.shape, image.dtype, 9)
    assert plan.output_shape == (2, 37, 45) and "box 9x9" in plan.describe()
    whole = np.full((2, 37, 90), 7, np.float32)
    out = whole[:, :, ::2]
    maps = plan(image, out=out)
    assert np.shares_memory(maps.rms, out) and maps.method == plan.describe()
    assert_same(out, plain.noise_maps(image, 9))
    assert (whole[:, :, 1::2] == 7).all()
    quantiles = tessera.Noise(image.shape, image.dtype, 9, quantiles=[0.2, 0.7])
    assert quantiles.output_shape == (2, 37, 45)
    assert_same(quantiles(image), plain.quantile_maps(image, (0.2, 0.7), 9))
    mask = image > 120
    assert_same(stacked(plan(image, mask)), stacked(tessera.noise(image, 9, mask=mask)))


def test_threads_share_a_plan(rng):
    images = [sky(rng, (60, 70)) for _ in range(16)]
    plan = tessera.Noise((60, 70), "f32", 16, threads=1)
    expected = [plan(image).rms for image in images]
    with ThreadPoolExecutor(4) as pool:
        for maps, wanted in zip(pool.map(plan, images), expected, strict=True):
            assert np.array_equal(maps.rms, wanted)


def test_lists_and_other_libraries_work(rng):
    image = sky(rng, (12, 14), "float64")
    expected = stacked(tessera.noise(image, 5))
    assert_same(stacked(tessera.noise(image.tolist(), 5)), expected)
    torch = pytest.importorskip("torch")
    maps = tessera.noise(torch.from_numpy(image), 5, mask=torch.zeros(12, 14, dtype=torch.bool))
    assert isinstance(maps.rms, torch.Tensor) and isinstance(maps.snr, torch.Tensor)
    assert_same(np.stack([maps.background.numpy(), maps.rms.numpy()]), expected)


def test_small_images(rng):
    assert tessera.noise(np.zeros((1, 1), "f4"), 3).rms[0, 0] == 0
    image = sky(rng, (2, 3))
    assert_same(stacked(tessera.noise(image, 64)), plain.noise_maps(image, 64))
    assert tessera.noise(np.zeros((0, 4), "f4")).rms.shape == (0, 4)


def test_results_keep_what_they_need_alone(rng):
    image = sky(rng)
    before = sys.getrefcount(image)
    maps = tessera.noise(image, 5)
    assert sys.getrefcount(image) == before + 1  # for the ratio
    del maps
    assert sys.getrefcount(image) == before
