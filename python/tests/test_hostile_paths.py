# SPDX-License-Identifier: Apache-2.0
"""File names of every kind: str, bytes, os.PathLike, not UTF-8, with zero bytes."""
import os
import warnings

import numpy as np
import pytest

import tessera

IMAGE = np.arange(20, dtype=np.uint8).reshape(4, 5)
NOT_UTF8 = b"caf\xe9-\xff\xfe.npy"


class Path:
    def __init__(self, name):
        self.name = name

    def __fspath__(self):
        return self.name


@pytest.mark.parametrize("wrap", [lambda name: name, os.fsdecode, Path, lambda name: Path(os.fsdecode(name))],
                         ids=["bytes", "str", "PathLike of bytes", "PathLike of str"])
@pytest.mark.parametrize("name", [b"plain.npy", NOT_UTF8, "größe.npy".encode(), b"new\nline.npy"], ids=ascii)
def test_every_legal_name_works(tmp_path, name, wrap):
    path = wrap(os.fsencode(tmp_path) + b"/" + name)
    tessera.write(path, IMAGE)
    assert os.listdir(os.fsencode(tmp_path)) == [name]
    assert np.array_equal(tessera.read(path), IMAGE)


@pytest.mark.parametrize("call", [
    tessera.read,
    lambda path: tessera.write(path, IMAGE),
    tessera.read_voltages,
    lambda path: tessera.read_voltages([path]),
    lambda path: tessera.score_cells(path, path),
], ids=["read", "write", "read_voltages", "read_voltages of a list", "score_cells"])
class TestNames:
    def test_zero_bytes_are_refused(self, call):
        for path in "a\0b.npy", b"a\0b.npy", Path("a\0b.npy"), Path(b"\0"):
            with pytest.raises(ValueError, match="zero byte"):
                call(path)

    def test_what_is_not_a_path_is_named(self, call):
        for path in 5, 1.5, object():
            with pytest.raises(TypeError, match="path: str, bytes or os.PathLike"):
                call(path)

    def test_text_that_cannot_be_a_name(self, call):
        with pytest.raises(UnicodeEncodeError):
            call("\ud800.npy")

    def test_exceptions_of_paths_pass(self, call):
        class Raises:
            def __fspath__(self):
                raise ZeroDivisionError

        class Wrong:
            def __fspath__(self):
                return 5

        with pytest.raises(ZeroDivisionError):
            call(Raises())
        with pytest.raises(TypeError):
            call(Wrong())


def test_messages_name_files_that_are_not_utf8(tmp_path):
    path = os.fsencode(tmp_path) + b"/" + NOT_UTF8
    with pytest.raises(OSError) as missing:
        tessera.read(path)
    assert os.fsdecode(NOT_UTF8) in str(missing.value)
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY and then nothing")
    with pytest.raises(OSError) as damaged:
        tessera.read(path)
    assert os.fsdecode(NOT_UTF8) in str(damaged.value)
    tessera.write(path, IMAGE, force=True)
    with pytest.raises(ValueError, match="exists"):
        tessera.write(path, IMAGE)


def test_warnings_name_files_that_are_not_utf8(tmp_path):
    path = os.fsencode(tmp_path) + b"/" + NOT_UTF8
    tessera.write(path, IMAGE)
    with open(path, "r+b") as file:
        file.truncate(os.path.getsize(path) - 3)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        tessera.read(path, allow_truncated=True)
    assert any(os.fsdecode(NOT_UTF8) in str(warning.message) for warning in seen)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            tessera.read(path, allow_truncated=True)


@pytest.mark.parametrize("text", ["\udcff", "gauss:\udcff", "nowhere/caf\udce9.npy", "a\0b", "gauss:1\0", "\ud800"])
def test_filters_with_odd_names(text):
    with pytest.raises((ValueError, OSError)):
        tessera.convolve(IMAGE, text)
    with pytest.raises((ValueError, OSError)):
        tessera.erode(IMAGE, text)


def test_a_filter_file_that_is_not_utf8(tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/" + NOT_UTF8)
    tessera.write(path, np.full((3, 3), 1 / 9))
    assert np.array_equal(tessera.convolve(IMAGE, path), tessera.convolve(IMAGE, "box:3x3"))
