# SPDX-License-Identifier: Apache-2.0
"""Colour profiles, resolutions, EXIF data and descriptions go from file to file, as Pillow reads and writes them."""
import numpy as np
import pytest

PIL = pytest.importorskip("PIL")
from PIL import Image, ImageCms, PngImagePlugin  # noqa: E402

ENDINGS = ["jpg", "tif", "png"]
DESCRIPTION, MAKER, DATE, ARTIST = 270, 271, 306, 315
PARTS = {0x8769: {33434: (1, 125), 36867: "2026:11:18 12:00:00", 37500: bytes(range(50)), 37386: 50.0, 41486: 3959.5},
         0x8825: {1: "N", 2: (52.0, 31.0, 12.5), 3: "E", 4: (13.0, 24.0, 0.25)}}
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def with_parts(exif):
    for tag, part in PARTS.items():
        exif.get_ifd(tag).update(part)
        exif[tag] = part  # without which Pillow leaves it out of TIFF files
    return exif


def make(path, pixels, **how):
    """A picture of 150 x 75 dots per inch with profile, description and EXIF data."""
    how = {"dpi": (150, 75), "icc_profile": SRGB, **how}
    exif = Image.Exif()
    exif[MAKER] = "Camera & Sons"
    exif[DESCRIPTION] = "A field of wheat"
    exif[ARTIST], exif[DATE] = "A. Painter", "2026:11:18 12:30:00"
    how = {"exif": with_parts(exif), **how}
    Image.fromarray(pixels).save(path, **how)
    return path


def facts(path):
    with Image.open(path) as image:
        exif = image.getexif()
        description = exif.get(DESCRIPTION) or image.info.get("Description", "")
        return {"profile": image.info.get("icc_profile"),
                "exif": [exif.get(MAKER), exif.get(ARTIST), exif.get(DATE)],
                "parts": {tag: dict(exif.get_ifd(tag)) for tag in PARTS},
                "dpi": tuple(round(float(d)) for d in image.info.get("dpi", ())), "description": description}


@pytest.fixture
def pixels(rng):
    return rng.integers(0, 255, (12, 20, 3), dtype="u1")


@pytest.mark.parametrize("to", ENDINGS)
@pytest.mark.parametrize("ending", ENDINGS)
def test_all_of_it_is_carried_on(cli, tmp_path, pixels, ending, to):
    said = cli("convert", make(tmp_path / f"a.{ending}", pixels), tmp_path / f"b.{to}")
    found = facts(tmp_path / f"b.{to}")
    assert found["profile"] == SRGB
    assert found["dpi"] == (150, 75)
    assert found["description"].split("\n")[0] == "A field of wheat"
    assert found["exif"] == ["Camera & Sons", "A. Painter", "2026:11:18 12:30:00"]
    assert found["parts"] == facts(tmp_path / f"a.{ending}")["parts"]
    assert found["parts"][0x8769][37386] == 50 and found["parts"][0x8825][4] == (13, 24, 0.25)
    assert "EXIF" not in said


@pytest.mark.parametrize("big", [False, True])
@pytest.mark.parametrize("order", "<>")
def test_exif_data_of_a_tiff_of_any_kind(cli, tmp_path, rng, order, big):
    """Both byte orders, BigTIFF and several pages; judged by tifffile."""
    tifffile = pytest.importorskip("tifffile")
    stack = rng.integers(0, 255, (2, 12, 20), dtype="u1")
    exif = Image.Exif()
    exif.endian = order
    cli("convert", make(tmp_path / "a.jpg", stack[0], exif=with_parts(exif)), tmp_path / "jpg.tif")
    raw = tmp_path / "raw.tif"
    tifffile.imwrite(raw, stack, byteorder=order, bigtiff=big, photometric="minisblack", metadata=None,
                     extratags=[(MAKER, 2, 0, "Camera & Sons", True)])
    cli("convert", raw, tmp_path / "b.tif")
    with tifffile.TiffFile(tmp_path / "b.tif") as file:
        assert file.pages[0].tags[MAKER].value == "Camera & Sons"
        np.testing.assert_array_equal(file.asarray(), stack)
    with tifffile.TiffFile(tmp_path / "jpg.tif") as file:
        tags = file.pages[0].tags
        assert tags["ExifTag"].value["FocalLength"] == 50
        assert tags["ExifTag"].value["MakerNote"] == bytes(range(50))
        assert tuple(tags["GPSTag"].value["GPSLatitude"]) == (52, 1, 31, 1, 25, 2)


def test_formats_without_a_place_say_so_in_one_note(cli, tmp_path, pixels):
    path = make(tmp_path / "a.jpg", pixels)
    for name in "b.npy", "b.fits", "b.raw", "b.mkv":
        said = cli("convert", path, tmp_path / name)
        assert said.count("note:") == 1
        assert f"{name} does not have the input's resolution, colour profile, EXIF data and description\n" in said


