# SPDX-License-Identifier: Apache-2.0
"""faraday_synth, faraday_rmsf, faraday_clean and faraday_maps against plain sums in NumPy."""
import ast
import sys
import threading
import time

import numpy as np
import pytest
from test_doors import stub_function

import tessera

C = 299792458.0
FREQUENCY = np.linspace(0.8e9, 1.088e9, 60)
GRID = dict(phi_max=300, dphi=10)


def lambda2_of(frequency):
    return (C / np.asarray(frequency, float)) ** 2


def plain_synth(q, u, frequency, phi, weights=None, lambda2_0=None):
    """The definition, in double, with frequencies first."""
    q, u = np.asarray(q, float), np.asarray(u, float)
    weights = np.ones(len(frequency)) if weights is None else np.asarray(weights, float)
    lambda2 = lambda2_of(frequency)
    if lambda2_0 is None:
        lambda2_0 = (weights * lambda2).sum() / weights.sum()
    good = np.isfinite(q) & np.isfinite(u)
    turns = np.exp(-2j * np.outer(phi, lambda2 - lambda2_0)) * weights
    sums = np.tensordot(turns, np.where(good, q, 0) + 1j * np.where(good, u, 0), (1, 0))
    with np.errstate(invalid="ignore"):
        return sums / np.tensordot(weights, good.astype(float), (0, 0))


def plain_clean(spectrum, rmsf, phi, fwhm, cutoff, gain=0.1, iterations=1000):
    residual, components, count = spectrum.astype(complex), np.zeros(len(phi), complex), 0
    centre, n = len(rmsf) // 2, len(phi)
    while count < iterations and abs(residual).max() >= cutoff:
        peak = abs(residual).argmax()
        part = gain * residual[peak]
        components[peak] += part
        residual = residual - part * rmsf[centre - peak:centre - peak + n]
        count += 1
    beam = np.exp(-4 * np.log(2) * (np.subtract.outer(phi, phi) / fwhm) ** 2)
    return beam @ components + residual, components, count


def source(phi, frequency, amplitude=1.0, angle=0.3):
    """Q and U of a source of one Faraday depth."""
    turned = 2 * (angle + phi * lambda2_of(frequency))
    return amplitude * np.cos(turned), amplitude * np.sin(turned)


def seven_depths():
    return tessera.faraday_rmsf(tessera.faraday_axes(FREQUENCY, phi="-30,30,10"))


def noise_cube(rng, shape, dtype):
    return rng.standard_normal((2, *shape)).astype(dtype)


@pytest.mark.parametrize("dtype, result, bound", [("float32", "complex64", 1e-5), ("float64", "complex128", 1e-12)])
@pytest.mark.parametrize("shape", [(60,), (60, 1), (60, 13), (60, 1, 1), (60, 5, 7), (60, 33, 17)])
def test_agrees_with_the_sum(rng, dtype, result, bound, shape):
    q, u = noise_cube(rng, shape, dtype)
    spectra = tessera.faraday_synth(q, u, FREQUENCY, **GRID)
    assert spectra.fdf.dtype == result and spectra.fdf.shape == (61, *shape[1:])
    assert np.array_equal(spectra.phi, np.arange(-30, 31) * 10.0)
    expected = plain_synth(q, u, FREQUENCY, spectra.phi)
    assert abs(spectra.fdf - expected).max() <= bound * np.hypot(q, u).mean(axis=0).max()


REGULAR, ANY = ["-20,400,7", "100,200,5"], [np.array([-3.0, 250, 17.5, 40])]


@pytest.mark.parametrize("method, phi", [(method, phi) for method in ["reference", "direct", "gemm", "nufft"]
                                         for phi in REGULAR + (ANY if method != "nufft" else [])])
