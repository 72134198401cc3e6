# SPDX-License-Identifier: Apache-2.0
"""The README's tables agree with bench/results."""
import json

import pytest
import results_tables as tables


def line(who, ms, **more):
    return {"who": who, "median_ms": ms, "case": "the work", "date": "d", "commit": "c", "threads": 2} | more


def write(path, lines):
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return path


def test_readme_has_the_tables():
    text = tables.README.read_text()
    for name, lines in tables.tables().items():
        assert tables.put(text, name, lines) == text, f"{name} is outdated: run tools/results_tables.py --write"


@pytest.mark.parametrize("ms, text", [(1234.5, "1.23 s"), (12.345, "12.3 ms"), (0.0958, "95.8 µs"),
                                      (None, "–"), (999.7, "1000 ms"), (0.9996, "1000 µs")])
def test_times_have_three_figures(ms, text):
    assert tables.time_text(ms) == text


def test_the_newest_run_counts_and_the_fastest_that_does_the_same(tmp_path):
    path = write(tmp_path / "a.jsonl", [
        line("tessera", 9, commit="old"), line("opencv", 1, commit="old"),
        line("tessera", 2), line("tessera, method fft", 1), line("a copy", 0.5, other="no work at all"),
        line("scipy", 30), line("opencv (1 thread)", 5), {"who": "vips", "absent": "not here", "case": "the work"}])
    assert tables.compared_text(tables.last_run(path, "the work", "tessera")) == "2 ms; opencv (1 thread) 2.5 times"


def test_another_line_of_ours_is_compared_with_those_of_its_definition(tmp_path):
    path = write(tmp_path / "a.jsonl", [
        line("tessera", 2), line("numpy", 3), line("tessera percentile_filter", 1, other="one percentile"),
        line("scipy", 30, other="one percentile")])
    last = tables.last_run(path, "the work", "tessera percentile_filter")
    assert tables.compared_text(last) == "1 ms; scipy 30 times"


def test_nothing_measured_is_a_dash(tmp_path):
    path = write(tmp_path / "a.jsonl", [line("opencv", 1), {"who": "tessera", "absent": "no GPU", "case": "the work"}])
    assert tables.compared_text(tables.last_run(path, "the work", "tessera")) == "–"
    assert tables.compared_text(tables.last_run(tmp_path / "none.jsonl", "the work", "tessera")) == "–"


def report(**row):
    return {"rows": [{"operation": "noise", "what": "a box", "cpu_ms": 10, "gpu_ms": None,
                      "gpu_with_transfers_ms": None, "ratio_with_transfers": None} | row]}


def test_reports_of_other_work_are_not_compared():
    with pytest.raises(ValueError, match="noise: the machines did different work"):
        tables.report_table(report(), report(what="another box"))


def test_a_report_without_a_device_has_dashes():
    assert tables.report_table(report(), report(cpu_ms=2))[-1] == "| noise | a box | 10 ms | 2 ms | – | – | – |"


def test_a_readme_without_marks_is_refused():
    with pytest.raises(ValueError, match="no marks for the table report"):
        tables.put("nothing", "report", [])
