#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Filters a picture: convolve_example.py IN.png gauss:2.5 OUT.npy [BORDER]"""
import sys

import tessera


def main(source: str, weights: str, target: str, border: str = "reflect-101") -> None:
    image = tessera.read(source)
    colours = -1 if image.ndim == 3 else None
    plan = tessera.Convolve(image.shape, image.dtype, weights, border=border, channel_axis=colours)  # once
    tessera.write(target, plan(image), force=True)  # once per image
    print(plan.describe())


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:5])
    except (ValueError, TypeError, OSError, MemoryError) as error:
        sys.exit(str(error))