def test_depths_need_not_be_symmetric(rng, method, phi):
    # In double for gemm: some BLAS are refused in float.
    q, u = noise_cube(rng, (60, 4, 9), "float64" if method == "gemm" else "float32")
    spectra = tessera.faraday_synth(q, u, FREQUENCY, phi=phi, method=method, backend="cpu")
    assert f"cpu {method}" in spectra.method
    if not isinstance(phi, str):
        assert np.array_equal(spectra.phi, phi)
    expected = plain_synth(q, u, FREQUENCY, spectra.phi)
    assert abs(spectra.fdf - expected).max() <= 1e-5 * np.hypot(q, u).mean(axis=0).max()


def test_weights_order_and_lambda0(rng):
    q, u = noise_cube(rng, (60, 3, 5), "float64")
    weights, order = rng.uniform(0.1, 2, 60), rng.permutation(60)
    spectra = tessera.faraday_synth(q, u, FREQUENCY, weights=weights, **GRID)
    expected = plain_synth(q, u, FREQUENCY, spectra.phi, weights)
    assert abs(spectra.fdf - expected).max() < 1e-12
    assert spectra.lambda2_0 == pytest.approx(np.average(lambda2_of(FREQUENCY), weights=weights), rel=1e-14)
    other = tessera.faraday_synth(q[order], u[order], FREQUENCY[order], weights=weights[order], **GRID)
    assert abs(other.fdf - expected).max() < 1e-12
    zero = tessera.faraday_synth(q, u, FREQUENCY, lambda0=0, **GRID)
    assert abs(zero.fdf - plain_synth(q, u, FREQUENCY, zero.phi, lambda2_0=0)).max() < 1e-12


def test_flags(rng):
    q, u = noise_cube(rng, (60, 4, 5), "float32")
    q[3], u[7, 1, 2], q[9, 2, 2], q[:, 3, 4] = np.nan, np.inf, np.nan, np.nan
    spectra = tessera.faraday_synth(q, u, FREQUENCY, **GRID)
    weights = np.ones(60)
    weights[3] = 0
    assert np.array_equal(spectra.axes.weights, weights)
    expected = plain_synth(q, u, FREQUENCY, spectra.phi, weights)
    assert np.isnan(spectra.fdf[:, 3, 4]).all()
    expected[:, 3, 4] = spectra.fdf[:, 3, 4] = 0
    assert abs(spectra.fdf - expected).max() < 1e-5


def test_axes_strides_and_out(rng):
    q, u = noise_cube(rng, (60, 6, 7), "float32")
    expected = tessera.faraday_synth(q, u, FREQUENCY, **GRID).fdf
    last = tessera.faraday_synth(np.moveaxis(q, 0, -1), np.moveaxis(u, 0, -1).copy(), FREQUENCY, axis=-1, **GRID)
    assert np.array_equal(last.fdf, np.moveaxis(expected, 0, -1))
    wide = np.zeros((2, 60, 12, 14), "float32")
    wide[0, :, ::2, ::-2], wide[1, :, ::2, ::-2] = q, u
    given = wide[:, :, ::2, ::-2]
    assert np.array_equal(tessera.faraday_synth(given[0], given[1], FREQUENCY, **GRID).fdf, expected)
    whole = np.full((61, 12, 7), 7 + 7j, "complex64")
    out = whole[:, ::2]
    assert tessera.faraday_synth(q, u, FREQUENCY, out=out, **GRID).fdf is out
    assert np.array_equal(out, expected) and (whole[:, 1::2] == 7 + 7j).all()


