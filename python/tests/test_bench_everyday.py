# SPDX-License-Identifier: Apache-2.0
"""The filters of `bench/compare.py everyday` are what they are called, for every type, and wrong results are seen."""
import sys
from pathlib import Path

import numpy as np
import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.fixture(scope="module")
def everyday():
    sys.path.insert(0, str(BENCH))
    try:
        import everyday_peers
    finally:
        sys.path.remove(str(BENCH))
    return everyday_peers


def image_of(dtype):
    rng = np.random.default_rng(3)
    top = 1 if dtype == "float32" else np.iinfo(dtype).max
    return (rng.uniform(0, 1, (90, 90)) * top).astype(dtype)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32"])
def test_every_word_is_what_scipy_computes(everyday, dtype):
    image = image_of(dtype)
    for word in everyday.WORDS:
        case = everyday.EverydayCase(90, dtype, word)
        assert everyday.wrong_everyday(case, image, None, word.ours(image)) <= 1, word.name


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_scikit_image_computes_the_same(everyday, dtype):
    image = image_of(dtype)
    for word in everyday.WORDS:
        if word.skimage and (word.exact or dtype == "float32"):
            case = everyday.EverydayCase(90, dtype, word)
            assert everyday.wrong_everyday(case, image, None, word.skimage(image)) <= 1, word.name


def test_a_wrong_result_is_seen(everyday):
    image = image_of("uint8")
    for word in everyday.WORDS:
        case = everyday.EverydayCase(90, "uint8", word)
        result = word.ours(image)
        result[45, 45] = int(result[45, 45]) + (2 if result[45, 45] < 100 else -2)
        assert everyday.wrong_everyday(case, image, None, result) > 1, word.name
