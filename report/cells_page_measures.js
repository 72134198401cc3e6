// Speeds, classes and counts of corrected tracks, as cells_motion.cpp, cells_summary.cpp and
// cells_flux.cpp compute them for the report.
const mostOfFilm = 0.9, leastSeconds = 2, mostBins = 25, somewhere = 1;
const measure = data.measure, filmSeconds = film.frames / film.frame_rate;

const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b), half = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// The straight line through `length` spots from `first` on, at the spot `at`.
function lineThrough(spots, first, length, at) {
  const middle = (length - 1) / 2;
  let x = 0, y = 0, tx = 0, ty = 0, tt = 0;
  for (let k = 0; k < length; ++k) {
    const spot = spots[first + k], t = k - middle;
    x += spot.x;
    y += spot.y;
    tx += t * spot.x;
    ty += t * spot.y;
    tt += t * t;
  }
  if (length < 2) return {x, y, speed: NaN};
  const vx = tx / tt, vy = ty / tt, t = at - first - middle;
  return {x: x / length + t * vx, y: y / length + t * vy, speed: Math.hypot(vx, vy)};
}

function motionOf(spots) {
  const length = Math.min(measure['speed-window'], spots.length);
  return spots.map((_, k) => {
    const first = Math.max(0, Math.min(k - Math.floor(length / 2), spots.length - length));
    return lineThrough(spots, first, length, k);
  });
}

function longestRest(speeds) {
  let longest = 0, now = 0;
  for (const speed of speeds) {
    now = speed < measure['still-speed'] ? now + 1 : 0;
    longest = Math.max(longest, now);
  }
  return longest / film.frame_rate;
}

const showsAdhesion = () => filmSeconds >= Math.min(measure['adherent-seconds'], leastSeconds);

function classOf({median_speed: median, longest_rest: rest}) {
  if (median === null) return 'unknown';
  const needed = Math.min(measure['adherent-seconds'], mostOfFilm * filmSeconds);
  if (showsAdhesion() && rest > 0 && rest >= needed) return 'adherent';
  return median < measure['still-speed'] ? 'resting' : 'rolling';
}

// The summary of a track with a spot in every frame; numbers that are not defined are null.
function summaryOf(id, spots, motion) {
  const speeds = motion.map(({speed}) => speed), known = !Number.isNaN(speeds[0]);
  const start = motion[0], end = motion[motion.length - 1];
  const [x, y] = [end.x - start.x, end.y - start.y], displacement = Math.hypot(x, y);
  let path = 0;
  for (let k = 1; k < motion.length; ++k)
    path += Math.hypot(motion[k].x - motion[k - 1].x, motion[k].y - motion[k - 1].y);
  const summary = {
    id,
    first_frame: spots[0].frame,
    last_frame: spots[spots.length - 1].frame,
    frames: spots.length,
    seen: spots.filter(({seen}) => seen).length,
    seconds: (spots.length - 1) / film.frame_rate,
    displacement,
    path_length: path,
    straightness: path > 0 ? Math.min(1, displacement / path) : 0,
    direction: Math.atan2(y, x) * 180 / Math.PI,
    mean_speed: known ? meanOf(speeds) : null,
    median_speed: known ? medianOf(speeds) : null,
    max_speed: known ? speeds.reduce((most, speed) => Math.max(most, speed)) : null,
    longest_rest: longestRest(speeds),
    mean_radius: meanOf(spots.map(({radius}) => radius)),
    mean_score: meanOf(spots.map(({score}) => score))
  };
  return {...summary, does: classOf(summary)};
}

const pathOf = (track) => track.motion ??= motionOf(spotsOf(track));

// The line across the cells' mean direction; null if they do not move or their motions cancel.
function lineAcross(paths) {
  let x = 0, y = 0, longest = 0;
  for (const path of paths) {
    const [dx, dy] = [path[path.length - 1].x - path[0].x, path[path.length - 1].y - path[0].y];
    [x, y, longest] = [x + dx, y + dy, Math.max(longest, Math.hypot(dx, dy))];
  }
  const length = Math.hypot(x, y), [left, top] = data.flux.middle;
  if (longest < somewhere || length < somewhere) return null;
  const reach = (film.width + film.height) / length;
  return {
    x1: left - reach * y,
    y1: top + reach * x,
    x2: left + reach * y,
    y2: top - reach * x
  };
}

// Twice the area of the triangle; its sign is the side of the line from a to b.
const sideOf = (ax, ay, bx, by, {x, y}) => (bx - ax) * (y - ay) - (by - ay) * (x - ax);

// 1 or -1 for a step across the line, by its direction.
function crossing(line, from, to) {
  const before = sideOf(line.x1, line.y1, line.x2, line.y2, from) < 0;
  const after = sideOf(line.x1, line.y1, line.x2, line.y2, to) < 0;
  if (before === after) return 0;
  const left = sideOf(from.x, from.y, to.x, to.y, {x: line.x1, y: line.y1}) < 0;
  const right = sideOf(from.x, from.y, to.x, to.y, {x: line.x2, y: line.y2}) < 0;
  return left === right ? 0 : before ? 1 : -1;
}

function fluxOf(list) {
  const paths = list.map(pathOf), line = data.flux.fixed ? data.counts.flux : lineAcross(paths);
  if (!line) return null;
  let crossings = 0;
  for (const path of paths) {
    let net = 0;
    for (let k = 1; k < path.length; ++k) net += crossing(line, path[k - 1], path[k]);
    if (net) ++crossings;
  }
  return {...line, crossings, per_minute: filmSeconds > 0 ? crossings / filmSeconds * 60 : 0};
}

function countsOf(list) {
  const number = (does) => list.filter((track) => track.summary.does === does).length;
  const means = list.map((track) => track.summary.mean_speed).filter((speed) => speed !== null);
  const adherent = showsAdhesion() ? number('adherent') : null;
  return {
    tracks: list.length,
    rolling: number('rolling'),
    resting: number('resting'),
    adherent: data.uncertain && !adherent ? null : adherent,
    mean_speed: means.length ? meanOf(means) : null,
    median_speed: means.length ? medianOf(means) : null,
    flux: fluxOf(list)
  };
}

// Bins whose edges are round numbers: 1, 2 or 5 times a power of ten.
function histogramOf(list) {
  let highest = 0;
  for (const track of list)
    for (const speed of track.speed)
      if (speed > highest) highest = speed;
  if (highest <= 0) return [];
  const least = highest / mostBins, ten = 10 ** Math.floor(Math.log10(least));
  const width = ten * [1, 2, 5, 10].find((factor) => factor * ten >= least);
  const bins = Array.from(
      {length: Math.floor(highest / width) + 1},
      (_, k) => ({from: k * width, to: (k + 1) * width, tracks: 0}));
  for (const {summary} of list)
    if (summary.mean_speed !== null)
      ++bins[Math.min(Math.floor(summary.mean_speed / width), bins.length - 1)].tracks;
  return bins;
}
