# SPDX-License-Identifier: Apache-2.0
"""Files to damage: those of tests/data and tests/seeds, and small ones that the reference libraries write."""
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SEEDS, DATA = ROOT / "tests/seeds", ROOT / "tests/data"
LARGEST = 100_000  # bytes: larger files only take longer


def values(dtype: str, shape: tuple[int, ...], seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    smooth = np.add.outer(np.arange(shape[0]) * 3.0, np.arange(shape[1]) * 2.0)
    smooth = smooth.reshape(smooth.shape + (1,) * (len(shape) - 2)) + rng.normal(0, 4, shape) + 40
    return smooth.astype(dtype)


def make_tiff(folder: Path) -> None:
    import tifffile
    for compression in ("none", "deflate", "lzw", "packbits", "zstd", "jpeg"):
        for dtype in ("uint8",) if compression == "jpeg" else ("uint8", "uint16", "float32"):
            tifffile.imwrite(folder / f"{compression}_{dtype}.tif", values(dtype, (24, 32)),
                             compression=None if compression == "none" else compression)
    tifffile.imwrite(folder / "tiles.tif", values("uint16", (40, 48)), tile=(16, 16), compression="deflate",
                     predictor=True)
    tifffile.imwrite(folder / "rgb.tif", values("uint8", (20, 24, 3)), photometric="rgb", compression="lzw")
    tifffile.imwrite(folder / "planar.tif", values("uint8", (20, 24, 3)).transpose(2, 0, 1), photometric="rgb",
                     planarconfig="separate")
    tifffile.imwrite(folder / "pages.tif", np.stack([values("uint8", (12, 16), s) for s in (1, 2, 3)]),
                     photometric="minisblack")
    tifffile.imwrite(folder / "big.tif", values("uint8", (12, 16)), bigtiff=True)
    tifffile.imwrite(folder / "motorola.tif", values("uint16", (12, 16)), byteorder=">")
    tifffile.imwrite(folder / "jpeg_rgb.tif", values("uint8", (32, 48, 3)), photometric="rgb", compression="jpeg")
    from PIL import Image
    bits = Image.fromarray((values("uint8", (24, 32)) > 90).astype(np.uint8) * 255).convert("1")
    for name in ("group3", "group4", "packbits"):
        bits.save(folder / f"bits_{name}.tif", compression=name)


def make_fits(folder: Path) -> None:
    from astropy.io import fits
    for dtype in ("uint8", "int16", "int32", "float32", "float64"):
        fits.PrimaryHDU(values(dtype, (12, 16))).writeto(folder / f"plain_{dtype}.fits")
        for method in ("RICE_1", "GZIP_1", "GZIP_2", "HCOMPRESS_1"):
            more = {"tile_shape": (12, 16)} if method == "HCOMPRESS_1" else {}
            hdu = fits.CompImageHDU(values(dtype, (12, 16)), compression_type=method, **more)
            hdu.writeto(folder / f"{method.lower()}_{dtype}.fits")
    for dtype in ("float32", "float64"):
        hdu = fits.CompImageHDU(values(dtype, (12, 16)), compression_type="GZIP_2", quantize_level=0)
        hdu.writeto(folder / f"lossless_{dtype}.fits")
    fits.CompImageHDU(values("int16", (12, 16)), compression_type="PLIO_1").writeto(folder / "plio.fits")


def make_pillow(folder: Path, ending: str) -> None:
    from PIL import Image
    grey, colour = values("uint8", (24, 32)), values("uint8", (24, 32, 3))
    if ending == "png":
        Image.fromarray(values("uint16", (24, 32))).save(folder / "grey16.png")
        Image.fromarray(colour).quantize(16).save(folder / "palette.png")
    else:
        Image.fromarray(colour).save(folder / "progressive.jpg", progressive=True)
        Image.fromarray(colour).save(folder / "subsampled.jpg", subsampling=2)
        Image.fromarray(grey).save(folder / "restarts.jpg", restart_marker_rows=1)
    Image.fromarray(grey).save(folder / f"grey.{ending}")
    Image.fromarray(colour).save(folder / f"colour.{ending}")


def make_npy(folder: Path) -> None:
    for dtype in ("uint8", "<u2", ">u2", "<f4", "<f8"):
        np.save(folder / f"{dtype.strip('<>')}_{'big' if dtype[0] == '>' else 'little'}.npy", values(dtype, (12, 16)))
    np.save(folder / "fortran.npy", np.asfortranarray(values("<f4", (12, 16))))
    np.save(folder / "stack.npy", values("uint8", (4, 6, 3)))


def of_baseband(form: str) -> list[Path]:
    """Recordings of telescopes that come with baseband."""
    import baseband.data
    names = {"vdif": ["SAMPLE_VDIF", "SAMPLE_MWA_VDIF", "SAMPLE_AROCHIME_VDIF"], "dada": ["SAMPLE_DADA"],
             "guppi": ["SAMPLE_PUPPI"]}
    return [Path(getattr(baseband.data, name)) for name in names.get(form, [])]


def seed_files(form: str, folder: Path) -> list[Path]:
    """Small files of a format, some of them made in `folder`."""
    make = {"tiff": make_tiff, "fits": make_fits, "npy": make_npy,
            "png": lambda f: make_pillow(f, "png"), "jpeg": lambda f: make_pillow(f, "jpg")}.get(form)
    if make:
        make(folder)
    own = {"tiff": DATA / "tiff", "fits": SEEDS / "fits", "npy": DATA / "npy", "png": DATA / "pngsuite",
           "jpeg": DATA / "jpeg"}
    endings = {"tiff": {".tif", ".tiff"}, "fits": {".fits", ".gz"}, "npy": {".npy"}, "png": {".png"},
               "jpeg": {".jpg", ".jpeg"}, "vdif": {".vdif"}, "dada": {".dada"}, "guppi": {".raw"}}[form]
    found = [*folder.iterdir(), *own.get(form, SEEDS / "voltages").iterdir(), *of_baseband(form)]
    return sorted((f for f in found if f.suffix in endings and f.stat().st_size <= LARGEST), key=lambda f: f.name)
