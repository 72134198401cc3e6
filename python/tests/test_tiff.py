# SPDX-License-Identifier: Apache-2.0
"""TIFF files between Tessera and tifffile, both ways, through the command line tool."""

import json

import numpy as np
import pytest

tifffile = pytest.importorskip("tifffile")

TYPES = ["u1", "u2", "f4", "f8"]


def random_image(rng, shape, dtype):
    if np.dtype(dtype).kind == "f":
        return rng.standard_normal(shape).astype(dtype)
    return rng.integers(0, np.iinfo(dtype).max, shape, dtype=dtype, endpoint=True)


@pytest.mark.parametrize("compression", ["none", "deflate", "lzw", "packbits", "zstd"])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(40, 50), (40, 50, 2), (40, 50, 3), (40, 50, 4), (3, 40, 50)])
def test_tifffile_reads_what_tessera_wrote(cli, rng, tmp_path, shape, dtype, compression):
    pytest.importorskip("imagecodecs")
    image = random_image(rng, shape, dtype)
    np.save(tmp_path / "in.npy", image)
    cli("convert", "--compression", compression, tmp_path / "in.npy", tmp_path / "out.tif")
    np.testing.assert_array_equal(tifffile.imread(tmp_path / "out.tif"), image)
    with tifffile.TiffFile(tmp_path / "out.tif") as file:
        assert file.pages[0].software.startswith("tessera ")
        assert "convert" in file.pages[0].description


@pytest.mark.parametrize("compression", [None, "zlib", "lzw", "packbits", "zstd", "lzma"])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    "layout, byteorder", [({"rowsperstrip": 7}, "<"), ({"tile": (16, 32)}, ">")]
)
@pytest.mark.parametrize("kind", ["grey", "pages", "rgb", "separate"])
def test_tessera_reads_what_tifffile_wrote(
    cli, rng, tmp_path, compression, dtype, layout, byteorder, kind
):
    pytest.importorskip("imagecodecs")
    shape = {"grey": (40, 50), "rgb": (40, 50, 3)}.get(kind, (3, 40, 50))
    image = random_image(rng, shape, dtype)
    options = {"photometric": "minisblack" if kind in ("grey", "pages") else "rgb"}
    if kind == "separate":
        options["planarconfig"] = "separate"
    predictor = compression in ("zlib", "lzw", "zstd")
    tifffile.imwrite(
        tmp_path / "in.tif", image, compression=compression, predictor=predictor,
        byteorder=byteorder, bigtiff=byteorder == ">", **layout, **options,
    )
    cli("convert", tmp_path / "in.tif", tmp_path / "out.npy")
    expected = np.moveaxis(image, 0, -1) if kind == "separate" else image
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), expected)


def test_ome_names_read_as_tiff(cli, rng, tmp_path):
    image = random_image(rng, (4, 8, 9), "u2")
    tifffile.imwrite(tmp_path / "a.ome.tif", image, photometric="minisblack")
    cli("convert", tmp_path / "a.ome.tif", tmp_path / "out.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), image)


def test_pages_of_other_sizes_are_not_dropped_in_silence(cli, rng, tmp_path):
    pages = [random_image(rng, shape, "u1") for shape in [(8, 9), (8, 9), (5, 6)]]
    with tifffile.TiffWriter(tmp_path / "in.tif") as file:
        for page in pages:
            file.write(page, photometric="minisblack", metadata=None)
    said = json.loads(cli("convert", tmp_path / "in.tif", tmp_path / "out.npy", "--json", code=4))
    assert "2 of its 3 pages are read; left out: page 2 (6x5 u8)" in said["warnings"][0]
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), pages[:2])
    cli("convert", tmp_path / "in.tif", tmp_path / "last.npy", "--page", 2)
    np.testing.assert_array_equal(np.load(tmp_path / "last.npy"), pages[2])
