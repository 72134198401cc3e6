# SPDX-License-Identifier: Apache-2.0
"""A browser without a screen, for tests of pages."""
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((path for path in map(shutil.which, NAMES) if path), None)
CHROMEDRIVER = shutil.which("chromedriver")
needs_chromium = pytest.mark.skipif(not (CHROMIUM and CHROMEDRIVER),
                                    reason="chromium or chromedriver is not on PATH")


@pytest.fixture(scope="module")
def browser():
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.binary_location = CHROMIUM
    driver = webdriver.Chrome(options=options, service=Service(CHROMEDRIVER))
    driver.set_script_timeout(120)
    yield driver
    driver.quit()


def look_as(browser, width, scheme):
    """The window of a phone or a desktop, "light" or "dark"."""
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            dict(width=width, height=900, deviceScaleFactor=1, mobile=width < 500))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                            dict(features=[dict(name="prefers-color-scheme", value=scheme)]))


def luminance(colour):
    values = [float(v) / 255 for v in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def expect_readable(window, selectors):
    """WCAG's ratio for text, on the ground it stands on: dark on light or light on dark, as
    `window.scheme` says."""
    for selector in selectors:
        text, ground = window.execute_script("""
            let element = document.querySelector(arguments[0]);
            const text = getComputedStyle(element).color;
            for (; element; element = element.parentElement) {
              const ground = getComputedStyle(element).backgroundColor;
              if (ground !== 'rgba(0, 0, 0, 0)') return [text, ground];
            }""", selector)
        light, dark = sorted((luminance(text), luminance(ground)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, selector
        assert (luminance(ground) > 0.5) == (window.scheme == "light"), selector
