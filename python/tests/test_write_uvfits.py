# SPDX-License-Identifier: Apache-2.0
"""tessera.write_uvfits: the files of the command, and what it refuses."""
import numpy as np
import pytest
from test_xengine_files import TRACKED, noise, places, read_uvfits, record

import tessera

fits = pytest.importorskip("astropy.io.fits")
FREQUENCY = 1.4e8 + 1e6 * np.arange(3)


def groups_of(path):
    with fits.open(path) as hdus:
        place = hdus["AIPS SU"].data[0]
        return hdus[0].data.tobytes(), hdus["AIPS AN"].data.tobytes(), place["SOURCE"], place["RAEPO"], place["DECEPO"]


def arguments(positions, **more):
    return dict(positions=positions, frequency=FREQUENCY, time=60389.604 + 0.05 / 86400, seconds=0.1,
                phase_centre=(150.0, -30.0), telescope="TEST", source="3C 1",
                names=[f"A{n:03}" for n in range(len(positions))]) | more


@pytest.mark.parametrize("polarisations", [1, 2])
@pytest.mark.parametrize("double", [False, True])
def test_it_writes_the_bytes_of_the_command(cli, rng, tmp_path, polarisations, double):
    data, positions = noise(rng, 100, 3, 4, polarisations), places(rng, 4)
    record(tmp_path, data, positions, source="3C 1", **TRACKED)
    cli("xengine", tmp_path / "in.npy", "-o", tmp_path / "command.uvfits", "--array", tmp_path / "antennas.txt",
        *(["--output-type", "f64"] if double else []))
    for as_complex in (False, True):
        sums = tessera.xengine(data, as_complex=as_complex)
        tessera.write_uvfits(tmp_path / "own.uvfits", sums, samples=100, double=double, force=True,
                             **arguments(positions))
        assert groups_of(tmp_path / "own.uvfits") == groups_of(tmp_path / "command.uvfits")


def test_ut1_is_that_of_the_command(cli, rng, tmp_path):
    data, positions = noise(rng, 100, 3, 4, 1), places(rng, 4)
    record(tmp_path, data, positions, source="3C 1", **TRACKED)
    made = {}
    for dut1 in (0.0, 0.5):
        cli("xengine", tmp_path / "in.npy", "-o", tmp_path / "command.uvfits", "--array", tmp_path / "antennas.txt",
            "--dut1", dut1, "--force")
        tessera.write_uvfits(tmp_path / "own.uvfits", tessera.xengine(data), samples=100, force=True, dut1=dut1,
                             **arguments(positions))
        assert groups_of(tmp_path / "own.uvfits") == groups_of(tmp_path / "command.uvfits")
        made[dut1] = fits.open(tmp_path / "own.uvfits")
        assert made[dut1]["AIPS AN"].header["UT1UTC"] == dut1 and made[dut1]["AIPS AN"].header["DATUTC"] == 0
    # The sky is 7.5 arcseconds further on.
    turned = made[0.5]["AIPS AN"].header["GSTIA0"] - made[0.0]["AIPS AN"].header["GSTIA0"]
    assert 3600 * turned == pytest.approx(7.52, abs=0.01)
    assert made[0.5][0].data.par("UU")[1] != made[0.0][0].data.par("UU")[1]
    with pytest.raises(ValueError, match="dut1 is 1.5; it can be -0.9 to 0.9 s"):
        tessera.write_uvfits(tmp_path / "no.uvfits", tessera.xengine(data), samples=1, dut1=1.5, **arguments(positions))


