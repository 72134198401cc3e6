# SPDX-License-Identifier: Apache-2.0
"""Arrays are taken and filled where they lie."""
import numpy as np
import pytest
from expected import random_image

import tessera

WEIGHTS = np.array([[1.0, 2.0, -1.0], [0.5, 3.0, 0.25], [-2.0, 1.0, 0.125]])


def filtered(image, **options):
    return tessera.convolve(np.ascontiguousarray(image), WEIGHTS, **options)


VIEWS = {
    "every second column": lambda a: a[:, ::2],
    "rows backwards": lambda a: a[::-1],
    "columns backwards": lambda a: a[:, ::-1],
    "both, in steps": lambda a: a[::-2, ::-3],
    "region": lambda a: a[3:17, 5:29],
    "transposed": lambda a: a.T,
    "one row for all": lambda a: np.broadcast_to(a[0], a.shape),
    "read-only": lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape),
}


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32", "float64"])
def test_strided_images(rng, name, dtype):
    view = VIEWS[name](random_image(rng, (37, 41), dtype))
    assert np.array_equal(tessera.convolve(view, WEIGHTS), filtered(view))


@pytest.mark.parametrize("name", [n for n in VIEWS if n not in ("one row for all", "read-only")])
def test_strided_results_are_filled_in_place_and_nothing_else(rng, name):
    whole = np.full((37, 41), 77.0, np.float32)
    out = VIEWS[name](whole)
    image = random_image(rng, out.shape, "float32")
    assert tessera.convolve(image, WEIGHTS, out=out) is out
    assert np.array_equal(out, filtered(image))
    assert np.count_nonzero(whole == 77) == whole.size - out.size


COLOURS = {
    "interleaved": lambda a: a,
    "two of four": lambda a: a[..., 1:3],
    "BGR": lambda a: a[..., 2::-1],
    "every second": lambda a: a[..., ::2],
    "planes": lambda a: np.moveaxis(np.ascontiguousarray(np.moveaxis(a, -1, 0)), 0, -1),
    "Fortran": np.asfortranarray,
}


@pytest.mark.parametrize("image_layout", COLOURS)
@pytest.mark.parametrize("out_layout", COLOURS)
def test_channels_in_any_layout(rng, image_layout, out_layout):
    image = COLOURS[image_layout](random_image(rng, (13, 22, 4), "float32"))
    channels = image.shape[2]
    out = COLOURS[out_layout](np.zeros((13, 22, 4), np.float32))
    if out.shape != image.shape:
        out = out[..., :channels]
        image = image[..., :out.shape[2]]
    assert tessera.convolve(image, WEIGHTS, out=out, channel_axis=-1) is out
    assert np.array_equal(out, filtered(image, channel_axis=-1))


BATCHES = {**COLOURS, "five channels": lambda a: np.concatenate([a, a[..., :1]], -1),
           "images last": lambda a: np.moveaxis(np.ascontiguousarray(np.moveaxis(a, 0, -1)), -1, 0)}


@pytest.mark.parametrize("image_layout", BATCHES)
@pytest.mark.parametrize("out_layout", BATCHES)
@pytest.mark.parametrize("axes", [(0, -1), (1, 2), (3, 0)])
def test_batches_with_channels_in_any_layout(rng, image_layout, out_layout, axes):
    image = BATCHES[image_layout](random_image(rng, (3, 13, 22, 4), "float32"))
    out = BATCHES[out_layout](np.zeros((3, 13, 22, 4), np.float32))
    channels = min(image.shape[3], out.shape[3])
    batch_axis, channel_axis = axes
    image, out = (np.moveaxis(a[..., :channels], (0, 3), axes) for a in (image, out))
    for operation in tessera.convolve, tessera.dilate:
        made = operation(image, WEIGHTS, out=out, channel_axis=channel_axis, batch_axis=batch_axis)
        assert made is out
        packed = np.ascontiguousarray(np.moveaxis(image, axes, (0, 3)))
        right = np.stack([operation(one, WEIGHTS, channel_axis=-1) for one in packed])
        assert np.array_equal(np.moveaxis(made, axes, (0, 3)), right)
        made = operation(image, WEIGHTS, channel_axis=channel_axis, batch_axis=batch_axis)
        assert np.array_equal(np.moveaxis(made, axes, (0, 3)), right)


