# SPDX-License-Identifier: Apache-2.0
"""Tessera against the recorded answers of outside tools, without these tools (docs/judges.md)."""
import os

import pytest
from judging import ROOT, compare, load_judge
from list_judges import judge_names, packages_of
from recorded_answers import ANSWERS, LIMIT, read, read_origin, recorded_names

NAMES = judge_names()


@pytest.fixture(scope="module", autouse=True)
def tool():
    program = os.environ.get("TESSERA_CLI", ROOT / "build" / "tessera")
    if not os.path.isfile(program):
        pytest.skip(f"the tool is not at {program}; build it or set TESSERA_CLI")


def all_cases():
    return [pytest.param(name, case, id=f"{name}: {case.name}") for name in NAMES for case in load_judge(name).cases()]


@pytest.mark.parametrize("name, case", all_cases())
def test_answer(name, case, tmp_path):
    results = compare(case, case.ours(tmp_path), read(name)[case.name])
    assert results and not [str(result) for result in results if not result.passed]


@pytest.mark.parametrize("name", NAMES)
def test_every_case_is_recorded(name):
    cases = [case.name for case in load_judge(name).cases()]
    assert len(set(cases)) == len(cases)
    assert read_origin(name)["cases"] == cases, f"run scripts/judges --record {name}"
    assert set(packages_of(name)) and read_origin(name)["version"]


def test_answers_belong_to_judges_and_are_small():
    assert recorded_names() == NAMES
    assert sum(path.stat().st_size for path in ANSWERS.iterdir()) <= LIMIT
