# SPDX-License-Identifier: Apache-2.0
"""A few mutants of every format at every test run; scripts/mutants does as many as one likes."""
from pathlib import Path

import pytest
from mutate import mutant
from references import THEIRS
from run_mutants import run_format

FIRST, COUNT = 5_000_000, 60  # none of those that scripts/mutants starts with


def test_a_number_stands_for_one_mutant() -> None:
    data = bytes(range(256)) * 4
    made = [mutant(data, "fits", "a", number) for number in range(200)]
    assert made == [mutant(data, "fits", "a", number) for number in range(200)]
    assert len(set(made)) > 150
    assert mutant(data, "fits", "b", 1) != made[1]


@pytest.mark.parametrize("form", THEIRS)
def test_mutants_are_noticed_or_harmless(form: str, tmp_path: Path) -> None:
    totals = run_format(form, COUNT, FIRST, 1, tmp_path)
    assert sum(totals.values()) == COUNT
    assert totals["signal"] == totals["hang"] == 0, list(tmp_path.rglob("*"))
    assert totals["same"] + totals["refused"] + totals["stricter"] > COUNT // 2
