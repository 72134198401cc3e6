#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy on the C++ sources that changed, two at a time.

    tools/tidy_changed.py [--all] [--deep]

--all checks every source, --deep also runs clang's static analyzer. Changed means: since the commit
TESSERA_TIDY_BASE, otherwise since the branch left origin/main, otherwise in the last commit; and changes
that are not committed. A changed header is checked through one source that includes it. Sources that
passed are remembered in build/tidy by their contents and those of all headers.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
PASSED = BUILD / "tidy"
# DeadStores is left out: it reports the `for (auto _ : state)` of every benchmark.
DEEP = "--checks=clang-analyzer-*,-clang-analyzer-deadcode.DeadStores"


def git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def base_commit() -> str:
    if base := os.environ.get("TESSERA_TIDY_BASE"):
        if not git("rev-parse", "--verify", f"{base}^{{commit}}"):
            sys.exit(f"tidy_changed: TESSERA_TIDY_BASE={base} is not a commit here")
        return base
    left_main = git("merge-base", "HEAD", "origin/main")
    if left_main and left_main != git("rev-parse", "HEAD"):
        return left_main
    return git("rev-parse", "--verify", "HEAD~1")


def changed_files(base: str) -> set[str]:
    """Without a base (a clone of one commit) only uncommitted changes count."""
    changed = git("diff", "--name-only", "--diff-filter=d", base or "HEAD").splitlines()
    return set(changed) | set(git("ls-files", "--others", "--exclude-standard").splitlines())


def single_commands(entries: list[dict[str, str]]) -> list[dict[str, str]]:
    """One command per source. A build that compiles folders as one source names only those; and
    precompiled headers are left out, so that a source that lacks an include is found."""
    single = []
    for entry in entries:
        command = re.sub(r" -fpch-preprocess| -Winvalid-pch| -include \S+cmake_pch\.hxx", "", entry["command"])
        united = Path(entry["file"])
        parts = re.findall(r'^#include "(.+)"', united.read_text(), re.M) if "/Unity/unity_" in str(united) else []
        single += [{**entry, "file": part, "command": command.replace(str(united), part)}
                   for part in parts or [entry["file"]]]
    return single


def compiled_sources() -> dict[str, str]:
    """Source -> its compile command, for all sources of this build. Writes them where clang-tidy looks."""
    database = BUILD / "compile_commands.json"
    if not database.exists():
        sys.exit("tidy_changed: build/compile_commands.json is missing; run cmake --preset default first")
    entries = single_commands(json.loads(database.read_text()))
    PASSED.mkdir(parents=True, exist_ok=True)
    (PASSED / "compile_commands.json").write_text(json.dumps(entries))
    inside = (entry for entry in entries if Path(entry["file"]).is_relative_to(ROOT))
    return {str(Path(e["file"]).relative_to(ROOT)): e["command"] for e in inside
            if e["file"].endswith(".cpp") and not Path(e["file"]).is_relative_to(BUILD)}


def source_that_includes(header: str, sources: dict[str, str]) -> str | None:
    name = header.removeprefix("include/")
    stem = str(Path(header).with_suffix(".cpp"))
    if stem in sources:
        return stem
    return next((s for s in sorted(sources) if f'"{name}"' in (ROOT / s).read_text()), None)


def wanted_sources(changed: set[str], sources: dict[str, str]) -> list[str]:
    wanted = changed & sources.keys()
    for header in (name for name in changed if name.endswith(".hpp")):
        if source := source_that_includes(header, sources):
            wanted.add(source)
    return sorted(wanted)


def headers_hash() -> bytes:
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes() + str("--deep" in sys.argv).encode())
    names = git("ls-files", "--cached", "--others", "--exclude-standard", "*.hpp").splitlines()
    for name in sorted(names):
        if (ROOT / name).exists():
            digest.update((ROOT / name).read_bytes())
    return digest.digest()


def gcc_headers() -> list[str]:
    """The folder in which g++ keeps omp.h, which clang lacks; searched last."""
    found = subprocess.run(["g++", "-print-file-name=include"], capture_output=True, text=True)
    return [f"--extra-arg=-idirafter{found.stdout.strip()}"] if found.returncode == 0 else []


def tidy(source: str, command: str, headers: bytes) -> str:
    """The faults that clang-tidy finds in a source; "" if none."""
    key = hashlib.sha256(headers + command.encode() + (ROOT / source).read_bytes()).hexdigest()
    if (PASSED / key).exists():
        return ""
    # The commands are for g++: clang does not know every option.
    options = ["--quiet", "-p", str(PASSED), "--extra-arg=-Wno-unknown-warning-option", *gcc_headers(),
               *([DEEP] if "--deep" in sys.argv else [])]
    done = subprocess.run(["clang-tidy", *options, source], cwd=ROOT, capture_output=True, text=True)
    if done.returncode == 0:
        (PASSED / key).touch()
        return ""
    return done.stdout or done.stderr


def main() -> int:
    sources = compiled_sources()
    base = base_commit()
    changed = set(sources) if "--all" in sys.argv else changed_files(base)
    wanted = wanted_sources(changed, sources)
    headers = headers_hash()
    failed = 0
    with ThreadPoolExecutor(max_workers=2) as pool:
        for number, (source, said) in enumerate(
                zip(wanted, pool.map(lambda s: tidy(s, sources[s], headers), wanted), strict=True), 1):
            print(f"clang-tidy {number}/{len(wanted)} {source}", flush=True)
            if said:
                failed += 1
                print(said)
    since = "" if "--all" in sys.argv else f" changed since {base[:9] or 'the only commit'}"
    print(f"=> clang-tidy: {len(wanted)} files{since}, {failed} with faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
