# SPDX-License-Identifier: Apache-2.0
"""The preview of a film's cells in a browser: pictures, circles, histogram, choices and command
line are those of the JSON."""
import json

import numpy as np
import pytest

pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from headless import browser, expect_readable, look_as, needs_chromium  # noqa: F401
from report_page import HEIGHT, WIDTH, by_id, make_film
from selenium.webdriver.common.by import By

pytestmark = needs_chromium
SHOWN = [0, 19, 39, 59]  # four of the first 60 frames


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("preview")


@pytest.fixture
def facts(cli, folder):
    """What `cells preview --json` prints; made once, with its page."""
    kept = folder / "facts.json"
    if not kept.exists():
        np.save(folder / "a film.npy", make_film())
        kept.write_text(cli("cells", "preview", folder / "a film.npy", "-o", folder / "page.html",
                            "--crop", f"0,40,{WIDTH}x{HEIGHT - 40}", "--um-per-pixel", 0.5,
                            "--background", "none", "--json"))
    return json.loads(kept.read_text())


@pytest.fixture(params=[(1400, "light"), (1400, "dark"), (390, "light"), (390, "dark")],
                ids=lambda p: f"{p[0]}-{p[1]}")
def page(request, browser, folder, facts):  # noqa: F811, a fixture
    """The page; afterwards the browser must have had nothing to complain of."""
    width, scheme = request.param
    look_as(browser, width, scheme)
    browser.get((folder / "page.html").as_uri())
    browser.scheme = scheme
    yield browser
    assert [line for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []


def all_of(page, selector):
    return page.find_elements(By.CSS_SELECTOR, selector)


def test_pictures_are_the_frames(page):
    film = make_film()
    figures = all_of(page, "#frames figure")
    assert [int(figure.get_attribute("data-frame")) for figure in figures] == SHOWN
    for figure, frame in zip(figures, SHOWN, strict=True):
        canvas = figure.find_element(By.TAG_NAME, "canvas")
        size, levels = page.execute_script("""
            const canvas = arguments[0], {width, height} = canvas;
            const {data} = canvas.getContext('2d').getImageData(0, 0, width, height);
            return [[width, height], Array.from(data)];""", canvas)
        assert size == [WIDTH, HEIGHT]
        pixels = np.array(levels).reshape(HEIGHT, WIDTH, 4)
        for channel in range(3):
            assert (pixels[..., channel] == film[frame]).all()


def test_circles_are_the_candidates(page, facts):
    for figure, frame in zip(all_of(page, "#frames figure"), facts["frames"], strict=True):
        circles = figure.find_elements(By.CSS_SELECTOR, "circle.candidate")
        assert len(circles) == len(frame["candidates"]) >= 5
        for circle, cell in zip(circles, frame["candidates"], strict=True):
            for name, value in (("cx", cell["x"]), ("cy", cell["y"]), ("r", cell["radius"])):
                assert float(circle.get_attribute(name)) == pytest.approx(value)
            kind = "bright" if cell["score"] < 0 else "dark"
            assert circle.get_attribute("class") == f"candidate {kind}"
            title = circle.find_element(By.TAG_NAME, "title").get_attribute("textContent")
            assert title.startswith(f"{kind}, score ")
            assert float(title.split()[2].rstrip(",")) == pytest.approx(abs(cell["score"]), rel=0.01)
        assert len(figure.find_elements(By.CSS_SELECTOR, ".followed")) == len(frame["followed"])
        caption = figure.find_element(By.TAG_NAME, "figcaption").text
        assert f"{frame['bright']} bright, {frame['dark']} dark" in caption
    colours = {page.execute_script("return getComputedStyle(arguments[0]).stroke", mark)
               for mark in all_of(page, "#legend circle")}
    assert len(colours) == 2


def test_circles_lie_on_the_cells(page):
    """The middle of a bright circle is brighter than the ground around it."""
    film = make_film()[0]
    figure = all_of(page, "#frames figure")[0]
    canvas = figure.find_element(By.TAG_NAME, "canvas").rect
    bright = figure.find_elements(By.CSS_SELECTOR, "circle.bright")
    assert len(bright) >= 5
    for circle in bright:
        box = circle.rect
        x = (box["x"] + box["width"] / 2 - canvas["x"]) * WIDTH / canvas["width"]
        y = (box["y"] + box["height"] / 2 - canvas["y"]) * HEIGHT / canvas["height"]
        assert film[int(y), int(x)] > 125


def test_the_histogram_has_the_radii_and_their_range(page, facts):
    bars = [int(bar.get_attribute("data-count")) for bar in all_of(page, "#radii-bars .bar")]
    assert bars == [bin["count"] for bin in facts["radii"]["histogram"]]
    assert sum(bars) == len(facts["radii"]["sizes"]) > 0
    marks = [float(mark.get_attribute("data-radius")) for mark in all_of(page, "#radii-bars .mark")]
    assert marks == [facts["radii"]["least"], facts["radii"]["most"]]
    heights = [float(bar.get_attribute("height")) for bar in all_of(page, "#radii-bars .bar")]
    assert np.argmax(heights) == np.argmax(bars)


def test_choices_doubts_and_the_command_are_shown(page, facts, folder):
    rows = [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]
            for row in all_of(page, "#choice-rows tr")]
    assert rows == [[choice[key] for key in ("name", "value", "why")] for choice in facts["choices"]]
    assert by_id(page, "command").text == facts["command"]
    assert f"'{folder}/a film.npy' -o 'a film-cells'" in facts["command"]
    assert "--background none" in facts["command"]
    messages = [item.text for item in all_of(page, "#messages li")]
    assert messages == facts["warnings"] + facts["notes"]


def test_it_fits_and_can_be_read(page):
    assert page.execute_script(
        "return document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    expect_readable(page, ["#name", "#about", "#command", "#legend", "#choice-rows td",
                           "#choice-rows th", "figcaption", "#made"])
