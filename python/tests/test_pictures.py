# SPDX-License-Identifier: Apache-2.0
"""Pictures and videos: what Tessera writes others read, and the other way round."""
import shutil

import numpy as np
import pytest

PIL = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
cv2 = pytest.importorskip("cv2", reason="OpenCV is not installed")

needs_ffmpeg = pytest.mark.skipif(
    not (shutil.which("ffmpeg") and shutil.which("ffprobe")), reason="ffmpeg is not on PATH"
)


def smooth(channels, height=61, width=83):
    """An image that JPEG keeps well."""
    y, x = np.mgrid[0:height, 0:width]
    planes = [128 + 100 * np.sin((x * (c + 1) + y) / 23) for c in range(channels)]
    picture = np.stack(planes, -1).astype("u1")
    return picture if channels > 1 else picture[..., 0]


def read(cli, path, *options):
    """A file as Tessera reads it."""
    array = path.with_suffix(path.suffix + ".npy")
    cli("convert", path, array, "--force", *options)
    return np.load(array)


def write(cli, path, array, *options):
    source = path.with_suffix(path.suffix + ".in.npy")
    np.save(source, array)
    cli("convert", source, path, "--force", *options)


def opencv(path):
    flags = cv2.IMREAD_UNCHANGED | cv2.IMREAD_IGNORE_ORIENTATION
    picture = cv2.imread(str(path), flags)
    if picture.ndim == 3:
        picture = picture[..., [2, 1, 0, 3][: picture.shape[2]]]
    return picture


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("sampling", [0, 1, 2])
def test_reads_jpeg_as_others_do(cli, tmp_path, channels, progressive, sampling):
    path = tmp_path / "a.jpg"
    PIL.fromarray(smooth(channels)).save(
        path, quality=85, progressive=progressive, subsampling=sampling
    )
    ours = read(cli, path)
    np.testing.assert_array_equal(ours, np.asarray(PIL.open(path)))
    np.testing.assert_array_equal(ours, opencv(path))


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("quality", [60, 95])
def test_others_read_our_jpeg_as_we_do(cli, tmp_path, channels, quality):
    path = tmp_path / "a.jpg"
    write(cli, path, smooth(channels), "--quality", quality)
    ours = read(cli, path)
    np.testing.assert_array_equal(ours, np.asarray(PIL.open(path)))
    np.testing.assert_array_equal(ours, opencv(path))
    assert np.abs(ours.astype(int) - smooth(channels)).max() < (40 if quality < 90 else 8)


@pytest.mark.parametrize("kind", ["u1", "u2"])
@pytest.mark.parametrize("channels", [1, 3, 4])
def test_png_goes_both_ways(cli, tmp_path, rng, kind, channels):
    shape = (31, 17) if channels == 1 else (31, 17, channels)
    picture = rng.integers(0, np.iinfo(kind).max, shape, kind, endpoint=True)
    write(cli, tmp_path / "ours.png", picture)
    np.testing.assert_array_equal(opencv(tmp_path / "ours.png"), picture)
    order = [2, 1, 0, 3][:channels]
    cv2.imwrite(str(tmp_path / "theirs.png"), picture if channels == 1 else picture[..., order])
    np.testing.assert_array_equal(read(cli, tmp_path / "theirs.png"), picture)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_reads_png_modes_as_pillow_does(cli, tmp_path, rng, mode):
    grey = PIL.fromarray(rng.integers(0, 256, (24, 33), "u1", endpoint=False))
    colour = PIL.fromarray(rng.integers(0, 256, (24, 33, 3), "u1", endpoint=False))
    if mode == "I;16":
        picture = PIL.fromarray(rng.integers(0, 65536, (24, 33)).astype("u2"))
    else:
        picture = (colour if mode in ("P", "RGB", "RGBA") else grey).convert(mode)
    picture.save(tmp_path / "a.png")
    expected = {"1": "L", "P": "RGB"}.get(mode)
    wanted = np.asarray(picture.convert(expected) if expected else picture)
    np.testing.assert_array_equal(read(cli, tmp_path / "a.png"), wanted)


@needs_ffmpeg
@pytest.mark.parametrize("name", ["a.avi", "a.mkv"])
def test_opencv_reads_our_videos(cli, tmp_path, rng, name):
    frames = rng.integers(0, 256, (5, 48, 64, 3), "u1", endpoint=False)
    write(cli, tmp_path / name, frames)
    video = cv2.VideoCapture(str(tmp_path / name))
    if not video.isOpened():
        pytest.skip("this OpenCV reads no videos")
    for frame in frames:
        good, picture = video.read()
        assert good
        np.testing.assert_array_equal(picture[..., ::-1], frame)
    assert not video.read()[0]
    np.testing.assert_array_equal(read(cli, tmp_path / name), frames)


@needs_ffmpeg
def test_reads_opencvs_videos(cli, tmp_path, rng):
    path = tmp_path / "a.avi"
    frames = rng.integers(0, 256, (7, 48, 64, 3), "u1", endpoint=False)
    video = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"FFV1"), 25, (64, 48))
    if not video.isOpened():
        pytest.skip("this OpenCV writes no FFV1")
    for frame in frames:
        video.write(np.ascontiguousarray(frame[..., ::-1]))
    video.release()
    np.testing.assert_array_equal(read(cli, path), frames)
    np.testing.assert_array_equal(
        read(cli, path, "--first-frame", 2, "--frames", 3), frames[2:5]
    )
