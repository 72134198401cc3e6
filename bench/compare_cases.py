# SPDX-License-Identifier: Apache-2.0
"""The operations that compare.py times: their cases, by the options given, their contenders and the truth."""
import argparse
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from beam_peers import BEAM_CONTENDERS, BeamCase, wrong_rows
from cells_peers import CELLS_CONTENDERS, CellsCase, missed_cells
from channelise_peers import CHANNELISE_CONTENDERS, ChanneliseCase, wrong_spectra_of_band
from clahe_peers import CLAHE_CONTENDERS, ClaheCase
from clahe_peers import wrong_levels as wrong_clahe_levels
from convolve_device_peers import CONTENDERS, SEPARABLE_CONTENDERS
from correlate_peers import CORRELATE_CONTENDERS, CorrelateCase, wrong_shifts
from enhance_device_peers import ENHANCE_CONTENDERS
from enhance_peers import EnhanceCase, wrong_levels
from everyday_peers import EVERYDAY_CONTENDERS, everyday_cases, wrong_everyday
from faraday_peers import FARADAY_CONTENDERS, FaradayCase, wrong_spectra
from morphology_peers import ELEMENTS, MORPHOLOGY_CONTENDERS, MorphologyCase, wrong_pixels
from noise_device_peers import NOISE_CONTENDERS
from noise_peers import NoiseCase, wrong_noise
from peers import Case, Contender
from rank_peers import MEDIAN_CONTENDERS, median_cases, wrong_medians
from sources_peers import SOURCES_CONTENDERS, SourcesCase, wrong_islands
from xengine_peers import XENGINE_CONTENDERS, XEngineCase, wrong_sums

import tessera

FILTERS = ["3", "5", "7", "9", "11", "15", "21", "31", "43"]
INTEGER_FILTERS = ["3", "5", "9", "15", "31"]
SEPARABLE_FILTERS = ["3", "5", "7", "9", "11", "15", "21", "31", "43"]
TYPES = ["float32", "uint8", "uint16"]


def pair(text: str) -> tuple[int, int]:
    """ "4096x3072" or "7": width and height."""
    numbers = re.fullmatch(r"(\d+)(?:x(\d+))?", text)
    if not numbers or int(numbers[1]) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size; write 7 or 17x43")
    return int(numbers[1]), int(numbers[2] or numbers[1])


def convolve_cases(options: argparse.Namespace) -> list[Case]:
    sizes = options.sizes or [pair("512" if options.quick else "4096")]
    types = options.types or (["float32"] if options.quick or options.filters else TYPES)
    cases = []
    for dtype in types:
        usual = ["3", "9", "21"] if options.quick else FILTERS if dtype == "float32" else INTEGER_FILTERS
        filters = options.filters or [pair(f) for f in usual]
        cases += [Case(*size, dtype, channels, *taps) for size in sizes
                  for channels in ((1,) if dtype == "float32" else (1, 3)) for taps in filters]
    return cases


def separable_cases(options: argparse.Namespace) -> list[Case]:
    sizes = options.sizes or [pair("512" if options.quick else "4096")]
    filters = options.filters or [pair(f) for f in SEPARABLE_FILTERS[::4 if options.quick else 1]]
    return [Case(*size, "float32", 1, *taps, separable=True) for size in sizes for taps in filters]


def morphology_cases(options: argparse.Namespace) -> list[MorphologyCase]:
    sizes = options.sizes or [pair("512" if options.quick else "4096")]
    return [MorphologyCase(*size, dtype, element) for size in sizes for dtype in ("uint8", "float32")
            for element in (ELEMENTS if not options.quick else ELEMENTS[::2])]


def correlate_cases(options: argparse.Namespace) -> list[CorrelateCase]:
    """Shifts to half of the smaller side, as in the paper: 250 of 500."""
    sizes = options.sizes or [pair("200" if options.quick else "500")]
    return [CorrelateCase(*size, max(1, min(size) // 2), batch) for size in sizes for batch in (1, 64)]


def enhance_cases(options: argparse.Namespace) -> list[EnhanceCase]:
    return [EnhanceCase(*size) for size in options.sizes or [pair("512" if options.quick else "8773x5352")]]


def beam_cases(options: argparse.Namespace) -> list[BeamCase]:
    sizes = options.sizes or [pair("512" if options.quick else "2048")]
    return [BeamCase(*size, to) for size in sizes for to in ((18.0, 15.0, 30.0), (60.0, 50.0, 30.0))]


def clahe_cases(options: argparse.Namespace) -> list[ClaheCase]:
    return [ClaheCase(*size) for size in options.sizes or [pair("512" if options.quick else "2048")]]


def cells_cases(options: argparse.Namespace) -> list[CellsCase]:
    return [CellsCase(*size, frames) for size in options.sizes or [pair("640x480")]
            for frames in (1, 4 if options.quick else 10)]


def faraday_cases(options: argparse.Namespace) -> list[FaradayCase]:
    """CLEAN of few pixels unless more are asked for: RM-Tools takes a second for 1,400."""
    sizes = options.sizes or [pair("32" if options.quick else "128")]
    return ([FaradayCase(*size) for size in sizes]
            + [FaradayCase(*size, "clean") for size in options.sizes or [pair("32")]])


def noise_cases(options: argparse.Namespace) -> list[NoiseCase]:
    """--filters are boxes."""
    sizes = options.sizes or [pair("256" if options.quick else "4096")]
    boxes = options.filters or [pair(side) for side in (["32"] if options.quick else ["64", "16", "256"])]
    return [NoiseCase(*size, *box) for size in sizes for box in boxes]


def sources_cases(options: argparse.Namespace) -> list[SourcesCase]:
    usual = [pair("1024")] if options.quick else [pair("1024"), pair("4096")]
    return [SourcesCase(*size) for size in options.sizes or usual]


def xengine_cases(options: argparse.Namespace) -> list[XEngineCase]:
    """--sizes are antennas by channels."""
    usual = [(16, 4)] if options.quick else [(64, 16), (128, 16), (256, 8)]
    return [XEngineCase(*size) for size in options.sizes or usual]


def channelise_cases(options: argparse.Namespace) -> list[ChanneliseCase]:
    """--sizes are antennas by channels."""
    usual = [(2, 64)] if options.quick else [(8, 64), (8, 1024), (8, 4096)]
    return [ChanneliseCase(*size) for size in options.sizes or usual]


def reference_error(case: Case, image: np.ndarray, weights: np.ndarray, result: np.ndarray) -> float:
    """The worst error in three windows (two corners, the middle), in units of the bound."""
    height, width = min(case.height, 160), min(case.width, 160)
    axis = -1 if case.channels > 1 else None
    bound = (2 * weights.size * np.finfo(np.float32).eps * abs(weights).sum() * abs(image.astype(float)).max()
             + (1 if image.dtype.kind == "u" else 0))  # a level: some round, some truncate
    worst = 0.0
    for y in {0, (case.height - height) // 2, case.height - height}:
        x = y * (case.width - width) // max(1, case.height - height)
        top, left = max(0, y - case.filter_height), max(0, x - case.filter_width)
        part = image[top:y + height + case.filter_height, left:x + width + case.filter_width]
        truth = tessera.convolve(part, weights, border="replicate", method="reference", backend="cpu",
                                 output_type="f64", channel_axis=axis)
        truth = truth[y - top:y - top + height, x - left:x - left + width]
        if image.dtype.kind == "u":
            truth = np.clip(truth, 0, np.iinfo(image.dtype).max)
        worst = max(worst, float(abs(truth - result[y:y + height, x:x + width]).max()) / bound)
    return worst


@dataclass(frozen=True)
class Operation:
    cases: Callable[[argparse.Namespace], list[Any]]
    error: Callable[..., float]  # of a result, in units of the bound
    contenders: dict[str, list[Contender]]
    border: str


OPERATIONS = {"convolve": Operation(convolve_cases, reference_error, CONTENDERS, "replicate"),
              "separable": Operation(separable_cases, reference_error, SEPARABLE_CONTENDERS, "replicate"),
              "morphology": Operation(morphology_cases, wrong_pixels, MORPHOLOGY_CONTENDERS, "inside"),
              "median": Operation(median_cases, wrong_medians, MEDIAN_CONTENDERS, "replicate"),
              "everyday": Operation(everyday_cases, wrong_everyday, EVERYDAY_CONTENDERS, "replicate"),
              "correlate": Operation(correlate_cases, wrong_shifts, CORRELATE_CONTENDERS, "none"),
              "enhance": Operation(enhance_cases, wrong_levels, ENHANCE_CONTENDERS, "inside"),
              "beam": Operation(beam_cases, wrong_rows, BEAM_CONTENDERS, "0"),
              "clahe": Operation(clahe_cases, wrong_clahe_levels, CLAHE_CONTENDERS, "none"),
              "cells": Operation(cells_cases, missed_cells, CELLS_CONTENDERS, "none"),
              "faraday": Operation(faraday_cases, wrong_spectra, FARADAY_CONTENDERS, "none"),
              "noise": Operation(noise_cases, wrong_noise, NOISE_CONTENDERS, "inside"),
              "sources": Operation(sources_cases, wrong_islands, SOURCES_CONTENDERS, "none"),
              "xengine": Operation(xengine_cases, wrong_sums, XENGINE_CONTENDERS, "none"),
              "channelise": Operation(channelise_cases, wrong_spectra_of_band, CHANNELISE_CONTENDERS, "none")}
