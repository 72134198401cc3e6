# SPDX-License-Identifier: Apache-2.0
"""Runs judges with their tools: scripts/judges calls it in its own environment.

    run_judges.py [--record] [--table FILE] [NAME…]

Every judge is one row of the table that ends the output: its tool, what was compared, and the case that came nearest to
its bound. Exit code 1 if an answer is out of bounds or a judge could not run for another reason than a missing tool.
"""
import argparse
import sys
import tempfile
import traceback
from pathlib import Path

import numpy as np
from judging import Arrays, Result, compare, load_judge
from list_judges import chosen
from recorded_answers import record

HEADER = ["judge", "tool", "compared", "cases", "worst difference", "bound"]


def ask_tool(case) -> Arrays:
    with tempfile.TemporaryDirectory() as folder:
        return case.theirs(Path(folder))


def ask_us(case) -> Arrays:
    with tempfile.TemporaryDirectory() as folder:
        return case.ours(Path(folder))


def row_of(name: str, tool: str, compared: str, results: list[Result], cases: int) -> list[str]:
    worst = max(results, key=lambda result: (result.share, result.difference))
    if worst.bound == 0 and worst.passed:
        return [name, tool, compared, str(cases), "0", "0"]
    return [name, tool, compared, str(cases), f"{worst.difference:.2g}", f"{worst.bound:.2g}"]


def run_judge(name: str, keep: bool) -> tuple[list[str], list[str]]:
    """The row of a judge, and one line per disagreement."""
    judge = load_judge(name)
    tool = f"{judge.TOOL} {judge.version()}"
    results, answers, faults = [], {}, []
    for case in judge.cases():
        answers[case.name] = ask_tool(case)
        found = compare(case, ask_us(case), answers[case.name])
        results += found
        for result in found:
            print(f"  {'agrees' if result.passed else 'DIFFERS'}: {result}")
        faults += [f"{name}: {result}" for result in found if not result.passed]
    if keep and not faults:
        record(name, judge, answers)
    return row_of(name, tool, judge.COMPARED, results, len(answers)), faults


def table_of(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in [HEADER, *rows]) for column in range(len(HEADER))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in [HEADER, *rows]]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--table", type=Path)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    rows, faults, absent, later = [], [], [], []
    for name in chosen(arguments.names):
        print(f"{name}:", flush=True)
        try:
            row, found = run_judge(name, arguments.record)
        except ModuleNotFoundError as error:
            absent.append(f"{name}: {error}")
            continue
        except Exception as error:
            traceback.print_exc()
            faults.append(f"{name}: could not run: {error}")
            continue
        rows.append(row)
        faults += found
        later += [f"{name}: {line}" for line in getattr(load_judge(name), "NOT_JUDGED", [])]
    lines = table_of(rows)
    for title, some in (("judges without their tool", absent), ("not judged yet", later), ("disagreements", faults)):
        if some:
            lines += ["", f"{len(some)} {title}:", *(f"  {line}" for line in some)]
    text = "\n".join(lines)
    print(text)
    if arguments.table:
        arguments.table.write_text(text + "\n")
    compared = sum(int(row[3]) for row in rows)
    print(f"=> {len(rows)} judges, {compared} cases, {len(faults)} disagreements, {len(absent)} judges without tool")
    return 1 if faults else 0


if __name__ == "__main__":
    np.seterr(all="ignore")
    sys.exit(main())
