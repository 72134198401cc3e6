#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How runs scale over processes of one machine (docs/scale.md): noise, faraday maps, an ensemble and the X-engine under
mpirun with one core per rank, against one process of one thread and one of all cores.

    bench/scale.py                       1, 2, 4, 8 and 16 ranks, about 35 GB in /dev/shm, some ten minutes
    bench/scale.py --quick               small inputs and two ranks, to see that it works
    bench/scale.py --operations noise --ranks 8 16

Inputs and outputs lie in memory. Times are those that the tool reports, without the start of MPI and the last sync. The
outputs of every run are compared with those of one process. Each row is also written to
bench/results/<machine>/scale.jsonl.
"""
import argparse
import filecmp
import json
import os
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import numpy as np
from compare import ROOT, commit, machine_name, save

RANKS = [1, 2, 4, 8, 16]


def cube(path: Path, planes: int, side: int, seed: int) -> None:
    plane = np.random.default_rng(seed).standard_normal((side, side), dtype=np.float32)
    out = np.lib.format.open_memmap(path, "w+", "f4", (planes, side, side))
    for index in range(planes):
        out[index] = plane[:: 1 - 2 * (index % 2)]


def make_noise(folder: Path, quick: bool) -> list[str]:
    side = 1000 if quick else 24000
    strip = np.random.default_rng(1).standard_normal((500, side), dtype=np.float32)
    out = np.lib.format.open_memmap(folder / "image.npy", "w+", "f4", (side, side))
    for index in range(side // 500):
        out[500 * index:500 * (index + 1)] = np.roll(strip, 37 * index, 1)
    return ["noise", f"{folder}/image.npy", "--box", "64", "-o", "{out}/maps"]


def make_faraday(folder: Path, quick: bool) -> list[str]:
    side = 128 if quick else 2048
    cube(folder / "q.npy", 288, side, 1)
    cube(folder / "u.npy", 288, side, 2)
    np.savetxt(folder / "frequencies.txt", np.linspace(800e6, 1088e6, 288))
    return ["faraday", "synth", *(f"{folder}/{name}" for name in ("q.npy", "u.npy", "frequencies.txt")),
            "--maps-only", "--no-rmsf", "--samples", "10", "-o", "{out}/field_"]


def make_correlate(folder: Path, quick: bool) -> list[str]:
    photos = folder / "photos"
    photos.mkdir()
    for seed in range(10):
        run([TOOL, "sample", "scene", f"{folder}/scene{seed}.png", "--seed", str(seed), "--size", "512x512", "--quiet"])
    for index in range(40 if quick else 5000):
        os.link(folder / f"scene{index % 10}.png", photos / f"{index:05d}.png")
    return ["correlate", str(photos), "--max-shift", "256", "-o", "{out}/maps.npy"]


def make_xengine(folder: Path, quick: bool) -> list[str]:
    antennas, channels, samples = (32, 32, 4096) if quick else (512, 64, 204800)
    recording = folder / "recording.npy"
    part = np.random.default_rng(1).integers(-60, 60, (512, channels, antennas, 2, 2), dtype=np.int8)
    out = np.lib.format.open_memmap(recording, "w+", "i1", (samples, *part.shape[1:]))
    for first in range(0, samples, 512):
        out[first:first + 512] = part
    recording.with_suffix(".json").write_text(json.dumps(
        {"antennas": antennas, "polarisations": 2, "channels": channels, "samples": "ci8", "layout": "tci"}))
    return ["xengine", str(recording), "-o", "{out}/visibilities.npy"]


OPERATIONS = {"noise": make_noise, "faraday": make_faraday, "correlate": make_correlate, "xengine": make_xengine}
TOOL = os.environ.get("TESSERA", str(ROOT / "build" / "tessera"))


def run(words: list[str], **more: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ | more)
    if done.returncode != 0:
        sys.exit(f"bench/scale.py: {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def seconds_of(command: list[str], out: Path, before: list[str], *options: str) -> float:
    """Runs a command before which mpirun or taskset may stand."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    words = [word.format(out=out) for word in command]
    answer = json.loads(run([*before, TOOL, *words, "--backend", "cpu", "--json", *options],
                            OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1"))
    return answer["seconds"]["all"] if isinstance(answer["seconds"], dict) else answer["seconds"]


def check_same(one: Path, other: Path) -> None:
    for file in sorted(one.glob("*.npy")):
        if not filecmp.cmp(file, other / file.name, shallow=False):
            sys.exit(f"bench/scale.py: {other / file.name} has other bytes than one process makes")


def measure(name: str, folder: Path, ranks: list[int], quick: bool) -> dict[str, float]:
    folder.mkdir(parents=True)
    command = OPERATIONS[name](folder, quick)
    cores = os.cpu_count() or 1
    row = {"threads 1": seconds_of(command, folder / "one", ["taskset", "-c", "0"], "--threads", "1"),
           f"threads {cores}": seconds_of(command, folder / "all", [])}
    check_same(folder / "one", folder / "all")
    for count in (count for count in ranks if 1 < count <= cores):
        row[f"ranks {count}"] = seconds_of(command, folder / "ranks",
                                           ["mpirun", "--bind-to", "core", "--map-by", "core", "-n", str(count)])
        check_same(folder / "one", folder / "ranks")
    shutil.rmtree(folder)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--operations", nargs="+", choices=list(OPERATIONS), default=list(OPERATIONS))
    parser.add_argument("--ranks", nargs="+", type=int, default=RANKS, metavar="N")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--folder", type=Path, default=Path("/dev/shm/tessera-scale"), help="where files lie; removed")
    parser.add_argument("--results", type=Path, default=ROOT / "bench" / "results", help="folder for the lines")
    options = parser.parse_args()
    machine = machine_name(json.loads(run([TOOL, "info", "--json"])), "cpu")
    for name in options.operations:
        row = measure(name, options.folder / name, [2] if options.quick else options.ranks, options.quick)
        one = row["threads 1"]
        save(options.results, "scale", [{"machine": machine, "commit": commit(), "date": str(date.today()),
                                         "operation": name, "quick": options.quick, "seconds": row}])
        ways = (f"{way} {seconds:.2f} s ({one / seconds:.1f} times)" for way, seconds in row.items())
        print(f"{name}: {', '.join(ways)}")
    shutil.rmtree(options.folder, ignore_errors=True)


if __name__ == "__main__":
    main()
