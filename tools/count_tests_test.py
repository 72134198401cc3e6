# SPDX-License-Identifier: Apache-2.0
"""Totals over files as GoogleTest, CTest and pytest write them."""
from pathlib import Path

from count_tests import count

GOOGLE = """<testsuites><testsuite name="Suite">
  <testcase name="Passes" status="run" result="completed" classname="Suite"/>
  <testcase name="Fails" status="run" result="completed" classname="Suite"><failure message="x"/></testcase>
  <testcase name="OnGpu" status="run" result="skipped" classname="Suite">
    <skipped message="stream_test.cpp:7&#x0A;no device: built without CUDA"/></testcase>
  <testcase name="Disabled" status="notrun" result="suppressed" classname="Suite"/>
</testsuite></testsuites>"""
PYTEST = """<testsuites><testsuite name="pytest">
  <testcase classname="tests.a" name="passes"/>
  <testcase classname="tests.a" name="breaks"><error message="in a fixture"/></testcase>
  <testcase classname="tests.a" name="skips"><skipped message="CuPy is missing"/></testcase>
</testsuite></testsuites>"""
CTEST = """<testsuite name="Linux">
  <testcase name="stream_test" status="fail"><failure message=""/></testcase>
  <testcase name="crash_test" status="fail"><failure message=""/></testcase>
  <testcase name="cut_off_test" status="fail"><failure message=""/></testcase>
  <testcase name="good_test" status="run"/>
</testsuite>"""


def test_every_kind_of_case_is_counted_once(tmp_path: Path) -> None:
    files = {"stream_test.cpp.xml": GOOGLE, "pytest.xml": PYTEST, "default.ctest.xml": CTEST,
             "cut_off_test.xml": GOOGLE[:150]}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    totals = count([tmp_path / name for name in files] + [tmp_path / "missing.xml"])
    assert totals.line() == "2 passed, 4 failed, 3 skipped"
    assert totals.no_device_line() == "1 GPU tests skipped: no device"
    assert [name.split(" ")[0] for name in totals.failures] == [
        "Suite.Fails", "tests.a.breaks", "crash_test", "cut_off_test"]
