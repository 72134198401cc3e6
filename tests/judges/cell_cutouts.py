# SPDX-License-Identifier: Apache-2.0
"""Cut-outs of real objects: found with Otsu's threshold and a watershed, with their own texture and a soft edge."""
from dataclasses import dataclass

import numpy as np
from scipy import ndimage
from skimage import feature, filters, measure, segmentation

ROUNDEST = 1.25  # longer objects are squeezed to this ratio of their axes: white blood cells are nearly round


@dataclass
class Cutout:
    """Squares of odd side, the object's centroid in the middle. texture: 1 on average inside, 0 far outside."""
    texture: np.ndarray
    mask: np.ndarray
    radius: float  # of the circle with the same area


def labels_of(image: np.ndarray) -> np.ndarray:
    """Objects brighter than their surroundings; touching ones are divided."""
    smooth = filters.gaussian(image, 1.5)
    flat = smooth - filters.gaussian(image, 0.15 * min(image.shape))  # uneven light would move Otsu's threshold
    inside = ndimage.binary_fill_holes(flat > filters.threshold_otsu(flat))
    depth = filters.gaussian(ndimage.distance_transform_edt(inside), 1)
    peaks = feature.peak_local_max(depth, min_distance=7, threshold_abs=3, labels=measure.label(inside))
    markers = np.zeros(image.shape, int)
    markers[tuple(peaks.T)] = np.arange(1, len(peaks) + 1)
    return segmentation.clear_border(segmentation.watershed(-depth, markers, mask=inside))


def cut(image: np.ndarray, labels: np.ndarray, region) -> Cutout | None:
    """One object, turned so that its long axis lies along the rows, then squeezed to be nearly round."""
    radius = np.sqrt(region.area / np.pi)
    half = int(np.ceil(1.7 * radius)) + 3
    y, x = (round(c) for c in region.centroid)
    if min(y, x) < half or y + half >= image.shape[0] or x + half >= image.shape[1]:
        return None
    window = np.s_[y - half:y + half + 1, x - half:x + half + 1]
    own = labels[window] == region.label
    around = ndimage.binary_dilation(own, iterations=4) & ~ndimage.binary_dilation(labels[window] > 0, iterations=2)
    if around.sum() < 10:
        return None
    values = image[window] - np.median(image[window][around])
    values = np.where((labels[window] > 0) & ~own, 0, values)  # a neighbour is not part of this one
    values /= values[own].mean()
    squeeze = max(1.0, region.axis_major_length / region.axis_minor_length / ROUNDEST) ** 0.5
    turn = np.array([[np.cos(region.orientation), -np.sin(region.orientation)],
                     [np.sin(region.orientation), np.cos(region.orientation)]])
    matrix = turn @ np.diag([squeeze, 1 / squeeze])  # of the same area
    offset = np.array(region.centroid) - (y - half, x - half) - matrix @ [half, half]
    mask = ndimage.affine_transform(own.astype(float), matrix, offset, order=1)
    return Cutout(ndimage.affine_transform(np.clip(values, -0.3, 3), matrix, offset, order=3), mask, radius)


def cutouts(image: np.ndarray) -> list[Cutout]:
    """Objects of one grey image that are whole, compact and not tiny."""
    image = np.asarray(image, float)
    labels = labels_of(image)
    found = []
    for region in measure.regionprops(labels, intensity_image=image):
        compact = region.solidity > 0.95 and region.axis_major_length < 2 * region.axis_minor_length
        if region.area > 120 and compact and (piece := cut(image, labels, region)):
            found.append(piece)
    return found


def resized(piece: Cutout, radius: float, feather: float) -> tuple[np.ndarray, np.ndarray]:
    """Texture and opacity of that radius in pixels; the opacity falls to 0 over about two feathers."""
    zoom = radius / piece.radius
    if zoom < 1:
        piece = Cutout(filters.gaussian(piece.texture, 0.4 / zoom), piece.mask, piece.radius)
    half = int(np.ceil(1.5 * radius)) + 4
    middle = (len(piece.mask) - 1) / 2
    offset = middle - half / zoom
    shape = (2 * half + 1, 2 * half + 1)
    scale = np.array([1 / zoom, 1 / zoom])
    texture = ndimage.affine_transform(piece.texture, scale, offset, shape, order=3)
    mask = ndimage.affine_transform(piece.mask, scale, offset, shape, order=1)
    return texture, filters.gaussian(mask, feather)