def test_stokes_i_model(rng):
    q, u = noise_cube(rng, (60, 3, 4), "float64")
    model = 2 * (FREQUENCY / 1e9) ** -0.7
    spectra = tessera.faraday_synth(q, u, FREQUENCY, model=model, **GRID)
    at = C / np.sqrt(spectra.lambda2_0)
    fractions = [part / model[:, None, None] for part in (q, u)]
    expected = plain_synth(*fractions, FREQUENCY, spectra.phi) * np.interp(at, FREQUENCY, model)
    assert abs(spectra.fdf - expected).max() < 1e-12
    cube = model[:, None, None] * rng.uniform(1, 2, (3, 4))
    spectra = tessera.faraday_synth(q[::-1], u[::-1], FREQUENCY[::-1], model=cube[::-1], **GRID)
    middle = np.interp(at, FREQUENCY, model) * cube[0] / model[0]
    expected = plain_synth(q / cube, u / cube, FREQUENCY, spectra.phi) * middle
    assert abs(spectra.fdf - expected).max() < 1e-12
    outside = {**GRID, "lambda0": 2 * (C / FREQUENCY[0]) ** 2}  # there the nearest channel counts
    spectra = tessera.faraday_synth(q, u, FREQUENCY, model=model, **outside)
    expected = tessera.faraday_synth(*fractions, FREQUENCY, **outside).fdf * model[0]
    assert abs(spectra.fdf - expected).max() < 1e-12
    model[5] = 0  # such a channel is flagged
    spectra = tessera.faraday_synth(q.astype("f4"), u.astype("f4"), FREQUENCY, model=model, **GRID)
    assert spectra.fdf.dtype == "complex64" and spectra.axes.weights[5] == 0 and np.isfinite(spectra.fdf).all()


def test_rmsf():
    axes = tessera.faraday_axes(FREQUENCY, **GRID)
    rmsf = tessera.faraday_rmsf(axes)
    assert rmsf.phi.size == 2 * axes.phi.size + 1 and rmsf.value.dtype == "complex128"
    expected = plain_synth(np.ones(60), np.zeros(60), FREQUENCY, rmsf.phi)
    assert abs(rmsf.value - expected).max() < 1e-12
    assert not rmsf.fitted and rmsf.fwhm == pytest.approx(3.8 / np.ptp(lambda2_of(FREQUENCY)), rel=1e-12)
    fitted = tessera.faraday_rmsf(tessera.faraday_axes(FREQUENCY, phi_max=300, dphi=1), fit=True)
    height = abs(fitted.value)
    assert fitted.fitted and fitted.fwhm == pytest.approx(np.ptp(fitted.phi[height > 0.5]), rel=0.05)
    flagged = np.zeros(60, bool)
    flagged[10:20] = True
    part = tessera.faraday_rmsf(axes, flagged=flagged)
    ones = np.where(flagged, np.nan, 1)
    expected = plain_synth(ones, ones * 0, FREQUENCY, rmsf.phi, lambda2_0=axes.lambda2_0)
    assert abs(part.value - expected).max() < 1e-12


@pytest.mark.parametrize("dtype, bound", [("float32", 1e-4), ("float64", 1e-12)])
def test_clean_agrees_with_a_plain_loop(rng, dtype, bound):
    q, u = 0.05 * noise_cube(rng, (60, 3, 4), "float64")
    for (y, x), depth in zip(np.ndindex(3, 4), np.linspace(-200, 200, 12), strict=True):
        for part, more in zip((q, u), source(depth, FREQUENCY), strict=True):
            part[:, y, x] += more
    spectra = tessera.faraday_synth(q.astype(dtype), u.astype(dtype), FREQUENCY, **GRID)
    rmsf = tessera.faraday_rmsf(spectra.axes, fit=True)
    cleaned = tessera.faraday_clean(spectra.fdf, rmsf, 0.05)
    assert cleaned.clean.dtype == cleaned.components.dtype == spectra.fdf.dtype
    assert cleaned.iterations.dtype == "int32" and cleaned.iterations.shape == (3, 4)
    for y, x in np.ndindex(3, 4):
        clean, components, count = plain_clean(spectra.fdf[:, y, x], rmsf.value, spectra.phi, rmsf.fwhm, 0.05)
        assert cleaned.iterations[y, x] == count > 5
        assert abs(cleaned.clean[:, y, x] - clean).max() <= bound * abs(clean).max()
        assert abs(cleaned.components[:, y, x] - components).max() <= bound * abs(components).max()


