# SPDX-License-Identifier: Apache-2.0
"""Corrections made in the report's page: what they show, and that the tool makes the same of them."""
import json
import shutil

import numpy as np
import pytest

pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from headless import browser, expect_readable, look_as, needs_chromium  # noqa: F401
from report_page import (
    HEIGHT,
    MARGIN,
    UM_PER_PIXEL,
    WIDTH,
    by_id,
    click,
    expect_frame,
    make_film,
    scrub_to,
    table_of,
    text_of,
    wait,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(not shutil.which("ffmpeg"), reason="ffmpeg is not on PATH"),
]
HEADER = "EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("edits")
    np.save(folder / "film.npy", make_film())
    return folder


@pytest.fixture
def track(cli, folder):
    """Runs `cells track` on the film, with further options."""
    def run(out, *options):
        said = cli("cells", "track", folder / "film.npy", "-o", out, "--flow", 0, "--frame-rate", 30,
                   "--um-per-pixel", UM_PER_PIXEL, "--polarity", "bright", "--background", "none",
                   "--detect-where", "everywhere", "--crop", f"0,{MARGIN},{WIDTH}x{HEIGHT - MARGIN}",
                   "--min-radius", 7, "--max-radius", 11, "--threshold", 3.5, "--overlay", "no",
                   "--json", *options)
        return json.loads(said)
    return run


@pytest.fixture
def results(track, folder):
    """The folder without edits, made once; the cells have the tracks 1 to 5."""
    out = folder / "out"
    if not out.exists():
        track(out)
        assert [row["TRACK_ID"] for row in table_of(out / "summary.csv")] == list("12345")
    return out


def open_report(browser, out, width=1400, scheme="light", forget=True):  # noqa: F811
    look_as(browser, width, scheme)
    browser.get((out / "report.html").as_uri())
    if forget:
        browser.execute_script("localStorage.clear()")
        browser.refresh()
    wait(browser, lambda: browser.execute_script("return player.ready && !player.seeking"))
    browser.scheme = scheme


