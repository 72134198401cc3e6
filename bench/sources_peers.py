# SPDX-License-Identifier: Apache-2.0
"""The sources of an image by Tessera, and the islands of the same pixels by sep, which fits nothing."""
from dataclasses import dataclass
from typing import Any

import numpy as np
from peers import Absent, Contender, Prepared, library

import tessera

BEAM, SEED, GROW = 4.0, 5.0, 4.0
APART = 128  # pixels from source to source


@dataclass(frozen=True)
class SourcesCase:
    width: int
    height: int
    dtype: str = "float32"
    channels: int = 1

    def count(self) -> int:
        return max(1, self.width // APART) * max(1, self.height // APART)

    def name(self) -> str:
        return f"{self.width}x{self.height} {self.dtype}, {self.count()} sources, maps known"

    def image(self) -> np.ndarray:
        """White noise of 1, and round sources of 10 to 300 around a grid."""
        rng = np.random.default_rng(7)
        image = rng.standard_normal((self.height, self.width), np.float32)
        across, reach = max(1, self.width // APART), 16
        for k in range(self.count()):
            x, y = (min(APART, side) * (place + 0.5) + rng.uniform(-4, 4)
                    for place, side in ((k % across, self.width), (k // across, self.height)))
            left, top = max(0, int(x) - reach), max(0, int(y) - reach)
            part = image[top:int(y) + reach, left:int(x) + reach]
            v, u = np.mgrid[top:top + part.shape[0], left:left + part.shape[1]]
            peak = 10 * 30 ** rng.uniform()
            part += (peak * np.exp2(-4 * ((u - x) ** 2 + (v - y) ** 2) / BEAM**2)).astype(np.float32)
        return image

    def weights(self, _: np.random.Generator) -> np.ndarray:
        return np.empty(0)

    def bytes(self) -> int:
        return 4 * self.width * self.height

    def flops(self) -> int:
        return 0


def islands(columns: Any) -> np.ndarray:
    """Highest pixels, number of pixels and sums, in the order of the highest pixels."""
    rows = np.stack([np.asarray(column, float) for column in columns], axis=1)
    return rows[np.lexsort((rows[:, 0], rows[:, 1]))]


def islands_of(found: dict[str, Any]) -> np.ndarray:
    # Fluxes and sums are in beams.
    return islands([found["x_max"], found["y_max"], found["pixels"], found["sum"] * np.pi * BEAM**2 / (4 * np.log(2))])


def wrong_islands(case: SourcesCase, image: np.ndarray, _: np.ndarray, result: np.ndarray) -> float:
    """The number of islands that differ from the reference's."""
    return 2.0 * missed(islands_of(listed(image, method="reference")), result)


def listed(image: np.ndarray, **options: Any) -> dict[str, Any]:
    return tessera.sources(image, 0, 1, beam=BEAM, seed=SEED, grow=GROW, rise=1e9, backend="cpu", **options)


def missed(wanted: np.ndarray, found: np.ndarray) -> int:
    if wanted.shape != found.shape:
        return max(len(wanted), len(found))
    return int((~np.isclose(wanted, found, rtol=1e-5)).any(axis=1).sum())


class TesseraSources(Contender):
    name = "tessera"
    module = "tessera"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        last: dict[str, Any] = {}

        def run() -> None:
            last["found"] = listed(image, threads=threads)

        return Prepared(run, lambda: islands_of(last["found"]))


class SepExtract(Contender):
    """Without its filter, its deblending and its cleaning its islands are Tessera's."""

    name = "sep.extract (1 thread)"
    other = "islands, sums and moments, which are the same; it fits nothing and does not look at the noise"
    module = "sep"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        sep = library("sep")
        last: dict[str, Any] = {}

        def run() -> None:
            objects = sep.extract(image, GROW, minarea=1, filter_kernel=None, deblend_cont=1, clean=False)
            last["found"] = objects[objects["peak"] >= SEED]

        def result() -> np.ndarray:
            found = last["found"]
            return islands([found["xpeak"], found["ypeak"], found["npix"], found["flux"]])

        run()
        if wrong := missed(islands_of(listed(image)), result()):
            raise Absent(f"not timed: {wrong} of its islands differ from Tessera's")
        return Prepared(run, result)


SOURCES_CONTENDERS: dict[str, list[Contender]] = {"cpu": [TesseraSources(), SepExtract()]}
