# SPDX-License-Identifier: Apache-2.0
"""Odd, damaged and lying files: a sentence and the right exit code, little memory, no harm done.

TESSERA_HOSTILE_DATA names a folder with more files to try; TESSERA_CLI another build of the tool, such as
one with sanitizers, whose own memory does not count.
"""
import gzip
import json
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_KILOBYTES = 200 << 10
FOLDERS = [ROOT / "tests" / "data"] + [Path(name) for name in [os.environ.get("TESSERA_HOSTILE_DATA")] if name]
NO_IMAGES = {".md", ".txt", ".json", ".csv", ".README", "LICENSE", ".dat", ".image-tiff", ".pillow"}


def all_files():
    files = (path for folder in FOLDERS for path in sorted(folder.rglob("*")) if path.is_file())
    return [path for path in files if path.suffix not in NO_IMAGES and path.name not in NO_IMAGES]


# A process counts the memory of the one it was forked from: a small one starts the tool.
SMALL = """
import json, os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
said = child.stderr.read().decode(errors="replace")
_, status, usage = os.wait4(child.pid, 0)
print(json.dumps({"code": os.waitstatus_to_exitcode(status), "err": said, "kilobytes": usage.ru_maxrss}))
"""


class Run:
    """A run of the tool and what it took."""

    def __init__(self, program, *arguments):
        done = subprocess.run([sys.executable, "-S", "-c", SMALL, program, *map(str, arguments)], check=True,
                              capture_output=True, text=True, timeout=120)
        self.__dict__.update(json.loads(done.stdout))


@pytest.fixture
def run():
    program = Path(os.environ.get("TESSERA_CLI", ROOT / "build" / "tessera"))
    if not program.is_file():
        pytest.skip(f"the tool is not at {program}; build it or set TESSERA_CLI")
    return lambda *arguments: Run(program, *arguments)


def check_harmless(done, path, folder):
    assert done.code in (0, 3, 4), (done.code, done.err)
    if done.code == 4:  # read, except for something that is named: pages of another kind
        assert "warning: " in done.err and path.name in done.err, done.err
    if "TESSERA_CLI" not in os.environ:
        assert done.kilobytes < MOST_KILOBYTES
    if done.code == 3:
        assert done.err.count("\n") == 1 and path.name in done.err, done.err
        assert list(folder.iterdir()) == []


@pytest.mark.parametrize("path", all_files(), ids=lambda path: path.name)
def test_every_file_gives_an_image_or_a_sentence(run, tmp_path, path):
    check_harmless(run("info", path), path, tmp_path)
    done = run("convert", path, tmp_path / "out.npy")
    check_harmless(done, path, tmp_path)
    allowed = run("convert", path, tmp_path / "filled.npy", "--allow-truncated")
    assert allowed.code in (0, 3, 4), (allowed.code, allowed.err)
    if done.code in (0, 4):
        assert (tmp_path / "filled.npy").read_bytes() == (tmp_path / "out.npy").read_bytes()
    if allowed.code == 4:
        assert "warning: " in allowed.err


