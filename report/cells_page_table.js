// The table of tracks: one row per track, sorted by any column.
const tableColumns = [
  {key: 'id', name: 'Track'},
  {key: 'does', name: 'Does', word: true},
  {key: 'first_frame', name: 'From', unit: 'frame'},
  {key: 'last_frame', name: 'To', unit: 'frame'},
  {key: 'seconds', name: 'Time', unit: 's', digits: 2},
  {
    key: 'mean_speed',
    name: 'Mean speed',
    unit: speedUnit,
    factor: speedFactor,
    digits: speedDigits
  },
  {
    key: 'median_speed',
    name: 'Median speed',
    unit: speedUnit,
    factor: speedFactor,
    digits: speedDigits
  },
  {key: 'max_speed', name: 'Top speed', unit: speedUnit, factor: speedFactor, digits: speedDigits},
  {key: 'displacement', name: 'Displacement', unit: lengthUnit, factor: lengthFactor, digits: 2},
  {key: 'path_length', name: 'Path', unit: lengthUnit, factor: lengthFactor, digits: 2},
  {key: 'straightness', name: 'Straightness', digits: 3},
  {key: 'mean_radius', name: 'Radius', unit: lengthUnit, factor: lengthFactor, digits: 2},
  {key: 'mean_score', name: 'Score', digits: 2},
];
const rowsAtFirst = 200;

class TrackTable {
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.sorted = {key: 'id', ascending: true};
    this.limit = rowsAtFirst;
    this.rows = new Map();
    this.table = document.createElement('table');
    this.table.innerHTML = '<thead><tr></tr></thead><tbody></tbody>';
    for (const column of tableColumns) this.table.tHead.rows[0].append(this.heading(column));
    byId('table').append(this.table);
    byId('all-rows').onclick = () => {
      this.limit = Infinity;
      this.fill();
    };
    this.fill();
  }

  heading(column) {
    const cell = document.createElement('th'), button = document.createElement('button');
    cell.dataset.key = column.key;
    cell.scope = 'col';
    cell.className = column.word ? 'word' : '';
    button.type = 'button';
    button.textContent = column.name;
    button.onclick = () => this.sort(column.key);
    cell.append(button);
    if (column.unit) cell.append(element('small', {textContent: column.unit}));
    return cell;
  }

  // Numbers begin with the largest; a second click reverses the order.
  sort(key) {
    const again = this.sorted.key === key;
    this.sorted = {key, ascending: again ? !this.sorted.ascending : key === 'id' || key === 'does'};
    this.fill();
  }

  fill() {
    const {key, ascending} = this.sorted, sign = ascending ? 1 : -1;
    const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    const list =
        [...tracks].sort((a, b) => sign * order(a.summary[key], b.summary[key]) || a.id - b.id);
    for (const cell of this.table.tHead.rows[0].cells)
      if (cell.dataset.key === key)
        cell.setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
      else
        cell.removeAttribute('aria-sort');
    this.rows.clear();
    this.table.tBodies[0].replaceChildren(
        ...list.slice(0, this.limit).map((track) => this.row(track)));
    byId('all-rows').hidden = list.length <= this.limit;
    byId('all-rows').textContent = `Show all ${list.length} tracks`;
    this.mark(this.chosen);
  }

  row(track) {
    const row = document.createElement('tr');
    row.dataset.track = track.id;
    row.tabIndex = 0;
    for (const {key, word, factor = 1, digits} of tableColumns) {
      const cell = row.insertCell(), value = track.summary[key];
      cell.dataset.key = key;
      cell.className = word ? 'word' : '';
      cell.textContent =
          digits === undefined ? value : shown(value === null ? null : value * factor, digits);
      if (key === 'id')
        cell.prepend(element('span', {className: 'dot', style: `background: ${colourOf(track)}`}));
    }
    row.onclick = () => this.onChoose(track);
    row.onkeydown = (event) => {
      if (event.key === 'Enter') this.onChoose(track);
    };
    this.rows.set(track, row);
    return row;
  }

  mark(track) {
    this.table.querySelector('tr.chosen')?.classList.remove('chosen');
    this.chosen = track;
    this.rows.get(track)?.classList.add('chosen');
  }

  // Scrolls the table, not the page: a user who clicked on the film still sees it.
  reveal(track) {
    const row = this.rows.get(track), place = byId('table');
    if (row) place.scrollTop = row.offsetTop - place.clientHeight / 2;
  }
}
