// Kernels and copies: for every operation one bar of the CPU and one of the GPU, as long as their
// times.
const BAR = 13, GAP = 4, ROW = 52;

/** Time and colour of each piece, in order. */
function piecesOf(row) {
  const lines = [];
  if (row.cpu_ms !== null) lines.push([{kind: 'cpu', ms: row.cpu_ms}]);
  if (row.gpu_ms === null) return lines;
  const line = [{kind: 'gpu', ms: row.gpu_ms}];
  if (row.gpu_with_transfers_ms !== null)
    line.push({kind: 'copies', ms: Math.max(0, row.gpu_with_transfers_ms - row.gpu_ms)});
  lines.push(line);
  return lines;
}

const KIND_NAMES = {cpu: 'CPU', gpu: 'GPU kernels', copies: 'copies'};

function lineText(pieces) {
  return `${pieces.map((piece) => shown(piece.ms)).join(' + ')} ms`;
}

function drawLine(svg, row, pieces, y, left, scale) {
  let x = left;
  for (const piece of pieces) {
    svg.append(drawn('rect', {class: `bar ${piece.kind}`, x, y, width: Math.max(1, piece.ms * scale), height: BAR,
                              'data-operation': row.operation, 'data-ms': piece.ms},
                     drawn('title', {}, `${row.operation}, ${KIND_NAMES[piece.kind]}: ${piece.ms} ms`)));
    x += piece.ms * scale;
  }
  svg.append(drawn('text', {x: x + 6, y: y + 11}, lineText(pieces)));
}

function drawBars(place) {
  const width = Math.max(300, place.clientWidth), left = width < 500 ? 2 : 100, room = 150;
  const above = width < 500 ? 16 : 0, step = ROW + above;
  const height = step * report.rows.length;
  const svg = drawn('svg', {viewBox: `0 0 ${width} ${height}`, height, role: 'img',
                            'aria-label': 'Times of kernels and of copies'});
  report.rows.forEach((row, k) => {
    const y = k * step + above, lines = piecesOf(row);
    const longest = Math.max(...lines.map((pieces) => pieces.reduce((sum, piece) => sum + piece.ms, 0)));
    svg.append(drawn('text', {class: 'label', x: left === 2 ? 2 : left - 10, y: above ? y - 4 : y + 11,
                              'text-anchor': above ? 'start' : 'end'}, row.operation));
    lines.forEach((pieces, line) =>
      drawLine(svg, row, pieces, y + line * (BAR + GAP), left, (width - left - room) / longest));
    if (row.gpu_ms === null)
      svg.append(drawn('text', {x: left, y: y + BAR + GAP + 11}, 'no time of a GPU'));
  });
  place.replaceChildren(svg);
}
