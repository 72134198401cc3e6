# SPDX-License-Identifier: Apache-2.0
"""The report of a film's cells in a browser: it plays, steps, scrubs, chooses, sorts, and its
numbers are those of the tables. Every frame of the film has its number drawn into it as a row of
sixteen black or white fields, so that the canvas can be asked which frame it shows."""
import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from headless import browser, expect_readable, look_as, needs_chromium  # noqa: F401
from report_page import (
    CELLS,
    FIELD,
    FRAMES,
    HEIGHT,
    MARGIN,
    READ_NUMBER,
    UM_PER_PIXEL,
    WIDTH,
    by_id,
    click,
    expect_frame,
    make_film,
    scrub_to,
    shown_frame,
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

@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("report")


@pytest.fixture
def results(cli, folder):
    """The folder that `cells track` makes, made once."""
    out = folder / "out"
    if not out.exists():
        np.save(folder / "film.npy", make_film())
        cli("cells", "track", folder / "film.npy", "-o", out, "--flow", 0, "--frame-rate", 30,
            "--um-per-pixel", UM_PER_PIXEL, "--polarity", "bright", "--background", "none",
            "--detect-where", "everywhere", "--crop", f"0,{MARGIN},{WIDTH}x{HEIGHT - MARGIN}",
            "--min-radius", 7, "--max-radius", 11, "--threshold", 3.5, "--overlay", "no")
    return out


@pytest.fixture(params=[(1400, "light"), (1400, "dark"), (390, "light"), (390, "dark")],
                ids=lambda p: f"{p[0]}-{p[1]}")
def page(request, browser, results):  # noqa: F811, a fixture
    """The report, opened and ready; afterwards the browser must have had nothing to complain of."""
    width, scheme = request.param
    look_as(browser, width, scheme)
    browser.get((results / "report.html").as_uri())
    wait(browser, lambda: browser.execute_script("return player.ready && !player.seeking"))
    browser.scheme = scheme
    yield browser
    complaints = [line for line in browser.get_log("browser") if line["level"] == "SEVERE"]
    assert complaints == []


def test_the_cells_are_found(results):
    """Without them the other tests would look at nothing."""
    spots = [row for row in table_of(results / "tracks.csv") if int(row["FRAME"]) == 60]
    for row, column, speed, _ in CELLS:
        x = column + 60 * speed
        away = [np.hypot(float(spot["POSITION_X"]) - x, float(spot["POSITION_Y"]) - row)
                for spot in spots]
        assert min(away) < 2
    assert len(table_of(results / "summary.csv")) < 2 * len(CELLS)
    assert (results / "report.html").stat().st_size < 60_000_000


def test_it_plays_and_pauses(page):
    assert shown_frame(page) == 0
    click(page, by_id(page, "play"))
    wait(page, lambda: page.execute_script("return player.frame") >= 10)
    assert by_id(page, "play").get_attribute("aria-label") == "Pause"
    click(page, by_id(page, "play"))
    wait(page, lambda: page.execute_script("return !player.seeking && !player.playing"))
    stopped = shown_frame(page)
    assert 10 <= stopped < FRAMES
    expect_frame(page, stopped)


@pytest.mark.parametrize("presses", [2, 3])
def test_presses_while_it_seeks_begin_one_loop_at_most(page, presses):
    """The second press calls the first off, the third begins again."""
    page.execute_script("""
        window.loops = 0;
        const old = player.video.play;
        player.video.play = () => { ++window.loops; return old.call(player.video); };
        player.go(40);
        if (!player.seeking) throw Error('it does not seek');
        for (let i = 0; i < %d; ++i) document.getElementById('play').click();""" % presses)
    if presses == 3:
        wait(page, lambda: page.execute_script("return player.running"))
    wait(page, lambda: page.execute_script("return !player.seeking && !player.start"))
    assert page.execute_script("return window.loops") == presses - 2
    assert page.execute_script("return player.playing") == (presses == 3)


def test_what_plays_has_the_tracks_of_its_own_frame(page):
    """Every frame that is drawn while it plays is the one its overlay belongs to."""
    page.execute_script("""
        window.drawn = [];
        const old = player.onFrame;
        player.onFrame = (p) => {
          old(p);
          if (p.playing) window.drawn.push((function () { %s })(%d, %d));
        };
        document.getElementById('show-tracks').checked = false;""" % (READ_NUMBER, WIDTH, FIELD))
    page.execute_script("player.play(0.5)")
    wait(page, lambda: page.execute_script("return player.running"))
    wait(page, lambda: page.execute_script("return !player.running && !player.seeking"))
    assert shown_frame(page) == FRAMES - 1
    drawn = page.execute_script("return window.drawn")
    assert len(drawn) > 5
    assert [pair for pair in drawn if pair[0] != pair[1]] == []
    page.execute_script("return player.play(1)")  # from the end it begins again
    wait(page, lambda: page.execute_script("return player.frame") < FRAMES // 2)


def test_every_frame_is_reached(page):
    for frame in [FRAMES - 1, 0, 1, FRAMES - 2, *np.random.default_rng(1).permutation(FRAMES)[:20]]:
        scrub_to(page, int(frame))
        expect_frame(page, frame)


def test_steps_of_one_frame(page):
    scrub_to(page, 14)
    expect_frame(page, 14)  # the last before a key frame
    for button, frame in [("forward", 15), ("forward", 16), ("back", 15), ("back", 14),
                          ("back", 13)]:
        click(page, by_id(page, button))
        expect_frame(page, frame)
    page.execute_script("document.activeElement.blur()")
    ActionChains(page).send_keys(Keys.ARROW_RIGHT).perform()
    expect_frame(page, 14)
    scrub_to(page, 0)
    expect_frame(page, 0)
    click(page, by_id(page, "back"))
    expect_frame(page, 0)


def test_a_frame_can_be_typed(page):
    box = by_id(page, "frame")
    click(page, box)
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys("77", Keys.ENTER)
    page.execute_script("document.activeElement.blur()")
    expect_frame(page, 77)


def test_fast_scrubbing_ends_at_the_last_wish(page):
    for frame in range(0, 100, 7):
        scrub_to(page, frame)
    expect_frame(page, 98)


def test_a_click_on_the_film_chooses_the_track(page, results):
    frame = 40
    scrub_to(page, frame)
    expect_frame(page, frame)
    screen = by_id(page, "screen")
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", screen)
    for spot in [row for row in table_of(results / "tracks.csv") if int(row["FRAME"]) == frame]:
        page.execute_script("""
            const [screen, x, y] = arguments, box = screen.getBoundingClientRect();
            const place = {clientX: box.left + (x + 0.5) * box.width / film.width,
                           clientY: box.top + (y + 0.5) * box.width / film.width, bubbles: true};
            screen.dispatchEvent(new MouseEvent('click', place));""",
            screen, float(spot["POSITION_X"]), float(spot["POSITION_Y"]))
        assert by_id(page, "track-name").text == f"Track {spot['TRACK_ID']}"
        chosen = page.find_elements(By.CSS_SELECTOR, "tr.chosen")
        assert [row.get_attribute("data-track") for row in chosen] == [spot["TRACK_ID"]]
        expect_frame(page, frame)  # it stays where it was
    page.execute_script(
        "arguments[0].dispatchEvent(new MouseEvent('click', {clientX: -9, clientY: -9}))", screen)
    assert by_id(page, "track-name").text == "No track chosen"


def test_a_real_click_chooses_too(page, results):
    scrub_to(page, 40)
    expect_frame(page, 40)
    spot = next(row for row in table_of(results / "tracks.csv") if int(row["FRAME"]) == 40)
    screen = by_id(page, "screen")
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", screen)
    scale = screen.size["width"] / WIDTH
    across = round((float(spot["POSITION_X"]) + 0.5) * scale - screen.size["width"] / 2)
    down = round((float(spot["POSITION_Y"]) + 0.5) * scale - screen.size["height"] / 2)
    ActionChains(page).move_to_element_with_offset(screen, across, down).click().perform()
    assert by_id(page, "track-name").text == f"Track {spot['TRACK_ID']}"


def test_a_row_shows_the_speed_over_time(page, results):
    spots = table_of(results / "tracks.csv")
    for summary in table_of(results / "summary.csv")[:3]:
        track = summary["TRACK_ID"]
        click(page, page.find_element(By.CSS_SELECTOR, f'tr[data-track="{track}"]'))
        assert by_id(page, "track-name").text == f"Track {track}"
        curve = page.find_element(By.CSS_SELECTOR, "#track-speed .curve")
        curve = curve.get_attribute("points").split()
        wanted = [float(row["SPEED"]) for row in spots if row["TRACK_ID"] == track]
        assert len(curve) == len(wanted)
        # Higher in the picture is faster: heights are a straight line of the speeds.
        heights = np.array([-float(point.split(",")[1]) for point in curve])
        if np.ptp(wanted) > 0.01:
            assert np.corrcoef(heights, wanted)[0, 1] > 0.99


def test_the_choice_is_drawn(page, results):
    scrub_to(page, 40)
    expect_frame(page, 40)
    screen = by_id(page, "screen")
    before = page.execute_script("return arguments[0].toDataURL()", screen)
    click(page, page.find_element(By.CSS_SELECTOR, "tbody tr"))
    assert page.execute_script("return arguments[0].toDataURL()", screen) != before


def test_sorting(page):
    def column(key):
        cells = page.find_elements(By.CSS_SELECTOR, f'tbody td[data-key="{key}"]')
        return [float(cell.get_attribute("textContent").replace("\u2212", "-")) for cell in cells]

    assert column("id") == sorted(column("id"))
    for key in ("mean_speed", "path_length", "id"):
        for _ in range(2):
            heading = page.find_element(By.CSS_SELECTOR, f'th[data-key="{key}"]')
            page.execute_script("arguments[0].click()", heading.find_element(By.TAG_NAME, "button"))
            direction = heading.get_attribute("aria-sort")
            assert column(key) == sorted(column(key), reverse=direction == "descending")
            assert len(page.find_elements(By.CSS_SELECTOR, "th[aria-sort]")) == 1
        assert direction == ("descending" if key == "id" else "ascending")
    assert len(set(column("mean_speed"))) > 1


def test_numbers_equal_the_tables(page, results):
    columns = {"seconds": ("DURATION", 2), "mean_speed": ("MEAN_SPEED_UM_S", 2),
               "median_speed": ("MEDIAN_SPEED_UM_S", 2), "max_speed": ("MAX_SPEED_UM_S", 2),
               "displacement": ("DISPLACEMENT_UM", 2), "path_length": ("PATH_LENGTH_UM", 2),
               "straightness": ("STRAIGHTNESS", 3), "mean_radius": ("MEAN_RADIUS_UM", 2),
               "mean_score": ("MEAN_SCORE", 2)}
    exact = {"mean_speed": "MEAN_SPEED", "path_length": "PATH_LENGTH", "direction": "DIRECTION",
             "longest_rest": "LONGEST_REST", "mean_radius": "MEAN_RADIUS"}
    data = page.execute_script("return data.tracks")
    rows = table_of(results / "summary.csv")
    assert len(page.find_elements(By.CSS_SELECTOR, "tbody tr")) == len(rows) == len(data)
    for row, kept in zip(rows, data, strict=True):
        track = row["TRACK_ID"]
        assert text_of(page, track, "id") == track
        assert text_of(page, track, "does") == row["CLASS"]
        assert text_of(page, track, "first_frame") == row["FIRST_FRAME"]
        assert text_of(page, track, "last_frame") == row["LAST_FRAME"]
        for key, (name, digits) in columns.items():
            difference = abs(float(text_of(page, track, key)) - float(row[name]))
            assert difference <= 0.5001 * 10**-digits, key
        for key, name in exact.items():
            assert kept[key] == pytest.approx(float(row[name]), rel=1e-8, abs=1e-8), key
    kinds = [row["CLASS"] for row in rows]
    counts = {box.find_element(By.TAG_NAME, "dt").text: box.find_element(By.TAG_NAME, "dd").text
              for box in page.find_elements(By.CSS_SELECTOR, "#counts div")}
    assert counts["Tracks"] == str(len(rows))
    for kind in ("Rolling", "Resting", "Adherent"):
        assert counts[kind] == str(kinds.count(kind.lower()))


def test_positions_equal_the_table(page, results):
    spots = page.execute_script("""
        return tracks.flatMap((t) => Array.from(t.x, (x, i) =>
          [t.id, t.frameOf(i), x, t.y[i], t.radius[i], t.speed[i]]));""")
    names = ("TRACK_ID", "FRAME", "POSITION_X", "POSITION_Y", "RADIUS", "SPEED")
    rows = [[float(row[name]) for name in names]
            for row in table_of(results / "tracks.csv")]
    np.testing.assert_allclose(spots, rows, rtol=0, atol=0.000501)


def test_the_histogram_equals_the_table(page, results):
    bars = page.find_elements(By.CSS_SELECTOR, "#histogram-bars .bar")
    wanted = [int(row["TRACKS"]) for row in table_of(results / "histogram.csv")]
    assert [int(bar.get_attribute("data-tracks")) for bar in bars] == wanted
    heights = [float(bar.get_attribute("height")) for bar in bars]
    np.testing.assert_allclose(np.array(heights) / max(heights), np.array(wanted) / max(wanted),
                               atol=1e-6)


def test_the_radii_equal_the_table(page, results):
    bars = [int(bar.get_attribute("data-tracks")) for bar in page.find_elements(By.CSS_SELECTOR, "#radii-bars .bar")]
    radii = [float(row["MEAN_RADIUS"]) for row in table_of(results / "summary.csv")]
    assert bars == [sum(int(radius) == k for radius in radii) for k in range(len(bars))] and sum(bars) == len(radii)
    assert "Searched: 3.50 to 5.50 µm" in page.find_element(By.ID, "radii-about").text


def test_it_fits_the_screen_and_needs_no_network(page):
    wide, screen = page.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert wide <= screen
    fetched = page.execute_script(
        "return performance.getEntriesByType('resource').map((r) => r.name)")
    assert [name for name in fetched if not name.startswith(("blob:", "data:"))] == []


def test_text_can_be_read(page):
    expect_readable(page, ("h1", "#about", "#counts dt", "#counts dd", "th", "td", "#facts dt", "#time"))


def test_a_page_without_a_film_still_shows_its_tracks(results, browser, folder):  # noqa: F811, a fixture
    """As it is where ffmpeg is missing: steps go on, tracks are drawn on grey."""
    text = (results / "report.html").read_text()
    begin = text.index('id="film-bytes"')
    begin = text.index(">", begin) + 1
    bare = folder / "bare.html"
    bare.write_text(text[:begin] + text[text.index("</script>", begin) :])
    browser.get(Path(bare).as_uri())
    browser.execute_script("jump(30)")
    assert browser.execute_script("return player.canvas.dataset.frame") == "30"
    click(browser, browser.find_element(By.CSS_SELECTOR, "tbody tr"))
    assert by_id(browser, "track-name").text.startswith("Track ")
    assert [line for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []
