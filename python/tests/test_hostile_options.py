# SPDX-License-Identifier: Apache-2.0
"""Options of wrong types and sizes: an exception that names the option, never a signal."""
import numpy as np
import pytest
from hostile import check_alone

import tessera

IMAGE = np.arange(64 * 48, dtype=np.float32).reshape(64, 48)
NAN, INFINITY = float("nan"), float("inf")


class Raises:
    def __index__(self):
        raise ZeroDivisionError

    __float__ = __repr__ = __len__ = __iter__ = __index__


class Surrogates:
    def __repr__(self):
        return "\udcff" * 1000


@pytest.mark.parametrize("value", [None, -1, 1 << 40, 1 << 100, -(1 << 100), 1.5, NAN, INFINITY, "4", b"4", [], (1,),
                                   {}, object(), Surrogates(), np.zeros(3), np.array([2]), 1j, True, type, "\udcff"],
                         ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("option", ["threads", "device", "channel_axis", "batch_axis", "anchor", "border", "backend",
                                    "method", "type", "memory_limit", "scale", "offset", "constant"])
def test_values_of_wrong_types(option, value):
    try:
        result = tessera.convolve(IMAGE, "gauss:1", **{option: value})
        assert result.shape == IMAGE.shape
    except (TypeError, ValueError, MemoryError) as error:
        assert option in str(error) or "convolve" in str(error), error
        assert "bad_cast" not in str(error)


@pytest.mark.parametrize("option", ["threads", "memory_limit", "border", "anchor"])
def test_values_that_raise(option):
    with pytest.raises((ZeroDivisionError, TypeError)):
        tessera.convolve(IMAGE, "gauss:1", **{option: Raises()})


@pytest.mark.parametrize("name", ["\udcff", "a\0b", "", "x" * 100_000, "border "], ids=ascii)
def test_options_with_odd_names(name):
    with pytest.raises(TypeError, match="has no option"):
        tessera.convolve(IMAGE, "gauss:1", **{name: 1})


def test_memory_limits_that_are_not_numbers_of_bytes():
    for limit in NAN, -1, -INFINITY, INFINITY:
        with pytest.raises(ValueError, match="memory_limit"):
            tessera.convolve(IMAGE, "gauss:1", memory_limit=limit)
    expected = tessera.convolve(IMAGE, "gauss:1")
    for limit in 1e300, 2.0**63, 2.0**64:
        assert np.array_equal(tessera.convolve(IMAGE, "gauss:1", memory_limit=limit), expected)


def test_deep_and_recursive_lists():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    recursive = []
    recursive.append(recursive)
    for given in deep, recursive:
        with pytest.raises((TypeError, ValueError, RecursionError)):
            tessera.convolve(IMAGE, given)


@pytest.mark.parametrize("call", [
    "tessera.sample_scene(1 << 31, 5)", "tessera.sample_scene(-1, 5)", "tessera.sample_scene(1 << 30, 1 << 30)",
    "tessera.sample_scene(5, 5, seed=-1)", "tessera.sample_scene(5, 5, seed=1 << 70)",
    "tessera.gaussian(1e300)", "tessera.gaussian(float('nan'))", "tessera.gaussian(1, 1 << 30)",
    "tessera.box(1 << 30, 1 << 30)", "tessera.box(-1, 2)", "tessera.triangle(1 << 30)", "tessera.sobel('xy')",
    "tessera.gabor(0, 0, 0)", "tessera.named_filter('gauss:1e300')",
    "tessera.named_filter('box:2000000000')", "tessera.named_element('disk:1e9')",
    "tessera.Convolve((1 << 40, 5), 'f4', 'gauss:1')", "tessera.Convolve((-5, 5), 'f4', 'gauss:1')",
    "tessera.Convolve('ab', 'f4', 'gauss:1')",
    "tessera.Convolve((5, 5), object(), 'gauss:1')", "tessera.Convolve(iter([5, 5]), 'f4', 'gauss:1')",
    "tessera.Noise((1 << 20, 1 << 20), 'f4', box=1 << 30)", "tessera.noise(np.zeros((8, 8)), box=float('nan'))",
    "tessera.faraday_axes([float('nan')])", "tessera.faraday_axes([0.0, -1.0])",
    "tessera.faraday_axes([1e9, 2e9], phi_max=1e300, dphi=1e-300)",
    "tessera.faraday_axes([1e9, 2e9], phi_max=float('inf'), dphi=1)",
    "tessera.faraday_axes([1e9, 2e9], phi=[float('nan')])",
    "tessera.XEngine(1 << 30, 2, 1 << 20)", "tessera.XEngine(-1, 2, 3)",
    "tessera.read_voltages('/dev/zero')", "tessera.read('/dev/zero')", "tessera.read('/dev/null')", "tessera.read('/')",
    "tessera.score_cells({}, {})", "tessera.score_cells({'TRACK_ID': 5}, 5)",
    "tessera.score_cells(*[{n: np.zeros((2, 2)) for n in ('TRACK_ID', 'FRAME', 'POSITION_X', 'POSITION_Y')}] * 2)",
    "tessera.score_cells(*[{n: [float('nan')] for n in ('TRACK_ID', 'FRAME', 'POSITION_X', 'POSITION_Y')}] * 2)",
    "tessera.Cells((5, 5)).add(np.zeros((6, 6), 'u1'))",
    "tessera.baselines(1 << 40)", "tessera.baselines(-1)",
    "tessera.Convolve.__new__(tessera.Convolve)(np.zeros((5, 5)))",
    "tessera.XEngine.__new__(tessera.XEngine).dump()", "tessera.Cells.__new__(tessera.Cells).finish()",
    "tessera.FaradayRmsf.__new__(tessera.FaradayRmsf).phi", "tessera.FaradayAxes.__new__(tessera.FaradayAxes).phi",
    "tessera.faraday_rmsf(None)", "tessera.faraday_rmsf(5)",
    "tessera.faraday_clean(np.zeros((3, 4, 5), 'c8'), tessera.FaradayRmsf([0.0], [1], 1.0), float('nan'))",
])
def test_calls_that_make_no_sense(call):
    said = check_alone(f"""
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        try:
            print(str({call})[:100])
        except (TypeError, ValueError, OSError, MemoryError, OverflowError) as error:
            assert "bad_cast" not in str(error) and "std::" not in str(error), error
            print("refused:", error)
    """)
    assert said.startswith("refused:"), said
