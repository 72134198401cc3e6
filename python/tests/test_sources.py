# SPDX-License-Identifier: Apache-2.0
"""Sources against NumPy, and the same bytes from the command line."""
import numpy as np
import pytest

import tessera


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32", "float64"])
def test_matches_numpy(rng, dtype):
    image = (rng.uniform(0, 1, (37, 41, 3)) * 200).astype(dtype)
    wanted = np.asarray(0.5, image.dtype if dtype.startswith("float") else "float32") * image
    if not dtype.startswith("float"):
        wanted = np.rint(wanted).astype(dtype)  # to even, as Tessera rounds
    result = tessera.sources(image, factor=0.5, channel_axis=-1)
    assert result.dtype == image.dtype and np.array_equal(result, wanted)
    plan = tessera.Sources(image.shape, image.dtype, factor=0.5, channel_axis=-1)
    assert np.array_equal(plan(image[::-1]), wanted[::-1])


def test_same_bytes_as_the_command_line(cli, rng, tmp_path):
    image = rng.uniform(-1, 1, (20, 30)).astype("float32")
    np.save(tmp_path / "in.npy", image)
    cli("sources", tmp_path / "in.npy", tmp_path / "out.npy", "--factor", "0.3")
    expected = tessera.sources(image, factor=0.3)
    assert np.load(tmp_path / "out.npy").tobytes() == expected.tobytes()


def test_unknown_options_are_refused():
    with pytest.raises(TypeError, match="did you mean 'factor'"):
        tessera.sources(np.zeros((4, 4)), facto=2)
