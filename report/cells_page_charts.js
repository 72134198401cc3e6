// Charts as SVG: the speed of a track over time, and the number of tracks by speed and by radius.
const chartWidth = 380, chartHeight = 200, chartLeft = 44, chartBottom = 36, chartTop = 8,
      chartRight = 8;

function svg(name, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// About `wanted` ticks at 1, 2 or 5 times a power of ten.
function ticks(low, high, wanted) {
  const rough = (high - low) / wanted, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), places = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); ++i)
    places.push([i * step, (i * step).toFixed(digits)]);
  return places;
}

// Axes; returns the picture and the positions of values in it.
function chart(place, [left, right], top, xName, yName, label) {
  const x = (value) =>
      chartLeft + (value - left) / (right - left) * (chartWidth - chartLeft - chartRight);
  const y = (value) =>
      chartHeight - chartBottom - value / top * (chartHeight - chartBottom - chartTop);
  const picture =
      svg('svg', {viewBox: `0 0 ${chartWidth} ${chartHeight}`, role: 'img', 'aria-label': label});
  for (const [value, text] of ticks(0, top, 4)) {
    picture.append(svg(
        'line',
        {class: 'axis', x1: chartLeft, x2: chartWidth - chartRight, y1: y(value), y2: y(value)}));
    picture.append(svg('text', {x: chartLeft - 6, y: y(value) + 4, 'text-anchor': 'end'}, text));
  }
  for (const [value, text] of ticks(left, right, 5))
    picture.append(svg(
        'text', {x: x(value), y: chartHeight - chartBottom + 15, 'text-anchor': 'middle'}, text));
  picture.append(svg(
      'text',
      {x: (chartLeft + chartWidth - chartRight) / 2, y: chartHeight - 4, 'text-anchor': 'middle'},
      xName));
  picture.append(
      svg('text', {
        transform: `translate(11 ${(chartHeight - chartBottom + chartTop) / 2}) rotate(-90)`,
        'text-anchor': 'middle'
      },
          yName));
  place.replaceChildren(picture);
  return {picture, x, y};
}

// A click on the curve goes to that moment.
function drawSpeed(track, player) {
  const place = byId('track-speed');
  const values = Array.from(track.speed, (speed) => speed * speedFactor);
  if (values.some(Number.isNaN)) {
    place.textContent = 'A single frame has no speed.';
    return () => {};
  }
  // A long film has more values than a call can have arguments.
  const top = values.reduce((most, value) => Math.max(most, value), 1e-3) * 1.1;
  const span =
      [secondsOf(track.first), Math.max(secondsOf(track.last), secondsOf(track.first + 1))];
  const {picture, x, y} = chart(
      place, span, top, 'time (s)', `speed (${speedUnit})`, `Speed of track ${track.id} over time`);
  const points = values.map(
      (value, i) => `${x(secondsOf(track.frameOf(i))).toFixed(1)},${y(value).toFixed(1)}`);
  picture.append(svg('polyline', {class: 'curve', points: points.join(' ')}));
  const now = svg('line', {class: 'mark', y1: chartTop, y2: chartHeight - chartBottom});
  picture.append(now);
  place.onclick = (event) => {
    const box = picture.getBoundingClientRect(),
          at = (event.clientX - box.left) / box.width * chartWidth;
    const part = (at - chartLeft) / (chartWidth - chartLeft - chartRight);
    player.pause();
    player.go(Math.min(
        track.last, Math.max(track.first, (span[0] + part * (span[1] - span[0])) * film.frame_rate)));
  };
  return (frame) => {
    const at = x(secondsOf(frame));
    now.setAttribute('x1', at);
    now.setAttribute('x2', at);
    now.style.display = track.has(frame) ? '' : 'none';
  };
}

// Bars of {from, to, count}; the chosen value's bar stands out.
function drawBars(place, bins, chosen, [xName, unit, factor], label) {
  const most = Math.max(...bins.map((bin) => bin.count), 1);
  const range = [bins[0].from * factor, bins[bins.length - 1].to * factor];
  const axes = chart(place, range, most * 1.08, `${xName} (${unit})`, 'tracks', label);
  const {picture, x, y} = axes;
  bins.forEach((bin, i) => {
    const inside = chosen >= bin.from && (chosen < bin.to || i === bins.length - 1);
    const left = x(bin.from * factor), right = x(bin.to * factor);
    const bar = svg('rect', {
      class: inside ? 'bar chosen' : 'bar',
      x: left + 0.5,
      width: Math.max(0.5, right - left - 1),
      y: y(bin.count),
      height: y(0) - y(bin.count),
      'data-tracks': bin.count
    });
    const digits = digitsFor(bin.to * factor);
    bar.append(svg(
        'title', {},
        `${shown(bin.from * factor, digits)} to ${shown(bin.to * factor, digits)} ${unit}: ${
            bin.count} tracks`));
    picture.append(bar);
  });
  return axes;
}

function drawHistogram(chosen) {
  const place = byId('histogram-bars');
  if (!histogram.length) {
    place.textContent = 'No track has a speed.';
    return;
  }
  const bins = histogram.map((bin) => ({...bin, count: bin.tracks}));
  drawBars(place, bins, chosen ? chosen.summary.mean_speed : NaN,
      ['mean speed', speedUnit, speedFactor], 'Histogram of mean speeds');
}

// Tracks by mean radius, and the radii that were searched as dashed lines.
function drawRadii(chosen) {
  const place = byId('radii-bars'), radii = tracks.map((track) => track.summary.mean_radius);
  const {least, most, sizes} = data.radii;
  const middle = sizes[Math.floor(sizes.length / 2)];
  const length = (value) => shown(value * lengthFactor, digitsFor(value * lengthFactor));
  byId('radii-about').textContent = `Searched: ${length(least)} to ${length(most)} ${lengthUnit}` +
      (sizes.length ? `; ${sizes.length} round objects in the first frames have a median of ${
                          length(middle)} ${lengthUnit}` : '');
  if (!radii.length) {
    place.textContent = 'There are no tracks.';
    return;
  }
  const highest = Math.max(most, ...radii), width = Math.max(1, Math.ceil(highest / 30));
  const bins = Array.from(
      {length: Math.floor(highest / width) + 1},
      (_, i) => ({from: i * width, to: (i + 1) * width, count: 0}));
  for (const radius of radii) bins[Math.min(bins.length - 1, Math.floor(radius / width))].count++;
  const {picture, x} = drawBars(place, bins, chosen ? chosen.summary.mean_radius : NaN,
      ['mean radius', lengthUnit, lengthFactor], 'Histogram of radii');
  for (const radius of [least, most]) {
    const at = x(radius * lengthFactor);
    picture.append(
        svg('line', {class: 'mark', x1: at, x2: at, y1: chartTop, y2: chartHeight - chartBottom}));
  }
}