def test_the_history_follows_the_description(cli, tmp_path, pixels):
    cli("convolve", make(tmp_path / "a.tif", pixels), "box:3x3", tmp_path / "b.tif")
    with Image.open(tmp_path / "b.tif") as image:
        first, second, *rest = image.getexif()[DESCRIPTION].split("\n")
    assert first == "A field of wheat" and second.startswith("tessera ") and rest[0].startswith("ran: ")


def test_a_profile_of_other_colours_is_left_out(cli, tmp_path, pixels):
    said = cli("convert", make(tmp_path / "a.png", pixels), tmp_path / "b.png", "--channel", 0)
    assert "does not have the input's colour profile\n" in said
    assert facts(tmp_path / "b.png")["profile"] is None


def test_long_profiles_in_several_parts(cli, tmp_path, pixels):
    long = SRGB + bytes(200_000)
    path = make(tmp_path / "a.jpg", pixels, icc_profile=long)
    cli("convert", path, tmp_path / "b.tif")
    assert facts(tmp_path / "b.tif")["profile"] == long
    cli("convert", tmp_path / "b.tif", tmp_path / "c.jpg")
    assert facts(tmp_path / "c.jpg")["profile"] == long


def test_upright_exchanges_the_resolutions(cli, tmp_path, pixels):
    Image.fromarray(pixels).save(tmp_path / "a.tif", dpi=(150, 75), tiffinfo={274: 6})
    cli("convert", tmp_path / "a.tif", tmp_path / "b.png", "--upright")
    assert facts(tmp_path / "b.png")["dpi"] == (75, 150)


def test_descriptions_that_are_not_ascii(cli, tmp_path, pixels):
    words = PngImagePlugin.PngInfo()
    words.add_text("Description", "Grün, 10 µm")
    Image.fromarray(pixels).save(tmp_path / "a.png", pnginfo=words)
    cli("convert", tmp_path / "a.png", tmp_path / "b.png")
    cli("convert", tmp_path / "b.png", tmp_path / "c.png")
    for name in "b.png", "c.png":
        assert facts(tmp_path / name)["description"] == "Grün, 10 µm"


def test_descriptions_of_stacks_are_named_not_copied(cli, tmp_path, rng):
    tifffile = pytest.importorskip("tifffile")
    stack = rng.integers(0, 255, (3, 8, 9), dtype="u1")
    for kind in "imagej", "ome":
        tifffile.imwrite(tmp_path / f"{kind}.tif", stack, **{kind: True}, photometric="minisblack")
        said = cli("convert", tmp_path / f"{kind}.tif", tmp_path / f"{kind}_2.tif")
        assert "description of a stack" in said
        with tifffile.TiffFile(tmp_path / f"{kind}_2.tif") as file:
            assert file.pages[0].description.startswith("tessera ")
            assert not file.is_imagej and not file.is_ome


def test_the_sandbox_hands_it_on(cli, tmp_path, pixels):
    path = make(tmp_path / "a.jpg", pixels)
    cli("convert", path, tmp_path / "b.png")
    cli("convert", path, tmp_path / "c.png", "--sandbox", "on")
    assert (tmp_path / "b.png").read_bytes() == (tmp_path / "c.png").read_bytes()


def test_damaged_parts_are_left_out(cli, tmp_path, pixels):
    path = make(tmp_path / "a.jpg", pixels)
    whole = path.read_bytes()
    for start in b"Exif\0\0", b"ICC_PROFILE\0":
        place = whole.index(start) + len(start)
        (tmp_path / "b.jpg").write_bytes(whole[:place] + b"\xff" * 8 + whole[place + 8:])
        cli("convert", tmp_path / "b.jpg", tmp_path / "b.png", "--force")
        np.testing.assert_array_equal(np.asarray(Image.open(tmp_path / "b.png")), np.asarray(Image.open(path)))


@pytest.mark.parametrize("dtype", ["u1", "u2", "f4", "f8", "bool"])
def test_white_that_is_zero_is_treated_alike_for_all_types(cli, tmp_path, rng, dtype):
    tifffile = pytest.importorskip("tifffile")
    values = rng.integers(0, 2, (6, 16)).astype(dtype)
    tifffile.imwrite(tmp_path / "a.tif", values, photometric="miniswhite", metadata=None)
    said = cli("convert", tmp_path / "a.tif", tmp_path / "b.npy")
    stored = values * np.uint8(255) if dtype == "bool" else values
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), stored)
    assert "does not have the input's white, which is 0" in said
    assert ("--range 255,0 inverts it" in said) == (stored.dtype == np.uint8)
    assert "note:" not in cli("convert", tmp_path / "a.tif", tmp_path / "b.tif")
    with tifffile.TiffFile(tmp_path / "b.tif") as file:
        assert file.pages[0].photometric == tifffile.PHOTOMETRIC.MINISWHITE
        np.testing.assert_array_equal(file.asarray(), stored)
