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
