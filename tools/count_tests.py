#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts test cases in the JUnit files that GoogleTest, CTest and pytest write.

    tools/count_tests.py [--note] FILE.xml…

The last line is "N passed, N failed, N skipped", with --note as one line for the stage's report. In
CTest's file only failed programs that left no cases of their own count: they crashed.
"""
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

GPU_SKIP = "no device"  # a part of the message of GPU tests that skip themselves


class Totals:
    def __init__(self) -> None:
        self.passed = self.failed = self.skipped = self.no_device = 0
        self.failures: list[str] = []

    def add_case(self, case: ElementTree.Element) -> None:
        name = f"{case.get('classname', '')}.{case.get('name', '')}"
        skip = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            self.failed += 1
            self.failures.append(name)
        elif skip is not None or case.get("result") in ("skipped", "suppressed"):
            self.skipped += 1
            reason = "" if skip is None else skip.get("message", "") + (skip.text or "")
            self.no_device += GPU_SKIP in reason
        else:
            self.passed += 1

    def line(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"

    def no_device_line(self) -> str:
        return f"{self.no_device} GPU tests skipped: {GPU_SKIP}" if self.no_device else ""


def add_crashed(totals: Totals, report: Path, with_cases: set[str]) -> None:
    """Programs that failed according to CTest and whose own file is missing or has no failure."""
    for case in ElementTree.parse(report).iter("testcase"):
        name = case.get("name", "")
        if case.get("status") == "fail" and name not in with_cases:
            totals.failed += 1
            totals.failures.append(f"{name} (the program failed outside its cases)")


def count(paths: list[Path]) -> Totals:
    totals = Totals()
    programs_with_failures = set()
    for path in paths:
        if path.name.endswith(".ctest.xml") or not path.exists():
            continue
        before = totals.failed
        try:
            for case in ElementTree.parse(path).iter("testcase"):
                totals.add_case(case)
        except ElementTree.ParseError:  # cut off by a crash, which CTest reports
            continue
        if totals.failed > before:
            programs_with_failures.add(path.name.split(".")[0])  # of NAME.cpp.xml
    for path in paths:
        if path.name.endswith(".ctest.xml") and path.exists():
            add_crashed(totals, path, programs_with_failures)
    return totals


def main() -> int:
    note = "--note" in sys.argv
    totals = count([Path(name) for name in sys.argv[1:] if name != "--note"])
    if note:
        gpu = totals.no_device_line()
        print("=> " + totals.line() + (f" ({gpu})" if gpu else ""))
        return 0
    if totals.failures:
        print("\nfailed:\n" + "\n".join(f"  {name}" for name in totals.failures))
    print("\n" + (totals.no_device_line() + "\n" if totals.no_device else "") + totals.line())
    return 0


if __name__ == "__main__":
    sys.exit(main())
