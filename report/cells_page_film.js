const nextMoment = () => new Promise((resolve) => setTimeout(resolve, 10));

// The film: one frame after the other, or any of them, with its tracks drawn over it.
//
// The page's film has `film.shown.rate` frames per second whatever the true rate is: then a frame's
// middle is at (i + 0.5) / rate, and asking for it gives that frame exactly.
class FilmPlayer {
  constructor(canvas, video, onFrame) {
    Object.assign(this, {canvas, video, onFrame});
    this.frame = film.first_frame;
    this.ready = false;
    this.seeking = false;
    this.running = false;
    this.start = null;  // a start that pause has not cancelled
    this.chosen = null;
    this.view = new FilmView(video, () => this.draw());
    this.load();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
  }

  get playing() {
    return this.ready && !this.video.paused && !this.video.ended;
  }
  get rate() {
    return film.shown.rate;
  }

  load() {
    const element = byId('film-bytes'), text = element.textContent.trim(), slice = 1 << 20;
    element.remove();
    if (!text) return;
    const parts = [];
    for (let i = 0; i < text.length; i += slice)
      parts.push(Uint8Array.from(atob(text.slice(i, i + slice)), (letter) => letter.charCodeAt(0)));
    this.video.addEventListener('seeked', () => this.arrive());
    // While it plays the browser may skip the last frames: the last one is shown anyway.
    // Going to the last frame ends the film too, and must not ask for it again.
    this.video.addEventListener('ended', () => {
      if (!this.running || !this.video.ended) return;
      this.frame = lastFrame;
      this.pause();
    });
    this.video.addEventListener('loadeddata', () => {
      this.ready = true;
      this.go(this.frame);
    }, {once: true});
    this.video.src = URL.createObjectURL(new Blob(parts, {type: 'video/mp4'}));
  }

  // Shows a frame. While one is loading the latest request waits, so that scrubbing never lags.
  go(frame) {
    this.frame = Math.min(Math.max(Math.round(frame), film.first_frame), lastFrame);
    if (!this.ready) return this.draw();
    if (this.seeking) return undefined;
    this.seeking = true;
    this.asked = this.frame;
    this.video.currentTime = (this.frame - film.first_frame + 0.5) / this.rate;
    return undefined;
  }

  // The last frame may come later than the browser says that it has arrived.
  async arrive() {
    for (let tries = 0;
         !this.playing && this.indexShown() !== this.asked - film.first_frame && tries < 60;
         ++tries)
      await nextMoment();
    this.seeking = false;
    if (this.playing) return;
    if (this.asked === this.frame)
      this.draw();
    else
      this.go(this.frame);
  }

  // The picture that the film shows, or null: on a busy machine there may be none for a moment.
  taken() {
    try {
      return new VideoFrame(this.video);
    } catch (notThere) {
      return null;
    }
  }

  indexShown() {
    if (!('VideoFrame' in window)) return this.asked - film.first_frame;
    const picture = this.taken();
    if (!picture) return -1;
    const seconds = picture.timestamp / 1e6;
    picture.close();
    return Math.floor(seconds * this.rate + 0.01);
  }

  step(by) {
    this.pause();
    this.go(this.frame + by);
  }

  async play(speed) {
    if (!this.ready) return;
    this.video.playbackRate = Math.min(16, Math.max(0.0625, speed * film.frame_rate / this.rate));
    if (this.playing || this.start) return;
    const start = this.start = {};
    if (this.frame >= lastFrame) this.go(film.first_frame);
    while (this.seeking && this.start === start) await nextMoment();
    if (this.start !== start) return;  // cancelled
    try {
      await this.video.play();
    } catch (stopped) {
      return;  // paused again before it began
    } finally {
      if (this.start === start) this.start = null;
    }
    this.running = true;
    this.watch();
    this.onFrame(this);
  }

  pause() {
    if (!this.ready) return;
    this.running = false;
    this.start = null;
    this.video.pause();
    this.go(this.frame);
    this.onFrame(this);
  }

  watch() {
    const follow = (time) => {
      if (!this.playing) return;
      this.draw(time);
      this.watch();
    };
    if ('requestVideoFrameCallback' in this.video)
      this.video.requestVideoFrameCallback((now, about) => follow(about.mediaTime));
    else
      requestAnimationFrame(() => follow(this.video.currentTime));
  }

  resize() {
    const width = Math.round(this.canvas.clientWidth * (window.devicePixelRatio || 1));
    if (!width || width === this.canvas.width) return;
    this.canvas.width = width;
    this.canvas.height = Math.round(width * film.height / film.width);
    this.draw();
  }

  // `time` while it plays: the film may already be a frame further than the browser says, so the
  // picture is taken out of it first, with its own time.
  draw(time = this.playing ? this.video.currentTime : undefined) {
    let picture = this.video;
    if (time !== undefined) {
      if ('VideoFrame' in window) picture = this.taken() || this.video;
      const seconds = picture === this.video ? time : picture.timestamp / 1e6;
      this.frame = Math.min(film.first_frame + Math.floor(seconds * this.rate + 0.01), lastFrame);
    }
    const pen = this.canvas.getContext('2d');
    pen.fillStyle = '#222';
    pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.ready)
      pen.drawImage(
          this.view.of(picture), 0, 0, film.shown.width, film.shown.height, 0, 0, this.canvas.width,
          this.canvas.height);
    if (picture !== this.video) picture.close();
    if (byId('show-tracks').checked) drawTracks(pen, this);
    this.canvas.dataset.frame = this.frame;
    this.onFrame(this);
  }

  // The pixel of the film, (0, 0) in the middle of the first, at a position on the canvas.
  placeOf(left, top) {
    const scale = film.width / this.canvas.clientWidth;
    return [left * scale - 0.5, top * scale - 0.5];
  }

  // The track whose cell, or otherwise whose tail, is under a position on the canvas.
  trackAt(left, top) {
    const [x, y] = this.placeOf(left, top);
    const reach = Math.max(4, 12 * film.width / this.canvas.clientWidth);
    let best = null, least = Infinity;
    for (const track of tracks) {
      if (!track.has(this.frame)) continue;
      const away = Math.hypot(track.at(this.frame, track.x) - x, track.at(this.frame, track.y) - y);
      const distance = Math.max(0, away - track.at(this.frame, track.radius)) + away / 1000;
      if (distance < least) [best, least] = [track, distance];
    }
    return least < reach ? best : null;
  }
}
