// The roofline: both axes logarithmic, one roof per processor, one point per operation and processor.
function pointsOf(which, other) {
  const points = [];
  for (const row of which.rows)
    for (const [backend, side] of [['cpu', 'cpu'], ['cuda', 'gpu']]) {
      const way = bestWay(row, backend, false);
      if (!way || !(row.flops > 0) || !(row.bytes > 0)) continue;
      points.push({side, other, name: row.operation, x: row.flops / row.bytes,
                   y: row.flops / (1e-3 * way.ms), method: way.method, share: way.of_peak});
    }
  return points;
}

function roofsOf(which, other) {
  const roofs = [];
  for (const side of ['cpu', 'gpu'])
    for (const [kind, peak] of [['', which[`${side}_flops`]], ['bytes', which[`${side}_byte_ops`]]])
      if (peak > 0 && which[`${side}_bytes_per_second`] > 0)
        roofs.push({side, other, kind, peak, bandwidth: which[`${side}_bytes_per_second`]});
  return roofs;
}

/** Whole powers of ten about all values. */
function decades(values) {
  const logs = values.map(Math.log10);
  return [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))];
}

const UNITS = [[12, 'T'], [9, 'G'], [6, 'M'], [3, 'k'], [0, '']];
function powerText(exponent) {
  const [power, unit] = UNITS.find(([least]) => exponent >= least) || [0, ''];
  const value = 10 ** (exponent - power);
  return `${value >= 1 ? value : value.toFixed(-exponent)}${unit ? ` ${unit}` : ''}`;
}

class LogPicture {
  constructor(width, points, roofs) {
    this.width = width;
    this.height = Math.round(Math.max(340, Math.min(520, 0.62 * width)));
    this.left = 52; this.right = 14; this.top = 10; this.bottom = 42;
    const ridges = roofs.map((roof) => roof.peak / roof.bandwidth);
    this.x = decades([...points.map((p) => p.x), ...ridges, 1]);
    this.y = decades([...points.map((p) => p.y), ...roofs.map((roof) => roof.peak), 1e9]);
    this.svg = drawn('svg', {viewBox: `0 0 ${width} ${this.height}`, height: this.height, role: 'img',
                             'aria-label': 'Roofline of this machine with one point per operation'});
  }
  across(value) {
    const share = (Math.log10(value) - this.x[0]) / (this.x[1] - this.x[0]);
    return this.left + share * (this.width - this.left - this.right);
  }
  up(value) {
    const share = (Math.log10(value) - this.y[0]) / (this.y[1] - this.y[0]);
    return this.height - this.bottom - share * (this.height - this.top - this.bottom);
  }
  grid() {
    const low = this.height - this.bottom, right = this.width - this.right;
    for (let e = this.x[0]; e <= this.x[1]; ++e) {
      const x = this.across(10 ** e);
      this.svg.append(drawn('line', {class: 'grid', x1: x, x2: x, y1: this.top, y2: low}),
                      drawn('text', {x, y: low + 16, 'text-anchor': 'middle'}, powerText(e)));
    }
    for (let e = this.y[0]; e <= this.y[1]; ++e) {
      const y = this.up(10 ** e);
      this.svg.append(drawn('line', {class: 'grid', x1: this.left, x2: right, y1: y, y2: y}),
                      drawn('text', {x: this.left - 6, y: y + 4, 'text-anchor': 'end'}, powerText(e)));
    }
    this.svg.append(drawn('text', {x: right, y: low + 34, 'text-anchor': 'end'}, 'operations per byte'));
  }
  roof(roof) {
    const first = 10 ** this.x[0], last = 10 ** this.x[1], lowest = 10 ** this.y[0];
    const begin = Math.max(first, lowest / roof.bandwidth), ridge = roof.peak / roof.bandwidth;
    const places = [[begin, begin * roof.bandwidth], [ridge, roof.peak], [last, roof.peak]];
    const points = places.map(([x, y]) => `${this.across(x)},${this.up(y)}`).join(' ');
    const kind = `roof ${roof.side} ${roof.kind} ${roof.other ? 'other' : ''}`;
    const name = `${roof.side.toUpperCase()}${roof.other ? ' there' : ''}: ` +
      `${shown(1e-9 * roof.peak)} ${roof.kind ? 'GOP/s of bytes' : 'GFLOP/s'}, ` +
      `${shown(1e-9 * roof.bandwidth)} GB/s`;
    this.svg.append(drawn('polyline', {class: kind, points}, drawn('title', {}, name)));
  }
}

