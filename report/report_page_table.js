// Tables: results of every operation, another machine next to them, and every method.
function withMethod(path, row, backend, transfers) {
  const way = bestWay(row, backend, transfers);
  const parts = [figure(path)];
  if (way) parts.push(element('small', {}, way.method));
  return parts;
}

function answerCells(row, k) {
  const at = (name) => `rows.${k}.${name}`;
  const share = (backend) => {
    const way = bestWay(row, backend, false);
    return way ? figure(at(`ways.${row.ways.indexOf(way)}.of_peak`), percent) : DASH;
  };
  const cells = [
    ['Operation', 'word name', [row.operation, element('small', {}, row.what)]],
    ['CPU, ms', '', withMethod(at('cpu_ms'), row, 'cpu', false)],
    ['GPU, ms', '', withMethod(at('gpu_ms'), row, 'cuda', false)],
    ['GPU with copies, ms', '', withMethod(at('gpu_with_transfers_ms'), row, 'cuda', true)],
    ['CPU / GPU', '', [figure(at('ratio'), times)]],
    ['with copies', '', [figure(at('ratio_with_transfers'), times)]],
    ['CPU of peak', '', [share('cpu')]],
    ['GPU of peak', '', [share('cuda')]],
    ['Verdict', 'word verdict', [figure(at('verdict'), String)]],
    ['Published', 'word published', [figure(at('published'), (text) => text || DASH)]],
  ];
  if (report.cpu_price !== null || report.gpu_price !== null)
    cells.splice(8, 0, ['Million runs, CPU', '', [figure(at('cpu_cost'))]],
                 ['Million runs, GPU', '', [figure(at('gpu_cost'))]]);
  return cells;
}

function fillAnswers(table) {
  const rows = report.rows.map(answerCells);
  if (rows.length) table.append(head(rows[0].map(([title, kind]) => [title, kind])));
  table.append(element('tbody', {}, ...rows.map((cells, k) => element(
    'tr', {'data-operation': report.rows[k].operation},
    ...cells.map(([title, kind, parts]) =>
      element('td', {class: kind, 'data-label': title}, ...parts))))));
}

/** Their time over ours, where both did the same work. */
function againstCells(row) {
  const other = against.rows.find((one) => one.operation === row.operation);
  const cell = (text, kind = '') => element('td', {class: kind}, text);
  const cells = [cell(row.operation, 'word name')];
  if (!other) return [...cells, element('td', {class: 'word absent', colspan: 7}, 'not measured there')];
  const same = other.what === row.what;
  for (const name of ['cpu_ms', 'gpu_ms']) {
    const both = same && row[name] !== null && other[name] !== null;
    const there = cell(shown(other[name]));
    if (other[name] !== null) there.dataset.value = String(other[name]);
    there.dataset.other = name;
    cells.push(cell(shown(row[name])), there, cell(both ? times(other[name] / row[name]) : DASH));
  }
  cells.push(cell(same ? other.verdict : `Other work there, ${other.what}: times cannot be compared.`,
                  'word verdict'));
  return cells;
}

function fillAgainst(section, title, table) {
  if (against === null) return;
  section.hidden = false;
  title.textContent = `Compared with ${against.machine}, ${against.device || 'no GPU'}`;
  table.append(head([['Operation', 'word'], ['CPU here, ms'], ['CPU there'], ['there / here'],
                     ['GPU here, ms'], ['GPU there'], ['there / here'], ['Verdict there', 'word']]));
  table.append(element('tbody', {}, ...report.rows.map((row) => element(
    'tr', {'data-operation': row.operation}, ...againstCells(row)))));
}

function wayCells(row, k, way, i) {
  const at = (name) => `rows.${k}.ways.${i}.${name}`;
  const place = way.backend === 'cpu' ? 'CPU' : way.transfers ? 'GPU with copies' : 'GPU';
  const names = [element('td', {class: 'word name'}, row.operation),
                 element('td', {class: 'word'}, place), element('td', {class: 'word'}, way.method)];
  if (way.ms === null)
    return [...names, element('td', {class: 'word absent', colspan: 4}, figure(at('absent'), String))];
  return [...names, element('td', {}, figure(at('ms'))),
          element('td', {}, figure(at('spread'), percent)),
          element('td', {}, figure(at('rate')), element('small', {}, `${row.counts}/s`)),
          element('td', {}, figure(at('of_peak'), percent))];
}

function fillWays(table) {
  table.append(head([['Operation', 'word'], ['Where', 'word'], ['Method', 'word'], ['ms'],
                     ['spread'], ['rate'], ['of peak']]));
  const body = element('tbody');
  report.rows.forEach((row, k) => row.ways.forEach((way, i) => {
    const best = way.ms !== null && way === bestWay(row, way.backend, way.transfers);
    body.append(element('tr', {class: best ? 'best' : ''}, ...wayCells(row, k, way, i)));
  }));
  table.append(body);
}

function callCells(call, k) {
  const at = (name) => `calls.${k}.${name}`;
  const cells = [element('td', {class: 'word name'}, call.operation),
                 element('td', {class: 'word'}, call.what), element('td', {class: 'word'}, call.place)];
  if (call.kept_plan_us === null)
    return [...cells, element('td', {class: 'word absent', colspan: 3}, figure(at('absent'), String))];
  return [...cells, ...['new_plan_us', 'kept_plan_us', 'own_plan_us'].map(
    (name) => element('td', {}, figure(at(name))))];
}

function fillCalls(section, table) {
  if (!report.calls.length) return;
  section.hidden = false;
  table.append(head([['Operation', 'word'], ['Work', 'word'], ['Where', 'word'], ['New plan, µs'],
                     ['Kept plan'], ['Own plan']]));
  table.append(element('tbody', {}, ...report.calls.map((call, k) => element(
    'tr', {'data-operation': call.operation}, ...callCells(call, k)))));
}