def test_clean_options(rng):
    q, u = noise_cube(rng, (60, 3, 4), "float64")
    spectra = tessera.faraday_synth(q, u, FREQUENCY, **GRID)
    rmsf = tessera.faraday_rmsf(spectra.axes)
    cutoffs = np.linspace(0.1, 0.5, 12).reshape(3, 4)
    by_map = tessera.faraday_clean(spectra.fdf, rmsf, cutoffs, gain=0.2)
    for y, x in np.ndindex(3, 4):
        alone = tessera.faraday_clean(spectra.fdf[:, y, x], rmsf, cutoffs[y, x], gain=0.2)
        assert np.array_equal(alone.clean, by_map.clean[:, y, x])
        assert int(alone.iterations) == by_map.iterations[y, x]
    few = tessera.faraday_clean(spectra.fdf, rmsf, 0.1, iterations=3)
    assert few.iterations.max() == 3
    deep = tessera.faraday_clean(spectra.fdf, rmsf, 0.3, window=0.05)
    assert (deep.iterations >= tessera.faraday_clean(spectra.fdf, rmsf, 0.3).iterations).all()
    assert deep.iterations.sum() > tessera.faraday_clean(spectra.fdf, rmsf, 0.3).iterations.sum()
    none = tessera.faraday_clean(spectra.fdf, rmsf, 1e9)
    assert np.array_equal(none.clean, spectra.fdf) and not none.components.any()
    # An RMSF of one's own, for one pixel.
    flagged = np.zeros(60)
    flagged[:20] = 1
    own, which = tessera.faraday_rmsf(spectra.axes, flagged=flagged), np.full((3, 4), -1)
    which[1, 2] = 0
    both = tessera.faraday_clean(spectra.fdf, rmsf, 0.1, own_rmsfs=[own], rmsf_of_pixel=which)
    plain = tessera.faraday_clean(spectra.fdf, rmsf, 0.1)
    other = tessera.faraday_clean(spectra.fdf[:, 1, 2], tessera.FaradayRmsf(own.phi, own.value, own.fwhm), 0.1)
    assert np.array_equal(both.clean[:, 1, 2], other.clean)
    assert np.array_equal(both.clean[:, which < 0], plain.clean[:, which < 0])


def test_maps_find_sources(rng):
    depths = np.linspace(-150, 180, 20).reshape(4, 5)
    cube = np.stack([source(depth, FREQUENCY, 0.7, np.radians(40)) for depth in depths.ravel()], axis=-1)
    q, u = cube.reshape(2, 60, 4, 5)
    spectra = tessera.faraday_synth(q, u, FREQUENCY, phi_max=300, dphi=5)
    maps = tessera.faraday_maps(spectra.fdf, spectra.axes, noise=1e-3)
    assert len(maps) == 14 and all(each.shape == (4, 5) and each.dtype == "float64" for each in maps.values())
    assert abs(maps["rm"] - depths).max() < 0.5
    assert abs(maps["pi"] - 0.7).max() < 2e-3
    assert abs(maps["angle-0"] - 40).max() < 3.5  # 0.5 rad/m^2 at 0.1 m^2
    assert np.allclose(maps["max-pi"], abs(spectra.fdf)[1:-1].max(axis=0), rtol=1e-15, atol=0)
    assert np.array_equal(maps["peak-rm"], spectra.phi[1:-1][abs(spectra.fdf)[1:-1].argmax(axis=0)])
    assert np.allclose(maps["rm-error-fwhm"], spectra.fwhm * 1e-3 / (2 * maps["pi"]), rtol=1e-12)
    assert np.allclose(maps["rm-error"], 1e-3 / (2 * maps["pi-debiased"] * spectra.axes.lambda2.std()), rtol=1e-10)
    assert np.allclose(maps["snr"], maps["pi"] / 1e-3, rtol=1e-12)
    weights = abs(spectra.fdf)
    mean = np.tensordot(spectra.phi, weights, 1) / weights.sum(axis=0)
    spread = ((spectra.phi[:, None, None] - mean) ** 2 * weights).sum(axis=0) / weights.sum(axis=0)
    assert np.allclose(maps["second-moment"], np.sqrt(spread), rtol=1e-12)
    two = tessera.faraday_maps(np.moveaxis(spectra.fdf, 0, -1), spectra.axes, maps=["pi", "rm"], axis=-1)
    assert list(two) == ["pi", "rm"] and np.array_equal(two["rm"], maps["rm"])
    one = tessera.faraday_maps(spectra.fdf[:, 1, 2], spectra.axes, maps=["rm"])
    assert float(one["rm"]) == maps["rm"][1, 2]
    assert tessera.faraday_noise(spectra.axes, np.full(60, 0.6)) == pytest.approx(0.6 / np.sqrt(60), rel=1e-12)


