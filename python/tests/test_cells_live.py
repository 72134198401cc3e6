# SPDX-License-Identifier: Apache-2.0
"""The live page of a film that is being recorded, in a browser: it loads itself again while frames
arrive, and shows the frame, cells, counts, speeds and latencies of its JSON."""
import csv
import json
import subprocess

import numpy as np
import pytest

pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from headless import browser, expect_readable, look_as, needs_chromium  # noqa: F401
from package_build import BUILD
from report_page import FRAMES, HEIGHT, MARGIN, WIDTH, by_id, make_film, wait
from selenium.webdriver.common.by import By

pytestmark = needs_chromium
OPTIONS = ["--raw", f"{WIDTH}x{HEIGHT}:u8", "--crop", f"0,{MARGIN},{WIDTH}x{HEIGHT - MARGIN}",
           "--um-per-pixel", "0.5", "--background", "none", "--page-every", "0.2"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("live")


@pytest.fixture
def facts(cli, folder):
    """What `cells watch --json` prints at the end; made once, with its page."""
    kept = folder / "facts.json"
    if not kept.exists():
        make_film().tofile(folder / "film.raw")
        kept.write_text(cli("cells", "watch", folder / "film.raw", "-o", folder / "out", "--frames",
                            FRAMES, "--json", *OPTIONS))
    return json.loads(kept.read_text())


@pytest.fixture(params=[(1400, "light"), (1400, "dark"), (390, "light"), (390, "dark")],
                ids=lambda p: f"{p[0]}-{p[1]}")
def page(request, browser, folder, facts):  # noqa: F811, a fixture
    """The page; afterwards the browser must have had nothing to complain of."""
    width, scheme = request.param
    look_as(browser, width, scheme)
    browser.get((folder / "out" / "live.html").as_uri())
    browser.scheme = scheme
    yield browser
    assert [line for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []


def data_of(page):
    return json.loads(page.execute_script("return document.getElementById('data').textContent"))


def all_of(page, selector):
    return page.find_elements(By.CSS_SELECTOR, selector)


def test_the_picture_is_the_frame_and_its_cells(page, folder):
    number = data_of(page)["shown_frame"]
    assert number == FRAMES - 1
    canvas = page.find_element(By.CSS_SELECTOR, "#picture canvas")
    levels = page.execute_script("""
        const canvas = arguments[0], {width, height} = canvas;
        return Array.from(canvas.getContext('2d').getImageData(0, 0, width, height).data);""", canvas)
    shown = np.array(levels).reshape(HEIGHT, WIDTH, 4)[:, :, 0]
    assert np.array_equal(shown, make_film()[number])
    with open(folder / "out" / "tracks.csv") as file:
        spots = {row["TRACK_ID"]: row for row in csv.DictReader(file) if int(row["FRAME"]) == number}
    circles = all_of(page, "#picture circle")
    assert sorted(spots) == sorted(circle.get_attribute("data-track") for circle in circles)
    assert len(circles) >= 3
    for circle in circles:
        row = spots[circle.get_attribute("data-track")]
        assert float(circle.get_attribute("cx")) == pytest.approx(float(row["POSITION_X"]), abs=1e-6)
        assert float(circle.get_attribute("r")) == pytest.approx(float(row["RADIUS"]), abs=1e-6)


def test_counts_speeds_and_latencies_are_those_of_the_result(page, facts):
    value = {cell.get_attribute("data-path"): cell.get_attribute("data-value")
             for cell in all_of(page, "[data-path]")}
    assert int(value["frames_arrived"]) == int(value["frames_done"]) == FRAMES
    for name in ("tracks", "rolling", "resting"):
        assert int(value[f"counts.{name}"]) == facts["counts"][name]
    for kind in ("processing_ms", "result_ms", "frames_waited"):
        for share, number in facts["latency"][kind].items():
            assert float(value[f"latency.{kind}.{share}"]) == number
    bars = [int(bar.get_attribute("data-count")) for bar in all_of(page, "#speed-bars .bar")]
    assert sum(bars) == facts["counts"]["tracks"] > 0
    assert by_id(page, "state").text == f"Ended: {facts['ended']}"
    assert "first 40 frames" in by_id(page, "waits").text
    expect_readable(page, ["#about", "#state", "#waits", "#counts dd", "#latency td"])


def test_it_fits_the_window(page):
    assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth")


def test_it_loads_itself_again_while_frames_come(browser, cli, folder, facts):  # noqa: F811
    program = BUILD / "tessera"
    look_as(browser, 1400, "light")
    film, out = make_film().tobytes(), folder / "running"
    with subprocess.Popen([program, "cells", "watch", "-", "-o", out, "--quiet", *OPTIONS],
                          stdin=subprocess.PIPE) as process:
        half = len(film) // 2
        process.stdin.write(film[:half])
        process.stdin.flush()
        wait(browser, (out / "live.html").exists)
        browser.get((out / "live.html").as_uri())
        wait(browser, lambda: data_of(browser)["frames_arrived"] == FRAMES // 2)
        assert browser.execute_script("return document.getElementById('state').className") \
            == "quiet running"
        assert "Counts are checked when the recording ends" in by_id(browser, "state").text
        process.stdin.write(film[half:])
        process.stdin.close()
        assert process.wait() == 0
    wait(browser, lambda: not data_of(browser)["running"])
    assert data_of(browser)["frames_arrived"] == FRAMES
    assert data_of(browser)["counts"] == facts["counts"]
