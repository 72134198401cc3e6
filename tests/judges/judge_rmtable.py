# SPDX-License-Identifier: Apache-2.0
"""RMTable reads the tables of faraday catalogue; astropy places its pixels on the sky, in every projection it knows."""
import csv
from pathlib import Path

import numpy as np
from judging import Arrays, Case, package_version, tessera

PACKAGES = {"pypi": ["astropy", "numpy"], "pypi-alone": ["RMTable>=1.2,<2"]}
TOOL = "RMTable"
COMPARED = "faraday catalogue: columns, values and units; pixels on the sky"
FREQUENCY = np.linspace(0.8e9, 1.088e9, 48)
SHAPE = 9, 11  # rows, columns
# Name, CTYPEs, CRVALs, steps in degrees and further cards.
SKIES = [
    ("SIN", "RA---SIN DEC--SIN", (180.0, -30.0), (-0.5, 0.5), {}),
    ("slanted SIN", "RA---SIN DEC--SIN", (40.0, 50.0), (-0.5, 0.5), {"PV2_1": 0.1, "PV2_2": -0.2}),
    ("NCP", "RA---NCP DEC--NCP", (75.0, 52.0), (-0.4, 0.4), {}),
    ("TAN", "RA---TAN DEC--TAN", (0.1, 89.0), (-0.3, 0.3), {"CROTA2": 33.0, "RADESYS": "ICRS"}),
    ("TAN, FK5", "RA---TAN DEC--TAN", (351.0, -61.0), (-0.3, 0.4), {"RADESYS": "FK5", "EQUINOX": 2000.0}),
    ("ARC", "RA---ARC DEC--ARC", (12.0, 5.0), (-1.0, 1.5), {"PC1_1": 0.8, "PC1_2": -0.6, "PC2_1": 0.6, "PC2_2": 0.8}),
    ("STG", "RA---STG DEC--STG", (12.0, 5.0), (-2.0, 2.0), {"LONPOLE": 120.0}),
    ("ZEA", "GLON-ZEA GLAT-ZEA", (90.0, -90.0), (-3.0, 3.0), {}),
    ("CAR", "GLON-CAR GLAT-CAR", (300.0, 0.0), (-2.0, 2.0), {}),
    ("CAR away from the equator", "RA---CAR DEC--CAR", (200.0, -40.0), (-1.0, 1.0), {"RADESYS": "ICRS"}),
    ("SFL", "RA---SFL DEC--SFL", (20.0, 0.0), (-2.0, 2.0), {}),
    ("CEA", "RA---CEA DEC--CEA", (20.0, 0.0), (-2.0, 2.0), {"PV2_1": 0.7}),
    ("MER", "RA---MER DEC--MER", (20.0, 0.0), (-2.0, 2.0), {}),
    ("AIT", "GLON-AIT GLAT-AIT", (0.0, 0.0), (-9.0, 9.0), {}),
    ("AIT, turned", "RA---AIT DEC--AIT", (0.0, 30.0), (-5.0, 5.0), {}),
    ("latitude first", "DEC--SIN RA---SIN", (-30.0, 180.0), (0.5, -0.5), {}),
]


def version() -> str:
    return package_version("RMTable") + ", astropy " + package_version("astropy")


def card(key: str, value: object) -> bytes:
    text = f"{key:<8}= " + (f"'{value}'" if isinstance(value, str) else f"{value!r:>20}")
    return f"{text:<80}".encode()


