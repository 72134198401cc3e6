# SPDX-License-Identifier: Apache-2.0
"""The page of `tessera bench --report` in a browser: its numbers are those of the JSON next to it, the roofline has
its points. Figures of GPUs are made up (tests/data/bench/made_up_report.json); those of the CPU are measured."""
import json
import math
from pathlib import Path

import pytest

pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from headless import browser, expect_readable, look_as, needs_chromium  # noqa: F401
from selenium.webdriver.common.by import By

MADE_UP = Path(__file__).resolve().parents[2] / "tests" / "data" / "bench" / "made_up_report.json"
pytestmark = needs_chromium


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("bench")


@pytest.fixture
def measured(cli, folder):
    """A report of this machine's CPU, made once."""
    page = folder / "measured.html"
    if not page.exists():
        cli("bench", "--report", page, "--quick", "--op", "correlate")
    return page


@pytest.fixture
def made_up(cli, folder):
    """A report with a GPU and prices, next to another machine that did other work in one row and lacks one."""
    page = folder / "made_up.html"
    if not page.exists():
        other = json.loads(MADE_UP.read_text())
        other["machine"], other["device"] = "other made-up CPU", "other made-up GPU"
        other["rows"][0]["what"] = "a longer film"
        del other["rows"][-1]
        (folder / "other.json").write_text(json.dumps(other))
        cli("bench", "--report", page, "--from", MADE_UP, "--price", "cpu=0.36,gpu=3.6",
            "--against", folder / "other.json")
    return page


@pytest.fixture(params=[(1400, "light"), (1400, "dark"), (390, "light"), (390, "dark")],
                ids=lambda p: f"{p[0]}-{p[1]}")
def window(request, browser):  # noqa: F811
    """Afterwards the browser must have had nothing to complain of."""
    look_as(browser, *request.param)
    browser.width, browser.scheme = request.param
    yield browser
    assert [line for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []


def opened(window, page):
    window.get(page.as_uri())
    return json.loads(page.with_suffix(".json").read_text())


def at(report, path):
    for key in path.split("."):
        report = report[int(key)] if isinstance(report, list) else report[key]
    return report


def figures(window):
    """(path, all digits or none, text) of every value that stands on the page."""
    return window.execute_script("""
        return [...document.querySelectorAll('[data-path]')].map((e) =>
          [e.dataset.path, e.dataset.value ?? null, e.textContent]);""")


def check_figures(window, report):
    seen = set()
    for path, digits, text in figures(window):
        value = at(report, path)
        seen.add(path)
        if value is None:
            assert (digits, text) == (None, "–"), path
        elif isinstance(value, str):
            assert text == (value or "–"), path
        else:
            assert float(digits) == value, path
            number = text.replace("×", "").replace("\u00a0", " ").split(" ")
            if number[0] == "not":
                assert value == 0, path
                continue
            scale = {"%": 100, "G": 1e-9, "T": 1e-12}[number[1][0]] if len(number) > 1 else 1
            assert float(number[0]) == pytest.approx(scale * value, rel=6e-4 if "ms" in path else 6e-3), path
    for k, row in enumerate(report["rows"]):
        for name in ("cpu_ms", "gpu_ms", "gpu_with_transfers_ms", "ratio", "ratio_with_transfers", "verdict",
                     "published"):
            assert f"rows.{k}.{name}" in seen
        for i, way in enumerate(row["ways"]):
            assert f"rows.{k}.ways.{i}.{'ms' if way['ms'] else 'absent'}" in seen
    assert report["calls"]
    for k, call in enumerate(report["calls"]):
        for name in ("new_plan_us", "kept_plan_us", "own_plan_us") if call["kept_plan_us"] else ("absent",):
            assert f"calls.{k}.{name}" in seen
    return seen


def test_numbers_of_a_made_up_gpu_equal_the_json(window, made_up):
    report = opened(window, made_up)
    seen = check_figures(window, report)
    for name in ("cpu_flops", "gpu_flops", "gpu_byte_ops", "gpu_bytes_per_second", "upload_bytes_per_second",
                 "cpu_price", "gpu_price", "rows.1.cpu_cost", "rows.1.gpu_cost"):
        assert name in seen
    text = window.find_element(By.TAG_NAME, "body").text
    assert "made-up GPU, figures of no machine" in text and "The GPU wins: 40 times the CPU" in text
    assert "GPU 7 times <b>the</b> CPU" in text  # texts are not markup


def test_numbers_of_this_cpu_equal_the_json(window, measured):
    report = opened(window, measured)
    check_figures(window, report)
    assert report["rows"][0]["cpu_ms"] > 0
    if not report["device"]:
        assert "No GPU here" in window.find_element(By.CSS_SELECTOR, "td.verdict").text
        assert f"none: {report['no_device_reason']}" in window.find_element(By.ID, "machine").text


def test_the_roofline_has_a_point_an_operation_and_backend(window, made_up):
    report = opened(window, made_up)
    points = {(p[0], p[1]): p[2:] for p in window.execute_script("""
        return [...document.querySelectorAll('#roofline-picture g:not([data-other])')].map((g) => {
          const c = g.querySelector('circle');
          return [g.dataset.operation, g.dataset.side, +g.dataset.x, +g.dataset.y, +c.getAttribute('cx'),
                  +c.getAttribute('cy'), g.querySelector('title').textContent];
        });""")}
    assert len(points) == 2 * len(report["rows"])
    for row in report["rows"]:
        for side, name in (("cpu", "cpu_ms"), ("gpu", "gpu_ms")):
            x, y, *_, title = points[row["operation"], side]
            assert x == pytest.approx(row["flops"] / row["bytes"])
            assert y == pytest.approx(row["flops"] / (1e-3 * row[name]))
            assert row["operation"] in title
    # Both axes are logarithmic: places are straight lines of the logarithms.
    places = list(points.values())
    for value, place in ((0, 2), (1, 3)):
        low, high = min(places, key=lambda p: p[value]), max(places, key=lambda p: p[value])
        slope = (high[place] - low[place]) / math.log(high[value] / low[value])
        for p in places:
            assert p[place] == pytest.approx(low[place] + slope * math.log(p[value] / low[value]), abs=0.01)
    roofs = window.find_elements(By.CSS_SELECTOR, "#roofline-picture .roof:not(.other)")
    assert len(roofs) == 3  # CPU, GPU, and the GPU's of bytes
    assert window.find_elements(By.CSS_SELECTOR, "#roofline-picture g[data-other]")


def test_points_lie_below_their_roofs(window, made_up):
    """Drawn places, not numbers: the roof above a point is higher in the picture."""
    report = opened(window, made_up)
    slow = [row["operation"] for row in report["rows"] if not row["bytes_of_8_bits"]]
    below = window.execute_script("""
        const found = {};
        for (const side of ['cpu', 'gpu']) {
          const roof = document.querySelector(`.roof.${side}:not(.bytes):not(.other)`).points;
          for (const g of document.querySelectorAll(`#roofline-picture g[data-side=${side}]:not([data-other])`)) {
            const c = g.querySelector('circle'), x = +c.getAttribute('cx'), y = +c.getAttribute('cy');
            const [a, b] = x < roof[1].x ? [roof[0], roof[1]] : [roof[1], roof[2]];
            const height = a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
            found[g.dataset.operation + side] = y > height;
          }
        }
        return found;""")
    for operation in slow:
        for side, backend in (("cpu", "cpu"), ("gpu", "cuda")):
            row = next(r for r in report["rows"] if r["operation"] == operation)
            best = min((w for w in row["ways"] if w["backend"] == backend and w["ms"] and not w["transfers"]),
                       key=lambda w: w["ms"])
            assert below[operation + side] == (best["of_peak"] < 1), operation + side


def test_labels_do_not_lie_on_each_other(window, made_up):
    opened(window, made_up)
    boxes = window.execute_script("""
        return [...document.querySelectorAll('#roofline-picture text.label')].map((t) => {
          const b = t.getBoundingClientRect();
          return [b.left + 2, b.right - 2, b.top + 3, b.bottom - 3];
        });""")
    pairs = [(a, b) for i, a in enumerate(boxes) for b in boxes[:i]]
    clashes = sum(a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3] for a, b in pairs)
    assert clashes <= (3 if window.width > 500 else 8), f"{clashes} of {len(boxes)} labels"


