// Puts the page together: contents, keys and clicks.
function describe(place, facts) {
  place.replaceChildren(...facts.map(([name, value, unit]) => {
    const box = document.createElement('div');
    const word = element('dt', {textContent: name});
    const number = element('dd', {textContent: value});
    if (unit) number.append(' ', element('small', {textContent: unit}));
    box.append(word, number);
    return box;
  }));
}

function speedText(speed) {
  if (speed === null || speed === undefined) return '–';
  return shown(speed * speedFactor, digitsFor(speed * speedFactor));
}

function showSummary() {
  byId('name').textContent = film.name;
  const seconds = film.frames / film.frame_rate;
  const size = `${film.width} × ${film.height} px`, rate = `${+ film.frame_rate.toFixed(3)} frames/s`;
  const known = {given: '', film: '', assumed: ' (assumed)'}[film.frame_rate_from] ?? '';
  byId('about').textContent = [
    `${film.frames} frames`, `${seconds.toFixed(1)} s at ${rate}${known}`, size,
    film.um_per_pixel ? `${+ film.um_per_pixel.toPrecision(6)} µm/px` : 'not calibrated'
  ].join(' · ');
  byId('messages').hidden = !data.messages.length;
  byId('messages').append(...data.messages.map((text) => element('li', {textContent: text})));
  for (const [title, facts] of Object.entries(data.facts)) {
    const box = document.createElement('div'), list = document.createElement('dl');
    box.append(element('h3', {textContent: title}), list);
    for (const [name, value] of Object.entries(facts))
      list.append(
          element('dt', {textContent: name}),
          element('dd', {textContent: value === null ? 'auto' : value}));
    byId('facts').append(box);
  }
}

function showCounts() {
  const adhesion = counts.adherent !== null ? '' : data.uncertain ? 'cannot be judged' : 'film too short to judge';
  describe(byId('counts'), [
    ['Tracks', counts.tracks, data.uncertain ? 'uncertain' : ''], ['Rolling', counts.rolling],
    ['Resting', counts.resting],
    ['Adherent', counts.adherent ?? '–', adhesion],
    ['Flux', counts.flux ? shown(counts.flux.per_minute, 1) : '–', counts.flux ? 'cells/min' : ''],
    ['Mean speed', speedText(counts.mean_speed), speedUnit],
    ['Median speed', speedText(counts.median_speed), speedUnit]
  ]);
}

let followSpeed = () => {};

function showTrack(track) {
  byId('track-name').textContent = track ? `Track ${track.id}` : 'No track chosen';
  byId('track-hint').hidden = !!track;
  byId('track-facts').replaceChildren();
  byId('track-speed').replaceChildren();
  byId('track-speed').onclick = null;
  followSpeed = () => {};
  drawHistogram(track);
  drawRadii(track);
  if (!track) return;
  const facts = track.summary;
  describe(byId('track-facts'), [
    ['Does', facts.does], ['Frames', `${track.first}–${track.last}`],
    ['Time', `${shown(facts.seconds, 2)} s`],
    ['Mean speed', `${speedText(facts.mean_speed)} ${speedUnit}`],
    ['Median', `${speedText(facts.median_speed)} ${speedUnit}`],
    ['Displacement', `${shown(facts.displacement * lengthFactor, 1)} ${lengthUnit}`]
  ]);
  followSpeed = drawSpeed(track, player);
}

function showFrame({frame, playing}) {
  byId('scrub').value = frame;
  if (document.activeElement !== byId('frame')) byId('frame').value = frame;
  byId('time').textContent = `of ${lastFrame} · ${secondsOf(frame).toFixed(2)} s`;
  byId('play').classList.toggle('playing', playing);
  byId('play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
  followSpeed(frame);
}

// Goes to a frame of the track if it is not on the film now.
function choose(track) {
  player.chosen = track;
  table.mark(track);
  showTrack(track);
  panel.rest();
  if (track && !track.has(player.frame))
    player.step(track.first - player.frame);
  else
    player.draw();
}

// After an edit: the film stays at its frame.
function showCorrected(id) {
  const track = tracks.find((one) => one.id === id) ?? null;
  player.chosen = table.chosen = track;
  table.fill();
  showCounts();
  showTrack(track);
  player.draw();
}

showSummary();
for (const input of [byId('scrub'), byId('frame')])
  [input.min, input.max, input.value] = [film.first_frame, lastFrame, film.first_frame];
const player = new FilmPlayer(byId('screen'), byId('video'), showFrame);
const panel = new CorrectPanel(player, showCorrected);
const table = new TrackTable((track) => panel.takeTrack(track) || choose(track));
showCounts();
showTrack(null);

const speed = () => Number(byId('speed').value);
const toggle = () => (player.playing || player.start ? player.pause() : player.play(speed()));
const jump = (frame) => {
  player.pause();
  player.go(frame);
};
byId('play').onclick = toggle;
byId('back').onclick = () => player.step(-1);
byId('forward').onclick = () => player.step(1);
byId('scrub').oninput = (event) => jump(Number(event.target.value));
byId('frame').onchange = (event) => jump(Number(event.target.value));
byId('speed').onchange = () => {
  if (player.playing) player.play(speed());
};
byId('show-tracks').onchange = byId('show-ids').onchange = () => player.draw();
byId('screen').onclick = (event) => {
  if (panel.takeClick(event.offsetX, event.offsetY)) return;
  choose(player.trackAt(event.offsetX, event.offsetY));
  table.reveal(player.chosen);
};
if (!film.shown.width)
  for (const id of ['play', 'speed']) byId(id).disabled = true;
document.addEventListener('keydown', (event) => {
  const keys = {' ': toggle, ArrowLeft: () => player.step(-1), ArrowRight: () => player.step(1)};
  const undoes = (event.ctrlKey || event.metaKey) && event.key === 'z';
  if (event.key === 'Escape') panel.rest();
  if (undoes ? event.target.closest('input[type=number]') :
               !keys[event.key] || event.target.closest('input, select, button'))
    return;
  event.preventDefault();
  if (undoes)
    panel.undo();
  else
    keys[event.key]();
});