def write_cube(path: Path, data: np.ndarray, cards: dict) -> None:
    """A FITS file, written here: our side runs without astropy."""
    height, width = data.shape[1:]
    header = [b"SIMPLE  =                    T".ljust(80), card("BITPIX", -32), card("NAXIS", 3), card("NAXIS1", width),
              card("NAXIS2", height), card("NAXIS3", len(data)), *(card(*each) for each in cards.items()),
              b"END".ljust(80)]
    body = data.astype(">f4").tobytes()
    path.write_bytes(b"".join(header).ljust(-(-80 * len(header) // 2880) * 2880)
                     + body.ljust(-(-len(body) // 2880) * 2880, b"\0"))


def sky_cards(types: str, values: tuple, steps: tuple, more: dict) -> dict:
    cards: dict = {}
    for axis, (name, value, step) in enumerate(zip(types.split(), values, steps, strict=True), 1):
        cards |= {f"CTYPE{axis}": name, f"CRVAL{axis}": value, f"CDELT{axis}": step, f"CUNIT{axis}": "deg",
                  f"CRPIX{axis}": 4.0 + axis}
    return cards | more | {"CTYPE3": "FREQ", "CRVAL3": float(FREQUENCY[0]), "CRPIX3": 1.0, "CUNIT3": "Hz",
                           "CDELT3": float(FREQUENCY[1] - FREQUENCY[0]), "BUNIT": "mJy/beam"}


def cubes(folder: Path, cards: dict) -> list[Path]:
    """One source per pixel, each at its own depth."""
    lambda2 = (299792458.0 / FREQUENCY)[:, None, None] ** 2
    y, x = np.indices(SHAPE)
    random = np.random.RandomState(8)
    p = (2 + x + y) * np.exp(2j * (0.3 + (15.0 * x - 20 * y) * lambda2))
    p = p + 0.3 * (random.standard_normal(p.shape) + 1j * random.standard_normal(p.shape))
    p[:20, 2, 3] = np.nan
    p[:, 4, 4] = np.nan
    write_cube(folder / "q.fits", p.real, cards)
    write_cube(folder / "u.fits", p.imag, cards)
    return [folder / "q.fits", folder / "u.fits"]


def catalogue(folder: Path, positions: str, cards: dict, output: str, *options: object) -> Path:
    (folder / "positions.csv").write_text(positions)
    tessera("faraday", "catalogue", folder / "positions.csv", *cubes(folder, cards), "-o", folder / output, "-l", 400,
            "-d", 10, "--quiet", "--force", *options)
    return folder / output


def columns(path: Path, names: list[str]) -> Arrays:
    with path.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    return {name: np.array([float(row[name]) for row in rows]) for name in names}


PIXELS = np.array([(0.0, 0.0), (5.25, 4.4), (10.0, 8.0), (3.3, 7.7), (9.1, 0.2), (2.0, 3.0)])


def sky_case(name: str, *sky: object) -> Case:
    """Places of pixels, and pixels of these places."""
    cards = sky_cards(*sky)

    def theirs(_):
        from astropy.coordinates import SkyCoord
        from astropy.io import fits
        from astropy.wcs import WCS
        from astropy.wcs.utils import wcs_to_celestial_frame
        system = WCS(fits.Header({"NAXIS": 3} | cards)).celestial
        native = np.array(system.all_pix2world(PIXELS, 0))
        frame = wcs_to_celestial_frame(system)
        place = SkyCoord(*(native.T if system.wcs.lng == 0 else native.T[::-1]), unit="deg", frame=frame)
        own, other = place.icrs, place.galactic
        return {"degrees": np.stack([own.ra.deg, own.dec.deg, other.l.deg, other.b.deg]),
                "pixels": np.floor(PIXELS + 0.5)}

    def ours(folder):
        lines = "x,y\n" + "".join(f"{x!r},{y!r}\n" for x, y in PIXELS.tolist())
        places = columns(catalogue(folder, lines, cards, "places.csv"), ["ra", "dec", "l", "b"])
        lines = "ra,dec\n" + "".join(f"{a!r},{d!r}\n" for a, d in zip(places["ra"].tolist(), places["dec"].tolist(),
                                                                      strict=True))
        back = columns(catalogue(folder, lines, cards, "pixels.csv"), ["x", "y"])
        return {"degrees": np.stack(list(places.values())), "pixels": np.stack([back["x"], back["y"]], 1)}

    # In double; near a pole an error of the last bit is an error of longitude as large as the cosine is small.
    return Case(f"places of pixels, {name}", theirs, ours, {"degrees": 1e-9, "pixels": 0})


NUMBERS = ["ra", "dec", "l", "b", "rm", "rm_err", "polint", "polint_err", "polangle", "polangle_err", "derot_polangle",
           "derot_polangle_err", "stokesQ", "stokesU", "stokesI", "fracpol", "reffreq_pol", "minfreq", "maxfreq",
           "channelwidth", "Nchan", "rmsf_fwhm", "noise_chan", "beam_maj", "Ncomp", "snr"]
FEW = ["ra", "rm", "rm_err", "polint", "Nchan"]
TEXTS = ["cat_id", "flag", "pol_bias", "rm_method", "telescope", "complex_flag", "catalog_name"]
SKY = sky_cards("RA---SIN DEC--SIN", (180.0, -30.0), (-1e-3, 1e-3), {"BMAJ": 3e-3, "BMIN": 2e-3, "BPA": -20.0,
                                                                      "TELESCOP": "ASKAP"})
POSITIONS = ("name,ra,dec\na,180.0,-30.0\nb,179.9965,-29.999\nc,180.0024,-30.004\nhalf,180.00115,-30.003\n"
             "empty,180.0,-30.001\nout,181,-30\nback,0,30\nnone,,\n")


def table_case(ending: str) -> Case:
    """RMTable reads a table, finds all columns and no fault; the numbers are those of the maps of synth."""
    wanted = NUMBERS if ending == "fits" else FEW
    def make(folder):
        (folder / "i.txt").write_text("".join(f"{10 + k / 10}\n" for k in range(FREQUENCY.size)))
        return catalogue(folder, POSITIONS, SKY, f"rms.{ending}", "-n", 0.3, "-i", folder / "i.txt", "--name", "judged")

    def theirs(folder):
        from rmtable.rmtable import RMTable
        path = make(folder)
        table = RMTable.read(path, **({"format": "ascii.tab"} if ending == "tsv" else {}))
        extra = [name for name in table.colnames if name not in table.standard_columns]
        assert table.colnames[:len(table.standard_columns)] == table.standard_columns
        units = [str(table[name].unit) for name in ("ra", "rm", "polint", "reffreq_pol", "beam_maj")]
        if ending in ("fits", "vot"):
            assert units == ["deg", "rad / m2", "Jy", "Hz", "deg"], units
        numbers = {name: np.array(table[name], float) for name in wanted}
        limits = [name for name in table.standard_columns if table.standard_limits[name] != "" and (
            (table[name] < table.standard_limits[name][0]) | (table[name] > table.standard_limits[name][1])).any()]
        words = {"rm_method": table.standard_rm_method, "pol_bias": table.standard_pol_bias, "type":
                 table.standard_classification, "flux_type": table.standard_flux_type, "complex_test":
                 table.standard_complexity_test, "ionosphere": table.standard_ionosphere, "telescope":
                 table.standard_telescope}
        odd = [name for name, known in words.items() if any(word not in known for word in table[name])]
        return numbers | {name: np.array(table[name], "U") for name in TEXTS} | {
            "extra": np.array(extra), "beyond limits": np.array(limits, "U9"), "not standard": np.array(odd, "U9")}

    def ours(folder):
        """From the maps of synth, at the pixels that the positions have."""
        make(folder)
        q, u = folder / "q.fits", folder / "u.fits"
        tessera("faraday", "synth", q, u, "-o", folder / "m_", "-l", 400, "-d", 10, "-n", 0.3, "-i", folder / "i.txt",
                "--maps", "all", "--maps-only", "--quiet")
        said = columns(catalogue(folder, POSITIONS, SKY, "said.csv", "-n", 0.3, "-i", folder / "i.txt"), wanted)
        for name, column, scale in (each for each in MAPS if each[1] in wanted):
            tessera("convert", folder / f"m_{name}.fits", folder / "map.npy", "--quiet", "--force")
            values = np.load(folder / "map.npy") * scale
            said[column] = np.array([values[y, x] for x, y in ((4, 5), (7, 6), (2, 1), (3, 2))] + [np.nan] * 4)
        flags = ["", "", "", "", "no-data", "outside", "not-shown", "no-position"]
        bias = ["2012PASA...29..214G"] * 4 + ["Unknown"] * 4
        texts = [["a", "b", "c", "half", "empty", "out", "back", "none"], flags, bias,
                 ["RM Synthesis - Fractional polarization"] * 8, ["ASKAP"] * 8, ["U"] * 8, ["judged"] * 8]
        none = np.array([], "U9")
        return said | {name: np.array(text) for name, text in zip(TEXTS, texts, strict=True)} | {
            "extra": np.array(["snr", "x", "y", "flag"]), "beyond limits": none, "not standard": none}

    return Case(f"RMTable reads .{ending}", theirs, ours, dict.fromkeys(wanted, relative) | dict.fromkeys(
        [*TEXTS, "extra", "beyond limits", "not standard"], 0))


MAPS = [("phiPeakPIfit_rm2", "rm", 1), ("dRM_rm2", "rm_err", 1), ("ampPeakPIfitEff", "polint", 1e-3),
        ("dFDFth", "polint_err", 1e-3), ("polAngleFit_deg", "polangle", 1), ("dPolAngleFit_deg", "polangle_err", 1),
        ("polAngle0Fit_deg", "derot_polangle", 1), ("dPolAngle0Fit_deg", "derot_polangle_err", 1),
        ("snrPIfit", "snr", 1)]


def relative(theirs: np.ndarray) -> float:
    """Floats of a table."""
    known = np.abs(theirs[np.isfinite(theirs)])
    return 2e-7 * float(known.max(initial=0))


def cases() -> list[Case]:
    return [sky_case(*sky) for sky in SKIES] + [table_case(ending) for ending in ("fits", "vot", "tsv", "csv")]
