# SPDX-License-Identifier: Apache-2.0
"""Channel images with different beams for the judges of beam, and Tessera's answers. Not a judge itself."""
import numpy as np
from judging import Arrays, tessera

PIXEL = 2.5  # arcsec
SIDE = 96
# Major and minor axis in arcsec, angle in degrees; each list needs another way to its common beam.
BEAM_LISTS = {
    "one holds all": [(12, 9, 30), (18, 16, -40), (10, 10, 0)],
    "two": [(14, 9, 20), (13, 10, 75)],
    "five": [(14, 9, 20), (13, 10, 75), (12.5, 11.5, -30), (15, 8.5, 160), (11, 11, 0)],
    "thirty": [(10 + 0.1 * k, 8 + 0.07 * k, 7.0 * k) for k in range(30)],
}


def covariance(beam) -> np.ndarray:
    """The covariance of the Gaussian along rows (north) and columns (west: east is to the left), in pixels squared."""
    major, minor, angle = beam[0] / PIXEL, beam[1] / PIXEL, np.radians(beam[2])
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return turn @ np.diag([major**2, minor**2]) @ turn.T / (8 * np.log(2))


def sky(beam, seed: int, rows: int = SIDE, columns: int = SIDE) -> np.ndarray:
    """Sources with peaks of 1 to 4 in Jy/beam and noise, both seen through the beam; 0 towards the edges, because
    racs-tools takes the sky for periodic."""
    random = np.random.RandomState(seed)
    shape = covariance(beam)
    inverse = np.linalg.inv(shape)
    y, x = np.mgrid[:rows, :columns]
    image = np.zeros((rows, columns))
    for _ in range(12):
        row, column = random.uniform(rows / 3, 2 * rows / 3), random.uniform(columns / 3, 2 * columns / 3)
        dy, dx = y - row, x - column
        square = inverse[0, 0] * dy**2 + 2 * inverse[0, 1] * dy * dx + inverse[1, 1] * dx**2
        image += random.uniform(1, 4) * np.exp(-0.5 * square)
    return image.astype("f4")


def header_of(beam):
    from astropy.io import fits
    header = fits.Header()
    axes = [("RA---SIN", 83.6, -PIXEL / 3600), ("DEC--SIN", -45.0, PIXEL / 3600)]
    for axis, (kind, value, step) in enumerate(axes, 1):
        header[f"CTYPE{axis}"], header[f"CRVAL{axis}"], header[f"CDELT{axis}"] = kind, value, step
        header[f"CRPIX{axis}"], header[f"CUNIT{axis}"] = SIDE / 2, "deg"
    header["BMAJ"], header["BMIN"], header["BPA"], header["BUNIT"] = beam[0] / 3600, beam[1] / 3600, beam[2], "Jy/beam"
    return header


def write_channels(folder, beams, images) -> list:
    from astropy.io import fits
    paths = []
    for k, (beam, image) in enumerate(zip(beams, images, strict=True)):
        paths.append(folder / f"channel{k:02}.fits")
        fits.writeto(paths[-1], image, header_of(beam))
    return paths


def our_channels(folder, beams, images, to: str, *options) -> tuple[Arrays, list]:
    """What `tessera beam` makes of channels: their pixels, and the headers' beams."""
    from astropy.io import fits
    paths = write_channels(folder, beams, images)
    tessera("beam", *paths, "-o", f"{folder / 'out'}/", "--to", to, "--quiet", *options)
    made = [fits.open(folder / "out" / path.name)[0] for path in paths]
    pixels = np.stack([hdu.data.astype("f4") for hdu in made])
    return pixels, [tuple(hdu.header[key] for key in ("BMAJ", "BMIN", "BPA")) for hdu in made]
