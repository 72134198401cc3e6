# SPDX-License-Identifier: Apache-2.0
"""FITS files against astropy, both ways."""
import gzip
import warnings

import numpy as np
import pytest

fits = pytest.importorskip("astropy.io.fits")


@pytest.fixture
def read(cli, tmp_path):
    """The array that Tessera reads from a file."""

    def run(path, *options):
        cli("convert", path, tmp_path / "read.npy", "--force", *options)
        return np.load(tmp_path / "read.npy")

    return run


@pytest.fixture
def write(cli, tmp_path):
    """A FITS file that Tessera made of an array."""

    def run(array, *options):
        np.save(tmp_path / "write.npy", array)
        cli("convert", tmp_path / "write.npy", tmp_path / "write.fits", "--force", *options)
        return tmp_path / "write.fits"

    return run


def image(rng, dtype, shape):
    if np.dtype(dtype).kind == "f":
        array = rng.normal(100, 10, shape).astype(dtype)
        array.flat[3] = np.nan
        return array
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)


def same(actual, expected):
    native = expected.astype(expected.dtype.newbyteorder("="))
    assert actual.dtype == native.dtype and actual.shape == native.shape
    assert actual.tobytes() == native.tobytes()


def checked(path):
    """The HDUs of a file whose checksums must be right."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fits.open(path, checksum=True, disable_image_compression=True).close()
        with fits.open(path, checksum=True, memmap=False) as hdus:
            hdus.verify("exception")
            for hdu in hdus:
                _ = hdu.data  # reading it checks it
            return hdus


READ_AS = {"u1": "u1", "u2": "u2", "i1": "f4", "i2": "f4", "i4": "f8", "u4": "f8", "i8": "f8",
           "u8": "f8", "f4": "f4", "f8": "f8"}


@pytest.mark.parametrize("dtype", READ_AS)
@pytest.mark.parametrize("shape", [(7, 9), (5, 7, 9), (2, 3, 7, 9)])
def test_reads_every_type(read, rng, tmp_path, dtype, shape):
    array = image(rng, dtype, shape)
    fits.writeto(tmp_path / "a.fits", array)
    same(read(tmp_path / "a.fits"), array.astype(READ_AS[dtype]).reshape(-1, 7, 9).squeeze())


def test_reads_one_row_and_many_axes(read, rng, tmp_path):
    row = image(rng, "f4", (50,))
    fits.writeto(tmp_path / "a.fits", row)
    same(read(tmp_path / "a.fits"), row[None])
    deep = image(rng, "f8", (1, 1, 2, 3, 7, 9))
    fits.writeto(tmp_path / "b.fits", deep)
    same(read(tmp_path / "b.fits"), deep.reshape(6, 7, 9))


@pytest.mark.parametrize("dtype", ["u1", "i2", "i4", "i8"])
@pytest.mark.parametrize("scale, zero", [(0.1, 0), (1, 12.5), (0.37, -1000.25), (2, 32768)])
@pytest.mark.parametrize("blank", [None, 7])
def test_scales_as_astropy_does(read, rng, tmp_path, dtype, scale, zero, blank):
    array = image(rng, dtype, (11, 13))
    array[::3, ::2] = 7
    hdu = fits.PrimaryHDU(array)
    hdu.writeto(tmp_path / "a.fits")
    with fits.open(tmp_path / "a.fits", mode="update", do_not_scale_image_data=True) as hdus:
        hdus[0].header["BSCALE"] = scale
        hdus[0].header["BZERO"] = zero
        if blank is not None:
            hdus[0].header["BLANK"] = blank
    expected = fits.getdata(tmp_path / "a.fits")
    assert np.isnan(expected).any() == (blank is not None)
    actual = read(tmp_path / "a.fits")
    np.testing.assert_array_equal(actual, expected)
    assert actual.dtype == expected.dtype.newbyteorder("=")


@pytest.mark.parametrize("compression, dtypes", [
    ("RICE_1", ["u1", "i2", "u2", "i4"]), ("GZIP_1", ["u1", "i2", "u2", "i4", "f4", "f8"]),
    ("GZIP_2", ["u1", "i2", "u2", "i4", "f4", "f8"]), ("HCOMPRESS_1", ["u1", "i2", "u2"]),
    ("PLIO_1", ["u1"])])
@pytest.mark.parametrize("shape, tile", [((40, 33), None), ((3, 40, 33), (1, 16, 16)), ((2, 2, 40, 33), (2, 1, 7, 33))])
def test_reads_tiles(read, rng, tmp_path, compression, dtypes, shape, tile):
    if compression == "HCOMPRESS_1":  # of two axes, with at least 4 pixels each way
        tile = (1,) * (len(shape) - 2) + (20, 33)
    for dtype in dtypes:
        array = image(rng, dtype, shape)
        if compression == "HCOMPRESS_1":
            array //= 16
        lossless = {"quantize_level": 0} if array.dtype.kind == "f" else {}
        hdu = fits.CompImageHDU(array, compression_type=compression, tile_shape=tile, **lossless)
        fits.HDUList([fits.PrimaryHDU(), hdu]).writeto(tmp_path / "a.fits", overwrite=True)
        same(read(tmp_path / "a.fits"), array.astype(READ_AS[dtype]).reshape(-1, 40, 33).squeeze())


@pytest.mark.parametrize("dither", [-1, 1, 2])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("compression", ["RICE_1", "GZIP_1", "GZIP_2", "HCOMPRESS_1"])
def test_reads_quantised_floats(read, rng, tmp_path, dither, dtype, compression):
    array = image(rng, dtype, (64, 50))
    array[5, 5] = 0
    if compression == "HCOMPRESS_1":
        array = np.nan_to_num(array)
    hdu = fits.CompImageHDU(array, compression_type=compression, quantize_level=16,
                            quantize_method=dither, dither_seed=77)
    hdu.writeto(tmp_path / "a.fits")
    expected = fits.getdata(tmp_path / "a.fits", 1)
    np.testing.assert_allclose(read(tmp_path / "a.fits"), expected, rtol=1e-6)


def test_reads_blank_in_tiles(read, rng, tmp_path):
    array = image(rng, "i2", (20, 30))
    array[4] = -99
    hdu = fits.CompImageHDU(array)
    hdu.header["BLANK"] = -99
    hdu.writeto(tmp_path / "a.fits")
    expected = array.astype("f4")
    expected[array == -99] = np.nan
    np.testing.assert_array_equal(read(tmp_path / "a.fits"), expected)


def test_reads_gzip_and_chosen_hdus(read, rng, tmp_path):
    arrays = [image(rng, dtype, (12, 34)) for dtype in ("u1", "f4", "i2")]
    table = fits.BinTableHDU.from_columns([fits.Column("x", "E", array=np.arange(1000.0))])
    hdus = fits.HDUList([fits.PrimaryHDU(), table, fits.ImageHDU(arrays[0], name="ONE"),
                         fits.CompImageHDU(arrays[2])])
    hdus.writeto(tmp_path / "a.fits")
    (tmp_path / "a.fits.gz").write_bytes(gzip.compress((tmp_path / "a.fits").read_bytes()))
    for name in ("a.fits", "a.fits.gz"):
        same(read(tmp_path / name), arrays[0])
        same(read(tmp_path / name, "--page", "2"), arrays[0])
        same(read(tmp_path / name, "--page", "3"), arrays[2].astype("f4"))


@pytest.mark.parametrize("dtype", ["u1", "u2", "f4", "f8"])
@pytest.mark.parametrize("compression", ["none", "rice", "deflate"])
def test_writes_what_astropy_reads(write, read, rng, dtype, compression):
    if compression == "rice" and dtype[0] == "f":
        return
    for shape, axes in [((7, 9), (7, 9)), ((5, 7, 9), (5, 7, 9)), ((7, 9, 3), (3, 7, 9)),
                        ((2, 7, 9, 3), (2, 3, 7, 9))]:
        array = image(rng, dtype, shape)
        path = write(array, "--compression", compression)
        expected = np.moveaxis(array, -1, -3) if shape[-1] == 3 else array
        data = checked(path)[0 if compression == "none" else 1].data
        same(data.astype(data.dtype.newbyteorder("=")), expected.copy())
        same(read(path), expected.reshape(-1, *axes[-2:]).squeeze())


@pytest.mark.parametrize("compression", ["none", "deflate"])
def test_keeps_the_header(cli, read, rng, tmp_path, compression):
    header = fits.Header()
    header["OBJECT"] = ("M 31", "a galaxy")
    header["CRPIX1"], header["CRPIX2"], header["CRPIX2B"] = 10.5, -3.0, 1e3
    header["CRPIX3"] = 4.0
    header["LONG"] = "it's long, " * 20
    header["HIERARCH ESO TEL NAME"] = "VLT"
    header["COMMENT"] = "kept"
    header["HISTORY"] = "before"
    header["DATAMAX"] = 5.0
    fits.writeto(tmp_path / "a.fits", image(rng, "i2", (3, 40, 50)), header, checksum=True)
    cli("convert", tmp_path / "a.fits", tmp_path / "b.fits", "--crop", "7,5,20x10",
        "--compression", compression)
    kept = checked(tmp_path / "b.fits")[0 if compression == "none" else 1].header
    for keyword in ("OBJECT", "LONG", "ESO TEL NAME", "CRPIX3"):
        assert kept[keyword] == header[keyword]
    assert kept.comments["OBJECT"] == "a galaxy"
    assert (kept["CRPIX1"], kept["CRPIX2"], kept["CRPIX2B"]) == (3.5, -8.0, 995.0)
    assert list(kept["HISTORY"])[0] == "before"
    assert any(line.startswith("tessera ") for line in kept["HISTORY"])
    assert "kept" in list(kept["COMMENT"]) and "DATAMAX" not in kept and "BZERO" not in kept
    assert (kept["NAXIS1"], kept["NAXIS2"], kept["NAXIS3"]) == (20, 10, 3)
