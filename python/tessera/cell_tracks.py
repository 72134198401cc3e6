# SPDX-License-Identifier: Apache-2.0
"""The tracks of a film's cells, as track_cells returns them."""
from __future__ import annotations

import os
from typing import Any

import numpy.typing

from ._tessera import FilmOfCells


class CellTracks(dict[str, numpy.typing.NDArray[Any]]):
    """Columns of tracks, one row per cell and frame, with everything that is known about the film.

    summary: what summary.json holds: film, calibration, counts, notes, warnings, options …
    cells: a dict of columns as in summary.csv, one row per cell: TRACK_ID, CLASS, FIRST_FRAME …
    histogram: a dict of columns as in histogram.csv: SPEED_FROM, SPEED_TO, TRACKS, SPOTS …

    >>> result = tessera.track_cells(film, frame_rate=30, um_per_pixel=0.32)
    >>> result["SPEED"].mean(), result.summary["counts"]["adherent"], result.classes[1]
    >>> result.write("venule", masks=True, force=True)

    Changes to the columns do not change what write() makes. A film that is an array is kept, because write() draws it:
    do not change it before.
    """

    def __init__(self, tracks: dict[str, numpy.typing.NDArray[Any]], *, summary: dict[str, Any],
                 cells: dict[str, numpy.typing.NDArray[Any]], histogram: dict[str, numpy.typing.NDArray[Any]],
                 film: FilmOfCells | None) -> None:
        super().__init__(tracks)
        self.summary = summary
        self.cells = cells
        self.histogram = histogram
        self._film = film

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_film": None}  # a film may be gigabytes: copies and pickles do without

    @property
    def classes(self) -> dict[int, str]:
        """rolling, resting, adherent or unknown, by TRACK_ID; summary["counts"] has the numbers."""
        return dict(zip(self.cells["TRACK_ID"].tolist(), self.cells["CLASS"].tolist(), strict=True))

    @property
    def flux(self) -> dict[str, Any] | None:
        """The line that cells cross, crossings and per_minute; None if no direction is known."""
        flux: dict[str, Any] | None = self.summary["counts"]["flux"]
        return flux

    @property
    def options(self) -> dict[str, Any]:
        """The options for finding, following and measuring as they were used, by keyword; choices are filled in."""
        used = {**self.summary["options"], **self.summary["measure"]}
        return {name.replace("-", "_"): value for name, value in used.items()}

    @property
    def uncertain(self) -> bool:
        """Whether single frames disagree with the tracks: counts may be wrong."""
        return bool(self.summary["uncertain"])

    @property
    def reasons(self) -> list[str]:
        """Why the tracks are uncertain, and which option decides."""
        return list(self.summary["doubts"])

    def write(self, folder: str | bytes | os.PathLike[Any], *, overlay: bool = True, report: bool = True,
              masks: bool = False, ctc: bool = False, geff: bool = False, force: bool = False) -> list[str]:
        """Makes the files of `tessera cells track` in a folder and returns their names.

        Tables, XML and summary.json are always made; the options ask for overlay.mp4, report.html with histogram.svg,
        masks.tif, the folders ctc and tracks.geff. The same film and options give the same bytes as the command.
        Files that exist are an error, before anything is changed, unless force is given.

        >>> tessera.track_cells("venule.avi", flow=0).write("venule", masks=True, overlay=False)
        """
        if self._film is None:
            raise ValueError("write: these tracks are a copy without the film; call write on those that track_cells "
                             "returned")
        return self._film.write(folder, overlay=overlay, report=report, masks=masks, ctc=ctc, geff=geff, force=force)
