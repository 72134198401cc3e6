#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The README's tables, made from the lines in bench/results, so that every figure there was measured.

    tools/results_tables.py            print them
    tools/results_tables.py --write    put them into README.md, between the marks that name them

The first is from `tessera bench --report` (report.json of a machine): the best way on CPU and GPU. The second is from
`bench/compare.py` (OPERATION.jsonl): Tessera and the fastest of the others in the same run.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
README = ROOT / "README.md"
SMALL, LARGE, DEVICE = "neoverse-n1-2", "intel-r-xeon-r-processor-16", "nvidia-h200"

# The comparisons: the operation, the case's name in its lines, its name for readers, and which line is Tessera's.
CASES = [
    ("convolve", "4096x4096 float32 x1 by 15x15", "4096×4096 f32, any filter of 15×15", "tessera"),
    ("morphology", "4096x4096 uint8 by disk:12", "4096×4096 u8, a disk of 25×25", "tessera"),
    ("correlate", "64 x 4 planes of 500x500 float32, shifts 250x250",
     "64 images of 500×500, 250×250 shifts", "tessera"),
    ("enhance", "8773x5352 uint8 x3, grey,contrast,smooth", "8773×5352 RGB, grey, contrast, smooth", "tessera"),
    ("faraday", "300 channels of 128x128, 401 depths", "300 channels of 128×128, 401 depths", "tessera"),
    ("xengine", "256 antennas x 2, 8 channels, 1024 samples of ci8",
     "256 antennas, 2 polarisations, 8 channels, 1024 samples", "tessera"),
    ("noise", "1024x1024 float32, boxes of 64x64",
     "1024×1024 f32, background and noise of every pixel's 64×64 box", "tessera"),
    ("noise", "1024x1024 float32, boxes of 64x64", "the same, one percentile", "tessera percentile_filter"),
]


def time_text(ms: float | None) -> str:
    """Three digits, in a suitable unit."""
    if ms is None:
        return "–"
    for factor, unit in ((1e-3, "s"), (1, "ms"), (1e3, "µs")):
        value = ms * factor
        if value >= 1 or unit == "µs":
            return f"{value:.3g} {unit}" if value < 999.5 else f"{value:.0f} {unit}"
    raise AssertionError


def times_text(ratio: float) -> str:
    return f"{ratio:.2g}" if ratio < 9.95 else f"{ratio:.0f}"


def report_table(small: dict[str, Any], large: dict[str, Any]) -> list[str]:
    """Rows of the reports of two machines; the second has the device."""
    there = {row["operation"]: row for row in large["rows"]}
    lines = ["| operation | work | 2 Neoverse-N1 cores | 16 Xeon cores | H200, data there | H200, with copies "
             "| H200 with copies against the Xeon |",
             "| --- | --- | --- | --- | --- | --- | --- |"]
    for row in small["rows"]:
        other = there[row["operation"]]
        if row["what"] != other["what"]:
            raise ValueError(f"{row['operation']}: the machines did different work: {row['what']}; {other['what']}")
        ratio = other["ratio_with_transfers"]
        cells = [row["operation"], row["what"], time_text(row["cpu_ms"]), time_text(other["cpu_ms"]),
                 time_text(other["gpu_ms"]), time_text(other["gpu_with_transfers_ms"]),
                 f"{times_text(ratio)} times" if ratio else "–"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def last_run(path: Path, case: str, ours: str) -> list[dict[str, Any]]:
    """The lines of the newest run of a case that timed Tessera, which comes first."""
    if not path.exists():
        return []
    lines = [json.loads(line) for line in path.read_text().splitlines() if line]
    lines = [line for line in lines if line.get("case") == case and "median_ms" in line]
    newest = next((line for line in reversed(lines) if line["who"] == ours), None)
    if newest is None:
        return []
    same = ("date", "commit", "threads")
    return [newest] + [line for line in lines if all(line.get(key) == newest.get(key) for key in same)]


def fastest_other(run: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The fastest of those that compute the same."""
    others = [line for line in run if not line["who"].startswith("tessera")
              and line.get("other") == run[0].get("other")]
    return min(others, key=lambda line: line["median_ms"], default=None)


def compared_text(run: list[dict[str, Any]]) -> str:
    if not run:
        return "–"
    text = time_text(run[0]["median_ms"])
    other = fastest_other(run)
    if not other:
        return text
    return f"{text}; {other['who']} {times_text(other['median_ms'] / run[0]['median_ms'])} times"


def compared_table(folder: Path) -> list[str]:
    lines = ["| operation | work | Neoverse-N1 | 16 Xeon cores | H200 |", "| --- | --- | --- | --- | --- |"]
    for operation, case, what, ours in CASES:
        runs = [last_run(folder / machine / f"{operation}.jsonl", case, ours) for machine in (SMALL, LARGE, DEVICE)]
        if runs[0] and runs[0][0]["threads"] == 1:
            what += " (one N1 core)"
        lines.append("| " + " | ".join([operation, what, *map(compared_text, runs)]) + " |")
    return lines


def tables() -> dict[str, list[str]]:
    small, large = (json.loads((RESULTS / machine / "report.json").read_text()) for machine in (SMALL, DEVICE))
    return {"report": report_table(small, large), "compare": compared_table(RESULTS)}


def put(text: str, name: str, lines: list[str]) -> str:
    """The text with the lines between the marks of that name."""
    begin, end = f"<!-- {name}: tools/results_tables.py -->\n", f"<!-- end of {name} -->"
    head, found, rest = text.partition(begin)
    if not found or end not in rest:
        raise ValueError(f"README.md has no marks for the table {name}: {begin.strip()} and {end}")
    return head + begin + "\n".join(["", *lines, "", ""]) + rest[rest.index(end):]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put them into README.md")
    write = parser.parse_args().write
    text = README.read_text()
    for name, lines in tables().items():
        print(*lines, "", sep="\n")
        text = put(text, name, lines) if write else text
    if write:
        README.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