@pytest.fixture
def page(browser, results):  # noqa: F811, a fixture
    open_report(browser, results)
    click(browser, by_id(browser, "correct"))
    yield browser
    assert [line for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []


def go(page, frame):
    scrub_to(page, frame)
    expect_frame(page, frame)


def choose(page, track):
    click(page, page.find_element(By.CSS_SELECTOR, f'tr[data-track="{track}"]'))


def press(page, action):
    click(page, by_id(page, f"edit-{action}"))


def click_film(page, x, y):
    """A real click on a pixel of the film; returns the position that the page makes of it."""
    screen = by_id(page, "screen")
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", screen)
    scale = screen.size["width"] / WIDTH
    across = round((x + 0.5) * scale - screen.size["width"] / 2)
    down = round((y + 0.5) * scale - screen.size["height"] / 2)
    ActionChains(page).move_to_element_with_offset(screen, across, down).click().perform()


def spans(page):
    return page.execute_script("return tracks.map((t) => [t.id, t.first, t.last])")


def spots(page):
    return page.execute_script("""
        return tracks.flatMap((t) => Array.from(t.x, (x, i) => [t.id, t.frameOf(i), x, t.y[i],
          t.radius[i], t.score[i], t.speed[i], t.seenAt(t.frameOf(i)) ? 1 : 0]));""")


def rows(page):
    return [[text_of(page, row.get_attribute("data-track"), key) for key in
             ("id", "first_frame", "last_frame")]
            for row in page.find_elements(By.CSS_SELECTOR, "tbody tr")]


def count(page, name):
    return next(box.find_element(By.TAG_NAME, "dd").text
                for box in page.find_elements(By.CSS_SELECTOR, "#counts div")
                if box.find_element(By.TAG_NAME, "dt").text == name)


def listed(page):
    return [item.text for item in page.find_elements(By.CSS_SELECTOR, "#edit-list li")]


def download(page):
    """The text behind the link."""
    assert by_id(page, "edit-download").get_attribute("download") == "edits.csv"
    return page.execute_async_script("""
        const done = arguments[0];
        fetch(byId('edit-download').href).then((answer) => answer.text()).then(done);""")


def picture(page):
    return page.execute_script("return player.canvas.toDataURL()")


def bars(page, name):
    return [int(bar.get_attribute("data-tracks"))
            for bar in page.find_elements(By.CSS_SELECTOR, f"#{name} .bar")]


def test_delete(page):
    go(page, 40)
    choose(page, 3)
    before = picture(page)
    press(page, "delete")
    assert [span[0] for span in spans(page)] == [1, 2, 4, 5]
    assert [row[0] for row in rows(page)] == list("1245")
    assert count(page, "Tracks") == count(page, "Rolling") == "4"
    assert sum(bars(page, "histogram-bars")) == sum(bars(page, "radii-bars")) == 4
    assert by_id(page, "track-name").text == "No track chosen"
    assert picture(page) != before
    assert listed(page) == ["delete,3"]
    assert download(page) == HEADER + "delete,3\n"
    expect_frame(page, 40)


def test_split(page):
    go(page, 40)
    choose(page, 2)
    press(page, "split")
    assert spans(page) == [[1, 0, 119], [2, 0, 39], [3, 0, 119], [4, 0, 119], [5, 0, 119],
                           [6, 40, 119]]
    assert rows(page)[1] == ["2", "0", "39"] and rows(page)[5] == ["6", "40", "119"]
    assert count(page, "Tracks") == "6"
    expect_frame(page, 40)
    assert download(page) == HEADER + "split,2,40\n"


def test_a_track_cannot_be_split_everywhere(page):
    go(page, 0)
    choose(page, 2)
    press(page, "split")
    assert by_id(page, "edit-hint").text == (
        "Track 2 can be split at frames 1 to 119; this is frame 0.")
    assert listed(page) == [] and len(spans(page)) == 5


@pytest.mark.parametrize("where", ["film", "table"])
def test_merge_bridges_and_keeps_the_first(page, where):
    for track, frame in ((1, 30), (6, 50)):
        go(page, frame)
        choose(page, track)
        press(page, "split")
    choose(page, 6)
    press(page, "delete")
    go(page, 60)
    choose(page, 1)
    go(page, 60)
    press(page, "merge")
    assert by_id(page, "edit-merge").get_attribute("aria-pressed") == "true"
    assert "continues track 1" in by_id(page, "edit-hint").text
    if where == "film":
        click_film(page, 30 + 1.5 * 60, 70)
    else:
        choose(page, 7)
    assert listed(page) == ["split,1,30", "split,6,50", "delete,6", "merge,1,,7"]
    merged = np.array([spot for spot in spots(page) if spot[0] == 1])
    assert list(merged[:, 1]) == list(range(120))
    assert list(np.flatnonzero(merged[:, 7] == 0)) == list(range(30, 50))
    straight = np.interp(np.arange(30, 50), [29, 50], merged[[29, 50], 2])
    np.testing.assert_allclose(merged[30:50, 2], straight, atol=1e-9)
    assert by_id(page, "edit-merge").get_attribute("aria-pressed") == "false"
    choose(page, 2)
    press(page, "merge")
    choose(page, 3)  # both have a spot in every frame
    kept = [spot for spot in spots(page) if spot[0] == 2]
    assert [spot[1] for spot in kept] == list(range(120))
    assert all(abs(spot[3] - 105) < 1 for spot in kept)
    assert [span[0] for span in spans(page)] == [1, 2, 4, 5]


def test_add_to_a_track_and_begin_one(page):
    go(page, 40)
    choose(page, 5)
    press(page, "add")
    radius = page.execute_script("return tracks[4].at(40, tracks[4].radius)")
    click_film(page, 200, 100)
    moved = [spot for spot in spots(page) if spot[0] == 5][40]
    assert np.hypot(moved[2] - 200, moved[3] - 100) < 1 and moved[4] == radius and moved[7] == 1
    press(page, "new")
    click_film(page, 250, 60)
    assert by_id(page, "track-name").text == "Track 6"
    go(page, 44)
    click_film(page, 258, 60)  # the new track goes on: no button is needed
    assert spans(page)[5] == [6, 40, 44]
    box = by_id(page, "edit-radius")
    box.send_keys("12.5")
    go(page, 45)
    click_film(page, 260, 60)
    lines = [line.split(",") for line in listed(page)]
    assert [line[:4] for line in lines] == [["add", "5", "40", ""], ["add", "6", "40", ""],
                                            ["add", "6", "44", ""], ["add", "6", "45", ""]]
    assert [len(line) for line in lines] == [6, 7, 6, 7] and lines[3][6] == "12.5"
    assert text_of(page, 6, "last_frame") == "45"
    assert by_id(page, "edit-add").get_attribute("aria-pressed") == "true"
    ActionChains(page).send_keys(Keys.ESCAPE).perform()
    assert by_id(page, "edit-add").get_attribute("aria-pressed") == "false"
    click_film(page, 260, 200)
    assert len(listed(page)) == 4 and by_id(page, "track-name").text == "No track chosen"


def test_undo(page):
    before, table, facts = spots(page), rows(page), by_id(page, "counts").text
    go(page, 40)
    for track, action in ((1, "split"), (2, "delete"), (6, "delete"), (3, "split")):
        choose(page, track)
        go(page, 40)
        press(page, action)
    assert len(listed(page)) == 4
    press(page, "undo")
    assert listed(page) == ["split,1,40", "delete,2", "delete,6"]
    for _ in range(3):
        ActionChains(page).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    assert listed(page) == [] and not by_id(page, "edit-undo").is_enabled()
    assert (spots(page), rows(page), by_id(page, "counts").text) == (before, table, facts)
    assert download(page) == HEADER


def test_edits_survive_a_reload(page, results):
    go(page, 40)
    choose(page, 2)
    press(page, "split")
    after = spots(page)
    open_report(page, results, forget=False)
    assert spots(page) == after and listed(page) == ["split,2,40"]
    assert count(page, "Tracks") == "6" and rows(page)[5] == ["6", "40", "119"]
    press(page, "undo")
    open_report(page, results, forget=False)
    assert len(spans(page)) == 5 and not by_id(page, "corrections").is_displayed()


def test_a_browser_that_stores_nothing(page):
    page.execute_script("Storage.prototype.setItem = () => { throw new Error('no'); }")
    choose(page, 2)
    press(page, "delete")
    assert listed(page) == ["delete,2"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(page, results, scheme):
    choose(page, 2)
    press(page, "delete")
    open_report(page, results, 390, scheme, forget=False)
    assert by_id(page, "corrections").is_displayed()
    wide, screen = page.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert wide <= screen
    expect_readable(page, ("#edit-hint", "#edit-list li", "#edit-download", "#correct"))


def expect_same(page, out):
    """The page shows the tool's tables."""
    names = ("TRACK_ID", "FRAME", "POSITION_X", "POSITION_Y", "RADIUS", "SCORE", "SPEED", "SEEN")
    wanted = [[float(row[name] or "nan") for name in names] for row in table_of(out / "tracks.csv")]
    shown = np.array(spots(page), float)
    np.testing.assert_allclose(shown, wanted, rtol=0, atol=0.0011)
    summaries = table_of(out / "summary.csv")
    kept = page.execute_script("return tracks.map((t) => t.summary)")
    assert [one["does"] for one in kept] == [row["CLASS"] for row in summaries]
    for key, name in (("seen", "SEEN"), ("frames", "FRAMES"), ("seconds", "DURATION"),
                      ("mean_speed", "MEAN_SPEED"), ("median_speed", "MEDIAN_SPEED"),
                      ("max_speed", "MAX_SPEED"), ("path_length", "PATH_LENGTH"),
                      ("displacement", "DISPLACEMENT"), ("direction", "DIRECTION"),
                      ("longest_rest", "LONGEST_REST"), ("mean_radius", "MEAN_RADIUS"),
                      ("mean_score", "MEAN_SCORE"), ("straightness", "STRAIGHTNESS")):
        np.testing.assert_allclose(np.array([one[key] for one in kept], float),
                                   [float(row[name] or "nan") for row in summaries], rtol=1e-3,
                                   atol=2e-2, err_msg=key)
    counts = json.loads((out / "summary.json").read_text())["counts"]
    shown = page.execute_script("return counts")
    for key in ("tracks", "rolling", "resting", "adherent"):
        assert shown[key] == counts[key], key
    assert shown["mean_speed"] == pytest.approx(counts["mean_speed"], rel=1e-3)
    assert shown["flux"]["crossings"] == counts["flux"]["crossings"]
    assert shown["flux"]["per_minute"] == pytest.approx(counts["flux"]["per_minute"])
    assert bars(page, "histogram-bars") == [int(row["TRACKS"])
                                            for row in table_of(out / "histogram.csv")]


def test_the_tool_makes_the_same_of_the_edits(page, results, track, folder):
    """Edits, download, the tool; then further edits on top of them, and the tool again."""
    for chosen, frame, action in ((1, 30, "split"), (6, 50, "split"), (6, 50, "delete"),
                                  (7, 100, "split"), (8, 100, "delete")):
        go(page, frame)
        choose(page, chosen)
        go(page, frame)
        press(page, action)
    choose(page, 1)
    press(page, "merge")
    choose(page, 7)
    choose(page, 4)
    go(page, 10)
    press(page, "add")
    click_film(page, 120, 180)
    press(page, "new")
    click_film(page, 280, 200)
    go(page, 30)
    click_film(page, 290, 215)
    press(page, "new")
    click_film(page, 20, 220)
    edits, out = folder / "edits.csv", folder / "edited"
    shutil.copytree(results, out, dirs_exist_ok=True)
    edits.write_text(download(page))
    result = track(out, "--edits", edits, "--force")
    assert result["edits"] == 10
    assert any("was not followed again" in note for note in result["notes"])
    expect_same(page, out)

    first = edits.read_text()
    open_report(page, out)
    assert listed(page) == [] and download(page) == first
    click(page, by_id(page, "correct"))
    choose(page, 10)  # the last id is not given again
    press(page, "delete")
    choose(page, 5)
    go(page, 60)
    press(page, "split")
    assert spans(page)[-1] == [11, 60, 119]
    assert download(page) == first + "delete,10\nsplit,5,60\n"
    edits.write_text(download(page))
    assert track(out, "--edits", edits, "--force")["edits"] == 12
    expect_same(page, out)


def test_tracks_of_trackmate_are_corrected_there(browser, results, track, folder):  # noqa: F811
    out = folder / "trackmate"
    track(out, "--edits", results / "trackmate.xml")
    open_report(browser, out)
    assert not by_id(browser, "correct").is_enabled()
    assert "TrackMate" in by_id(browser, "correct").get_attribute("title")
