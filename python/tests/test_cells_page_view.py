# SPDX-License-Identifier: Apache-2.0
"""Contrast and the background-subtracted view of the report's film, by the pixels of its canvas."""
import shutil

import numpy as np
import pytest

pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from headless import browser, expect_readable, look_as, needs_chromium  # noqa: F401
from report_page import (
    CELLS,
    FRAMES,
    HEIGHT,
    WIDTH,
    by_id,
    click,
    expect_frame,
    make_film,
    scrub_to,
    wait,
)

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(not shutil.which("ffmpeg"), reason="ffmpeg is not on PATH"),
]
SPOT = (30, 60)  # x, y of a bright spot that never moves
FRAME = 40


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("view")


@pytest.fixture
def page(cli, browser, folder):  # noqa: F811, a fixture
    out = folder / "out"
    if not out.exists():
        film = make_film()
        film[:, SPOT[1] - 4 : SPOT[1] + 5, SPOT[0] - 4 : SPOT[0] + 5] = 200
        np.save(folder / "film.npy", film)
        cli("cells", "track", folder / "film.npy", "-o", out, "--overlay", "no", "--flow", 0,
            "--polarity", "bright", "--threshold", 3.5, "--frame-rate", 30, "--frames", FRAMES)
    look_as(browser, 1400, "light")
    browser.get((out / "report.html").as_uri())
    wait(browser, lambda: browser.execute_script("return player.ready && !player.seeking"))
    browser.execute_script("byId('show-tracks').checked = false")
    scrub_to(browser, FRAME)
    expect_frame(browser, FRAME)
    browser.scheme = "light"
    yield browser
    assert [line for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []


def grey(page, x, y):
    """The mean grey around a pixel of the film, on the canvas."""
    return page.execute_script("""
        const [x, y] = arguments, scale = player.canvas.width / film.width;
        const side = Math.floor(3 * scale), pen = player.canvas.getContext('2d');
        const {data} = pen.getImageData((x - 1) * scale, (y - 1) * scale, side, side);
        let sum = 0;
        for (let i = 0; i < data.length; i += 4) sum += data[i];
        return sum / (data.length / 4);""", x, y)


def slide(page, name, value):
    page.execute_script("""
        const [slider, value] = arguments;
        slider.value = value;
        slider.dispatchEvent(new Event('input'));""", by_id(page, name), value)


def cell():
    y, x, speed, _ = CELLS[3]
    return x + speed * FRAME, y


def subtract(page):
    click(page, by_id(page, "subtract"))
    wait(page, lambda: page.execute_script("return player.view.subtracts"))
    page.execute_script("return player.view.sampling")


def test_black_and_white_points(page):
    plain = [grey(page, *cell()), grey(page, 300, 220)]
    assert plain == pytest.approx([160, 90], abs=6)
    slide(page, "black", 60)
    slide(page, "white", 180)
    wanted = [(value - 60) * 255 / 120 for value in plain]
    assert [grey(page, *cell()), grey(page, 300, 220)] == pytest.approx(wanted, abs=4)
    slide(page, "black", 170)
    assert grey(page, 300, 220) == 0
    click(page, by_id(page, "view-reset"))
    assert [grey(page, *cell()), grey(page, 300, 220)] == pytest.approx(plain)


def test_black_stays_below_white(page):
    slide(page, "black", 200)
    slide(page, "white", 100)
    assert by_id(page, "black").get_attribute("value") == "99"
    slide(page, "black", 150)
    assert by_id(page, "white").get_attribute("value") == "151"


def test_what_stands_still_becomes_grey(page):
    assert grey(page, *SPOT) == pytest.approx(200, abs=6)
    assert not by_id(page, "view-about").is_displayed()
    subtract(page)
    wait(page, lambda: "page" in by_id(page, "view-about").text)
    assert "Made in this page from its film" in by_id(page, "view-about").text
    assert grey(page, *SPOT) == pytest.approx(128, abs=6)
    assert grey(page, 300, 220) == pytest.approx(128, abs=6)
    assert grey(page, *cell()) > 240
    expect_readable(page, ("#view-about", "#view label"))
    scrub_to(page, 100)
    wait(page, lambda: page.execute_script("return !player.seeking && player.frame") == 100)
    assert grey(page, *cell()) == pytest.approx(128, abs=8)  # the cell has gone on
    assert grey(page, cell()[0] + 60 * CELLS[3][2], cell()[1]) > 240
    click(page, by_id(page, "subtract"))
    assert grey(page, *SPOT) == pytest.approx(200, abs=6)


def test_it_plays_subtracted(page):
    subtract(page)
    page.execute_script("player.play(1)")
    wait(page, lambda: page.execute_script("return player.frame") > FRAME + 5)
    page.execute_script("player.pause()")
    wait(page, lambda: page.execute_script("return !player.seeking && !player.playing"))
    assert grey(page, *SPOT) == pytest.approx(128, abs=6)


def test_the_film_is_all_that_is_changed(page):
    """Tracks and numbers stay: the view is only for the eyes."""
    before = page.execute_script("return JSON.stringify([counts, tracks])")
    subtract(page)
    slide(page, "black", 100)
    assert page.execute_script("return JSON.stringify([counts, tracks])") == before
    assert page.execute_script("return [film.width, film.height]") == [WIDTH, HEIGHT]