def deflated(first, zeros):
    """Raw deflate data of some bytes and very many zeros: flushed blocks may be repeated."""
    block = 1 << 20
    packer = zlib.compressobj(9, wbits=-15)
    start = packer.compress(first) + packer.flush(zlib.Z_FULL_FLUSH)
    repeated = packer.compress(bytes(block)) + packer.flush(zlib.Z_FULL_FLUSH)
    return start + repeated * (zeros // block + 1) + packer.flush()


def png_of_zeros(side):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    data = b"\x78\x9c" + deflated(b"", (side + 1) * side) + bytes(4)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def tiff(entries, data=b"", next_directory=0):
    """A little-endian TIFF of one directory; entries are (tag, type, count, value)."""
    directory = struct.pack("<H", len(entries)) + b"".join(struct.pack("<HHII", *entry) for entry in entries)
    return b"II*\0" + struct.pack("<I", 8) + directory + struct.pack("<I", next_directory) + data


def tiff_entries(side, compression, offset, count):
    return [(256, 4, 1, side), (257, 4, 1, side), (258, 3, 1, 8), (259, 3, 1, compression), (262, 3, 1, 1),
            (273, 4, 1, offset), (277, 3, 1, 1), (278, 4, 1, side), (279, 4, 1, count)]


def deflate_tiff(side):
    data = b"\x78\x9c" + deflated(b"", side * side) + bytes(4)
    offset = 8 + 2 + 9 * 12 + 4
    return tiff(tiff_entries(side, 8, offset, len(data)), data)


def fits_header(*cards):
    text = "".join(card.ljust(80) for card in (*cards, "END"))
    return text.ljust(-(-len(text) // 2880) * 2880).encode()


def gz_fits(side):
    head = fits_header("SIMPLE  =                    T", "BITPIX  =                    8",
                       "NAXIS   =                    2", f"NAXIS1  = {side:20}", f"NAXIS2  = {side:20}")
    return b"\x1f\x8b\x08" + bytes(6) + b"\xff" + deflated(head, side * side) + bytes(8)


def npy_of_shape(*shape):
    text = str({"descr": "|u1", "fortran_order": False, "shape": shape}).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


BOMBS = {
    "zeros.png": lambda: png_of_zeros(60000),
    "zeros.tif": lambda: deflate_tiff(60000),
    "zeros.fits.gz": lambda: gz_fits(60000),
    "shape.npy": lambda: npy_of_shape(1 << 62),
    "shape2.npy": lambda: npy_of_shape(1 << 31, 1 << 31),
    "loop.tif": lambda: tiff(tiff_entries(16, 1, 200, 256), bytes(400), next_directory=8),
    "strips.tif": lambda: tiff([(256, 4, 1, 1 << 20), (257, 4, 1, 1 << 20), (258, 3, 1, 8), (259, 3, 1, 1),
                                (262, 3, 1, 1), (273, 4, 1 << 20, 8), (278, 4, 1, 1), (279, 4, 1 << 20, 8)]),
    "tags.tif": lambda: b"II*\0" + struct.pack("<IH", 8, 65535) + bytes(100),
    "endless.fits": lambda: fits_header("SIMPLE  =                    T")[:80] + b"COMMENT ".ljust(80) * 400_000,
    "axes.fits": lambda: fits_header("SIMPLE  =                    T", "BITPIX  =                  -64",
                                     "NAXIS   =                    3", f"NAXIS1  = {1 << 20:20}",
                                     f"NAXIS2  = {1 << 20:20}", f"NAXIS3  = {60000:20}"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused(run, tmp_path, name):
    bomb, empty = tmp_path / name, tmp_path / "empty"
    bomb.write_bytes(BOMBS[name]())
    empty.mkdir()
    for arguments in (("info", bomb), ("convert", bomb, empty / "out.npy"),
                      ("convolve", bomb, "gauss:1", empty / "out.npy")):
        done = run(*arguments)
        assert done.code == 3, (done.code, done.err)
        check_harmless(done, bomb, empty)
    # Missing parts may be filled, but not with more than the disk holds.
    allowed = run("convert", bomb, empty / "out.npy", "--allow-truncated")
    assert allowed.code in (3, 5), (allowed.code, allowed.err)
    assert list(empty.iterdir()) == []


def test_what_a_limit_refuses_it_also_lets_through(run, tmp_path):
    small = tmp_path / "a.npy"
    small.write_bytes(npy_of_shape(4, 5) + bytes(20))
    assert "see the option max-side" in run("info", small, "--max-side", 4).err
    assert run("info", small, "--max-side", 5).code == 0
    masks = tmp_path / "zeros.png"
    masks.write_bytes(png_of_zeros(17000))
    assert "see the option max-expansion" in run("info", masks).err
    assert run("info", masks, "--max-expansion", 2000).code == 0


@pytest.mark.parametrize("name, start", [("a.bmp", b"BM"),
                                         ("a.gif", b"GIF89a"), ("a.ico", b"\0\0\1\0"), ("b.png", b"BM")])
def test_formats_that_are_not_read_are_named(run, tmp_path, name, start):
    (tmp_path / name).write_bytes(start + bytes(100))
    done = run("convert", tmp_path / name, tmp_path / "out.npy")
    assert done.code == 3 and "which cannot be read; convert it to PNG or TIFF first" in done.err
    assert {".bmp": "BMP", ".gif": "GIF", ".ico": "ICO", ".png": "BMP"}[Path(name).suffix] in done.err


def test_damaged_gzip_is_noticed(run, tmp_path):
    whole = gzip.compress(fits_header("SIMPLE  =                    T", "BITPIX  =                    8",
                                      "NAXIS   =                    2", f"NAXIS1  = {100:20}", f"NAXIS2  = {100:20}")
                          + os.urandom(10_000) + bytes(1520))
    (tmp_path / "cut.fits.gz").write_bytes(whole[:6000])
    assert run("convert", tmp_path / "cut.fits.gz", tmp_path / "out.npy").code == 3
    changed = bytearray(whole)
    changed[5000] ^= 255
    (tmp_path / "changed.fits.gz").write_bytes(changed)
    assert run("convert", tmp_path / "changed.fits.gz", tmp_path / "out.npy").code == 3
