# SPDX-License-Identifier: Apache-2.0
"""Pages of the documentation site in a browser, as wide as a phone and a desktop, light and dark, no JavaScript."""
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
pytest.importorskip("markdown", reason="the markdown package is not installed")
from headless import browser, expect_readable, look_as, needs_chromium  # noqa: F401
from selenium.webdriver.common.by import By

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["index.html", "noise.html", "study-convolve.html", "conventions.html"]
pytestmark = needs_chromium


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run([sys.executable, ROOT / "tools" / "make_site.py", "--output", folder],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(params=[(1400, "light"), (1400, "dark"), (390, "light"), (390, "dark")],
                ids=lambda p: f"{p[0]}-{p[1]}")
def window(request, browser, site):  # noqa: F811
    """Afterwards the browser must have had nothing to complain of."""
    look_as(browser, *request.param)
    browser.width, browser.scheme = request.param
    yield browser
    assert [line for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []


@pytest.mark.parametrize("name", PAGES)
def test_it_fits_and_shows_all_its_pictures(window, site, name):
    window.get((site / name).as_uri())
    wide, screen = window.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert wide <= screen
    broken = window.execute_script(
        "return [...document.images].filter((i) => !i.complete || !i.naturalWidth).map((i) => i.src)")
    assert broken == []
    fetched = window.execute_script("return performance.getEntriesByType('resource').map((r) => r.name)")
    assert [address for address in fetched if not address.startswith((site.as_uri(), "data:"))] == []
    assert window.find_elements(By.TAG_NAME, "script") == []


@pytest.mark.parametrize("name", PAGES)
def test_text_can_be_read(window, site, name):
    window.get((site / name).as_uri())
    wanted = ("h1", "main p", "main a", "main code", "th", "td", "nav h2", "nav a", "nav a[aria-current]",
              "nav ul ul a", "footer")
    expect_readable(window, [one for one in wanted if window.find_elements("css selector", one)])


def test_navigation_leads_where_it_says(window, site):
    window.get((site / "index.html").as_uri())
    if window.width < 500:  # on a phone the contents stand below the text
        window.find_element(By.CSS_SELECTOR, "header .menu").click()
        assert window.current_url.endswith("#contents")
    window.find_element(By.LINK_TEXT, "X-engine").click()
    assert window.find_element(By.TAG_NAME, "h1").text.startswith("X-engine")
    chosen = window.find_elements(By.CSS_SELECTOR, "nav a[aria-current]")
    assert [link.text for link in chosen] == ["X-engine"]
    window.find_element(By.LINK_TEXT, "Layouts").click()
    place, header = window.execute_script("""
        return [document.getElementById('layouts').getBoundingClientRect().top,
                document.querySelector('header').getBoundingClientRect().bottom];""")
    assert header <= place < 450  # the heading is seen, not under the bar


def test_wide_tables_scroll_by_themselves(window, site):
    window.get((site / "study-convolve.html").as_uri())
    tables = window.execute_script("""
        return [...document.querySelectorAll('.wide')].map((w) =>
          [w.scrollWidth > w.clientWidth, getComputedStyle(w).overflowX, w.tabIndex]);""")
    assert tables and all(table[1:] == ["auto", 0] for table in tables)
    assert any(table[0] for table in tables) == (window.width < 500)
