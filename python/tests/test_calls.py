# SPDX-License-Identifier: Apache-2.0
"""Calls that keep their plans, arrays in page-locked memory, and what frees both."""
import threading
from pathlib import Path

import numpy as np
import pytest

import tessera

RNG = np.random.default_rng(5)


def image_of(rows: int, columns: int) -> np.ndarray:
    return RNG.random((rows, columns), dtype=np.float32)


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def test_a_second_call_gives_the_bytes_of_the_first_and_of_a_plan() -> None:
    image, weights = image_of(40, 50), RNG.random((5, 7))
    first = tessera.convolve(image, weights, border="wrap")
    second = tessera.convolve(image, weights, border="wrap")
    planned = tessera.Convolve(image.shape, image.dtype, weights, border="wrap")(image)
    assert first.tobytes() == second.tobytes() == planned.tobytes()


def test_weights_that_change_in_place_are_seen() -> None:
    image, weights = image_of(20, 30), np.zeros((3, 3))
    weights[1, 1] = 1
    assert np.array_equal(tessera.convolve(image, weights), image)
    weights[1, 1] = 2
    assert np.array_equal(tessera.convolve(image, weights), 2 * image)


def test_every_option_counts() -> None:
    image, weights = image_of(20, 30), RNG.random((3, 5))
    usual = tessera.convolve(image, weights)
    for options in ({"border": "wrap"}, {"border": "constant", "constant": 3.0}, {"scale": 2.0}, {"flip": True},
                    {"anchor": (0, 0)}, {"output_type": "f64"}):
        other = tessera.convolve(image, weights, **options)
        assert other.dtype != usual.dtype or not np.array_equal(other, usual), options
        assert np.array_equal(tessera.convolve(image, weights), usual)


def test_layouts_of_one_shape_do_not_share_a_plan_that_does_not_fit() -> None:
    colours = RNG.integers(0, 256, (16, 18, 3), dtype=np.uint8)
    planes = np.ascontiguousarray(colours.transpose(2, 0, 1))
    beside = tessera.convolve(colours, "gauss:1", channel_axis=-1)
    apart = tessera.convolve(planes, "gauss:1", channel_axis=0)
    assert np.array_equal(apart.transpose(1, 2, 0), beside)


@pytest.mark.parametrize("call", [
    lambda a: tessera.convolve(a, "gauss:2"), lambda a: tessera.erode(a, "disk:2"),
    lambda a: tessera.noise(a, 9).rms, lambda a: tessera.correlate(a, max_shift=5),
    lambda a: tessera.percentile_filter(a, 50, 5), lambda a: tessera.enhance((255 * a).astype(np.uint8)),
    lambda a: tessera.faraday_synth(np.stack([a] * 3), np.stack([a] * 3), [1e9, 1.1e9, 1.3e9], phi="-50,50,10").fdf])
def test_calls_agree_with_those_that_kept_nothing(call: object) -> None:
    image = image_of(24, 31)
    tessera.clear_cache()
    first = call(image)  # type: ignore[operator]
    kept = call(image)  # type: ignore[operator]
    other = image_of(24, 31)
    expected = call(other)  # type: ignore[operator]
    tessera.clear_cache()
    assert np.array_equal(first, kept)
    assert np.array_equal(call(other), expected)  # type: ignore[operator]


def test_many_shapes_leave_memory_flat() -> None:
    """10,000 calls of 500 shapes: plans that leave are freed."""
    weights = RNG.random((9, 9))

    def calls(count: int) -> None:
        for i in range(count):
            tessera.convolve(image_of(10 + i % 500, 12), weights)

    calls(1500)
    before = resident_bytes()
    calls(10_000)
    assert resident_bytes() - before < 20 << 20


def test_eight_threads_with_the_same_and_different_shapes() -> None:
    images = [image_of(20 + 3 * i, 25) for i in range(8)]
    expected = [tessera.convolve(image, "gauss:1.5", method="reference") for image in images]
    wrong: list[str] = []

    def work(number: int) -> None:
        for turn in range(60):
            index = number if turn % 2 else turn % 8
            made = tessera.convolve(images[index], "gauss:1.5")
            if not np.allclose(made, expected[index], rtol=1e-5):
                wrong.append(f"thread {number}, image {index}")
            if turn % 17 == 0:
                tessera.clear_cache()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_pinned_arrays_are_arrays_of_zeros() -> None:
    for shape, dtype in (((4, 5), "float32"), ((3, 4, 5), "uint16"), (7, "complex64"), ((), "i8"), ((0, 4), "f8")):
        array = tessera.pinned(shape, dtype)
        assert array.dtype == np.dtype(dtype)
        assert array.shape == np.zeros(shape).shape
        assert array.flags.c_contiguous and array.flags.writeable
        assert not array.any()
    assert tessera.pinned(3).dtype == np.float32


def test_pinned_arrays_are_taken_and_filled() -> None:
    image = tessera.pinned((33, 44))
    image[...] = image_of(33, 44)
    out = tessera.pinned(image.shape)
    assert tessera.convolve(image, "gauss:1", out=out) is out
    assert np.array_equal(out, tessera.convolve(np.array(image), "gauss:1"))
    part = image[3:20, ::2]
    assert np.array_equal(tessera.convolve(part, "box:3x3"), tessera.convolve(part.copy(), "box:3x3"))


def test_pinned_arrays_live_as_long_as_their_parts() -> None:
    part = tessera.pinned((100, 100))[10:20]
    part[...] = 3
    tessera.clear_cache()
    others = [tessera.pinned((100, 100)) for _ in range(5)]
    for other in others:
        other[...] = 7
    assert (part == 3).all()


@pytest.mark.parametrize(("shape", "dtype", "error"), [((2, 3), object, TypeError), ((-1, 3), "f4", ValueError),
                                                       ((2, 3), "no such type", TypeError), ("ab", "f4", TypeError)])
def test_pinned_arrays_that_cannot_be(shape: object, dtype: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        tessera.pinned(shape, dtype)  # type: ignore[arg-type]


def test_files_can_be_read_into_pinned_arrays(tmp_path: Path) -> None:
    image = RNG.integers(0, 65536, (30, 40), dtype=np.uint16)
    tessera.write(tmp_path / "a.tif", image)
    assert np.array_equal(tessera.read(tmp_path / "a.tif", pinned=True), image)
    assert np.array_equal(tessera.read(tmp_path / "a.tif"), image)


def test_clearing_leaves_arrays_and_plans_in_use() -> None:
    image = image_of(30, 30)
    plan = tessera.Convolve(image.shape, image.dtype, "gauss:1")
    before = plan(image)
    tessera.clear_cache()
    assert np.array_equal(plan(image), before)
