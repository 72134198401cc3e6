// Puts the page together: the JSON inside it is all that it says.
const report = JSON.parse(document.getElementById('demo').textContent);
const pictures = JSON.parse(document.getElementById('pictures').textContent);
const byId = (id) => document.getElementById(id);

const seconds = (value) => (value < 0.1 ? `${shown(1000 * value, 3)} ms` : `${shown(value, 3)} s`);

function fact(name, ...content) {
  return element('div', {}, element('dt', {}, name), element('dd', {}, ...content));
}

function word(part) {
  return part.right ? 'right' : part.failed ? 'failed' : 'wrong';
}

function signOf(part) {
  return element('span', {class: `sign ${part.right ? 'right' : 'wrong'}`},
                 `${part.right ? '✓' : '✗'} ${word(part)}`);
}

function showSummary() {
  const how = [`Tessera ${report.version}`, report.date, `seed ${report.seed}`];
  if (report.quick) how.push('small data (--quick)');
  byId('about').textContent = how.join(' · ');
  const checks = element('span', {}, figure('right', String), ` of ${report.parts.length} right`);
  byId('summary').append(
      fact('Checks', checks), fact('All parts took', figure('seconds', seconds)),
      fact('Processor', figure('machine', String), ', ', figure('threads', String), ' threads'),
      fact('GPU', report.device || `none: ${report.no_device_reason}`));
}

const sourceOf = (part, file) => pictures[`${part.operation}/${file}`];

/** A card of the contents: the last picture that came out, or went in, stands for the part. */
function entry(part) {
  const last = part.outputs.at(-1) ?? part.inputs.at(-1);
  const picture = last ? element('img', {src: sourceOf(part, last.files.at(-1)), alt: ''})
                       : element('span', {class: 'blank'});
  const words = element('span', {class: 'words'}, element('b', {}, part.operation), signOf(part),
                        element('small', {}, part.title));
  return element('li', {}, element('a', {href: `#${part.operation}`}, picture, words));
}

function shownPicture(part, picture) {
  const caption = element('figcaption', {}, picture.caption);
  const sources = picture.files.map((file) => sourceOf(part, file));
  if (sources.length === 1)
    return element('figure', {}, element('img', {src: sources[0], alt: picture.caption}), caption);
  const film = new PictureFilm(sources, picture.rate || 10, picture.caption);
  return element('figure', {}, film.canvas, film.controls, caption);
}

function side(part, name, list) {
  if (!list.length) return '';
  const figures = list.map((picture) => shownPicture(part, picture));
  return element('div', {class: list.length > 1 ? 'side many' : 'side'}, element('h3', {}, name),
                 ...figures);
}

function copy(text, button) {
  const done = () => {
    button.textContent = 'Copied';
    byId('copied').textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
      byId('copied').textContent = '';
    }, 1500);
  };
  const bySelection = () => {
    getSelection().selectAllChildren(button.closest('.block').querySelector('pre'));
    if (document.execCommand('copy')) done();
  };
  if (!navigator.clipboard) return bySelection();
  navigator.clipboard.writeText(text).then(done, bySelection);
}

function block(title, text, kind) {
  const button = element('button', {type: 'button', 'aria-label': `Copy: ${title}`}, 'Copy');
  button.onclick = () => copy(text, button);
  return element('div', {class: 'block'},
                 element('div', {class: 'block-head'}, element('h3', {}, title), button),
                 element('pre', {class: kind, tabindex: '0'}, element('code', {}, text)));
}

function factsOf(part, k) {
  const at = (name) => `parts.${k}.${name}`;
  return element('dl', {class: 'facts'},
                 fact('Time of the work', figure(at('seconds'), seconds)),
                 fact('Backend', figure(at('backend'), (name) => name || DASH)),
                 fact('Method', figure(at('method'), (name) => name || DASH)),
                 fact('With data, pictures and check', figure(at('part_seconds'), seconds)));
}

function section(part, k) {
  const at = (name) => `parts.${k}.${name}`;
  const lines = part.commands.map((command) => command.line).join('\n');
  const head = element('div', {class: 'head'},
                       element('div', {}, element('p', {class: 'field'}, figure(at('field'), String)),
                               element('h2', {id: `${part.operation}-title`}, figure(at('title'), String))));
  const check = element('p', {class: `check ${part.right ? 'right' : 'wrong'}`},
                        element('b', {}, `${part.right ? '✓' : '✗'} ${word(part)}`),
                        figure(at('check'), String));
  const sides = [part.inputs, part.outputs].filter((list) => list.length).length;
  const seen = element('div', {class: sides === 2 ? 'pictures two' : 'pictures'}, side(part, 'What went in', part.inputs),
                       side(part, 'What came out', part.outputs));
  const all = element('section', {id: part.operation, 'aria-labelledby': `${part.operation}-title`},
                      head, element('p', {class: 'story'}, figure(at('story'), String)));
  if (sides) all.append(seen);
  if (!part.failed) all.append(factsOf(part, k));
  all.append(check, element('div', {class: 'blocks'},
                            block(`Commands, in ${part.operation}/`, lines, 'commands'),
                            block('The same in Python', part.python, 'python')));
  return all;
}

showSummary();
byId('contents').append(...report.parts.map(entry));
byId('parts').append(...report.parts.map(section));
