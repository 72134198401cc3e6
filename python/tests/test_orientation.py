# SPDX-License-Identifier: Apache-2.0
"""Orientations of EXIF and TIFF: kept, carried on, and applied as Pillow's exif_transpose applies them."""
import numpy as np
import pytest

import tessera

PIL = pytest.importorskip("PIL")
from PIL import Image, ImageOps  # noqa: E402

ORIENTATION = 274
ALL = range(1, 9)
ENDINGS = ["jpg", "tif", "png"]


def picture(rng, height=40, width=56, channels=3):
    """Smooth, so that JPEG keeps it, and different in all four corners."""
    y, x = np.mgrid[:height, :width]
    grey = 200 * y / height + 50 * x / width + rng.integers(0, 4, (height, width))
    return np.stack([grey * (c + 1) / channels for c in range(channels)], -1).astype("u1")


def make(path, pixels, orientation):
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    image = Image.fromarray(pixels)
    if path.suffix == ".tif":
        image.save(path, tiffinfo={ORIENTATION: orientation})
    else:
        image.save(path, exif=exif)
    return path


def upright_by_pillow(path):
    with Image.open(path) as image:
        return np.asarray(ImageOps.exif_transpose(image))


def orientation_of(path):
    with Image.open(path) as image:
        return image.getexif().get(ORIENTATION, 1)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("orientation", ALL)
def test_pixels_are_as_stored_and_upright_turns_them(rng, tmp_path, ending, orientation):
    pixels = picture(rng)
    path = make(tmp_path / f"a.{ending}", pixels, orientation)
    with Image.open(path) as image:  # of TIFF Pillow turns the pixels by itself
        np.testing.assert_array_equal(tessera.read(path), pixels if ending == "tif" else np.asarray(image))
    upright = tessera.read(path, upright=True)
    np.testing.assert_array_equal(upright, upright_by_pillow(path))
    assert upright.shape[:2] == ((56, 40) if orientation >= 5 else (40, 56))


@pytest.mark.parametrize("to", ENDINGS)
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("orientation", ALL)
def test_outputs_carry_it(cli, rng, tmp_path, ending, to, orientation):
    path = make(tmp_path / f"a.{ending}", picture(rng), orientation)
    assert "note:" not in cli("convert", path, tmp_path / f"b.{to}")
    assert orientation_of(tmp_path / f"b.{to}") == orientation
    assert "note:" not in cli("convert", path, tmp_path / f"c.{to}", "--upright")
    assert orientation_of(tmp_path / f"c.{to}") == 1
    if to != "jpg":
        np.testing.assert_array_equal(upright_by_pillow(tmp_path / f"b.{to}"), upright_by_pillow(path))
        np.testing.assert_array_equal(upright_by_pillow(tmp_path / f"c.{to}"), upright_by_pillow(path))


@pytest.mark.parametrize("command", [["convert"], ["convolve", "box:1x1"], ["enhance", "--steps", "contrast"]])
def test_formats_without_it_say_so_in_one_note(cli, rng, tmp_path, command):
    path = make(tmp_path / "a.jpg", picture(rng), 6)
    command, *rest = command
    filters = rest if command == "convolve" else []
    options = rest if command == "enhance" else []
    said = cli(command, path, *filters, tmp_path / "b.npy", *options)
    notes = [line for line in said.splitlines() if line.startswith("note: ")]
    assert len(notes) == 1
    assert "orientation (6: to be turned by 90 degrees clockwise)" in notes[0] and "--upright" in notes[0]
    assert "note:" not in cli(command, path, *filters, tmp_path / "c.tif", *options)
    assert orientation_of(tmp_path / "c.tif") == 6


def test_a_batch_says_it_once(cli, rng, tmp_path):
    (tmp_path / "in").mkdir()
    for i in range(3):
        make(tmp_path / "in" / f"{i}.jpg", picture(rng), 6)
    said = cli("convert", tmp_path / "in", f"{tmp_path}/out/", "--to", ".npy")
    assert said.count("orientation (6") == 1 and "0.npy" in said and "(and 2 notes like it)" in said


