// Builds the page from the JSON inside it.
const report = JSON.parse(document.getElementById('demo').textContent);
const pictures = JSON.parse(document.getElementById('pictures').textContent);

const seconds = (value) => (value < 0.1 ? `${shown(1000 * value, 3)} ms` : `${shown(value, 3)} s`);

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
      fact('Checks', checks), fact('Total time', figure('seconds', seconds)),
      fact('Processor', figure('machine', String), ', ', figure('threads', String), ' threads'),
      fact('GPU', report.device || `none: ${report.no_device_reason}`));
}

const sourceOf = (part, file) => pictures[`${part.operation}/${file}`];

/** A card of the contents: its picture is a film from the results, else the last picture. */
function entry(part) {
  const made = part.outputs.length ? part.outputs : part.inputs;
  const best = made.find((picture) => picture.files.length > 1) ?? made.at(-1);
  const picture = best ?
      element('img', {src: sourceOf(part, best.files[Math.floor(best.files.length / 2)]), alt: ''}) :
      element('span', {class: 'blank'});
  const words = element('span', {class: 'words'}, element('b', {}, part.operation), signOf(part),
                        element('small', {}, part.title));
  return element('li', {}, element('a', {href: `#${part.operation}`}, picture, words));
}

/** At full size, on top of the page. */
function enlarge(source, caption) {
  byId('large-picture').src = source;
  byId('large-picture').alt = caption;
  byId('large').showModal();
}

function stillPicture(source, caption) {
  const button = element('button', {class: 'still', type: 'button', 'aria-label': `Enlarge: ${caption}`},
                         element('img', {src: source, alt: caption}));
  button.onclick = () => enlarge(source, caption);
  return button;
}

function shownPicture(part, picture) {
  const caption = element('figcaption', {}, picture.caption);
  const sources = picture.files.map((file) => sourceOf(part, file));
  if (sources.length === 1)
    return element('figure', {}, stillPicture(sources[0], picture.caption), caption);
  const film = new PictureFilm(sources, picture.rate || 10, picture.caption);
  return element('figure', {}, film.canvas, film.controls, caption);
}

function side(part, name, list) {
  if (!list.length) return '';
  const figures = list.map((picture) => shownPicture(part, picture));
  return element('div', {}, element('h3', {}, name), element('div', {class: 'figures'}, ...figures));
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

/** Lines that wrap between words, never after the hyphens of an option. */
function wrappedLines(text) {
  const words = (line) => line.split(/( +)/).map((word) => (word.trim() ? element('span', {}, word) : word));
  return text.split(/(?<=\n)/).map((line) => element('span', {class: 'line'}, ...words(line)));
}

function block(title, text, kind) {
  const button = element('button', {type: 'button', 'aria-label': `Copy: ${title}`}, 'Copy');
  button.onclick = () => copy(text, button);
  return element('div', {class: 'block'},
                 element('div', {class: 'block-head'}, element('h3', {}, title), button),
                 element('pre', {class: kind, tabindex: '0'}, element('code', {}, ...wrappedLines(text))));
}

function factsOf(part, k) {
  const at = (name) => `parts.${k}.${name}`;
  return element('dl', {class: 'facts'},
                 fact('Time of the operation', figure(at('seconds'), seconds)),
                 fact('Backend', figure(at('backend'), (name) => name || DASH)),
                 fact('Method', figure(at('method'), (name) => name || DASH)),
                 fact('Including data, pictures and check', figure(at('part_seconds'), seconds)));
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
  const columns = [part.inputs, part.outputs].map((list) => list.length).filter((count) => count);
  const shares = columns.map((count) => `minmax(0, ${count}fr)`).join(' ');
  const seen = element('div', {class: 'pictures', style: `--shares: ${shares}`}, side(part, 'Input', part.inputs),
                       side(part, 'Result', part.outputs));
  const all = element('section', {id: part.operation, 'aria-labelledby': `${part.operation}-title`},
                      head, element('p', {class: 'story'}, figure(at('story'), String)));
  if (columns.length) all.append(seen);
  if (!part.failed) all.append(factsOf(part, k));
  all.append(check, element('div', {class: 'blocks'},
                            block(`Commands, in ${part.operation}/`, lines, 'commands'),
                            block('The same in Python', part.python, 'python')));
  return all;
}

byId('large').onclick = () => byId('large').close();
showSummary();
byId('contents').append(...report.parts.map(entry));
byId('parts').append(...report.parts.map(section));
