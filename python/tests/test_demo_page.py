# SPDX-License-Identifier: Apache-2.0
"""The page of `tessera demo` in a browser: it shows the JSON next to it, films play, nothing is fetched."""
import json

import pytest

pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from headless import browser, expect_readable, look_as, needs_chromium  # noqa: F401
from report_page import click, wait
from selenium.webdriver.common.by import By

MOST_BYTES = 15_000_000
pytestmark = needs_chromium


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("demo") / "demo"


@pytest.fixture
def page(cli, folder):
    """The demo on small data, made once."""
    if not (folder / "index.html").exists():
        cli("demo", "-o", folder, "--quick")
    return folder / "index.html"


@pytest.fixture
def wrong_page(page, folder):
    """The same with a part that is wrong, one that failed, and texts that look like markup."""
    made = folder / "wrong.html"
    if not made.exists():
        text = page.read_text()
        begin = text.index(">", text.index('id="demo" type')) + 1
        end = text.index("</script>", begin)
        report = json.loads(text[begin:end])
        report["parts"][0].update(right=False, check="off by <b>12%</b> (1% allowed)")
        report["parts"][1].update(right=False, failed=True, check="memory ran out", inputs=[], outputs=[])
        report["right"] -= 2
        data = json.dumps(report).replace("<", "\\u003c")
        made.write_text(text[:begin] + data + text[end:])
    return made


@pytest.fixture(params=[(1400, "light"), (1400, "dark"), (390, "light"), (390, "dark")],
                ids=lambda p: f"{p[0]}-{p[1]}")
def window(request, browser):  # noqa: F811
    """Afterwards the browser must have had nothing to complain of."""
    look_as(browser, *request.param)
    browser.scheme = request.param[1]
    yield browser
    assert [line for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []


def opened(window, page):
    window.get(page.as_uri())
    return json.loads((page.parent / "demo.json").read_text())


def at(report, path):
    for key in path.split("."):
        report = report[int(key)] if isinstance(report, list) else report[key]
    return report


def test_numbers_and_texts_equal_the_json(window, page):
    report = opened(window, page)
    seen = set()
    for path, text in window.execute_script(
            "return [...document.querySelectorAll('[data-path]')].map((e) => [e.dataset.path, e.textContent]);"):
        value = at(report, path)
        seen.add(path)
        if isinstance(value, str):
            assert text == (value or "–"), path
        elif path.endswith("seconds"):
            number, unit = text.split(" ")
            assert float(number) * {"s": 1, "ms": 1e-3}[unit] == pytest.approx(value, rel=6e-3), path
        else:
            assert text == str(value), path
    for name in ("right", "seconds", "machine", "threads"):
        assert name in seen
    for k in range(len(report["parts"])):
        for name in ("field", "title", "story", "seconds", "part_seconds", "backend", "method", "check"):
            assert f"parts.{k}.{name}" in seen


def test_every_part_has_its_blocks_and_pictures(window, page):
    report = opened(window, page)
    assert f"{report['right']} of {len(report['parts'])} right" in window.find_element(By.ID, "summary").text
    links = window.find_elements(By.CSS_SELECTOR, "#contents a")
    assert [link.get_attribute("href").split("#")[1] for link in links] == [p["operation"] for p in report["parts"]]
    for part in report["parts"]:
        section = window.find_element(By.ID, part["operation"])
        text = section.find_element(By.CSS_SELECTOR, "pre.commands").get_attribute("textContent")
        assert text == "\n".join(command["line"] for command in part["commands"])
        assert section.find_element(By.CSS_SELECTOR, "pre.python").get_attribute("textContent") == part["python"]
        pictures = [p for side in ("inputs", "outputs") for p in part[side]]
        assert len(section.find_elements(By.TAG_NAME, "figure")) == len(pictures)
        assert len(section.find_elements(By.TAG_NAME, "canvas")) == sum(len(p["files"]) > 1 for p in pictures)
        assert "✓ right" in section.find_element(By.CLASS_NAME, "check").text


def test_pictures_are_there_and_nothing_is_fetched(window, page):
    opened(window, page)
    wait(window, lambda: window.execute_script("return [...document.images].every((i) => i.complete)"))
    broken = window.execute_script(
        "return [...document.images].filter((i) => i.src && !i.naturalWidth).map((i) => i.alt)")
    assert broken == []
    fetched = window.execute_script("return performance.getEntriesByType('resource').map((r) => r.name)")
    assert [name for name in fetched if not name.startswith("data:")] == []
    assert page.stat().st_size < MOST_BYTES


@pytest.mark.parametrize("which", ["page", "wrong_page"])
def test_it_fits_the_screen(window, which, request):
    opened(window, request.getfixturevalue(which))
    wide, screen = window.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert wide <= screen


def test_what_is_wrong_is_seen(window, wrong_page):
    opened(window, wrong_page)
    checks = [check.text for check in window.find_elements(By.CLASS_NAME, "check")]
    assert checks[0].split() == "✗ wrong off by <b>12%</b> (1% allowed)".split()
    assert checks[1].split() == "✗ failed memory ran out".split()
    assert checks[2].startswith("✓ right")
    signs = [sign.text for sign in window.find_elements(By.CSS_SELECTOR, "#contents .sign")]
    assert signs[:3] == ["✗ wrong", "✗ failed", "✓ right"]


def test_a_picture_is_enlarged_and_put_back(window, page):
    opened(window, page)
    still = window.find_element(By.CLASS_NAME, "still")
    click(window, still)
    large = window.find_element(By.ID, "large-picture")
    assert large.is_displayed()
    assert large.get_attribute("alt") == still.find_element(By.TAG_NAME, "img").get_attribute("alt")
    window.find_element(By.CSS_SELECTOR, "#large button").click()
    assert not large.is_displayed()


def first_film(window):
    canvas = window.find_element(By.TAG_NAME, "canvas")
    button = canvas.find_element(By.XPATH, "..//button")
    slider = canvas.find_element(By.XPATH, "..//input")
    return canvas, button, slider


def frame_of(canvas):
    return int(canvas.get_attribute("data-frame") or -1)


def drawn_pixels(window, canvas):
    return window.execute_script("return arguments[0].toDataURL()", canvas)


def test_the_film_plays_and_pauses(window, page):
    opened(window, page)
    canvas, button, slider = first_film(window)
    wait(window, lambda: frame_of(canvas) >= 0)
    assert button.get_attribute("aria-label").startswith("Pause")
    before, pixels = frame_of(canvas), drawn_pixels(window, canvas)
    wait(window, lambda: frame_of(canvas) != before and drawn_pixels(window, canvas) != pixels)
    click(window, button)
    assert button.get_attribute("aria-label").startswith("Play")
    stopped = frame_of(canvas)
    window.execute_async_script("setTimeout(arguments[0], 600)")
    assert frame_of(canvas) == stopped
    last = int(slider.get_attribute("max"))
    window.execute_script(
        "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'));", slider, last)
    wait(window, lambda: frame_of(canvas) == last)
    click(window, button)
    wait(window, lambda: frame_of(canvas) != last)


def test_a_film_waits_where_motion_is_not_wanted(browser, page):  # noqa: F811
    look_as(browser, 1400, "light")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                            dict(features=[dict(name="prefers-reduced-motion", value="reduce")]))
    opened(browser, page)
    canvas, button, _ = first_film(browser)
    wait(browser, lambda: frame_of(canvas) == 0)
    browser.execute_async_script("setTimeout(arguments[0], 600)")
    assert frame_of(canvas) == 0
    assert button.get_attribute("aria-label").startswith("Play")


