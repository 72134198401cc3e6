# SPDX-License-Identifier: Apache-2.0
"""tifffile on the TIFF files that convert writes: types, colours, pages and compressions."""
import numpy as np
from image_inputs import grey, scene
from judging import Case, package_version, tessera

PACKAGES = {"pypi": ["tifffile", "imagecodecs"]}
TOOL = "tifffile"
COMPARED = "convert: TIFF files of four types, five compressions, colours, pages"
COMPRESSIONS = ["none", "deflate", "lzw", "packbits", "zstd"]


def version() -> str:
    return f"{package_version('tifffile')}, imagecodecs {package_version('imagecodecs')}"


def write(folder, image: np.ndarray, compression: str):
    np.save(folder / "in.npy", image)
    tessera("convert", folder / "in.npy", folder / "out.tif", "--compression", compression, "--quiet")
    return folder / "out.tif"


def case(name: str, image: np.ndarray, compression: str) -> Case:
    def theirs(folder):
        import tifffile
        return {"pixels": tifffile.imread(write(folder, image, compression))}

    def ours(folder):
        tessera("convert", write(folder, image, compression), folder / "back.npy", "--quiet")
        return {"pixels": np.load(folder / "back.npy")}

    return Case(f"{name}, {compression}", theirs, ours)


def cases() -> list[Case]:
    u8 = scene("uint8", 35, 20, 24)
    types = [case(dtype, grey(dtype, 36, 9, 13), "deflate") for dtype in ("uint16", "float32", "float64")]
    pages = np.stack([scene("uint8", seed, 12, 16) for seed in (37, 38, 39)])
    return [*(case("uint8", u8, compression) for compression in COMPRESSIONS), *types,
            case("colours", scene("uint8", 40, 14, 18, channels=3), "lzw"), case("pages", pages, "deflate")]
