# SPDX-License-Identifier: Apache-2.0
"""Paths of cells: arrays (frames, 2) of x and y in pixels of the tissue. Every path is anchored: at some frame the
cell is at a place inside the picture, so that flowing cells come in and go out at their own times."""
import numpy as np
from scipy import signal


def unit(heading: float) -> np.ndarray:
    return np.array([np.cos(heading), np.sin(heading)])


def noise_with_memory(random, frames: int, memory: float, size: float, parts: int = 2) -> np.ndarray:
    """Ornstein-Uhlenbeck: standard deviation size, correlation exp(-frames / memory)."""
    keep = np.exp(-1 / memory)
    steps = np.sqrt(1 - keep**2) * random.standard_normal((frames, parts))
    steps[0] /= np.sqrt(1 - keep**2)
    return size * signal.lfilter([1], [1, -keep], steps, axis=0)


def anchored(steps: np.ndarray, place: np.ndarray, frame: int) -> np.ndarray:
    path = np.cumsum(steps, axis=0)
    return path - path[frame] + place


def somewhere(random, size, margin: float) -> np.ndarray:
    return np.array([random.uniform(margin, side - 1 - margin) for side in size])


def flowing(random, frames, size, radius, heading, speed=(0.5, 3), jitter=0.15):
    """A constant velocity with jitter that has a memory of eight frames."""
    velocity = random.uniform(*speed) * unit(heading + random.normal(0, 0.08))
    steps = velocity + noise_with_memory(random, frames, 8, jitter)
    return anchored(steps, somewhere(random, size, 0), random.randint(frames))


def stop_and_go(random, frames, size, radius, heading, speed=(0.8, 2.5)):
    """Rolls and rests in turn, 10 to 30 frames each on average, and starts and stops within a few frames."""
    moving = np.empty(frames)
    state = random.rand() < 0.7
    for frame in range(frames):
        state = state if random.rand() > (1 / 30 if state else 1 / 12) else not state
        moving[frame] = state
    moving = np.convolve(np.pad(moving, 2, "edge"), np.full(5, 0.2), "valid")
    steps = random.uniform(*speed) * moving[:, None] * unit(heading) + noise_with_memory(random, frames, 4, 0.05)
    return anchored(steps, somewhere(random, size, 0), random.randint(frames))


def in_a_vessel(random, frames, size, radius, heading, speed=4.0):
    """A parabolic profile across a vessel through the middle of the picture: slow at the wall, fast in the middle."""
    half_width = 0.38 * min(size)
    across = random.uniform(-1, 1) * (half_width - radius)
    along = random.uniform(-0.5, 0.5) * max(size)
    place = (np.array(size) - 1) / 2 + along * unit(heading) + across * unit(heading + np.pi / 2)
    steps = speed * (1 - (across / half_width) ** 2) * unit(heading) + noise_with_memory(random, frames, 5, 0.1)
    return anchored(steps, place, random.randint(frames))


def adherent(random, frames, size, radius, heading):
    """Stays from the first frame to the last; its outline's wobble moves the centre by a tenth of a pixel."""
    return somewhere(random, size, radius + 3) + noise_with_memory(random, frames, 10, 0.1)


def arresting(random, frames, size, radius, heading, speed=(1, 3)):
    """Rolls, slows down over ten frames in the middle third of the film, and stays."""
    stop = random.randint(frames // 3, 2 * frames // 3)
    slowing = np.clip((stop - np.arange(frames)) / 10, 0, 1)
    steps = random.uniform(*speed) * slowing[:, None] * unit(heading)
    wobble = noise_with_memory(random, frames, 10, 0.1)
    return anchored(steps, somewhere(random, size, radius + 3), stop) + wobble


def departing(random, frames, size, radius, heading, speed=(1, 3)):
    """Adherent from the first frame, released in the middle third."""
    leave = random.randint(frames // 3, 2 * frames // 3)
    rising = np.clip((np.arange(frames) - leave) / 10, 0, 1)
    steps = random.uniform(*speed) * rising[:, None] * unit(heading)
    return anchored(steps, somewhere(random, size, radius + 3), 0) + noise_with_memory(random, frames, 10, 0.1)


def crawling(random, frames, size, radius, heading, speed=(0.05, 0.3)):
    """Slow, in its own direction, which turns slowly."""
    turns = random.uniform(0, 2 * np.pi) + np.cumsum(random.normal(0, 0.05, frames))
    steps = random.uniform(*speed) * np.stack([np.cos(turns), np.sin(turns)], 1)
    return anchored(steps, somewhere(random, size, radius + 3), frames // 2)


def apart(path: np.ndarray, radius: float, others: list[tuple[np.ndarray, float]], size) -> bool:
    """Cells do not pass through each other: no closer than 0.95 of both radii while either is in the picture."""
    outer = np.array(size) + 40
    seen = ((path > -40) & (path < outer)).all(axis=1)
    return all((np.hypot(*(path - other)[seen].T) > 0.95 * (radius + other_radius)).all()
               for other, other_radius in others)
