// Charts as SVG: the speed of a track over time, and the number of tracks by speed.
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

function drawHistogram(chosen) {
  const place = byId('histogram-bars'), bins = data.histogram;
  if (!bins.length) {
    place.textContent = 'No track has a speed.';
    return;
  }
  const most = Math.max(...bins.map((bin) => bin.tracks), 1);
  const range = [bins[0].from * speedFactor, bins[bins.length - 1].to * speedFactor];
  const {picture, x, y} = chart(
      place, range, most * 1.08, `mean speed (${speedUnit})`, 'tracks', 'Histogram of mean speeds');
  bins.forEach((bin, i) => {
    const speed = chosen && chosen.summary.mean_speed;
    const inside = chosen && speed >= bin.from && (speed < bin.to || i === bins.length - 1);
    const left = x(bin.from * speedFactor), right = x(bin.to * speedFactor);
    const bar = svg('rect', {
      class: inside ? 'bar chosen' : 'bar',
      x: left + 0.5,
      width: Math.max(0.5, right - left - 1),
      y: y(bin.tracks),
      height: y(0) - y(bin.tracks),
      'data-tracks': bin.tracks
    });
    const digits = digitsFor(bin.to * speedFactor);
    bar.append(
        svg('title', {},
            `${shown(bin.from * speedFactor, digits)} to ${shown(bin.to * speedFactor, digits)} ${
                speedUnit}: ${bin.tracks} tracks`));
    picture.append(bar);
  });
}
