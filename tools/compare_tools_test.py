# SPDX-License-Identifier: Apache-2.0
"""Differences between the outputs of two tools that matter, and those that do not."""
import struct
import subprocess
import sys
from pathlib import Path

from compare_commands import TABLE, parse_commands, selected
from compare_files import compare_data, compare_folders


def fits(cards: list[str], data: bytes) -> bytes:
    text = "".join(card.ljust(80) for card in [*cards, "END"]).encode()
    return b"".join(part.ljust(-(-len(part) // 2880) * 2880) for part in (text, data))


IMAGE = ["SIMPLE  =                    T / a FITS file", "BITPIX  =                    8",
         "NAXIS   =                    1", "NAXIS1  =                    4"]
GROUPS = ["SIMPLE  =                    T", "BITPIX  =                   16",
          "NAXIS   =                    2", "NAXIS1  =                    0",
          "NAXIS2  =                    3", "GROUPS  =                    T",
          "PCOUNT  =                    1", "GCOUNT  =                    2"]


def test_cards_without_words_and_data_of_fits_are_compared() -> None:
    old = fits([*IMAGE, "BUNIT   = 'Jy/beam ' / unit", "HISTORY tessera 0.1.0"], b"abcd")
    reworded = fits([*IMAGE, "BUNIT   = 'Jy/beam ' / of the samples", "HISTORY tessera 0.2.0",
                     "HISTORY more", "CHECKSUM= 'x'"], b"abcd")
    assert compare_data("a.fits", old, reworded) == ""
    other_unit = fits([*IMAGE, "BUNIT   = 'Jy/pixel' / unit"], b"abcd")
    assert "HDU 0, BUNIT: 'Jy/beam ' became 'Jy/pixel'" in compare_data("a.fits", old, other_unit)
    assert compare_data("a.fits", old, fits([*IMAGE, "BUNIT   = 'Jy/beam '"], b"abcx")) == \
        "HDU 0, data: 1 of 4 bytes, the first is 3"


def test_random_groups_and_second_hdus_of_fits_are_compared() -> None:
    old = fits(GROUPS, bytes(range(16))) + fits(IMAGE, b"abcd")
    assert compare_data("a.uvfits", old, fits(GROUPS, bytes(range(16))) + fits(IMAGE, b"abcx")) == \
        "HDU 1, data: 1 of 4 bytes, the first is 3"
    assert compare_data("a.uvfits", old, fits(GROUPS, bytes(15) + b"\x09") + fits(IMAGE, b"abcd")) \
        .startswith("HDU 0, data: ")
    assert compare_data("a.uvfits", old, fits(GROUPS, bytes(range(16)))) == "HDU 1, SIMPLE missing"


def tiff(description: bytes, pixels: bytes, order: str = "<", width: int = 2) -> bytes:
    """One strip after the description, then the directory."""
    start = 8 + len(description)
    directory = start + len(pixels)
    entries = [(256, 3, 1, width), (270, 2, len(description), 8), (273, 4, 1, start),
               (279, 4, 1, len(pixels))]
    packed = b""
    for tag, kind, count, value in entries:
        packed += struct.pack(f"{order}HHI", tag, kind, count)
        packed += struct.pack(f"{order}H2x" if kind == 3 else f"{order}I", value)
    return ((b"II" if order == "<" else b"MM") + struct.pack(f"{order}HI", 42, directory)
            + description + pixels + struct.pack(f"{order}H", len(entries)) + packed + bytes(4))


def test_tags_without_description_and_pixels_of_tiff_are_compared() -> None:
    for order in "<>":
        old = tiff(b"tessera 0.1.0\0", b"pixels", order)
        assert compare_data("a.tif", old, tiff(b"other words, longer\0", b"pixels", order)) == ""
        assert compare_data("a.tif", old, tiff(b"tessera 0.1.0\0", b"pixelS", order)) == \
            "page 0, pixels: 1 of 6 bytes, the first is 5"
        assert compare_data("a.tif", old, tiff(b"tessera 0.1.0\0", b"pixels", order, 3)) == \
            "page 0, tag 256: (2,) became (3,)"


def test_numbers_and_structure_of_json_are_compared() -> None:
    old = (b'{"ran": "noise 3x3", "seconds": {"all": 1}, "recorded_seconds": 2, "rms": [1.5, NaN],'
           b' "mode": "exact", "note": "some words"}')
    same = (b'{"ran": "other", "seconds": {"all": 9}, "recorded_seconds": 2, "rms": [1.5, NaN],'
            b' "mode": "exact", "note": "better words"}')
    assert compare_data("a.json", old, same) == ""
    for before, after, difference in [
            (b"1.5", b"1.25", ".rms[0]: 1.5 became 1.25"),
            (b', NaN', b'', ".rms: 2 entries became 1 entries"),
            (b'"exact"', b'"grid"', ".mode: 'exact' became 'grid'"),
            (b'"mode"', b'"kind"', ".mode became .kind"),
            (b'_seconds": 2', b'_seconds": 3', ".recorded_seconds: 2 became 3"),
            (b', "note": "some words"', b'', ".note missing")]:
        assert compare_data("a.json", old, old.replace(before, after)) == difference


def test_text_is_compared_without_comments_and_other_files_byte_by_byte() -> None:
    assert compare_data("a.csv", b"# made by 1\nx,y\n1,2\n", b"# made by 2\nx,y\n1,2\n") == ""
    assert compare_data("a.csv", b"x,y\n1,2\n", b"x,y\n1,3\n") == "line 2: 1,2 became 1,3"
    assert compare_data("a.npy", b"12345", b"12x4") == \
        "data: 5 bytes became 4, the first different one is 2"
    assert compare_data("a.svg", b"<svg/>", b"<svg></svg>") == ""
    assert "not understood" in compare_data("a.fits", b"no FITS", b"nothing")


def test_missing_and_added_files_are_differences_and_links_are_inputs(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder, names in [(old, ["a.npy", "sub/b.npy"]), (new, ["a.npy", "c.npy"])]:
        (folder / "sub").mkdir(parents=True)
        for name in names:
            (folder / name).write_bytes(b"data")
        (folder / "in").symlink_to(tmp_path / "old")
    assert compare_folders(old, new) == ["c.npy: not made before", "sub/b.npy: not made any more"]


def test_the_table_has_unique_names_and_commands_read_what_earlier_ones_made() -> None:
    commands = parse_commands(TABLE.read_text())
    earlier: set[str] = set()
    for command in commands:
        assert command.needs() <= earlier
        assert command.name not in earlier
        earlier.add(command.name)
    assert len(commands) >= 40
    needed, wanted = selected(commands, "cells-score-xml")
    assert wanted == {"cells-score-xml"}
    assert [c.name for c in needed] == ["sample-cells-hard", "cells-track-hard", "cells-score-xml"]


# Replaces the tool: makes a file with its arguments, or does what NEW says.
FAKE = """#!{python}
import sys
if "{new}" == "refuses" and "dilate" in sys.argv:
    sys.exit("no dilate")
for name in ["out.png", "out.fits", "out.npy"]:
    if name in sys.argv:
        text = " ".join(sys.argv[1:]).replace("disk:3", "{new}")
        open(name, "w").write("END" if name == "out.fits" else text)
if sys.argv[1] == "sample":
    open("made.npy", "w").write("made")
"""


def run_fakes(folder: Path, new: str, only: str) -> tuple[int, str]:
    for name, word in [("old", "disk:3"), ("new", new)]:
        (folder / name).write_text(FAKE.format(python=sys.executable, new=word))
        (folder / name).chmod(0o755)
    script = Path(__file__).with_name("compare_tools.py")
    done = subprocess.run([sys.executable, script, folder / "old", folder / "new", "--only", only],
                          capture_output=True, text=True)
    return done.returncode, done.stdout


def test_every_command_has_a_line_and_differences_an_exit_code(tmp_path: Path) -> None:
    code, said = run_fakes(tmp_path, "disk:3", "erode-disk")
    assert code == 0 and "erode-disk: same\n" in said and "1 same, 0 different" in said
    code, said = run_fakes(tmp_path, "disk:4", "erode-disk")
    assert code == 1 and "erode-disk: DIFFERENT: out.png: data: 1 of " in said
    code, said = run_fakes(tmp_path, "refuses", "dilate-cross")
    assert code == 1 and "dilate-cross: refused differently: exit code 0 became 1" in said
    code, said = run_fakes(tmp_path, "disk:3", "convert-truncated-refused")
    assert code == 2 and "does not work with the old tool: exit code 0, not 3" in said
