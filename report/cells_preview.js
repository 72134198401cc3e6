// Builds the page of a preview from the JSON inside it.
const report = JSON.parse(byId('data').textContent);
const {film} = report;

function circle({x, y, radius, score}) {
  const kind = score < 0 ? 'bright' : 'dark';
  return drawn('circle', {class: `candidate ${kind}`, cx: x, cy: y, r: radius, 'data-score': score},
               drawn('title', {}, `${kind}, score ${shown(Math.abs(score), 3)}, radius ${
                   shown(radius, 3)} px, at ${shown(x, 4)}, ${shown(y, 4)}`));
}

/** A small cross in the middle of a cell that is followed. */
function cross({x, y, radius, track}) {
  const arm = radius / 3;
  return drawn('path', {class: 'followed', 'data-track': track,
                        d: `M${x - arm} ${y}h${2 * arm}M${x} ${y - arm}v${2 * arm}`});
}

function pictureOf(frame, picture) {
  const over = drawingOver(picture, `Candidates in frame ${frame.frame}`,
                           ...frame.candidates.map(circle), ...frame.followed.map(cross));
  return element(
      'figure', {'data-frame': frame.frame},
      element('div', {class: 'frame'}, canvasOf(picture), over),
      element('figcaption', {}, `Frame ${frame.frame}: ${frame.bright} bright, ${frame.dark} dark; ${
          frame.followed.length} followed`));
}

function legend() {
  const sign = (mark) => drawn('svg', {viewBox: '-8 -8 16 16', 'aria-hidden': 'true'}, mark);
  byId('legend').append(
      sign(drawn('circle', {class: 'candidate bright', r: 6})), ' bright and ',
      sign(drawn('circle', {class: 'candidate dark', r: 6})), ` dark candidates: circles found in this frame alone, as it was recorded (threshold ${
          shown(report.candidate_threshold, 2)}). `,
      sign(drawn('path', {class: 'followed', d: 'M-5 0h10M0 -5v10'})),
      ` one of the ${report.tracks} cells that are followed through the frames read.`);
}

function showMessages() {
  const messages = [...report.warnings, ...report.notes];
  byId('messages').append(...messages.map((message) => element('li', {}, message)));
  byId('messages').hidden = !messages.length;
}

async function copyCommand() {
  try {
    await navigator.clipboard.writeText(report.command);
    byId('copy').textContent = 'Copied';
  } catch {  // browsers may keep the clipboard from files: it can be copied by hand
    getSelection().selectAllChildren(byId('command'));
  }
}

byId('name').textContent = film.name;
byId('about').textContent = `Preview: ${film.frames} of ${report.film_frames} frames from frame ${
    film.first_frame} on, ${film.width} × ${film.height} pixels${report.uncertain ? ', uncertain' : ''}`;
byId('command').textContent = report.command;
byId('copy').onclick = copyCommand;
byId('frames').append(...report.frames.map((frame, i) => pictureOf(frame, report.pictures[i])));
byId('choice-rows').append(...report.choices.map(
    ({name, value, why}) => element('tr', {'data-choice': name}, element('th', {scope: 'row'}, name),
                                    element('td', {}, value), element('td', {}, why))));
byId('made').textContent = `${report.version}: ${report.ran}`;
legend();
showMessages();
drawRadii(byId('radii-bars'), report.radii);
