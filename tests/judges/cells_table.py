# SPDX-License-Identifier: Apache-2.0
"""Runs `tessera cells track` over the films of patch_films.py, or over given films with their truth, and prints how
many tracks are right and how many cells have one (track_matching.py has the rules).

    cells_table.py TOOL [--kinds flow,halo] [--seeds 1,2,3] [--folder FOLDER] [--json FILE] [-- OPTION…]
    cells_table.py TOOL --films FILM… [--json FILE] [-- OPTION…]

Options after -- go to `tessera cells track`; without any, the tool runs with its defaults. The truth of a film is the
table of the same name that ends in .csv. Films in FOLDER are used again if they are there: delete them after a change
of the generator.
"""
import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import patch_films
from track_matching import columns, match

HEADER = ["film", "precision", "recall", "tracks", "right", "extra", "invented", "cells", "covered", "adherent", "exit",
          "background", "uncertain", "seconds"]


def find(key: str, value):
    """The first value of that name anywhere in JSON, or None."""
    if isinstance(value, dict):
        if key in value:
            return value[key]
        value = list(value.values())
    if isinstance(value, list):
        return next((found for found in (find(key, part) for part in value) if found is not None), None)
    return None


def adherent_tracks(path: Path) -> set[float]:
    with open(path) as file:
        names = file.readline().strip().split(",")
        rows = [dict(zip(names, line.strip().split(","), strict=True)) for line in file]
    return {float(row["TRACK_ID"]) for row in rows if row["CLASS"] == "adherent"}


def judge(tool: Path, film: Path, options: list[str]) -> dict:
    """One film: its scores, exit code and what the tool says about it."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = [tool, "cells", "track", film, "-o", out, "--overlay", "no", "--report", "no", "--quiet", *options]
        start = time.monotonic()
        run = subprocess.run(command, capture_output=True, text=True)
        row = {"film": film.stem, "exit": run.returncode, "seconds": round(time.monotonic() - start, 2)}
        if not (out / "summary.json").exists():
            return {**row, "error": run.stderr.strip()}
        summary = json.loads((out / "summary.json").read_text())
        about = summary["film"]
        score = match(columns(film.with_suffix(".csv")), columns(out / "tracks.csv"),
                      adherent_tracks(out / "summary.csv"), about["frames"], about["width"], about["height"])
        return {**row, **score.as_json(), "background": find("background", summary),
                "uncertain": find("uncertain", summary), "warnings": summary.get("warnings", [])}


def shown(row: dict, name: str) -> str:
    if name == "adherent":
        return "/".join(str(row.get(f"adherent_{part}", "-")) for part in ("right", "found", "true"))
    value = row.get(name)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.2f}"
    return "-" if value is None else str(value)


def pooled(name: str, rows: list[dict]) -> dict:
    """The sum of several films."""
    rows = [row for row in rows if "tracks" in row]
    names = [key for key in (rows[0] if rows else {}) if isinstance(rows[0][key], int) and key != "exit"]
    total = {key: sum(row[key] for row in rows) for key in names if not isinstance(rows[0][key], bool)}
    total["precision"] = total["right"] / total["tracks"] if total.get("tracks") else None
    total["recall"] = total["covered"] / total["cells"] if total.get("cells") else None
    return {"film": name, **total, "seconds": round(sum(row["seconds"] for row in rows), 2)}


def print_row(cells: list[str]) -> None:
    print(f"{cells[0]:20}" + "".join(f"{cell:>11}" for cell in cells[1:]), flush=True)


def films(given, folder: Path):
    """(kind, path) of every film, made when it is needed."""
    if given.films:
        yield from (("", path) for path in given.films)
        return
    from_images = patch_films.sources(given.cells, given.tissue)
    for kind, seed in patch_films.chosen(given):
        path = folder / f"{kind}-{seed}.npy"
        yield kind, path if path.exists() else patch_films.write(folder, kind, seed, from_images)


def print_table(given, options: list[str], folder: Path) -> None:
    rows: list[dict] = []
    print_row(HEADER)
    for kind, film in films(given, folder):
        rows.append({"kind": kind, **judge(given.tool, film, options)})
        print_row([shown(rows[-1], name) for name in HEADER])
        if "error" in rows[-1]:
            print(f"    {rows[-1]['error']}")
        if given.json:  # after every film: a run that is stopped keeps its rows
            given.json.write_text(json.dumps(rows, indent=1) + "\n")
    for kind in dict.fromkeys(row["kind"] for row in rows):
        total = pooled(f"{kind or 'these'}: all", [row for row in rows if row["kind"] == kind])
        print_row([shown(total, name) for name in HEADER])
    print_row([shown(pooled("all films", rows), name) for name in HEADER])


def main() -> int:
    arguments = sys.argv[1:]
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser(description="precision and recall of the tracker, film by film")
    parser.add_argument("tool", type=Path)
    parser.add_argument("--folder", type=Path, help="keep the films here (default: a temporary folder)")
    parser.add_argument("--films", type=Path, nargs="+", help="these films, each with its truth next to it")
    parser.add_argument("--json", type=Path, help="also write the rows to this file")
    patch_films.add_choice(parser)
    given = parser.parse_args(arguments[:cut])
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print_table(given, arguments[cut + 1:], folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