def test_a_field_of_a_packed_record_is_copied(rng):
    records = np.zeros((9, 11), [("flag", "u1"), ("value", "f4")])
    records["value"] = random_image(rng, (9, 11), "float32")
    assert np.array_equal(tessera.convolve(records["value"], WEIGHTS), filtered(records["value"]))


def test_no_copy_of_large_images(rng):
    """A plan on strided views takes no memory of the image's size."""
    tracemalloc = pytest.importorskip("tracemalloc")
    image = random_image(rng, (1024, 2048, 3), "float32")[:, ::2]
    out = np.empty((1024, 1024, 3), np.float32)
    plan = tessera.Convolve(image.shape, image.dtype, WEIGHTS, channel_axis=-1)
    plan(image, out)
    tracemalloc.start()
    plan(image, out)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000


def test_lists_and_buffers_become_arrays():
    rows = [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert np.array_equal(tessera.convolve(rows, WEIGHTS), filtered(np.array(rows)))
    buffer = memoryview(bytes(range(12))).cast("B", (3, 4))
    assert np.array_equal(tessera.convolve(buffer, WEIGHTS), filtered(np.asarray(buffer)))


def test_dlpack_on_the_host():
    class Speaker:
        """Nothing but DLPack."""

        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    image = np.arange(30, dtype=np.float32).reshape(5, 6)[:, ::-1]
    result = tessera.convolve(Speaker(image), WEIGHTS)
    assert isinstance(result, np.ndarray) and np.array_equal(result, filtered(image))


@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64"])
def test_torch_on_the_host_stays_torch(rng, dtype):
    torch = pytest.importorskip("torch")
    image = random_image(rng, (3, 20, 30), dtype)
    given = torch.as_tensor(image).transpose(1, 2)
    out = torch.zeros_like(given)
    result = tessera.convolve(given, torch.as_tensor(WEIGHTS), channel_axis=0, backend="cpu")
    assert isinstance(result, torch.Tensor) and result.dtype == given.dtype
    expected = filtered(image.swapaxes(1, 2), channel_axis=0, backend="cpu")
    assert np.array_equal(result.numpy(), expected)
    assert tessera.convolve(given, WEIGHTS, out=out, channel_axis=0, backend="cpu") is out
    assert np.array_equal(out.numpy(), expected)
    with pytest.raises(TypeError, match="bfloat16"):
        tessera.convolve(torch.zeros(4, 4, dtype=torch.bfloat16), WEIGHTS)


def test_plan(rng):
    plan = tessera.Convolve((20, 30, 3), np.uint8, "gauss:1", border="valid", channel_axis=2, output_type="f32")
    assert plan.output_shape == (12, 22, 3)
    assert "convolve 30x20x3 u8 by 9x9" in plan.describe()
    image = random_image(rng, (20, 30, 3), "uint8")
    out = np.empty((12, 22, 3), np.float32)
    assert plan(image, out) is out and plan(image, out=out) is out
    expected = tessera.convolve(image, "gauss:1", border="valid", channel_axis=-1, output_type="f32")
    assert np.array_equal(out, expected) and np.array_equal(plan(image), expected)
    planes = np.moveaxis(np.ascontiguousarray(np.moveaxis(image, -1, 0)), 0, -1)
    assert np.array_equal(plan(planes), expected)
    assert len(plan.describe().splitlines()) == 2


def test_large_results_are_arrays_of_their_own(rng):
    image = rng.random((600, 700), dtype=np.float32)
    first = tessera.erode(image, "box:1x1")
    second = tessera.erode(image, "box:3x3")
    assert first.shape == image.shape and first.dtype == image.dtype
    assert first.flags.writeable and first.flags.c_contiguous and first.flags.aligned
    assert not np.shares_memory(first, second)
    np.testing.assert_array_equal(first, image)
    tessera.clear_cache()
    del second
    tessera.clear_cache()
    np.testing.assert_array_equal(first, image)


def test_memory_of_a_large_result_is_used_again(rng):
    image = rng.random((700, 800), dtype=np.float32)
    tessera.clear_cache()
    address = tessera.erode(image, "box:1x1").__array_interface__["data"][0]
    assert tessera.erode(image, "box:1x1").__array_interface__["data"][0] == address
