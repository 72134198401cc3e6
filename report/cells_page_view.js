// Views of the film: black and white point, and frames minus what stands still. The latter is made
// here, from the page's film: the page has nothing else.
const mostSamples = 25, midGrey = 128, subtractedGain = 2;

class FilmView {
  constructor(video, onChange) {
    Object.assign(this, {video, onChange, still: null});
    this.canvas = element('canvas', {width: film.shown.width, height: film.shown.height});
    this.pen = this.canvas.getContext('2d', {willReadFrequently: true});
    for (const [id, other, sign] of [['black', 'white', 1], ['white', 'black', -1]])
      byId(id).oninput = () => {
        const least = Number(byId(id).value) + sign;
        if (sign * (Number(byId(other).value) - least) < 0) byId(other).value = least;
        onChange();
      };
    byId('view-reset').onclick = () => {
      [byId('black').value, byId('white').value] = [0, 255];
      onChange();
    };
    byId('subtract').onchange = () => this.subtract(byId('subtract').checked);
    for (const id of ['black', 'white', 'view-reset', 'subtract'])
      byId(id).disabled = !film.shown.width;
  }

  get subtracts() {
    return byId('subtract').checked && this.still !== null;
  }

  async subtract(yes) {
    byId('view-about').hidden = !yes;
    if (yes && !this.still) {
      byId('view-about').textContent = 'Frames are being sampled …';
      this.sampling ??= stillScene(this.video.src, this.pen);
      this.still = await this.sampling;
      byId('view-about').textContent = `Made in this page from its film: each frame minus the ` +
          `median of ${Math.min(mostSamples, film.frames)} of its frames, doubled, around ` +
          `grey. The tracker itself subtracts from the original frames.`;
    }
    this.onChange();
  }

  // A picture as it is to be shown: itself, or a canvas.
  of(picture) {
    const black = Number(byId('black').value), white = Number(byId('white').value);
    if (black === 0 && white === 255 && !this.subtracts) return picture;
    const image = pixelsOf(picture, this.pen), {data: values} = image;
    const gain = 255 / (white - black), still = this.subtracts ? this.still : null;
    for (let i = 0; i < values.length; i += 4) {
      const value = still ? midGrey + subtractedGain * (values[i] - still[i / 4]) : values[i];
      values[i] = values[i + 1] = values[i + 2] = (value - black) * gain;  // clamped by the array
    }
    this.pen.putImageData(image, 0, 0);
    return this.canvas;
  }
}

function pixelsOf(picture, pen) {
  const {width, height} = film.shown;
  pen.drawImage(picture, 0, 0, width, height, 0, 0, width, height);
  return pen.getImageData(0, 0, width, height);
}

// The median of frames from the whole film. A second player seeks them: the first is in use.
async function stillScene(source, pen) {
  const video = element('video', {muted: true, src: source, className: 'unseen'});
  byId('stage').append(video);
  const count = Math.min(mostSamples, film.frames), samples = [];
  for (let k = 0; k < count; ++k) {
    const arrived = new Promise((resolve) => {
      video.addEventListener('seeked', resolve, {once: true});
    });
    video.currentTime = (Math.floor((k + 0.5) * film.frames / count) + 0.5) / film.shown.rate;
    await arrived;
    const {data: values} = pixelsOf(video, pen);
    samples.push(Uint8Array.from({length: values.length / 4}, (_, i) => values[4 * i]));
  }
  video.remove();
  const sorted = new Uint8Array(count);
  return samples[0].map((_, i) => {
    for (let k = 0; k < count; ++k) sorted[k] = samples[k][i];
    return sorted.sort()[count >> 1];
  });
}
