// Shared by all parts of the page: the two reports, and more ways to write numbers.
const report = JSON.parse(document.getElementById('report').textContent);
const against = JSON.parse(document.getElementById('against').textContent);

function percent(value) {
  return value === null ? DASH : `${shown(100 * value, 3)}\u00a0%`;
}

function times(value) {
  return value === null ? DASH : `${shown(value, 3)}×`;
}

/** The fastest way that ran there. */
function bestWay(row, backend, transfers) {
  const ran = row.ways.filter((way) =>
    way.backend === backend && way.transfers === transfers && way.ms !== null);
  return ran.reduce((best, way) => (best && best.ms <= way.ms ? best : way), null);
}

function head(titles) {
  const cells = titles.map(([title, kind]) => element('th', {class: kind || '', scope: 'col'}, title));
  return element('thead', {}, element('tr', {}, ...cells));
}
