# SPDX-License-Identifier: Apache-2.0
"""Background and noise as they are defined, by sorting every box; in double."""
import numpy as np

# Our name of a border -> numpy.pad's; with "inside" nothing counts outside.
PAD_MODES = {"reflect": "symmetric", "reflect-101": "reflect", "replicate": "edge"}


def boxes_of(image, box, border="inside"):
    """(rows, columns, values of a box), NaN where there is none, and how many pixels a box has."""
    rows, columns = (box, box) if np.isscalar(box) else box
    around = ((rows // 2, rows - 1 - rows // 2), (columns // 2, columns - 1 - columns // 2))
    if border == "inside":
        padded = np.pad(image.astype(float), around, constant_values=np.nan)
        there = np.pad(np.ones(image.shape), around)
    else:
        padded = np.pad(image.astype(float), around, PAD_MODES[border])
        there = np.ones(padded.shape)
    view = np.lib.stride_tricks.sliding_window_view
    flat = (*image.shape, rows * columns)
    return view(padded, (rows, columns)).reshape(flat), view(there, (rows, columns)).sum((2, 3))


def valid_boxes(image, box, border="inside", zero_is_blank=False):
    """Sorted values with the blanks, as NaN, last; how many are valid; whether they are enough."""
    values, pixels = boxes_of(image, box, border)
    values[~np.isfinite(values)] = np.nan
    if zero_is_blank:
        values[values == 0] = np.nan
    count = np.isfinite(values).sum(2)
    return np.sort(values + 0.0, axis=2), count, count >= np.maximum(np.minimum(8, pixels), pixels / 4)


def neighbours(values, count, order):
    """The two sorted values that a quantile lies between: those at floor h and after it, h = q (n - 1)."""
    place = order * np.maximum(count - 1, 0)
    at = lambda i: np.take_along_axis(values, np.minimum(i, np.maximum(count - 1, 0))[..., None], 2)[..., 0]
    return at(place.astype(int)), at(place.astype(int) + 1)


def quantile(values, count, order):
    """v_i + (h - i) (v_(i+1) - v_i)."""
    low, high = neighbours(values, count, order)
    part = order * np.maximum(count - 1, 0) % 1
    return np.where(part == 0, low, low + part * (high - low))


def is_blank(image, zero_is_blank=False):
    return ~np.isfinite(image.astype(float)) | ((image == 0) & zero_is_blank)


def quantile_maps(image, orders, box, border="inside", zero_is_blank=False, nomask=False):
    values, count, enough = valid_boxes(image, box, border, zero_is_blank)
    maps = np.stack([np.where(enough, quantile(values, count, order), np.nan) for order in orders])
    return maps if nomask else np.where(is_blank(image, zero_is_blank), np.nan, maps)


def clipped(values, centre, most):
    """The values within 3 standard deviations of their centre, clipped again and again."""
    for _ in range(most):
        middle, spread = centre(values), values.std()
        left = values[(values > middle - 3 * spread) & (values < middle + 3 * spread)]
        if len(left) in (0, len(values)):
            break
        values = left
    return values


def clip_estimate(values):
    """BANE's."""
    left = clipped(values, np.mean, 10)
    return left.mean(), left.std()


def mode_estimate(values):
    """SExtractor's."""
    left = clipped(values, np.median, 100)
    mean, median, spread = left.mean(), np.median(left), left.std()
    return (2.5 * median - 1.5 * mean if abs(mean - median) < 0.3 * spread else median), spread


def mad_estimate(values):
    median = np.median(values)
    return median, 1.4826 * np.median(abs(values - median))


def noise_maps(image, box, estimator="iqr", divisor=1.34896, **options):
    """(background, rms)."""
    if estimator == "iqr":
        low, middle, high = quantile_maps(image, (0.25, 0.5, 0.75), box, **options)
        return np.stack([middle, (high - low) / divisor])
    estimate = {"mad": mad_estimate, "clip": clip_estimate, "mode": mode_estimate}[estimator]
    nomask = options.pop("nomask", False)
    values, count, enough = valid_boxes(image, box, **options)
    maps = np.full((2, *image.shape), np.nan)
    for y, x in zip(*np.nonzero(enough), strict=True):
        maps[:, y, x] = estimate(values[y, x, :count[y, x]])
    return maps if nomask else np.where(is_blank(image, options.get("zero_is_blank", False)), np.nan, maps)


def bins_of(image, bins):
    """low and width of the bins of an image that is one tile, and its box reaches no farther."""
    some = image[::4, ::4][np.isfinite(image[::4, ::4])]
    if some.size < 64:
        some = image[np.isfinite(image)]
    middle, low, high = np.quantile(some.astype(float), (0.5, 0.25, 0.75))
    spread = (high - low) / 1.34896
    return middle - 6 * spread, 12 * spread / bins


def binned_quantile(codes, order, bins, low, width):
    """The quantile of one box's codes; None if it falls into an end bin."""
    counts = np.bincount(codes, minlength=bins)
    place = order * (len(codes) - 1)
    upto = counts.cumsum()
    b = int(np.searchsorted(upto, int(place), side="right"))
    if b in (0, bins - 1):
        return None
    return low + width * (b + (place - (upto[b] - counts[b]) + 0.5) / counts[b])
