// The histogram of radii as SVG, with the range that is searched for between two dashed lines.
const barsWidth = 380, barsHeight = 200, barsLeft = 34, barsBottom = 36, barsTop = 8;

function drawRadii(place, {least, most, of, sizes, histogram}) {
  byId('radii-about').textContent = `${sizes.length} ${of}; circles of ${least} to ${
      most} px are searched for (dashed)`;
  if (!histogram.length) {
    place.textContent = 'There are none.';
    return;
  }
  const end = Math.max(histogram.at(-1).to, most);
  const highest = Math.max(...histogram.map((bin) => bin.count));
  const x = (radius) => barsLeft + radius / end * (barsWidth - barsLeft - 8);
  const y = (count) => barsHeight - barsBottom - count / highest * (barsHeight - barsBottom - barsTop);
  const picture = drawn('svg', {
    viewBox: `0 0 ${barsWidth} ${barsHeight}`, role: 'img', 'aria-label': 'Histogram of radii'
  });
  const text = (at, down, anchor, words) =>
      picture.append(drawn('text', {x: at, y: down, 'text-anchor': anchor}, words));
  for (const count of [0, highest]) {
    picture.append(drawn(
        'line', {class: 'axis', x1: barsLeft, x2: barsWidth - 8, y1: y(count), y2: y(count)}));
    text(barsLeft - 6, y(count) + 4, 'end', String(count));
  }
  for (const {from, to, count} of histogram)
    picture.append(drawn('rect', {
      class: to > least && from <= most ? 'bar chosen' : 'bar',
      x: x(from) + 0.5,
      width: x(to) - x(from) - 1,
      y: y(count),
      height: y(0) - y(count),
      'data-count': count
    }, drawn('title', {}, `${from} to ${to} px: ${count}`)));
  const step = [1, 2, 5, 10, 20, 50].find((candidate) => end / candidate <= 8);
  for (let radius = 0; radius <= end; radius += step)
    text(x(radius), barsHeight - barsBottom + 15, 'middle', String(radius));
  text((barsLeft + barsWidth) / 2, barsHeight - 4, 'middle', 'radius (px)');
  for (const radius of [least, most])
    picture.append(drawn('line', {
      class: 'mark', x1: x(radius), x2: x(radius), y1: barsTop, y2: barsHeight - barsBottom,
      'data-radius': radius
    }));
  place.append(picture);
}
