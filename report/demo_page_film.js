// A film of single pictures: plays, pauses, and jumps to any picture.
const ICONS = {play: 'M4 2.5v11l9-5.5z', pause: 'M4 3h3v10H4zM9 3h3v10H9z'};

class PictureFilm {
  constructor(sources, rate, caption) {
    this.rate = rate;
    this.frame = 0;
    this.playing = false;
    this.caption = caption;
    this.images = sources.map((source) => Object.assign(new Image(), {src: source}));
    this.makeElements();
    this.images[0].decode().then(() => {
      this.canvas.width = this.images[0].naturalWidth;
      this.canvas.height = this.images[0].naturalHeight;
      this.show(0);
      if (!matchMedia('(prefers-reduced-motion: reduce)').matches) this.play();
    });
  }

  makeElements() {
    this.canvas = element('canvas', {role: 'img', 'aria-label': `Film: ${this.caption}`});
    this.path = drawn('path');
    const icon = drawn('svg', {viewBox: '0 0 16 16', 'aria-hidden': 'true'}, this.path);
    this.button = element('button', {type: 'button'}, icon);
    this.slider = element('input', {
      type: 'range', min: 0, max: this.images.length - 1, step: 1, value: 0,
      'aria-label': `Picture of the film: ${this.caption}`,
    });
    this.place = element('output');
    this.controls = element('div', {class: 'controls'}, this.button, this.slider, this.place);
    this.button.onclick = () => (this.playing ? this.pause() : this.play());
    this.slider.oninput = () => {
      this.pause();
      this.show(Number(this.slider.value));
    };
    this.setButton();
  }

  setButton() {
    this.path.setAttribute('d', this.playing ? ICONS.pause : ICONS.play);
    this.button.setAttribute('aria-label', `${this.playing ? 'Pause' : 'Play'} the film: ${this.caption}`);
    this.button.setAttribute('title', this.playing ? 'Pause' : 'Play');
  }

  /** A picture that is not decoded yet is skipped: the next one comes soon. */
  show(frame) {
    this.frame = frame;
    this.slider.value = frame;
    this.place.textContent = `${frame + 1} of ${this.images.length}`;
    if (!this.images[frame].complete) return;
    this.canvas.getContext('2d').drawImage(this.images[frame], 0, 0);
    this.canvas.dataset.frame = frame;
  }

  play() {
    this.playing = true;
    this.setButton();
    const first = this.frame, start = performance.now();
    const step = (now) => {
      if (!this.playing || this.start !== start) return;
      const gone = Math.floor(Math.max(0, now - start) * this.rate / 1000);
      const frame = (first + gone) % this.images.length;
      if (frame !== this.frame) this.show(frame);
      requestAnimationFrame(step);
    };
    this.start = start;
    requestAnimationFrame(step);
  }

  pause() {
    this.playing = false;
    this.setButton();
  }
}
