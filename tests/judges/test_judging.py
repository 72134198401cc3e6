# SPDX-License-Identifier: Apache-2.0
"""The comparison itself: it must not call answers equal that are not."""
import types

import list_judges
import numpy as np
import pytest
import recorded_answers
from judging import Case, compare, of_peak


def difference(ours, theirs, bound=0.0):
    (result,) = compare(Case("case", None, None, bound), {"a": np.asarray(ours)}, {"a": np.asarray(theirs)})
    return result


def test_equal_and_different_values():
    assert difference([1, 2], [1, 2]).passed
    assert not difference([1, 2], [1, 3]).passed
    assert difference([1.0, 2.0], [1.0, 2.1], 0.2).passed and not difference([1.0, 2.0], [1.0, 2.1], 0.05).passed
    assert difference([1 + 1j], [1 + 1.5j]).difference == 0.5
    assert difference(2**53, 2**53 + 1).difference == 1  # integers are not compared as floats
    assert difference(np.uint8(0), np.uint8(255)).difference == 255
    assert difference(["x"], ["x"]).passed and not difference(["x"], ["y"]).passed


def test_a_share_of_the_peak():
    assert difference([100.0, 0.5], [100.0, 0.0], of_peak(0.01)).passed
    assert not difference([100.0, 0.5], [100.0, 0.0], of_peak(0.001)).passed


def test_samples_without_a_value_must_be_the_same():
    nan, inf = np.nan, np.inf
    assert difference([1.0, nan], [1.0, nan]).passed and difference([inf], [inf]).passed
    assert "NaN in one answer" in str(difference([1.0, nan], [1.0, 2.0], 9))
    assert not difference([inf], [1.0], 9).passed and not difference([inf], [-inf], 9).passed


def test_shapes_and_names_must_be_the_same():
    assert "ours is (2,), theirs (1, 2)" in str(difference([1, 2], [[1, 2]]))
    (result,) = compare(Case("case", None, None), {"a": np.zeros(1)}, {"b": np.zeros(1)})
    assert not result.passed and "ours has ['a']" in str(result)


def test_packages_are_read_without_importing(tmp_path, monkeypatch):
    monkeypatch.setattr(list_judges, "FOLDER", tmp_path)
    (tmp_path / "judge_x.py").write_text('import not_installed\nPACKAGES = {"pypi": ["not-installed"]}\n')
    assert list_judges.judge_names() == ["x"] and list_judges.packages_of("x") == {"pypi": ["not-installed"]}
    with pytest.raises(SystemExit, match="unknown judge y; there are x"):
        list_judges.chosen(["y"])
    (tmp_path / "judge_x.py").write_text('PACKAGES = {"conda": []}\n')
    with pytest.raises(SystemExit, match="there are debian, pypi, pypi-alone"):
        list_judges.packages_of("x")
    (tmp_path / "judge_x.py").write_text("")
    with pytest.raises(SystemExit, match="has no PACKAGES"):
        list_judges.packages_of("x")


def test_recording_the_same_again_changes_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(recorded_answers, "ANSWERS", tmp_path)
    judge = types.SimpleNamespace(TOOL="tool", COMPARED="all", version=lambda: "1")
    answers = {"case": {"a": np.arange(3.0), "b": np.float64(2)}}
    recorded_answers.record("x", judge, answers)
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    origin = (tmp_path / "x.json").read_text()
    (tmp_path / "x.json").write_text(origin.replace('"date": "2', '"date": "1'))
    recorded_answers.record("x", judge, answers)
    assert '"date": "1' in (tmp_path / "x.json").read_text()
    answers["case"]["a"][0] = 5
    recorded_answers.record("x", judge, answers)
    assert (tmp_path / "x.json").read_bytes() == first["x.json"] and (tmp_path / "x.npz").read_bytes() != first["x.npz"]
    assert recorded_answers.read("x")["case"]["a"].tolist() == [5, 1, 2]
