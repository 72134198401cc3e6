# SPDX-License-Identifier: Apache-2.0
"""Plans make some rows of a result from a piece of the image: the bytes of one call, wherever it is cut."""
import numpy as np
import pytest

import tessera


def pieces(plan, image, cuts, axis=0, **more):
    """Rows between neighbouring cuts, each from the rows that the plan needs."""
    for first, end in zip(cuts[:-1], cuts[1:], strict=True):
        first_row, rows = plan.needed_rows(first, end)
        yield plan.run_rows(np.ascontiguousarray(image.take(rows, axis)), first_row, (first, end), **more)


@pytest.fixture
def image(rng):
    values = rng.normal(100, 30, (83, 41)).astype("float32")
    values[7, 9] = np.nan
    return values


CUTS = [0, 1, 30, 31, 80, 83]


def test_filters(image):
    for plan in (tessera.Convolve(image.shape, "f4", "gauss:2", border="wrap"),
                 tessera.Erode(image.shape, "f4", "disk:5", border="reflect"),
                 tessera.Dilate(image.shape, "f4", "box:4x7"),
                 tessera.PercentileFilter(image.shape, "f4", 20, size=(9, 4), mode="mirror")):
        assert np.concatenate(list(pieces(plan, image, CUTS))).tobytes() == plan(image).tobytes()
        assert plan.output_dtype == "float32" and plan.row_step == 1
        assert (plan.backend, plan.method) == tuple(plan.describe().split(": ")[1].split(",")[0].split()[:2])


def test_percentile_filter_is_a_plan(image):
    plan = tessera.PercentileFilter(image.shape, image.dtype, 30, footprint="disk:2", origin=(1, 0))
    assert plan(image).tobytes() == tessera.percentile_filter(image, 30, footprint="disk:2", origin=(1, 0)).tobytes()
    with pytest.raises(TypeError, match="give either size or footprint"):
        tessera.PercentileFilter(image.shape, image.dtype, 30)
    with pytest.raises(TypeError, match="percentile_filter.*no option 'rank'"):
        tessera.PercentileFilter(image.shape, image.dtype, 30, 3, rank=2)


def test_noise(image, rng):
    plan = tessera.Noise(image.shape, image.dtype, (9, 12))
    mask = rng.random(image.shape) < 0.2
    for blanks in (None, mask):
        wanted = plan(image, blanks)
        found = []
        for first, end in zip(CUTS[:-1], CUTS[1:], strict=True):
            first_row, rows = plan.needed_rows(first, end)
            maps = plan.run_rows(image[rows], first_row, (first, end), None if blanks is None else blanks[rows])
            own = None if blanks is None else blanks[first:end]
            found.append(np.stack([*maps, plan.snr_rows(image[first:end], maps, own)]))
        whole = np.stack([wanted.background, wanted.rms, wanted.snr])
        assert np.concatenate(found, 1).tobytes() == whole.tobytes()
    with pytest.raises(ValueError, match="rows -1 to 5 are not among them"):
        plan.run_rows(image, 0, (-1, 5))
    with pytest.raises(ValueError, match="mode grid takes whole images"):
        tessera.Noise(image.shape, image.dtype, 9, mode="grid").run_rows(image, 0, (0, 5))
    with pytest.raises(ValueError, match="plans for one image"):
        tessera.Noise((2, 9, 9), "f4", 3).run_rows(np.zeros((9, 9), "f4"), 0, (0, 5))


@pytest.mark.parametrize("dtype, steps", [("uint8", "grey,contrast,smooth"), ("uint16", "clahe"), ("float32", "clahe")])
def test_enhance(rng, dtype, steps):
    scan = (rng.random((83, 20, 3)) * (1 if dtype == "float32" else 250)).astype(dtype)
    plan = tessera.Enhance(scan.shape, scan.dtype, steps=steps)
    parts = list(zip(CUTS[:-1], CUTS[1:], strict=True))
    found = []
    for sweep in range(plan.sweeps):
        counts = []
        for first, end in reversed(parts):
            first_row, rows = plan.needed_rows(first, end, sweep)
            counts.append(plan.look(scan[rows], first_row, (first, end), found))
        found.append(plan.add_counts(counts, found))
    made = list(pieces(plan, scan, CUTS, found=found))
    assert np.concatenate(made).tobytes() == plan(scan).tobytes()
    with pytest.raises(ValueError, match="sweeps are finished"):
        plan.run_rows(scan, 0, (0, 83), [])
    with pytest.raises(ValueError, match="numbers are to be added"):
        plan.add_counts([np.zeros(3, "uint64")], [])


def test_maps_are_a_plan(rng):
    axes = tessera.faraday_axes(np.linspace(0.8e9, 1.1e9, 24), phi_max=200)
    fdf = (rng.normal(0, 1, (len(axes.phi), 4, 5)) + 1j * rng.normal(0, 1, (len(axes.phi), 4, 5))).astype("complex64")
    plan = tessera.FaradayMaps(fdf.shape, fdf.dtype, axes, maps=["rm", "snr"])
    assert plan.names == ["rm", "snr"]
    wanted = tessera.faraday_maps(fdf, axes, maps=["rm", "snr"])
    assert {name: made.tobytes() for name, made in plan(fdf).items()} == {k: v.tobytes() for k, v in wanted.items()}
    with pytest.raises(ValueError, match="it must be"):
        plan(fdf[:, :3])
    with pytest.raises(TypeError, match="faraday_maps: fdf has dtype float32"):
        tessera.FaradayMaps(fdf.shape, "f4", axes)


def test_an_engine_for_voltages():
    voltages = np.zeros((0, 16, 5, 2, 2), "int8")
    assert tessera.XEngine.axes_of(voltages) == "tcapr"
    assert tessera.XEngine.axes_of(np.zeros((10, 3, 4), "complex64"), "tci", polarisations=2) == "tci"
    engine = tessera.XEngine.for_voltages(voltages, order="full")
    assert engine.output_shape == (16, 10, 10, 2) and engine.output_dtype == "int64"
    assert engine.samples == 0 and engine.backend in ("cpu", "cuda") and engine.method in engine.describe()
    with pytest.raises(ValueError, match="layout tci wants"):
        tessera.XEngine.for_voltages(voltages[:, 0, 0, 0])
