# SPDX-License-Identifier: Apache-2.0
"""Noise compared with the field's tools: BANE to rounding, sep within a few percent. Skipped if not installed."""
import importlib.util
import subprocess
import sys

import numpy as np
import pytest

import tessera

STEP, BOX = 16, 48
SIGMA = 2.0
# BANE's boxes leave out the last row and column and its last nodes lie beyond them. The background feels that a box and
# a step away, the noise of what is left as far again.
FAR = 2 * (BOX // 2 + STEP) + 1

# In a process of its own: BANE forks, shares memory and waits for its workers.
RUN_BANE = """
import logging, sys
import numpy as np
from AegeanTools import BANE
logging.disable(logging.CRITICAL)
step, box = int(sys.argv[3]), int(sys.argv[4])
np.save(sys.argv[2], BANE.filter_image(sys.argv[1], None, step_size=(step, step), box_size=(box, box), cores=1))
"""


@pytest.fixture(scope="module")
def sky():
    """A background that bends, and sources that clipping takes away."""
    rng = np.random.default_rng(5)
    rows, columns = np.mgrid[:272, :320]
    image = rng.normal(10, SIGMA, rows.shape) + 4 * np.sin(rows / 90) + columns / 80
    image.flat[rng.integers(0, image.size, 300)] += rng.uniform(20, 400, 300)
    return image.astype(np.float32)


def bane(image, folder):
    if importlib.util.find_spec("AegeanTools") is None:
        pytest.skip("AegeanTools is not installed")
    fits = pytest.importorskip("astropy.io.fits")
    fits.writeto(folder / "image.fits", image)
    subprocess.run([sys.executable, "-c", RUN_BANE, folder / "image.fits", folder / "maps.npy", str(STEP), str(BOX)],
                   check=True, timeout=100, capture_output=True)
    return np.load(folder / "maps.npy")


def like_bane(image, **options):
    return tessera.noise(image, BOX, mode="grid", grid=STEP, refine=0, estimator="clip", two_pass=True,
                         **options)


@pytest.mark.parametrize("blank", [False, True])
def test_bane_but_for_the_far_borders(sky, tmp_path, blank):
    image = sky.copy()
    if blank:
        image[40:52, 90:130] = np.nan
        image.flat[::97] = np.nan
    background, rms = bane(image, tmp_path)
    maps = like_bane(image)
    near = np.s_[:-FAR, :-FAR]
    for ours, theirs in ((maps.background, background), (maps.rms, rms)):
        assert np.array_equal(np.isnan(ours), np.isnan(theirs))
        assert np.nanmax(abs(ours - theirs)[near]) <= 1e-6 * SIGMA
        assert np.nanmax(abs(ours - theirs)) <= 0.05 * SIGMA


def test_threads_leave_no_seams(sky):
    expected = like_bane(sky, threads=1)
    for threads in (2, 3):
        maps = like_bane(sky, threads=threads)
        assert maps.rms.tobytes() == expected.rms.tobytes()
        assert maps.background.tobytes() == expected.background.tobytes()


def test_seps_background_and_noise(sky):
    sep = pytest.importorskip("sep")
    mesh = sep.Background(sky, bw=64, bh=64)
    maps = tessera.noise(sky, 64, mode="grid", grid=64, estimator="mode")
    assert np.median(maps.rms) == pytest.approx(mesh.globalrms, rel=0.03)
    assert np.median(maps.background) == pytest.approx(mesh.globalback, abs=0.3 * SIGMA)
    for estimator in ("iqr", "mad"):
        rms = np.median(tessera.noise(sky, 64, mode="grid", estimator=estimator).rms)
        assert rms == pytest.approx(mesh.globalrms, rel=0.05)
    middle = np.s_[32:-32, 32:-32]
    assert abs(mesh.back() - maps.background)[middle].max() <= 0.5 * SIGMA
    assert abs(mesh.rms() / maps.rms - 1)[middle].max() <= 0.1
