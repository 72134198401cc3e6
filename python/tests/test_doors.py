# SPDX-License-Identifier: Apache-2.0
"""The command line, the example and Python give the same bytes; the package describes itself."""
import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tessera

ROOT = Path(__file__).resolve().parents[2]


def test_same_bytes_as_the_command_line(cli, tmp_path):
    picture, result = tmp_path / "a.png", tmp_path / "b.npy"
    cli("sample", "scene", "--size", "640x480", picture)
    cli("convolve", picture, "gauss:2.5", result, "--border", "reflect")
    scene = tessera.read(picture)
    assert scene.shape == (480, 640, 3) and scene.dtype == np.uint8
    actual = tessera.convolve(scene, "gauss:2.5", border="reflect", channel_axis=-1)
    expected = np.load(result)
    assert actual.dtype == expected.dtype and actual.shape == expected.shape
    assert actual.tobytes() == expected.tobytes()


def test_same_bytes_as_the_example(cli, tmp_path):
    program = Path(os.environ.get("TESSERA_EXAMPLE", ROOT / "build" / "examples" / "convolve_example"))
    if not program.is_file():
        pytest.skip(f"the example is not at {program}")
    cli("sample", "scene", "--size", "320x200", tmp_path / "a.png")
    subprocess.run([program, tmp_path / "a.png", "gauss:2.5", tmp_path / "b.npy"], check=True)
    actual = tessera.convolve(tessera.read(tmp_path / "a.png"), "gauss:2.5", channel_axis=-1)
    assert np.load(tmp_path / "b.npy").tobytes() == actual.tobytes()


def test_scene_is_the_command_lines(cli, tmp_path):
    cli("sample", "scene", "--size", "320x200", "--seed", "5", tmp_path / "a.png")
    assert np.array_equal(tessera.sample_scene(320, 200, seed=5), tessera.read(tmp_path / "a.png"))
    assert not np.array_equal(tessera.sample_scene(320, 200, seed=6), tessera.sample_scene(320, 200, seed=5))


@pytest.mark.parametrize("shape, dtype, suffix", [((7, 5), "float64", "npy"), ((7, 5, 3), "float32", "npy"),
                                                  ((7, 5, 3), "uint8", "png"), ((7, 5), "uint16", "png")])
def test_write_and_read(rng, tmp_path, shape, dtype, suffix):
    image = (rng.uniform(0, 1, shape) * 200).astype(dtype)
    path = tmp_path / f"image.{suffix}"
    tessera.write(path, image[::-1])
    assert np.array_equal(tessera.read(path), image[::-1])
    with pytest.raises(ValueError, match="exists"):
        tessera.write(path, image)
    tessera.write(str(path), image, force=True)
    assert np.array_equal(tessera.read(str(path)), image)


def test_version_and_info():
    assert tessera.__version__ == (ROOT / "VERSION").read_text().strip()
    info = tessera.info()
    assert info["version"] == tessera.__version__


def stub_function(name):
    stub = Path(importlib.util.find_spec("tessera._tessera").origin).parent / "_tessera.pyi"
    tree = ast.parse(stub.read_text())
    return next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)


def test_stub_lists_every_option_with_a_default_that_works():
    arguments = stub_function("convolve").args
    defaults = {a.arg: ast.literal_eval(d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)}
    known = {"border", "constant", "anchor", "scale", "flip", "output_type", "backend", "method", "device", "out",
             "channel_axis", "batch_axis", "threads", "memory_limit"}
    assert known <= defaults.keys()
    image = np.ones((4, 4), np.float32)
    for name, value in defaults.items():
        assert np.array_equal(tessera.convolve(image, [[1.0]], **{name: value}), image)
        assert name in tessera.convolve.__doc__


GREY = np.zeros((64, 64), np.uint8)


@pytest.mark.parametrize("function, arguments, options, words", [
    ("noise", (GREY, 5), {"bins": 7}, "8 to 65535"),
    ("noise", (GREY, 5), {"memory_limit": float("nan")}, "0 or more"),
    ("detect_cells", (GREY,), {"min_radius": 1}, "2 to 100 pixels"),
    ("track_cells", (GREY[None],), {"speed_window": 4}, "5 or more"),
    ("convolve", (GREY, [[1.0]]), {"scale": float("inf")}, "any finite number"),
    ("clahe", (GREY,), {"tiles": (8, 257)}, "each number can be 1 to 256"),
    ("contrast", (GREY,), {"high": 101}, "0 to 100 percent"),
    ("enhance", (GREY,), {"threshold": -1}, "0 or more pixels"),
    ("correlate", (GREY,), {"max_shift": 0}, "1 or more pixels"),
    ("scene_planes", (GREY,), {"texture_scale": 0}, "0.1 to 1000 pixels"),
    ("faraday_axes", ([1e9, 2e9],), {"dphi": 0}, "more than 0 rad/m^2"),
    ("write", ("never.jpg", GREY), {"quality": 0}, "1 to 100"),
    ("sample_sky", (), {"beam_ratio": 2}, "0.1 to 1"),
    ("sample_cells", (), {"frames": 0}, "1 to 1000000")])
def test_ranges_of_options_are_in_docstrings_and_messages(function, arguments, options, words):
    function = getattr(tessera, function)
    (name, value), = options.items()
    line = next(line for line in function.__doc__.splitlines() if line.strip().startswith(f"{name} ("))
    assert line.endswith("; " + words.replace(" can be", ""))
    with pytest.raises(ValueError) as error:
        function(*arguments, **options)
    assert str(error.value) == f"{function.__name__}: {name} is {value}; " + (
        words if words.startswith("each") else f"it can be {words}")


def test_stub_satisfies_a_type_checker(tmp_path):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is missing")
    (tmp_path / "use.py").write_text(
        "import numpy as np\nimport tessera\n"
        "plan = tessera.Convolve((4, 4), np.float32, 'box:3x3', border='wrap', anchor=(1, 1))\n"
        "shape: tuple[int, ...] = plan.output_shape\n"
        "tessera.convolve(np.zeros((4, 4)), tessera.gaussian(1), border='mirror')  # type: ignore[arg-type]\n"
        "result: tessera.CellTracks = tessera.track_cells('film.avi', z='max', edits='edits.csv')\n"
        "names: list[str] = result.write('out', masks=True)\n"
        "classes: dict[int, str] = result.classes\n"
        "result.write('out', mask=True)  # type: ignore[call-arg]\n"
        "version: str = tessera.__version__\n"
        "exists: type[ValueError] = tessera.OutputExistsError\n")
    package = Path(tessera.__file__).parent.parent
    path = {} if package.name == "site-packages" else {"MYPYPATH": str(package)}
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, tmp_path / "use.py"],
                          capture_output=True, text=True, env={**os.environ, **path})
    assert done.returncode == 0, done.stdout + done.stderr
