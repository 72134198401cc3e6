#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run by scripts/release with the Python of a fresh environment: checks that an installed wheel works, and that every
library it loads is part of it or of every Linux system with its glibc.

    cd /somewhere/else && FRESH/bin/python -I tools/wheel_trial.py
"""
import re
import sys
import tempfile
from pathlib import Path

import numpy as np

# Libraries that manylinux wheels may take from the system.
FROM_THE_SYSTEM = re.compile(r"(ld-linux|lib(c|m|mvec|dl|rt|pthread|util|stdc\+\+|gcc_s|z))[.-]")


def loaded() -> set[str]:
    maps = Path("/proc/self/maps").read_text()
    return set(re.findall(r"(/\S+\.so[.\d]*)$", maps, re.MULTILINE))


BEFORE = loaded()  # by Python and NumPy
import tessera  # noqa: E402


def work(folder: Path) -> None:
    """Every format that needs a library, and every library that computes."""
    image = tessera.sample_scene(96, 64, seed=1)
    for name in ("a.png", "a.jpg", "a.tif"):
        tessera.write(folder / name, image)
        assert tessera.read(folder / name).shape == image.shape, name
    grey = tessera.grey(image).astype("float32")
    for name, options in (("a.fits", {}), ("b.fits", {"compression": "rice"}), ("b.tif", {"compression": "zstd"})):
        tessera.write(folder / name, grey if name == "a.fits" else grey.astype("uint8"), **options)
        assert np.array_equal(tessera.read(folder / name), grey), name
    assert tessera.convolve(grey, "gauss:2.5", backend="cpu").shape == grey.shape
    sky = tessera.sample_polarised(16, 12, sources=1)
    q, u = sky["q"].astype("float64"), sky["u"].astype("float64")  # some BLAS are refused in float32
    tessera.faraday_synth(q, u, sky["frequency"], phi_max=100, dphi=5, method="gemm", backend="cpu")


def loaded_from_elsewhere() -> list[str]:
    own = f"{Path(sys.prefix).resolve()}/"
    return [path for path in sorted(loaded() - BEFORE) if not path.startswith(own)
            and not FROM_THE_SYSTEM.match(path.rsplit("/", 1)[1])]


def main() -> int:
    place = Path(tessera.__file__).resolve()
    if not place.is_relative_to(Path(sys.prefix).resolve()):
        print(f"wheel_trial: tessera is {place}, not the one in {sys.prefix}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        work(Path(folder))
    if elsewhere := loaded_from_elsewhere():
        print(f"wheel_trial: libraries from the system, not from the wheel: {', '.join(elsewhere)}", file=sys.stderr)
        return 1
    count = sum("/tessera.libs/" in path for path in loaded())
    print(f"tessera {tessera.__version__} works with {count} libraries from the wheel and none from the system")
    return 0


if __name__ == "__main__":
    sys.exit(main())