def test_plans_are_kept_and_shared(rng):
    q, u = noise_cube(rng, (60, 40, 41), "float32")
    axes = tessera.faraday_axes(FREQUENCY, **GRID)
    plan = tessera.FaradaySynth(q.shape, q.dtype, axes)
    assert plan.output_shape == (61, 40, 41) and "60 channels, 61 depths" in plan.describe()
    fdf = plan(q, u)
    assert np.array_equal(fdf, tessera.faraday_synth(q, u, axes).fdf)
    clean = tessera.FaradayClean(fdf.shape, fdf.dtype, tessera.faraday_rmsf(axes), 0.2)
    expected = clean(fdf)
    assert "faraday clean" in clean.describe()
    for threads in (1, 2, 3, 7):
        assert np.array_equal(tessera.FaradaySynth(q.shape, q.dtype, axes, threads=threads)(q, u), fdf)
        again = tessera.faraday_clean(fdf, tessera.faraday_rmsf(axes), 0.2, threads=threads)
        assert np.array_equal(again.clean, expected.clean)
    found = []
    workers = [threading.Thread(target=lambda: found.append((plan(q, u), clean(fdf).clean))) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 4
    assert all(np.array_equal(a, fdf) and np.array_equal(b, expected.clean) for a, b in found)
    with pytest.raises(ValueError, match=r"it must be \(60, 40, 41\) of float32"):
        plan(q[:, :9], u)


def test_other_threads_run_meanwhile(rng):
    q, u = noise_cube(rng, (60, 64, 64), "float32")
    axes = tessera.faraday_axes(FREQUENCY, phi_max=2000, dphi=10)
    plan = tessera.FaradaySynth(q.shape, q.dtype, axes, method="reference", backend="cpu", threads=1)
    before, count, stop, started = sys.getswitchinterval(), 0, False, threading.Event()

    def count_up():
        nonlocal count
        while not stop:
            started.set()
            count += 1
            time.sleep(0)

    other = threading.Thread(target=count_up)
    sys.setswitchinterval(1000)  # the interpreter then lets go only where it is let go
    try:
        other.start()
        started.wait()
        first = count
        plan(q, u)
        during, stop = count - first, True
        other.join()
    finally:
        sys.setswitchinterval(before)
    assert during > 10


@pytest.mark.parametrize("call, error, text", [
    (lambda q, u: tessera.faraday_synth(q, u[:, :1], FREQUENCY), ValueError,
     "u is (60, 1, 4) of float32; it must be (60, 3, 4)"),
    (lambda q, u: tessera.faraday_synth(q, u, FREQUENCY[1:]), ValueError, "60 planes and there are 59 frequencies"),
    (lambda q, u: tessera.faraday_synth(q, u, -FREQUENCY), ValueError, "above 0"),
    (lambda q, u: tessera.faraday_synth(q, u, FREQUENCY, weights=[1, 2]), ValueError, "weights"),
    (lambda q, u: tessera.faraday_synth(q, u, FREQUENCY, axis=3), ValueError, "between -3 and 2"),
    (lambda q, u: tessera.faraday_synth(q[None], u[None], FREQUENCY), ValueError, "one to three axes"),
    (lambda q, u: tessera.faraday_synth(q, u, FREQUENCY, phi_mx=5), TypeError, "phi_max"),
    (lambda q, u: tessera.faraday_synth(q, u, FREQUENCY, threads=-1), ValueError, "threads"),
    (lambda q, u: tessera.faraday_synth(q.astype("u1"), u.astype("u1"), FREQUENCY), ValueError, "f32 or f64"),
    (lambda q, u: tessera.faraday_synth(q, u, FREQUENCY, model=[1, 2]), ValueError, "model is (2,)"),
    (lambda q, u: tessera.faraday_synth(q, u, FREQUENCY, out=np.empty((9, 3, 4), "c8"), **GRID), ValueError,
     "(61, 3, 4)"),
    (lambda q, u: tessera.faraday_synth(q, u, FREQUENCY, out=np.empty((61, 3, 4), "f4"), **GRID), TypeError,
     "complex64"),
    (lambda q, u: tessera.faraday_synth(q, u, FREQUENCY, phi=[1, 2, 4], method="nufft"), ValueError, "nufft"),
    (lambda q, u: tessera.faraday_axes(FREQUENCY, method="gemm"), TypeError, "method"),
    (lambda q, u: tessera.faraday_rmsf(tessera.faraday_axes(FREQUENCY, phi=[1, 2, 4])), ValueError, "regular"),
    (lambda q, u: tessera.faraday_rmsf(tessera.faraday_axes(FREQUENCY), flagged=[True]), ValueError, "60 channels"),
    (lambda q, u: tessera.faraday_maps(q, tessera.faraday_axes(FREQUENCY)), TypeError, "complex64"),
    (lambda q, u: tessera.faraday_maps(q + 0j, tessera.faraday_axes(FREQUENCY)), ValueError, "depths"),
    (lambda q, u: tessera.faraday_maps(q + 0j, tessera.faraday_axes(FREQUENCY), maps=["rn"]), ValueError, "rm"),
    (lambda q, u: tessera.faraday_clean(q + 0j, tessera.faraday_rmsf(tessera.faraday_axes(FREQUENCY)), 1), ValueError,
     "RMSF"),
    (lambda q, u: tessera.faraday_clean(np.ones(7) + 0j, seven_depths(), 1, rmsf_of_pixel=[np.nan]), ValueError, "nan"),
    (lambda q, u: tessera.faraday_clean(np.ones(7) + 0j, seven_depths(), 1, rmsf_of_pixel=[0]), ValueError, "-1 to -1"),
    (lambda q, u: tessera.faraday_clean(np.ones(7) + 0j, seven_depths(), -1), ValueError, "cutoff is -1"),
    (lambda q, u: tessera.faraday_clean(np.ones((7, 2)) + 0j, seven_depths(), [1, 2, 3]), ValueError,
     "it must be (2,)"),
    (lambda q, u: tessera.FaradayRmsf([1, 2], [1j], 3), ValueError, "1 numbers and phi 2"),
    (lambda q, u: tessera.FaradayClean((9, 9), "f4", tessera.faraday_rmsf(tessera.faraday_axes(FREQUENCY))), TypeError,
     "complex64"),
])
def test_bad_calls(rng, call, error, text):
    with pytest.raises(error) as raised:
        call(*noise_cube(rng, (60, 3, 4), "float32"))
    assert text in str(raised.value)


DOCUMENTED = ["sample_polarised", "faraday_axes", "faraday_synth", "faraday_rmsf", "faraday_clean", "faraday_maps"]


def test_examples_of_docstrings_run():
    names = {"tessera": tessera}
    for name in DOCUMENTED:
        lines = [line.strip()[4:] for line in getattr(tessera, name).__doc__.splitlines()
                 if line.strip().startswith(">>> ")]
        assert lines, name
        for line in lines:
            exec(line, names)
        if name == "sample_polarised":
            names.update({part: names["sky"][part] for part in ("q", "u", "frequency")})
    for plan in (tessera.FaradaySynth, tessera.FaradayClean):
        names.update(fdf=names["spectra"].fdf, many=[(names["q"], names["u"])] if plan is tessera.FaradaySynth
                     else [names["spectra"].fdf])
        for line in plan.__init__.__doc__.splitlines():
            if line.startswith(">>> "):
                exec(line[4:], names)
    assert names["maps"]["rm"].shape == (128, 128) and len(names["cleaned"]) == 1
    assert "lambda0 (None)" in tessera.faraday_synth.__doc__ and "gain (0.1)" in tessera.faraday_clean.__doc__


def test_a_sampled_sky_is_found():
    sky = tessera.sample_polarised(96, 80, seed=3, sources=8, thick=0, second=0, channels=150)
    q, u, i, truth = sky["q"], sky["u"], sky["i"], sky["truth"]
    assert q.shape == u.shape == i.shape == (150, 80, 96) and q.dtype == "float32"
    assert np.array_equal(q, tessera.sample_polarised(96, 80, seed=3, sources=8, thick=0, second=0, channels=150)["q"])
    spectra = tessera.faraday_synth(q, u, sky["frequency"], phi_max=600, dphi=4)
    maps = tessera.faraday_maps(spectra.fdf, spectra.axes, maps=["rm", "rm-error", "pi"])
    assert len(truth["rm"]) == 8
    for x, y, rm, flux in zip(truth["x"], truth["y"], truth["rm"], truth["flux"], strict=True):
        at = round(y), round(x)
        assert abs(maps["rm"][at] - rm) < 5 * maps["rm-error"][at]
        assert 0.8 * flux < maps["pi"][at] < 1.05 * flux  # the centre lies between pixels
    with pytest.raises(ValueError, match="sources"):
        tessera.sample_polarised(16, 16, sources=500)


def test_same_numbers_as_the_command_line(cli, tmp_path):
    sky = tessera.sample_polarised(48, 40, seed=5, sources=4, channels=80, flags=0.001)
    for name in ("q", "u"):
        np.save(tmp_path / f"{name}.npy", sky[name])
    np.savetxt(tmp_path / "frequencies.txt", sky["frequency"], fmt="%.17g")
    cli("faraday", "synth", tmp_path / "q.npy", tmp_path / "u.npy", tmp_path / "frequencies.txt", "-o",
        tmp_path / "a_", "--phi-max", 600, "--dphi", 4, "--maps", "rm,pi")
    spectra = tessera.faraday_synth(sky["q"], sky["u"], sky["frequency"], phi_max=600, dphi=4)
    assert np.array_equal(spectra.fdf.real, np.load(tmp_path / "a_FDF_real_dirty.npy"))
    assert np.array_equal(spectra.fdf.imag, np.load(tmp_path / "a_FDF_im_dirty.npy"))
    maps = tessera.faraday_maps(spectra.fdf, spectra.axes, maps=["rm", "pi"])
    assert np.array_equal(maps["rm"], np.load(tmp_path / "a_phiPeakPIfit_rm2.npy"), equal_nan=True)
    assert np.array_equal(maps["pi"], np.load(tmp_path / "a_ampPeakPIfit.npy"), equal_nan=True)


def test_stub_lists_every_option_with_a_default_that_works(rng):
    arguments = stub_function("faraday_synth").args
    defaults = {a.arg: ast.literal_eval(d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)}
    assert {"weights", "model", "out", "phi", "phi_max", "lambda0", "axis", "method", "threads"} <= defaults.keys()
    q, u = noise_cube(rng, (60, 2, 3), "float32")
    expected = tessera.faraday_synth(q, u, FREQUENCY).fdf
    for name, value in defaults.items():
        assert np.array_equal(tessera.faraday_synth(q, u, FREQUENCY, **{name: value}).fdf, expected)
        assert name in tessera.faraday_synth.__doc__
