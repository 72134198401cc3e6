# SPDX-License-Identifier: Apache-2.0
"""A film whose frames carry their numbers, and what tests ask a report's page."""
import csv

import numpy as np
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

WIDTH, HEIGHT, FRAMES, FIELD = 320, 240, 120, 16
UM_PER_PIXEL = 0.5
MARGIN = 40  # rows with the frame's number, in which no cells are looked for
# y, x in frame 0, pixels per frame, radius
CELLS = [(70, 30, 1.5, 8), (105, 60, 0.5, 9), (140, 20, 2.0, 8), (175, 100, 1.0, 10),
         (210, 150, 0.75, 8)]

READ_NUMBER = """
    const canvas = document.getElementById('screen'), scale = canvas.width / arguments[0];
    const pen = canvas.getContext('2d');
    let number = 0;
    for (let bit = 0; bit < 16; ++bit) {
      const at = [(bit + 0.5) * arguments[1] * scale, 0.5 * arguments[1] * scale].map(Math.floor);
      if (pen.getImageData(...at, 1, 1).data[0] > 127) number |= 1 << bit;
    }
    return [number, Number(canvas.dataset.frame)];
"""


def make_film():
    rng = np.random.default_rng(3)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    film = np.empty((FRAMES, HEIGHT, WIDTH), "u1")
    for k in range(FRAMES):
        frame = 90 + rng.normal(0, 3, (HEIGHT, WIDTH))
        for row, column, speed, radius in CELLS:
            away = np.hypot(x - column - speed * k, y - row)
            frame += 70 / (1 + np.exp((away - radius) / 0.7))
        for bit in range(16):
            frame[:FIELD, bit * FIELD : (bit + 1) * FIELD] = 230 if k >> bit & 1 else 25
        film[k] = np.clip(np.round(frame), 0, 255)
    return film


def wait(browser, condition):
    WebDriverWait(browser, 60, poll_frequency=0.02).until(lambda _: condition())


def by_id(browser, name):
    return browser.find_element(By.ID, name)


def shown_frame(browser):
    """The number in the picture, after seeing that it is the one the page says."""
    drawn, said = browser.execute_script(READ_NUMBER, WIDTH, FIELD)
    assert drawn == said
    return drawn


def expect_frame(browser, frame):
    wait(browser, lambda: browser.execute_script(
        "return player.seeking ? -1 : Number(player.canvas.dataset.frame)") == frame)
    assert shown_frame(browser) == frame
    assert by_id(browser, "scrub").get_attribute("value") == str(frame)
    assert by_id(browser, "frame").get_attribute("value") == str(frame)


def scrub_to(browser, frame):
    browser.execute_script(
        "const s = arguments[0]; s.value = arguments[1]; s.dispatchEvent(new Event('input'));",
        by_id(browser, "scrub"), frame)


def table_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def text_of(browser, track, key):
    cell = browser.find_element(By.CSS_SELECTOR, f'tr[data-track="{track}"] td[data-key="{key}"]')
    return cell.get_attribute("textContent").replace("\u2212", "-")


def click(browser, element):
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()
