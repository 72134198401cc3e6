// The data of the page: numbers as in tracks.csv and summary.csv, in pixels and frames. They are
// shown in micrometres and seconds if the film is calibrated.
const data = JSON.parse(document.getElementById('data').textContent);
const film = data.film;
const lastFrame = film.first_frame + film.frames - 1;
const speedUnit = film.um_per_pixel ? 'µm/s' : 'px/frame';
const speedFactor = film.um_per_pixel ? film.um_per_pixel * film.frame_rate : 1;
const speedDigits = film.um_per_pixel ? 2 : 3;
const lengthUnit = film.um_per_pixel ? 'µm' : 'px';
const lengthFactor = film.um_per_pixel || 1;

// The same list as in cell_painter.cpp: page and movie show a track in one colour.
const colours = [
  '#4cc9f0', '#ffb703', '#80ed99', '#ff7096', '#c77dff', '#f9e26b', '#ff8c42', '#2ec4b6', '#a0c4ff',
  '#ffade0'
];
const colourOf = (track) => colours[(track.id - 1) % colours.length];

const element = (name, properties) => Object.assign(document.createElement(name), properties);
const byId = (id) => document.getElementById(id);
const secondsOf = (frame) => frame / film.frame_rate;
const shown = (value, digits) => value === null || value === undefined || Number.isNaN(value) ?
    '–' :
    value.toFixed(digits).replace('-', '−');
// Three significant digits: 0.0123, 1.23, 123.
const digitsFor = (value) =>
    Math.min(4, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1))));

// Numbers from the differences of whole thousandths that the page stores.
function fromSteps(steps) {
  let sum = 0;
  return Float64Array.from(steps, (step) => (step === null ? NaN : (sum += step) / 1000));
}

// A track keeps every `every`-th of its spots, and always the last.
class Track {
  constructor(facts) {
    Object.assign(this, facts);
    this.id = this.summary.id;
    this.first = this.summary.first_frame;
    this.last = this.summary.last_frame;
    this.count = this.x.length;
  }
  has(frame) {
    return this.first <= frame && frame <= this.last;
  }
  frameOf(i) {
    return Math.min(this.first + i * this.every, this.last);
  }
  // Between kept spots on a straight line.
  at(frame, values) {
    const i = Math.min(Math.floor((frame - this.first) / this.every), this.count - 1);
    if (i + 1 >= this.count) return values[i];
    const part = (frame - this.frameOf(i)) / (this.frameOf(i + 1) - this.frameOf(i));
    return values[i] + part * (values[i + 1] - values[i]);
  }
  seenAt(frame) {
    return !this.unseen.some(([first, last]) => first <= frame && frame <= last);
  }
}

function storedTrack(kept) {
  const facts = {summary: kept, every: data.every, unseen: kept.unseen};
  for (const [what, steps] of Object.entries(kept.steps)) facts[what] = fromSteps(steps);
  return new Track(facts);
}

// The tracks, counts and histogram that the page shows: those of the report until edits change
// them.
let tracks = data.tracks.map(storedTrack), counts = data.counts, histogram = data.histogram;
