# SPDX-License-Identifier: Apache-2.0
"""The classic model of cells in plain NumPy, transcribed from the description of the published program.

It shares no code with the library and is built differently: whole maps at a time, matrices for the
spline, all control points moved by a force of which one is then used. Names and order follow the
description. Where that reads outside an array the index is clamped.
"""
import math
from dataclasses import dataclass, field

import numpy as np

PI = 3.14159
PADDING = 40


def circle_angles(count):
    angles = [n * 2 * PI / count for n in range(count)]
    return np.array([math.cos(t) for t in angles]), np.array([math.sin(t) for t in angles])


def bilinear(image, x, y):
    """At arrays of positions; the four taps are clamped, their weights are not."""
    rows, columns = image.shape
    left, top = np.trunc(x), np.trunc(y)
    a, b = x - left, y - top
    j = [np.clip(np.nan_to_num(left + k), 0, columns - 1).astype(int) for k in (0, 1)]
    i = [np.clip(np.nan_to_num(top + k), 0, rows - 1).astype(int) for k in (0, 1)]
    return ((1 - a) * (1 - b) * image[i[0], j[0]] + a * (1 - b) * image[i[0], j[1]]
            + (1 - a) * b * image[i[1], j[0]] + a * b * image[i[1], j[1]])


def gicov_map(gx, gy):
    rows, columns = gx.shape
    cosines, sines = circle_angles(150)
    centre = (slice(22, rows - 22), slice(22, columns - 22))
    result = np.zeros(gx.shape)
    best, signed = np.zeros(gx[centre].shape), np.zeros(gx[centre].shape)
    for radius in (8, 10, 12, 14, 16, 18, 20):
        def slopes(radius=radius):
            for cosine, sine in zip(cosines, sines, strict=True):
                dx, dy = int(radius * cosine), int(radius * sine)
                there = (slice(22 + dy, rows - 22 + dy), slice(22 + dx, columns - 22 + dx))
                yield gx[there] * cosine + gy[there] * sine
        mean = sum(slopes()) / 150
        variance = sum((s - mean) ** 2 for s in slopes()) / 149
        with np.errstate(divide="ignore", invalid="ignore"):
            score = mean ** 2 / variance
            better = score > best
            signed = np.where(better, mean / np.sqrt(variance), signed)
        best = np.where(better, score, best)
    result[centre] = signed
    return result


def dilated(image):
    """Flat disk of radius 12; nothing outside the image counts."""
    rows, columns = image.shape
    wide, result = np.pad(image, 12), np.zeros(image.shape)
    for i in range(-12, 13):
        for j in range(-12, 13):
            if math.sqrt(i * i + j * j) <= 12:
                result = np.maximum(result, wide[12 + i:12 + i + rows, 12 + j:12 + j + columns])
    return result


def uniform_segments(x, y):
    distance = np.hypot(x - np.roll(x, 1), y - np.roll(y, 1))
    along = np.cumsum(distance)
    return np.array([np.argmin(np.abs(along - i * along[-1] / 36)) for i in range(36)])


def candidates(gicov, frame_shape):
    """(column, row, contour x, contour y) in scan order; the contour in rows that are 40 too small."""
    squared = gicov ** 2
    found = []
    for row, column in np.argwhere((squared != 0) & (dilated(squared) == squared)):
        if not 29 < row < gicov.shape[0] - 1 + 39 or not abs(gicov[row, column]) > 1.8:
            continue
        cosines, sines = circle_angles(36)
        x, y = column + 10 * cosines, row - PADDING + 10 * sines
        index = uniform_segments(x, y)
        x, y = x[index], y[index]
        if x.min() > 5 and y.min() > 5 and x.max() < frame_shape[1] - 5 and y.max() < frame_shape[0] - 5:
            found.append((int(column), int(row), x, y))
    return found


def spline_matrices():
    """Values and derivatives at 36 samples of the basis of 9 control points."""
    values, slopes = np.zeros((36, 9)), np.zeros((36, 9))
    for i in range(9):
        for j in range(4):
            s = j / 4
            around = [(i + k) % 9 for k in (-1, 0, 1, 2)]
            values[4 * i + j, around] = [(1 - s) ** 3 / 6, (3 * s ** 3 - 6 * s ** 2 + 4) / 6,
                                         (-3 * s ** 3 + 3 * s ** 2 + 3 * s + 1) / 6, s ** 3 / 6]
            slopes[4 * i + j, around] = [(-3 * s ** 2 + 6 * s - 3) / 6, (9 * s ** 2 - 12 * s) / 6,
                                         (-9 * s ** 2 + 6 * s + 3) / 6, 3 * s ** 2 / 6]
    return values, slopes


def detection_snake(gx, gy, x, y, sign):
    """The centre (x, y in rows that are 40 too small)."""
    values, slopes = spline_matrices()
    fit = np.linalg.inv(values.T @ values) @ values.T
    cx, cy = fit @ x, fit @ y + PADDING
    delta = 3
    for _ in range(20):
        px, py, xs, ys = values @ cx, values @ cy, slopes @ cx, slopes @ cy
        d = np.sqrt(xs ** 2 + ys ** 2)
        nx, ny = ys / d, -xs / d
        x1, y1, x2, y2 = px + delta * nx, py + delta * ny, px - delta * nx, py + delta * ny
        ix1, iy1, ix2, iy2 = bilinear(gx, x1, y1), bilinear(gy, x1, y1), bilinear(gx, x2, y2), bilinear(gy, x2, y2)
        p = delta * (xs * ys / d ** 3)[:, None] * slopes
        qx = delta * (slopes / d[:, None] - (xs ** 2 / d ** 3)[:, None] * slopes)
        qy = delta * (slopes / d[:, None] - (ys ** 2 / d ** 3)[:, None] * slopes)
        dcx = ix1 @ (values - p) - iy1 @ qx - ix2 @ (values + p) - iy2 @ qx
        dcy = ix1 @ qy + iy1 @ (values + p) + ix2 @ qy - iy2 @ (values - p)
        cx[0] = cx[1] + sign * 0.02 * dcx[0]
        cy[0] = cy[1] + sign * 0.02 * dcy[0]
    return (values @ cx).mean(), (values @ (cy - PADDING)).mean()