const LABEL_HEIGHT = 14, LETTER = 6.6, RADIUS = 5;

function overlaps(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Free room for a label as near as there is, tried on rings about the point. */
function labelBox(picture, x, y, text, taken) {
  const width = LETTER * text.length;
  let nearest = null;
  for (const away of [9, 18, 28, 40, 54, 70])
    for (const angle of [0, 180, 90, 270, 45, 135, 225, 315]) {
      const turn = angle * Math.PI / 180, middle = x + Math.cos(turn) * (away + width / 2);
      const box = {x: middle - width / 2, y: y - Math.sin(turn) * away - LABEL_HEIGHT / 2,
                   width, height: LABEL_HEIGHT};
      const inside = box.x >= picture.left && box.x + width <= picture.width - 2 &&
        box.y >= 0 && box.y + LABEL_HEIGHT <= picture.height - picture.bottom;
      if (!inside) continue;
      nearest = nearest || box;
      if (!taken.some((other) => overlaps(box, other))) return box;
    }
  return nearest || {x: x + 9, y: y - LABEL_HEIGHT / 2, width, height: LABEL_HEIGHT};
}

function pointText(point) {
  return `${point.name}, ${point.side.toUpperCase()}${point.other ? ' there' : ''} ${point.method}: ` +
    `${shown(1e-9 * point.y)} GOP/s at ${shown(point.x)} operations per byte` +
    (point.share === null ? '' : `, ${percent(point.share)} of the roofline`);
}

function drawPoints(picture, points) {
  const places = points.map((point) => ({point, x: picture.across(point.x), y: picture.up(point.y)}));
  const taken = places.map(({x, y}) =>
    ({x: x - RADIUS, y: y - RADIUS, width: 2 * RADIUS, height: 2 * RADIUS}));
  for (const {point, x, y} of places) {
    const box = labelBox(picture, x, y, point.name, taken);
    taken.push(box);
    const middle = {x: box.x + box.width / 2, y: box.y + LABEL_HEIGHT / 2};
    const group = drawn('g', {tabindex: 0, 'data-operation': point.name, 'data-side': point.side,
                              'data-x': point.x, 'data-y': point.y});
    if (point.other) group.setAttribute('data-other', '');
    group.append(drawn('title', {}, pointText(point)));
    if (Math.hypot(middle.x - x, middle.y - y) > 20 + box.width / 2)
      group.append(drawn('line', {class: 'leader', x1: x, y1: y, x2: middle.x, y2: middle.y}));
    group.append(
      drawn('circle', {class: `point ${point.side} ${point.other ? 'other' : ''}`, cx: x, cy: y, r: RADIUS}),
      drawn('text', {class: 'label', x: middle.x, y: box.y + 11, 'text-anchor': 'middle'}, point.name));
    picture.svg.append(group);
  }
}

function drawRoofline(place) {
  const points = [...pointsOf(report, false), ...(against ? pointsOf(against, true) : [])];
  const roofs = [...roofsOf(report, false), ...(against ? roofsOf(against, true) : [])];
  const picture = new LogPicture(Math.max(300, place.clientWidth), points, roofs);
  picture.grid();
  for (const roof of roofs) picture.roof(roof);
  drawPoints(picture, points);
  place.replaceChildren(picture.svg);
}

function fillKey(place) {
  place.append(element('span', {class: 'cpu'}, `CPU, ${report.machine}`));
  if (report.device) place.append(element('span', {class: 'gpu'}, `GPU, ${report.device}`));
  if (report.gpu_byte_ops > 0) place.append(element('em', {}, 'dashed: products of bytes'));
  if (against) place.append(element('em', {}, 'hollow: the other machine'));
}
