// Builds the page of a film that is being recorded from the JSON inside it, and loads it again
// while the film goes on.
const report = JSON.parse(byId('data').textContent);
const {film, counts, latency} = report;

function circle({track, x, y, radius, seen}) {
  return drawn('circle', {class: seen ? 'cell' : 'cell bridged', cx: x, cy: y, r: radius,
                          'data-track': track},
               drawn('title', {}, `cell ${track}`));
}

function showFrame() {
  if (!report.picture) {
    byId('frame-name').textContent = 'No result is known yet';
    return;
  }
  byId('frame-name').textContent =
      `Frame ${report.shown_frame}: ${report.spots.length} cells are followed`;
  byId('picture').append(
      canvasOf(report.picture),
      drawingOver(report.picture, `Cells in frame ${report.shown_frame}`, ...report.spots.map(circle)));
}

function showSpeeds() {
  const scale = report.um_per_second ?? 1, unit = report.um_per_second ? 'µm/s' : 'px/frame';
  if (!report.histogram.some((bin) => bin.tracks)) {
    byId('speed-bars').textContent = 'There are none yet.';
    return;
  }
  drawBars(byId('speed-bars'), {
    bins: report.histogram.map(({from, to, tracks}) =>
                                   ({from: from * scale, to: to * scale, count: tracks, chosen: true})),
    name: 'Histogram of speeds', axis: 'speed', unit
  });
}

function latencyRow(name, key, write = (value) => shown(value, 3)) {
  return element('tr', {'data-latency': key}, element('th', {scope: 'row'}, name),
                 ...['p50', 'p90', 'p99', 'max'].map(
                     (share) => element('td', {}, figure(`latency.${key}.${share}`, write))));
}

function showCounts() {
  const speed = report.um_per_second && counts.mean_speed !== null
      ? [shown(counts.mean_speed * report.um_per_second, 3), 'µm/s'] : [shown(counts.mean_speed, 3), 'px/frame'];
  byId('counts').append(
      fact('frames arrived', figure('frames_arrived', String)),
      fact('frames with results', figure('frames_done', String)),
      fact('cells', figure('counts.tracks', String)), fact('rolling', figure('counts.rolling', String)),
      fact('resting', figure('counts.resting', String)),
      fact('adherent', figure('counts.adherent', (value) => value ?? DASH)),
      fact('mean speed', `${speed[0]} `, element('small', {}, speed[1])));
}

function showState() {
  const seconds = Math.max(0, Math.round((Date.now() - report.last_frame_ms) / 1000));
  byId('state').textContent = report.running
      ? `Recording; the last frame on this page came ${seconds} s ago. Counts are checked when the recording ends.`
      : `Ended: ${report.ended}`;
  byId('state').classList.toggle('running', report.running);
}

byId('name').textContent = film.name;
byId('about').textContent = `${film.format}, ${film.width} × ${film.height} pixels, followed for ${
    shown(report.seconds, 3)} s`;
byId('made').textContent = `${report.version}: ${report.ran}`;
byId('waits').textContent = report.waits;
byId('latency-rows').append(
    latencyRow('arrival to processed (ms)', 'processing_ms'),
    latencyRow('arrival to result (ms)', 'result_ms'),
    latencyRow('later frames waited for', 'frames_waited', String));
byId('messages').append(...report.messages.map((message) => element('li', {}, message)));
byId('messages').hidden = !report.messages.length;
showCounts();
showFrame();
showSpeeds();
showState();
if (report.running) {
  setInterval(showState, 1000);
  setTimeout(() => location.reload(), 1000 * report.page_every);
}
