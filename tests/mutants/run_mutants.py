# SPDX-License-Identifier: Apache-2.0
"""Compares Tessera with reference readers on damaged files: run by scripts/mutants, which see.

Workers do the reading, so that a crash or a hang costs one of them; what they were at is known from memory they share
with this process."""
import argparse
import collections
import json
import logging
import multiprocessing as mp
import os
import queue
import re
import resource
import sys
import tempfile
import time
from pathlib import Path

from mutate import mutant
from references import ENDINGS, THEIRS, verdict
from seed_files import seed_files

HANG_SECONDS, REFERENCE_SECONDS = 15, 4
KINDS = ["same", "refused", "stricter", "only ours", "differs", "signal", "hang", "reference fails"]
PHASES = ["tessera", *sorted({name for readers in THEIRS.values() for name in readers})]
BAD = ("signal", "hang", "differs", "only ours")


def work(form: str, seeds: list[Path], first: int, step: int, end: int, folder: Path, alone: bool, at, phase, counts,
         findings) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    logging.disable()  # tifffile's
    os.environ["OPENCV_LOG_LEVEL"] = "SILENT"
    path = folder / f"mutant{first % step}{ENDINGS[form]}"

    def say(name: str) -> None:
        phase.value = PHASES.index(name)

    for number in range(first, end, step):
        at.value = number
        seed = seeds[number % len(seeds)]
        path.write_bytes(mutant(seed.read_bytes(), form, seed.name, number))
        kind, why = verdict(form, path, say, alone)
        counts[KINDS.index(kind)] += 1
        if kind in BAD:
            findings.put((kind, number, why))


class Lane:
    """One worker after the other over the numbers first, first + step, …"""

    def __init__(self, form, seeds, first, step, end, folder, alone):
        self.fixed = (form, seeds, step, end, folder, alone)
        self.context = mp.get_context("spawn")
        self.counts = self.context.Array("q", len(KINDS), lock=False)
        self.start(first)

    def start(self, first: int) -> None:
        form, seeds, step, end, folder, alone = self.fixed
        self.at, self.phase = self.context.Value("q", first), self.context.Value("i", 0)
        self.queue, self.seen, self.since = self.context.Queue(), first, time.monotonic()
        self.process = self.context.Process(
            target=work, args=(form, seeds, first, step, end, folder, alone, self.at, self.phase, self.counts,
                                 self.queue))
        self.process.start()

    def fails_alone(self, number: int) -> bool:
        """Whether Tessera fails where no reference reader, whose memory it otherwise shares, has run before."""
        form, seeds, _, _, folder, _ = self.fixed
        counts = self.context.Array("q", len(KINDS), lock=False)
        at, phase = self.context.Value("q", number), self.context.Value("i", 0)
        unread = self.context.Queue()
        again = self.context.Process(target=work, args=(form, seeds, number, 1, number + 1, folder, True, at, phase,
                                                        counts, unread))
        again.start()
        again.join(HANG_SECONDS)
        again.kill()
        return again.exitcode != 0

    def messages(self) -> list[tuple]:
        found = []
        while True:
            try:
                found.append(self.queue.get(timeout=0.01))
            except queue.Empty:
                return found

    def fate(self) -> tuple[str, int, str] | None:
        """The fate of a worker that does not go on: ("done" | "signal" | "hang", number, reader)."""
        number, reader = self.at.value, PHASES[self.phase.value]
        if number != self.seen:
            self.seen, self.since = number, time.monotonic()
        if not self.process.is_alive():
            code = self.process.exitcode
            return ("done", number, "") if code == 0 else ("signal", number, f"{reader}: exit code {code}")
        limit = HANG_SECONDS if reader == "tessera" else REFERENCE_SECONDS
        if time.monotonic() - self.since > limit:
            self.process.kill()
            self.process.join()
            return "hang", number, f"{reader}: more than {limit} s"
        return None


def run_format(form: str, count: int, first: int, jobs: int, findings: Path,
               alone: bool = False) -> collections.Counter:
    totals: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = Path(name)
        seeds = seed_files(form, folder)
        made = folder / "made"
        made.mkdir()
        end = first + count

        def keep(kind: str, number: int, why: str) -> None:
            seed = seeds[number % len(seeds)]
            data = mutant(seed.read_bytes(), form, seed.name, number)
            target = findings / form / f"{kind.replace(' ', '_')}-{number}-{seed.stem}{ENDINGS[form]}"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            with open(findings / "findings.jsonl", "a") as log:
                log.write(json.dumps({"format": form, "kind": kind, "number": number, "seed": seed.name, "why": why,
                                      "file": str(target.relative_to(findings))}) + "\n")

        lanes = [Lane(form, seeds, first + i, jobs, end, made, alone) for i in range(min(jobs, count))]
        while lanes:
            time.sleep(0.05)
            for lane in list(lanes):
                fate = lane.fate()
                for kind, number, what in lane.messages():
                    keep(kind, number, what)
                if fate is None:
                    continue
                kind, number, why = fate
                if kind != "done":
                    of_ours = why.startswith("tessera") and (alone or lane.fails_alone(number))
                    lane.counts[KINDS.index(kind if of_ours else "reference fails")] += 1
                    if of_ours:
                        keep(kind, number, why)
                    if number + jobs < end:
                        lane.start(number + jobs)
                        continue
                lanes.remove(lane)
                totals.update(dict(zip(KINDS, lane.counts, strict=True)))
    return totals


def classes(findings: Path) -> None:
    """Differences by what the readers said, without the numbers: each class is to be explained."""
    groups: collections.Counter[tuple] = collections.Counter()
    examples: dict[tuple, str] = {}
    if not (findings / "findings.jsonl").exists():
        return
    for line in (findings / "findings.jsonl").read_text().splitlines():
        entry = json.loads(line)
        key = (entry["format"], entry["kind"], re.sub(r"0x[0-9a-f]+|\d+|/dev/shm\S+", "#", entry["why"])[:160])
        groups[key] += 1
        examples.setdefault(key, entry["file"])
    for key, count in groups.most_common():
        print(f"{count:6d}  {' | '.join(key)}\n        {examples[key]}")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("formats", nargs="*", default=list(THEIRS))
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--findings", type=Path, default=Path("build/mutants"))
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--classes", action="store_true")
    given = parser.parse_args()
    if given.classes:
        classes(given.findings)
        return 0
    print("| format | mutants | seconds | " + " | ".join(KINDS) + " |", "|" + " --- |" * (3 + len(KINDS)),
          sep="\n", flush=True)
    bad = 0
    for form in given.formats or list(THEIRS):
        start = time.monotonic()
        totals = run_format(form, given.count, given.first, given.jobs, given.findings, given.alone)
        cells = [str(totals[column]) for column in KINDS]
        print(f"| {form} | {given.count} | {time.monotonic() - start:.0f} | " + " | ".join(cells) + " |", flush=True)
        bad += totals["signal"] + totals["hang"]
    classes(given.findings)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