def test_counts_divide_and_weigh(rng, tmp_path):
    data, positions = noise(rng, 100, 3, 4, 1), places(rng, 4)
    valid = np.ones((100, 4, 1), bool)
    valid[:60, 2] = False
    valid[:, 3] = False
    with tessera.XEngine(4, polarisations=1, channels=3) as engine:
        engine.add(data, valid=valid, valid_samples=1)
        sums = engine.dump(as_complex=True)
        counts = engine.counts
    # Two integrations, the second of means.
    both = np.stack([sums, sums])
    tessera.write_uvfits(tmp_path / "v.uvfits", both, counts=np.stack([counts, counts]),
                         **arguments(positions, time=[60000.1, 60000.2]))
    theirs = read_uvfits(tmp_path / "v.uvfits")
    assert theirs.Ntimes == 2 and np.allclose(np.unique(theirs.time_array) - 2400000.5, [60000.1, 60000.2], atol=1e-8)
    for k, (a, b) in enumerate(tessera.baselines(4)):
        count = counts[k, 0, 0]
        assert count == (0 if 3 in (a, b) else 40 if 2 in (a, b) else 100)
        mean = sums[:, k, 0, 0] / count if count else np.zeros(3)
        found = theirs.get_data(b + 1, a + 1, "xx")
        assert np.array_equal(found, np.stack([mean, mean]).astype(np.complex64))
        assert np.all(theirs.get_nsamples(b + 1, a + 1) == count)
        assert np.all(theirs.get_flags(b + 1, a + 1) == (count == 0))
    means = np.stack([sums, sums]) / 7
    tessera.write_uvfits(tmp_path / "m.uvfits", means, samples=[5, 9], means=True,
                         **arguments(positions, time=[60000.1, 60000.2], phase_centre=[(1, 2), (3, 4)]))
    theirs = read_uvfits(tmp_path / "m.uvfits")
    assert np.array_equal(theirs.get_data(1, 2, "xx"), means[:, :, 1, 0, 0].astype(np.complex64))
    assert np.array_equal(theirs.get_nsamples(1, 2)[:, 0], [5, 9])
    assert theirs.Nphase == 2


def test_what_is_wrong_is_said(rng, tmp_path):
    positions = places(rng, 3)
    sums = np.zeros((3, 6, 2, 2), complex)
    path = tmp_path / "v.uvfits"
    for spoil, part in [
            (dict(positions=np.zeros((3, 3))), "antenna ANT000 is 0 km from the Earth's centre"),
            (dict(positions=positions[:, :2]), r"positions are \(3, 2\); give \(antennas, 3\)"),
            (dict(positions=places(rng, 4)), "4 antennas and 3 channels need"),
            (dict(visibilities=np.zeros((3, 6, 2, 2))), "complex, or of integers with a last axis of 2"),
            (dict(visibilities="abc"), "give an array of numbers"),
            (dict(frequency=[1, 2, 4]), "evenly spaced"),
            (dict(samples=None), "give counts, one per baseline and product, or samples"),
            (dict(counts=np.ones((6, 2, 2), int)), "give counts, one per baseline and product, or samples"),
            (dict(samples=None, counts=np.ones((6, 2), int)), r"counts are \(6, 2\); they must be \(1, 6, 2, 2\)"),
            (dict(samples=None, counts=-np.ones((6, 2, 2), int)), "counts are negative"),
            (dict(samples=-3), "samples is -3; give numbers of samples"),
            (dict(visibilities=np.zeros((0, 3, 6, 2, 2), complex)), "3 antennas and 3 channels need"),
            (dict(time=[1, 2]), "one for each of 1 integrations"),
            (dict(time=np.nan), "one for each of 1 integrations"),
            (dict(phase_centre=(1, 2, 3)), "phase_centre is"),
            (dict(phase_centre=(400, 2)), "right ascension can be 0 to 360"),
            (dict(names=[1, 2, 3]), r"names is \[1, 2, 3\]; give a list of texts"),
            (dict(names=["a"]), "names has 1; give one for each of 3 antennas"),
            (dict(visibilities=np.zeros((3, 6, 3, 3), complex)), "UVFITS has names for 1 or 2 polarisations")]:
        given = arguments(positions, visibilities=sums, samples=1, names=None) | spoil
        with pytest.raises(ValueError, match=part):
            tessera.write_uvfits(path, **given)
        assert not path.exists()
    tessera.write_uvfits(path, sums, samples=1, **arguments(positions, names=None))
    with pytest.raises(ValueError, match="exists"):
        tessera.write_uvfits(path, sums, samples=1, **arguments(positions, names=None))
    assert np.all(read_uvfits(path).nsample_array == 1)
