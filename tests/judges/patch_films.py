# SPDX-License-Identifier: Apache-2.0
"""Films of real cells, cut out of images, that move over real photographs, with the truth. They share nothing with
`tessera sample`: the tracker is judged by other assumptions than those it was tuned with (docs/judging-cells.md).

    patch_films.py FOLDER [--kinds flow,halo] [--seeds 1,2,3] [--cells IMAGE…] [--tissue IMAGE…]
    patch_films.py --list

writes FOLDER/KIND-SEED.npy (frames, rows, columns) and FOLDER/KIND-SEED.csv. Without images, cells come from
tests/data/nuclei (and scikit-image's coins, if large), tissue from scikit-image's photographs.
"""
import argparse
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

import cell_motions
import cell_scenes
import numpy as np
from cell_cutouts import Cutout, cutouts, resized
from cell_kinds import KINDS, Kind
from scipy import ndimage
from skimage import color, data, io

NUCLEI = Path(__file__).resolve().parents[1] / "data/nuclei/nuclei.png"
COLUMNS = "TRACK_ID,FRAME,T,POSITION_X,POSITION_Y,RADIUS,ON_TISSUE_X,ON_TISSUE_Y"
FRAME_RATE = 30.0


@dataclass
class Sources:
    cells: list[Cutout]
    large: list[Cutout]  # with enough pixels for a radius of 50
    photos: list[np.ndarray]


@dataclass
class Cell:
    path: np.ndarray  # on the tissue
    seen: np.ndarray  # as the camera sees it
    angles: np.ndarray
    brightness: np.ndarray
    radii: np.ndarray
    radius: float  # of the parts
    parts: tuple[np.ndarray, np.ndarray]  # spline coefficients of the light it adds and of its opacity


def grey(image: np.ndarray) -> np.ndarray:
    image = image[..., :3] if image.ndim == 3 else image
    return color.rgb2gray(image) * 255 if image.ndim == 3 else image.astype(float)


def sources(cells: list[Path], photos: list[Path]) -> Sources:
    pieces = [piece for file in cells or [NUCLEI] for piece in cutouts(grey(io.imread(file)))]
    pictures = [grey(io.imread(file)) for file in photos] or [
        grey(image) for image in (data.camera(), data.grass(), data.gravel(), data.retina(), data.rocket())]
    large = [piece for piece in (pieces if cells else cutouts(data.coins())) if piece.radius > 15]
    if not pieces:
        raise SystemExit("patch_films: no whole object was found in the images of cells")
    return Sources(pieces, large or pieces, pictures)


def light_of(look: str, texture: np.ndarray, opacity: np.ndarray, radius: float) -> np.ndarray:
    """The light that the cell adds to the picture, in units of the contrast."""
    inside = opacity * (0.5 + 0.5 * texture)
    if look == "halo":
        glow = np.clip(ndimage.gaussian_filter(opacity, 0.25 * radius) - opacity, 0, None)
        return 1.1 * glow / glow.max() - 0.6 * inside
    return -inside if look == "dark" else inside


def shaded(light: np.ndarray, heading: float) -> np.ndarray:
    """The slope of the light along one direction: differential interference contrast."""
    down, across = np.gradient(ndimage.gaussian_filter(light, 1))
    slope = across * np.cos(heading) + down * np.sin(heading)
    return slope / 0.18  # a smooth edge of two pixels then reaches about 1


def populate(kind: Kind, size, frames: int, movement, look: str, from_images: Sources, random) -> list[Cell]:
    cells: list[Cell] = []
    heading = random.uniform(0, 2 * np.pi)
    pieces = from_images.large if kind.radius[1] > 20 else from_images.cells
    for motion, number, options in kind.cells:
        for _ in range(number):
            radius = random.uniform(*kind.radius)
            for _ in range(40):  # if there is no room, there is one cell less
                path = motion(random, frames, size, radius, heading, **options)
                if cell_motions.apart(path, radius, [(cell.path, cell.radius) for cell in cells], size):
                    break
            else:
                continue
            texture, opacity = resized(pieces[random.randint(len(pieces))], radius, random.uniform(0.8, 1.4))
            light = light_of(look, texture, opacity, radius)
            length = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
            angles = random.uniform(0, 2 * np.pi) + random.choice([-1, 1]) * 0.6 * length / radius
            brighter, larger = cell_motions.noise_with_memory(random, frames, 40, 0.05).T
            parts = tuple(ndimage.spline_filter(part) for part in (light, opacity))
            cells.append(Cell(path, movement.moved(path), angles, random.uniform(0.85, 1.15) + brighter,
                              radius * np.clip(1 + 0.5 * larger, 0.9, 1.1), radius, parts))
    return cells