def test_blocks_can_be_copied(browser, page):  # noqa: F811
    look_as(browser, 1400, "light")
    report = opened(browser, page)
    browser.execute_script("""
        window.copied = [];
        Object.defineProperty(navigator, 'clipboard', {value: {
          writeText: (text) => { window.copied.push(text); return Promise.resolve(); }}});""")
    for button in browser.find_elements(By.CSS_SELECTOR, f"#{report['parts'][0]['operation']} .block button"):
        click(browser, button)
        wait(browser, lambda button=button: button.text == "Copied")
    lines = "\n".join(command["line"] for command in report["parts"][0]["commands"])
    assert browser.execute_script("return window.copied") == [lines, report["parts"][0]["python"]]


def test_everything_has_a_name(window, page):
    """Buttons, sliders and films say what they are; pictures have a text but where the card's words are one."""
    opened(window, page)
    nameless = window.execute_script("""
        return [...document.querySelectorAll('button, input, canvas')].filter((e) =>
              !e.getAttribute('aria-label') && !e.textContent)
            .concat([...document.querySelectorAll('figure img')].filter((i) => !i.alt)).map((e) => e.outerHTML);""")
    assert nameless == []
    levels = window.execute_script("return [...document.querySelectorAll('h1, h2, h3')].map((h) => +h.tagName[1])")
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels[:-1], levels[1:], strict=True))


def test_text_can_be_read(window, wrong_page):
    opened(window, wrong_page)
    expect_readable(window, ("h1", "#about", "dt", "dd", "#contents small", ".sign.right", ".sign.wrong", ".field",
                             ".story", "h3", "figcaption", ".check.right b", ".check.wrong b", ".check.wrong span",
                             "pre", "button", "footer"))
