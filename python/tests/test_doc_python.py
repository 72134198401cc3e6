# SPDX-License-Identifier: Apache-2.0
"""Python of README.md and docs/ runs as it stands, on small data of the names it uses."""
import ast
from pathlib import Path

import numpy as np
import pytest
from doc_examples import PAGES, python_of
from package_build import BUILD

import tessera

BLOCKS = [pytest.param(page.stem, text, id=f"{page.stem}-{number}")
          for page in PAGES for number, text in enumerate(python_of(page))]
LIBRARIES = {"cupy", "dask", "pandas", "torch"}  # not everywhere: a block that needs one is then only read
NEED_A_DEVICE = {"cupy", "torch"}


def noise(*shape, dtype="float32", seed=1):
    values = np.random.default_rng(seed).random(shape)
    return (values * 255 if dtype == "uint8" else values).astype(dtype)


def for_any():
    """The names that pages of new operations begin with."""
    return {"image": noise(30, 40), "film": noise(2, 30, 40)}


def for_enhance():
    photo = noise(40, 50, 3, dtype="uint8")
    return {"scan": photo, "photo": photo, "film": [photo], "result": np.empty((40, 50), "uint8")}


def for_cells():
    film, _ = tessera.sample_cells(96, 96, frames=14, cells=1)
    return {"film": film, "camera": noise(2, 480, 640, dtype="uint8")}


def for_faraday():
    return {"frequency": np.linspace(0.8e9, 1.1e9, 24), "q": noise(24, 6, 5), "u": noise(24, 6, 5, seed=2),
            "sigma": np.full(24, 0.1), "i": 5 + 0.1 * noise(24, 6, 5, seed=3), "sigma_i": np.full(24, 0.1)}


def for_channelise():
    band = np.random.default_rng(3).integers(-30, 30, (2000, 1, 3, 2, 2), "int8")
    np.save("a.npy", band)
    return {}


def for_xengine():
    positions = np.array([-2559454.0, 5095372.0, -2849057.0]) + 10 * np.arange(9).reshape(3, 3)
    return {"blocks": [np.ones((4, 512, 64, 2, 2), "int8")], "positions": positions,
            "mask_of": lambda block: np.ones((1, 64, 2), bool)}


# Names that the blocks of a page take for granted.
GIVEN = {
    "convolve": lambda: {"film": np.zeros((1, 3000, 4000), "float32")},
    "morphology": lambda: for_any() | {"peaks": np.empty((30, 40), "float32")},
    "correlate": lambda: {"photo": noise(260, 270, 3, dtype="uint8"), "left": noise(70, 80), "right": noise(70, 80)},
    "enhance": for_enhance,
    "cells": for_cells,
    "faraday": for_faraday,
    "beam": lambda: {"image": noise(60, 70), "beams": [(12, 9, 30), (15, 14, 80)]},
    "noise": lambda: {"image": noise(90, 100), "flags": np.zeros((90, 100), bool), "film": noise(2, 90, 100),
                      "cube": noise(4, 90, 100)},
    "xengine": for_xengine,
    "measurement-sets": for_xengine,
    "channelise": for_channelise,
    "scale": lambda: for_any() | for_faraday(),
}


def imported_by(text):
    return {alias.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import) for alias in node.names}


def test_there_are_blocks():
    assert len(BLOCKS) > 10


@pytest.mark.parametrize("page, text", BLOCKS)
def test_names_of_the_module_are_there(page, text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "tessera":
            assert hasattr(tessera, node.attr), f"there is no tessera.{node.attr}"


@pytest.mark.parametrize("page, text", BLOCKS)
def test_it_runs_as_it_stands(page, text, cli, tmp_path, monkeypatch):
    for library in sorted(imported_by(text) & LIBRARIES):
        pytest.importorskip(library)
    if imported_by(text) & NEED_A_DEVICE and not tessera.info()["devices"]:
        pytest.skip(f"no device: {tessera.info()['no_device_reason']}")
    if "write_measurement_set" in text:
        if not (BUILD / "libtessera_casacore.so").is_file():
            pytest.skip("casacore is missing")
        monkeypatch.setenv("TESSERA_PLUGINS", str(BUILD))
    monkeypatch.chdir(tmp_path)
    if "galaxy.fits" in text:
        cli("sample", "points", "--size", "80x60", "galaxy.fits")
    if "scan.0000.raw" in text:
        cli("sample", "voltages", "scan.0000.raw", "--antennas", 3, "--channels", 4, "--samples", 64)
    if '"Q.fits"' in text:
        cli("sample", "polarised", "made.fits", "--size", "20x16", "--channels", 24, "--sources", 1)
        for stokes in "QU":
            Path(f"made_{stokes}.fits").rename(f"{stokes}.fits")
    names = GIVEN.get(page, for_any)() | {"np": np, "tessera": tessera}
    exec(compile(text, f"{page}.md", "exec"), names)
