# SPDX-License-Identifier: Apache-2.0
"""Commands of README.md and docs/: every one and every option is there, and whole sections of them run on small
data of the names they use. Examples of helps, and those of noise on files, run in the C++ tests."""
import re
from pathlib import Path

import numpy as np
import pytest
from doc_examples import LEFT_OUT, PAGES, Command, Help, choices_of, commands_of, read_help, words_of
from survey_files import sky_header, write_survey

import tessera

COMMANDS = [command for page in PAGES for command in commands_of(page)]


@pytest.fixture(scope="module")
def helps():
    return {}


@pytest.fixture
def help_of(cli, helps):
    """The contents of a command's help, asked for once."""
    def ask(*words: str) -> Help:
        if words not in helps:
            helps[words] = read_help(cli(*words, "--help"))
        return helps[words]

    return ask


def fault_of(command, help_of):
    """Why a command would not be understood; empty: it would."""
    path, words = (), list(command.words)
    while words and words[0] in help_of(*path).commands:
        path += (words.pop(0),)
    there = help_of(*path)
    if there.commands and words and re.match(r"[a-z]", words[0]):
        return f"there is no tessera {' '.join([*path, words[0]])}"
    if "--" in words:  # file names follow
        words = words[:words.index("--")]
    for place, word in enumerate(words):
        if not re.match(r"--?[a-zA-Z]", word):
            continue
        name, _, value = word.partition("=")
        if name not in there.options:
            return f"tessera {' '.join(path)} has no option {name}"
        value = value or (words[place + 1] if place + 1 < len(words) else "")
        choices = choices_of(there.options[name])
        if choices and value not in [*choices, LEFT_OUT] and command.whole:
            return f"{name} is {value}; it can be {', '.join(choices)}"
    return ""


def test_there_are_examples():
    """A pattern that finds none would pass every test below."""
    assert sum(command.whole for command in COMMANDS) > 60
    assert len(COMMANDS) > 120


@pytest.mark.parametrize("page", sorted({command.page for command in COMMANDS}))
def test_commands_and_options_are_there(page, help_of):
    faults = [f"{command}: {fault}" for command in COMMANDS
              if command.page == page and (fault := fault_of(command, help_of))]
    assert faults == []


@pytest.mark.parametrize("text, fault", [
    ("tessera convolv a b c", "there is no tessera convolv"),
    ("tessera faraday sinth Q U", "there is no tessera faraday sinth"),
    ("tessera convolve a b c --bordr wrap", "tessera convolve has no option --bordr"),
    ("tessera erode a b c -z", "tessera erode has no option -z"),
    ("tessera convolve a b c --border mirror", "--border is mirror; it can be valid, "),
    ("tessera convolve a.png box:3x3 b.png --border wrap", ""),
    ("tessera --version", ""),
    ("A=1 tessera study convolve --sizes 3,5 | less --this", ""),
    ("build/tessera erode a b c  # as --this", ""),
])
def test_what_is_not_there_is_seen(text, fault, help_of):
    found = fault_of(Command("here", words_of(text), True), help_of)
    assert found.startswith(fault) and bool(found) == bool(fault)


def noise(*shape, dtype="float32", seed=1):
    values = np.random.default_rng(seed).random(shape)
    return (values * 255 if dtype == "uint8" else values).astype(dtype)


def photographs(*names, size=(64, 48)):
    for seed, name in enumerate(names):
        Path(name).parent.mkdir(exist_ok=True)
        tessera.write(name, tessera.sample_scene(*size, seed=seed))


def for_convolve(_):
    np.save("my_filter.npy", noise(5, 3))
    np.save("huge.npy", noise(90, 80))


def for_morphology(_):
    photographs("photo.png", "mask.png")
    np.save("huge.npy", noise(90, 80))
    np.save("my_element.npy", noise(3, 5))


def for_rank(_):
    photographs("photo.png", "scans/a.png", "scans/b.png")
    np.save("huge.npy", noise(90, 80))
    np.save("window.npy", noise(3, 5))


def for_match(_):
    photographs("page.png", "scans/a.png", "scans/b.png")
    tessera.write("logo.png", tessera.read("page.png")[11:31, 20:40])
    tessera.write("round.png", (np.hypot(*np.mgrid[-10:10, -10:10]) < 10).astype("uint8"))


def for_correlate(_):
    photographs("photos/a.png", "photos/b.png", "one.png", "left.png", "right.png", size=(501, 500))
    for seed, name in enumerate(["a.raw", "b.raw", "x1.raw", "x2.raw"]):
        noise(500, 500, seed=seed).tofile(name)


def for_enhance(_):
    photographs("map.png", "scan.tif", "slide.png", "photo.png", "scans/a.png")
    tessera.write("sky.fits", noise(60, 70))
    np.save("huge.npy", noise(90, 80, dtype="uint8"))


def for_files(_):
    tessera.write("stack.tif", noise(3, 20, 30, dtype="uint8"))
    tessera.write("cube.fits", noise(41, 20, 30))
    Path("camera.raw").write_bytes(bytes(512) + noise(2048, 2048, dtype="uint8").astype(">u2").tobytes())
    photographs("scans/a.tif", "scans/b.tif")