def test_bars_have_kernels_apart_from_copies(window, made_up):
    report = opened(window, made_up)
    bars = window.execute_script("""
        return [...document.querySelectorAll('#transfer-bars rect')].map((r) =>
          [r.dataset.operation, r.classList[1], +r.dataset.ms, +r.getAttribute('width')]);""")
    for row in report["rows"]:
        mine = {kind: (ms, width) for operation, kind, ms, width in bars if operation == row["operation"]}
        assert mine["cpu"][0] == row["cpu_ms"] and mine["gpu"][0] == row["gpu_ms"]
        assert mine["copies"][0] == pytest.approx(row["gpu_with_transfers_ms"] - row["gpu_ms"])
        scale = mine["cpu"][1] / mine["cpu"][0]
        for ms, width in mine.values():
            assert width == pytest.approx(max(1, scale * ms), rel=1e-6)


def test_the_other_machine_is_compared(window, made_up):
    report = opened(window, made_up)
    rows = window.find_elements(By.CSS_SELECTOR, "#comparison-table tbody tr")
    assert len(rows) == len(report["rows"])
    assert "other made-up CPU, other made-up GPU" in window.find_element(By.ID, "comparison-name").text
    assert "Other work there, a longer film" in rows[0].text
    assert "not measured there" in rows[-1].text
    cells = rows[1].find_elements(By.TAG_NAME, "td")
    shown = [cell.get_attribute("textContent") for cell in cells]
    assert shown[1:7] == ["80.00", "80.00", "1.00×", "2.000", "2.000", "1.00×"]


def test_without_another_machine_there_is_no_such_part(window, measured):
    opened(window, measured)
    assert not window.find_element(By.ID, "comparison").is_displayed()


def test_it_fits_the_screen_and_needs_no_network(window, made_up):
    opened(window, made_up)
    wide, screen = window.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert wide <= screen
    fetched = window.execute_script("return performance.getEntriesByType('resource').map((r) => r.name)")
    assert [name for name in fetched if not name.startswith("data:")] == []
    for picture in ("roofline-picture", "transfer-bars"):
        left, right = window.execute_script("""
            const all = [...document.querySelectorAll('#' + arguments[0] + ' svg *')];
            const boxes = all.map((e) => e.getBoundingClientRect());
            return [Math.min(...boxes.map((b) => b.left)), Math.max(...boxes.map((b) => b.right))];""", picture)
        assert 0 <= left and right <= screen, picture


def test_text_can_be_read(window, made_up):
    opened(window, made_up)
    expect_readable(window, ("h1", "#about", "#machine dt", "#machine dd", "td.verdict", "td.published", "td small",
                             "#way-table th", ".key .cpu", ".key .gpu"))
