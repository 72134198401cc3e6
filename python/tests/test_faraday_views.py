# SPDX-License-Identifier: Apache-2.0
"""faraday: arrays that are not what their memory holds, and cutoffs that are not given."""
import numpy as np
import pytest
from test_faraday import FREQUENCY, GRID, noise_cube

import tessera


def test_a_plan_without_a_cutoff_takes_maps_alone(rng):
    q, u = noise_cube(rng, (60, 5, 4), "float32")
    spectra = tessera.faraday_synth(q, u, FREQUENCY, **GRID)
    rmsf = tessera.faraday_rmsf(spectra.axes)
    plan = tessera.FaradayClean(spectra.fdf.shape, spectra.fdf.dtype, rmsf)
    with pytest.raises(ValueError, match="there is no cutoff"):
        plan(spectra.fdf)
    expected = tessera.faraday_clean(spectra.fdf, rmsf, 0.2).clean
    assert np.array_equal(plan(spectra.fdf, np.full((5, 4), 0.2)).clean, expected)


def test_conjugated_tensors_are_what_they_show(rng):
    torch = pytest.importorskip("torch")
    q, u = noise_cube(rng, (60, 5, 4), "float32")
    z = torch.complex(torch.from_numpy(q), torch.from_numpy(u)).conj()
    expected = tessera.faraday_synth(q, -u, FREQUENCY, **GRID)
    assert z.imag.is_neg()
    spectra = tessera.faraday_synth(z.real, z.imag, FREQUENCY, **GRID)
    assert np.array_equal(spectra.fdf.numpy(), expected.fdf)
    rmsf = tessera.faraday_rmsf(expected.axes)
    fdf = torch.from_numpy(expected.fdf.conj()).conj()
    assert fdf.is_conj()
    cleaned = tessera.faraday_clean(fdf, rmsf, 0.2).clean
    assert np.array_equal(cleaned.numpy(), tessera.faraday_clean(expected.fdf, rmsf, 0.2).clean)
    with pytest.raises(ValueError, match="conjugated or negated view"):
        tessera.faraday_synth(q, u, FREQUENCY, out=torch.empty(fdf.shape, dtype=fdf.dtype).conj(), **GRID)