def draw(picture: np.ndarray, cell: Cell, frame: int, base: float, contrast: float, relief: float | None) -> None:
    """Hides half of the tissue behind the cell, and adds the cell's own light."""
    half = (len(cell.parts[0]) - 1) // 2
    x, y = cell.seen[frame]
    left, top = round(x) - half, round(y) - half
    size = 2 * half + 1
    if left + size <= 0 or top + size <= 0 or left >= picture.shape[1] or top >= picture.shape[0]:
        return
    c, s = np.cos(cell.angles[frame]), np.sin(cell.angles[frame])
    turn = np.array([[c, -s], [s, c]]) * cell.radius / cell.radii[frame]
    offset = half - turn @ (y - top, x - left)
    light, opacity = (ndimage.affine_transform(part, turn, offset, order=3, prefilter=False) for part in cell.parts)
    light = light if relief is None else shaded(light, relief)
    rows, columns = slice(max(top, 0), top + size), slice(max(left, 0), left + size)
    part = np.s_[max(-top, 0):max(-top, 0) + picture[rows].shape[0],
                 max(-left, 0):max(-left, 0) + picture[:, columns].shape[1]]
    behind = picture[rows, columns]
    behind += 0.5 * opacity[part] * (base - behind) + contrast * cell.brightness[frame] * light[part]


def moving(kind: Kind, frames: int, random) -> cell_scenes.Movement:
    movement = cell_scenes.Movement(frames)
    for name, bounds in kind.movement.items():
        amount, direction = random.uniform(*bounds), cell_motions.unit(random.uniform(0, 2 * np.pi))
        if name == "drift":
            movement.drift(amount * direction)
        elif name == "jump":
            movement.jump(random.randint(frames // 3, 2 * frames // 3), amount * direction)
        else:
            movement.breathe(random, amount, random.uniform(25, 60))
    return movement


def make(name: str, seed: int, from_images: Sources) -> tuple[np.ndarray, np.ndarray]:
    """The film, and the truth as rows of COLUMNS. The last two columns are places on the tissue."""
    kind = KINDS[name]
    random = np.random.RandomState([seed, zlib.crc32(name.encode())])
    look, bits = kind.looks[random.randint(len(kind.looks))], kind.bits[random.randint(len(kind.bits))]
    contrast, photons = random.uniform(*kind.contrast), random.uniform(*kind.photons)
    photo = from_images.photos[random.randint(len(from_images.photos))]
    wide = cell_scenes.tissue(photo, kind.size, random, random.uniform(1.5, 3.5))
    wide = kind.level + wide * contrast * random.uniform(*kind.tissue)
    shade = cell_scenes.vignette(kind.size, random.uniform(0.05, 0.3))
    movement = moving(kind, kind.frames, random)
    relief = random.uniform(0, 2 * np.pi) if look == "relief" else None
    cells = populate(kind, kind.size, kind.frames, movement, look, from_images, random)
    film, rows = [], []
    for frame in range(kind.frames):
        if not movement.still(frame):
            background = movement.picture(wide, frame, kind.size)
        picture = background.copy()
        for number, cell in enumerate(cells):
            draw(picture, cell, frame, kind.level, contrast, relief)
            x, y = cell.seen[frame]
            if -0.5 <= x <= kind.size[0] - 0.5 and -0.5 <= y <= kind.size[1] - 0.5:
                rows.append((number, frame, frame / FRAME_RATE, x, y, cell.radii[frame], *cell.path[frame]))
        light = 1 + random.uniform(-kind.flicker, kind.flicker)
        film.append(cell_scenes.camera(picture * shade * light, random, photons, 1.5, bits))
    truth = np.array(sorted(rows), float).reshape(-1, len(COLUMNS.split(",")))
    return np.stack(film), truth


def write(folder: Path, name: str, seed: int, from_images: Sources) -> Path:
    """KIND-SEED.npy and KIND-SEED.csv; returns the path of the film."""
    film, truth = make(name, seed, from_images)
    path = folder / f"{name}-{seed}.npy"
    np.save(path, film)
    np.savetxt(path.with_suffix(".csv"), truth, fmt=["%d", "%d"] + ["%.6g"] * (truth.shape[1] - 2), delimiter=",",
               header=COLUMNS, comments="")
    return path


def add_choice(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kinds", default=",".join(KINDS), help="comma-separated (default: all)")
    parser.add_argument("--seeds", default="1,2,3", help="comma-separated (default: 1,2,3)")
    parser.add_argument("--cells", type=Path, nargs="+", default=[], help="images of bright objects to cut out")
    parser.add_argument("--tissue", type=Path, nargs="+", default=[], help="photographs for the background")


def chosen(options) -> list[tuple[str, int]]:
    kinds = options.kinds.split(",")
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise SystemExit(f"patch_films: unknown kind {unknown[0]}; there are {', '.join(KINDS)}")
    return [(kind, int(seed)) for kind in kinds for seed in options.seeds.split(",")]


def main() -> int:
    parser = argparse.ArgumentParser(description="films of real cells over real photographs, with the truth")
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--list", action="store_true", help="the kinds")
    add_choice(parser)
    options = parser.parse_args()
    if options.list or not options.folder:
        for name, kind in KINDS.items():
            print(f"{name:16} {kind.frames:4} frames, {kind.size[0]}x{kind.size[1]}: {kind.about}")
        return 0
    options.folder.mkdir(parents=True, exist_ok=True)
    from_images = sources(options.cells, options.tissue)
    for kind, seed in chosen(options):
        print(write(options.folder, kind, seed, from_images))
    return 0


if __name__ == "__main__":
    sys.exit(main())
