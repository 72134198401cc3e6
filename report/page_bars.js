// A histogram as SVG.
const barsWidth = 380, barsHeight = 200, barsLeft = 34, barsBottom = 36, barsTop = 8;

/** The step of an axis: 1, 2 or 5 times a power of ten, at most eight of them up to the end. */
function axisStep(end) {
  const ten = 10 ** Math.floor(Math.log10(end / 8));
  return [1, 2, 5, 10].map((factor) => factor * ten).find((step) => end / step <= 8 + 1e-9);
}

/**
 * `bins` have from, to, count, and `chosen` if they stand out. `marks` are values with a dashed
 * line, whose attribute `data-MARK` has them.
 */
function drawBars(place, {bins, name, axis, unit, marks = [], mark = 'mark'}) {
  const end = Math.max(bins.at(-1).to, ...marks);
  const highest = Math.max(...bins.map((bin) => bin.count));
  const x = (value) => barsLeft + value / end * (barsWidth - barsLeft - 8);
  const y = (count) => barsHeight - barsBottom - count / highest * (barsHeight - barsBottom - barsTop);
  const picture = drawn(
      'svg', {viewBox: `0 0 ${barsWidth} ${barsHeight}`, role: 'img', 'aria-label': name});
  const text = (at, down, anchor, words) =>
      picture.append(drawn('text', {x: at, y: down, 'text-anchor': anchor}, words));
  for (const count of [0, highest]) {
    picture.append(drawn(
        'line', {class: 'axis', x1: barsLeft, x2: barsWidth - 8, y1: y(count), y2: y(count)}));
    text(barsLeft - 6, y(count) + 4, 'end', String(count));
  }
  for (const {from, to, count, chosen} of bins)
    picture.append(drawn('rect', {
      class: chosen ? 'bar chosen' : 'bar',
      x: x(from) + 0.5,
      width: x(to) - x(from) - 1,
      y: y(count),
      height: y(0) - y(count),
      'data-count': count
    }, drawn('title', {}, `${shown(from)} to ${shown(to)} ${unit}: ${count}`)));
  const step = axisStep(end);
  for (let k = 0; k * step <= end * (1 + 1e-9); ++k)
    text(x(k * step), barsHeight - barsBottom + 15, 'middle', String(+(k * step).toPrecision(3)));
  text((barsLeft + barsWidth) / 2, barsHeight - 4, 'middle', `${axis} (${unit})`);
  for (const value of marks)
    picture.append(drawn('line', {
      class: 'mark', x1: x(value), x2: x(value), y1: barsTop, y2: barsHeight - barsBottom,
      [`data-${mark}`]: value
    }));
  place.append(picture);
}