def mgvf(edges):
    """The field and its iterations."""
    normal = (edges - edges.min()) / (edges.max() - edges.min() + 2.0 ** -52)
    vx = vy = 1
    neighbours = [((-1, 0), -vy), ((1, 0), vy), ((0, -1), -vx), ((0, 1), vx),
                  ((-1, 1), vx - vy), ((1, 1), vx + vy), ((-1, -1), -vx - vy), ((1, -1), vy - vx)]
    mu = 0.5
    scale = 8 * mu + 1
    old, rows, columns = normal, *normal.shape
    for iteration in range(1, 501):  # noqa: B007, it is told below
        wide, total = np.pad(old, 1, mode="edge"), 0
        for (dy, dx), w in neighbours:
            d = wide[1 + dy:1 + dy + rows, 1 + dx:1 + dx + columns] - old
            total = total + (np.arctan(d * w / 1e-10) / PI + 0.5) * d
        spread = old + mu / scale * total
        new = spread - 1 / scale * normal * (spread - normal)
        change = np.abs(new - old).mean()
        old = new
        if not change > 1e-5:
            break
    return old, iteration


def star_snake(f, x, y, radii, expected_y):
    """x, y, radii and iterations; stops, as published, where an outline leaves the window."""
    rows, columns = f.shape
    fy, fx = np.gradient(f)
    with np.errstate(invalid="ignore", divide="ignore"):
        length = np.sqrt(fx ** 2 + fy ** 2)
        fx, fy = fx / length, fy / length
    cosines, sines = circle_angles(20)
    for iteration in range(1000):
        px, py = x + radii * cosines, y + radii * sines
        if (px < 0).any() or (px > columns - 1).any() or (py < 0).any() or (py > rows - 1).any():
            return x, y, radii, iteration
        perimeter = np.hypot(px - np.roll(px, 1), py - np.roll(py, 1)).sum()
        a, b, c = bilinear(f, px, py), bilinear(fx, px, py), bilinear(fy, px, py)
        v = (a + b * (px - x) + c * (py - y) - a.sum() / perimeter) / perimeter
        new_x = x + 0.2 * b.sum() / perimeter
        new_y = (y + 0.2 * c.sum() / perimeter + 0.01 * expected_y) / 1.01
        new_radii = (radii + 0.2 * v + 0.04 * 10) / 1.04
        moved = abs(new_x - x) + abs(new_y - y) + np.abs(new_radii - radii).sum()
        x, y, radii = new_x, new_y, new_radii
        if not moved > 0.1:
            return x, y, radii, iteration + 1
    return x, y, radii, 1000


@dataclass
class Cell:
    x: list
    y: list
    radii: np.ndarray = field(default_factory=lambda: np.full(20, 10.0))
    field_iterations: list = field(default_factory=lambda: [0])
    snake_iterations: list = field(default_factory=lambda: [0])

    def follow(self, frame):
        """Into the next frame, values 0 to 1."""
        x, y = self.x[-1], self.y[-1]
        rows, columns = frame.shape
        counts = (0, 0)
        if math.isfinite(x) and math.isfinite(y):
            expected = sum(self.y[-10:]) / len(self.y[-10:])
            u1, u2 = int(max(x - 40 + 0.5, 0)), int(min(x + 40 + 0.5, columns - 1))
            v1, v2 = int(max(y - 20 + 1.5, 0)), int(min(y + 20 + 1.5, rows - 1))
            gy, gx = np.gradient(frame[v1:v2 + 1, u1:u2 + 1])
            f, first = mgvf(np.sqrt(gx ** 2 + gy ** 2))
            x, y, self.radii, second = star_snake(f, x - u1, y - (v1 - 1), self.radii, expected - (v1 - 1))
            x, y, counts = x + u1, y + (v1 - 1), (first, second)
        self.x.append(x)
        self.y.append(y)
        self.field_iterations.append(counts[0])
        self.snake_iterations.append(counts[1])


def classic_steps(film, crop=None):
    """A film of frames, values 0 to 255, as _cells_classic_steps gives it; crop: x, y, width, height."""
    film = film.astype(float)
    left, top, width, height = crop or (0, 110, film.shape[2], 219)
    gy, gx = np.gradient(film[0, top:top + height, left:left + width])
    gicov = gicov_map(gx, gy)
    found = candidates(gicov, film.shape[1:])
    cells = []
    for column, row, x, y in found:
        centre = detection_snake(gx, gy, x, y, 1 if gicov[row, column] > 0 else -1)
        cells.append(Cell([left + centre[0]], [top + centre[1]]))
    for frame in film[1:]:
        for cell in cells:
            cell.follow(frame / 255)
    return {
        "gicov": gicov,
        "column": np.array([each[0] for each in found], int),
        "row": np.array([each[1] for each in found], int),
        "score": np.array([gicov[each[1], each[0]] for each in found]),
        **{name: np.array([getattr(cell, name) for cell in cells]).reshape(len(cells), len(film))
           for name in ("x", "y", "field_iterations", "snake_iterations")},
    }
