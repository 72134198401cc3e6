# SPDX-License-Identifier: Apache-2.0
"""Damages files: the same mutant for the same seed file and number, on every machine."""
import random
import re
import struct
import zlib

WORDS = [0, 1, 2, 3, 7, 8, 16, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000,
         0xFFFFFFFF, 0x100000000, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF]
TEXTS = [b"0", b"1", b"-1", b"2", b"3", b"7", b"9", b"255", b"256", b"65536", b"2147483647", b"2147483648",
         b"-2147483648", b"4294967296", b"9223372036854775807", b"1e9", b"1e-320", b"1e400", b"nan", b"inf", b"0x10"]
NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def place(data: bytearray, rng: random.Random) -> int:
    """Headers decide more than samples do: half of the places are among the first bytes."""
    return rng.randrange(min(len(data), 512) if rng.random() < 0.5 else len(data))


def flip_bits(data: bytearray, rng: random.Random) -> None:
    for _ in range(rng.choice((1, 1, 1, 2, 4, 8))):
        data[place(data, rng)] ^= 1 << rng.randrange(8)


def set_bytes(data: bytearray, rng: random.Random) -> None:
    at = place(data, rng)
    for i in range(at, min(len(data), at + rng.choice((1, 1, 2, 4, 16)))):
        data[i] = rng.randrange(256)


def set_word(data: bytearray, rng: random.Random) -> None:
    size = rng.choice((1, 2, 4, 4, 8))
    at = place(data, rng)
    value = rng.choice(WORDS) if rng.random() < 0.7 else rng.getrandbits(8 * size)
    word = (value & ((1 << 8 * size) - 1)).to_bytes(size, rng.choice(("little", "big")))
    data[at:at + size] = word[:len(data) - at]


def cut(data: bytearray, rng: random.Random) -> None:
    del data[rng.randrange(len(data)):]


def drop_part(data: bytearray, rng: random.Random) -> None:
    at = place(data, rng)
    del data[at:at + rng.choice((1, 2, 4, 8, 80, 512, 2880))]


def repeat_part(data: bytearray, rng: random.Random) -> None:
    at, size = place(data, rng), rng.choice((1, 2, 4, 8, 80, 512, 2880))
    data[at:at] = data[at:at + size]


def move_part(data: bytearray, rng: random.Random) -> None:
    size = rng.choice((2, 4, 8, 12, 80))
    at, to = place(data, rng), place(data, rng)
    part = data[at:at + size]
    data[to:to + len(part)] = part


def add_end(data: bytearray, rng: random.Random) -> None:
    data += bytes(rng.randrange(256) for _ in range(rng.choice((1, 2, 100, 3000))))


def change_number(data: bytearray, rng: random.Random) -> None:
    """A number written as text, as FITS, GUPPI, DADA and NPY headers have it; the length stays if it can."""
    found = list(NUMBER.finditer(bytes(data[:8192])))
    if not found:
        return flip_bits(data, rng)
    match = rng.choice(found)
    text = rng.choice(TEXTS) if rng.random() < 0.5 else str(rng.randrange(1000)).encode()
    width = match.end() - match.start()
    data[match.start():match.end()] = text.rjust(width, b" ")[:max(width, len(text))]
    spare = len(text) - width
    if spare > 0 and data[match.start() + len(text):][:spare].isspace():
        del data[match.start() + len(text):match.start() + len(text) + spare]
    return None


def change_tag(data: bytearray, rng: random.Random) -> None:
    """A field of an entry of the first TIFF directory: tag, type, count or value."""
    order = "<" if data[:2] == b"II" else ">"
    if len(data) < 16 or data[2:4] not in (b"*\0", b"\0*"):
        return flip_bits(data, rng)
    at = struct.unpack_from(order + "I", data, 4)[0]
    if at + 2 > len(data):
        return flip_bits(data, rng)
    entries = struct.unpack_from(order + "H", data, at)[0]
    offset, form = rng.choice(((0, "H"), (2, "H"), (4, "I"), (8, "I"), (8, "H")))
    where = at + 2 + 12 * rng.randrange(max(entries, 1)) + offset
    if where + 4 > len(data):
        return flip_bits(data, rng)
    old = struct.unpack_from(order + form, data, where)[0]
    value = rng.choice((rng.choice(WORDS), old + 1, old - 1, old * 2, old // 2, rng.getrandbits(10)))
    struct.pack_into(order + form, data, where, value & (0xFFFF if form == "H" else 0xFFFFFFFF))
    return None


def change_chunk(data: bytearray, rng: random.Random) -> None:
    """Damages the inside of a PNG chunk and makes its checksum right again."""
    at, chunks = 8, []
    while at + 12 <= len(data):
        length = struct.unpack_from(">I", data, at)[0]
        if at + 12 + length > len(data):
            break
        if length > 0:
            chunks.append((at, length))
        at += 12 + length
    if data[:4] != b"\x89PNG" or not chunks:
        return flip_bits(data, rng)
    at, length = rng.choice(chunks)
    data[at + 8 + rng.randrange(length)] = rng.randrange(256)
    struct.pack_into(">I", data, at + 8 + length, zlib.crc32(data[at + 4:at + 8 + length]))
    return None


ANYWHERE = [flip_bits, flip_bits, set_bytes, set_word, set_word, cut, drop_part, repeat_part, move_part, add_end]
OF_FORMAT = {"tiff": [change_tag], "png": [change_chunk], "jpeg": []}


def mutant(data: bytes, form: str, name: str, number: int) -> bytes:
    """Mutant `number` of the file called `name`."""
    rng = random.Random(f"{form} {name} {number}")
    result = bytearray(data)
    special = OF_FORMAT.get(form, [change_number])
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if not result:
            break
        way = rng.choice(special) if special and rng.random() < 0.5 else rng.choice(ANYWHERE)
        way(result, rng)
    return bytes(result)