def for_faraday(cli):
    cli("sample", "polarised", "made.fits", "--size", "20x16", "--channels", 24, "--sources", 1)
    for name, made in {"Q.fits": "made_Q.fits", "U.fits": "made_U.fits", "freqs.txt": "made_freqs.txt"}.items():
        Path(made).rename(name)
    Path("noise.txt").write_text("0.001\n" * 24)
    tessera.write("noise.fits", np.full((16, 20), 0.001, "float32"))
    smooth = np.linspace(2, 1, 24, dtype="float32")[:, None, None] * np.ones((16, 20), "float32")
    tessera.write("Imodel.fits", smooth)
    tessera.write("I.fits", smooth + 0.01 * noise(24, 16, 20))
    Path("sources.csv").write_text("x,y\n4,5\n10,12\n")
    tessera.write("there.fits", np.ones((16, 20), "float32"))
    Path("out").mkdir()
    survey()
    Path("rms.txt").write_text("0.001\n" * len(list(Path("I").iterdir())))


def survey():
    fits = pytest.importorskip("astropy.io.fits")
    write_survey(fits, np.random.default_rng(1))


def for_beam(_):
    survey()
    Path("iquv.fits").unlink()
    fits = pytest.importorskip("astropy.io.fits")
    fits.writeto("cube.fits", noise(3, 20, 30), sky_header(fits, frequency=1e9, beam=(12, 9, 30)))
    Path("channels.txt").write_text("Q/000.fits\nQ/001.fits\n")
    for name in ("cubeQ", "cubeU"):
        fits.writeto(f"{name}.fits", noise(2, 20, 30), sky_header(fits, frequency=1e9))
        Path(f"beamlog.{name}.txt").write_text("#Channel BMAJ[arcsec] BMIN[arcsec] BPA[deg]\n0 12 9 30\n1 11 9 20\n")


def for_noise(_):
    Path("fields").mkdir()
    for seed, name in enumerate(["fields/a.fits", "fields/b.fits"]):
        tessera.write(name, noise(70, 80, seed=seed))


def for_robustness(cli):
    photographs("scans/a.png", "scans/b.png")
    for_noise(cli)


def for_readme(cli):
    for name in ("galaxy.fits", "plate.fits", "field.fits"):
        tessera.write(name, noise(90, 80))
    tessera.write("star.fits", noise(9, 8))
    photographs("nuclei.png", "scan.tif")
    photographs("photos/a.png", "photos/b.png", size=(501, 500))
    cli("sample", "polarised", "made.fits", "--size", "20x16", "--channels", 24, "--sources", 1)
    for name, made in {"q.fits": "made_Q.fits", "u.fits": "made_U.fits", "frequencies.txt": "made_freqs.txt"}.items():
        Path(made).rename(name)
    survey()
    cli("sample", "voltages", "night.dada", "--antennas", 3, "--channels", 4, "--samples", 64)
    cli("sample", "voltages", "band.vdif", "--raw", "complex", "--antennas", 2, "--channels", 16, "--samples", 16000)


# Pages whose blocks of commands run here, in order, in a folder with what they read; and words of commands that do
# not: inputs too large, videos or other people's data, and what takes long.
PREPARED = {
    "coming-from.md": (lambda _: photographs("photo.png"), set()),
    "README.md": (for_readme, {"bench", "film.avi"}),
    "convolve.md": (for_convolve, set()),
    "morphology.md": (for_morphology, set()),
    "rank.md": (for_rank, set()),
    "match.md": (for_match, set()),
    "correlate.md": (for_correlate, set()),
    "enhance.md": (for_enhance, set()),
    "files.md": (for_files, {"mosaic.tif", "film.mp4"}),
    "robustness.md": (for_robustness, set()),
    "beam.md": (for_beam, set()),
    "faraday.md": (for_faraday, {"source.dat", "racs.fits"}),
    "xengine.md": (lambda _: None, {"scan.0000.raw", "voltages.npy", "run.dada"}),
    "channelise.md": (lambda _: None, {"band.vdif", "band.dada", "cmp"}),
    "noise.md": (for_noise, {"field.fits", "cube.fits", "huge.npy", "bench"}),
}
SMALL = {"--size": "64x48", "--antennas": "3", "--channels": "8", "--samples": "256", "--sources": "3"}


def made_small(words):
    """Samples of other sizes; all else as it is written."""
    if words[0] != "sample" or "--raw" in words:  # a spectrum is made from many raw samples
        return list(words)
    return [SMALL.get(before, word) for before, word in zip(["", *words[:-1]], words, strict=True)]


@pytest.mark.parametrize("page", sorted(PREPARED))
def test_commands_run(page, cli, help_of, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    prepare, left_out = PREPARED[page]
    prepare(cli)
    commands = [made_small(command.words) for command in COMMANDS
                if command.page == page and command.whole and not left_out & set(command.words)]
    assert commands
    for words in commands:
        path = words[:2] if help_of(words[0]).commands else words[:1]
        takes_force = "--force" in help_of(*path).options and "--force" not in words
        cli(*words, *(["--force"] if takes_force else []))