@pytest.mark.parametrize("orientation", ALL)
def test_a_crop_counts_in_the_upright_image(cli, rng, tmp_path, orientation):
    path = make(tmp_path / "a.tif", picture(rng), orientation)
    cli("convert", path, tmp_path / "b.npy", "--upright", "--crop", "3,5,20x11")
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), upright_by_pillow(path)[5:16, 3:23])


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("orientation", ALL)
def test_strips_fit_the_memory_limit_or_it_is_refused(cli, rng, tmp_path, ending, orientation):
    path = make(tmp_path / f"a.{ending}", picture(rng, 900, 1100), orientation)
    run = ["convolve", path, "box:3x3", tmp_path / "b.npy", "--upright", "--backend", "cpu", "--memory-limit", "1M"]
    if orientation < 5:
        cli(*run)
        tall = tessera.convolve(upright_by_pillow(path), np.full((3, 3), 1 / 9), channel_axis=-1)
        np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), tall)
        return
    cli(*run, code=5)
    assert not (tmp_path / "b.npy").exists()
    cli(*run[:-1], "3M")


def test_the_refusal_is_one_sentence(rng, tmp_path):
    path = make(tmp_path / "a.jpg", picture(rng, 900, 1100), 8)
    sentence = "upright turns its rows into columns, for which 3.0 MB must be in memory; 1.0 MB may be"
    with pytest.raises(MemoryError, match=sentence):
        tessera.read(path, upright=True, max_bytes=1_000_000)


@pytest.mark.parametrize("orientation", ALL)
def test_the_sandbox_turns_too(cli, rng, tmp_path, orientation):
    path = make(tmp_path / "a.jpg", picture(rng), orientation)
    cli("convert", path, tmp_path / "b.png", "--sandbox", "on")
    assert orientation_of(tmp_path / "b.png") == orientation
    cli("convert", path, tmp_path / "c.npy", "--sandbox", "on", "--upright")
    np.testing.assert_array_equal(np.load(tmp_path / "c.npy"), upright_by_pillow(path))


def test_planes_of_a_stack_are_turned_one_after_the_other(cli, rng, tmp_path):
    tifffile = pytest.importorskip("tifffile")
    pages = rng.integers(0, 65535, (4, 30, 20), dtype="u2")
    tifffile.imwrite(tmp_path / "a.tif", pages, photometric="minisblack", metadata=None,
                     extratags=[(ORIENTATION, "H", 1, 8, False)])
    cli("convert", tmp_path / "a.tif", tmp_path / "b.tif")
    with tifffile.TiffFile(tmp_path / "b.tif") as file:
        assert [page.tags[ORIENTATION].value for page in file.pages] == [8] * 4
    np.testing.assert_array_equal(tessera.read(tmp_path / "a.tif", upright=True), np.rot90(pages, axes=(1, 2)))


def test_pages_with_different_orientations(cli, rng, tmp_path):
    tifffile = pytest.importorskip("tifffile")
    with tifffile.TiffWriter(tmp_path / "a.tif") as file:
        for orientation in 1, 3:
            file.write(rng.integers(0, 255, (8, 9), dtype="u1"), metadata=None,
                       extratags=[(ORIENTATION, "H", 1, orientation, False)])
    assert "orientations, which differ between its pages" in cli("convert", tmp_path / "a.tif", tmp_path / "b.tif")
    with pytest.raises(OSError, match="pages 0 and 1 have different orientations"):
        tessera.read(tmp_path / "a.tif", upright=True)
    page = tessera.read(tmp_path / "a.tif", page=1)
    np.testing.assert_array_equal(tessera.read(tmp_path / "a.tif", page=1, upright=True), page[::-1, ::-1])
