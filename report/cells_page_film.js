// The film: one frame after the other, or any of them, with its tracks drawn over it.
//
// The page's film has `film.shown.rate` frames a second whatever the true rate is: then a frame's
// middle is at (i + 0.5) / rate, and asking for it gives that frame exactly.
class FilmPlayer {
  constructor(canvas, video, onFrame) {
    Object.assign(this, {canvas, video, onFrame});
    this.frame = film.first_frame;
    this.ready = false;
    this.seeking = false;
    this.chosen = null;
    this.load();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
  }

  get playing() { return this.ready && !this.video.paused && !this.video.ended; }
  get rate() { return film.shown.rate; }

  load() {
    const element = byId('film-bytes'), text = element.textContent.trim(), slice = 1 << 20;
    element.remove();
    if (!text) return;
    const parts = [];
    for (let i = 0; i < text.length; i += slice)
      parts.push(Uint8Array.from(atob(text.slice(i, i + slice)), (letter) => letter.charCodeAt(0)));
    this.video.addEventListener('seeked', () => this.arrive());
    this.video.addEventListener('ended', () => this.pause());
    this.video.addEventListener('loadeddata', () => { this.ready = true; this.go(this.frame); }, {once: true});
    this.video.src = URL.createObjectURL(new Blob(parts, {type: 'video/mp4'}));
  }

  // Shows a frame. While one is on its way the latest wish waits, so that scrubbing never lags.
  go(frame) {
    this.frame = Math.min(Math.max(Math.round(frame), film.first_frame), lastFrame);
    if (!this.ready) return this.draw();
    if (this.seeking) return undefined;
    this.seeking = true;
    this.asked = this.frame;
    this.video.currentTime = (this.frame - film.first_frame + 0.5) / this.rate;
    return undefined;
  }

  arrive() {
    this.seeking = false;
    if (this.playing) return;
    if (this.asked === this.frame) this.draw(); else this.go(this.frame);
  }

  step(by) { this.pause(); this.go(this.frame + by); }

  async play(speed) {
    if (!this.ready) return;
    this.video.playbackRate = Math.min(16, Math.max(0.0625, speed * film.fps / this.rate));
    if (this.playing) return;
    if (this.frame >= lastFrame) this.video.currentTime = 0;
    await this.video.play();
    this.watch();
    this.onFrame(this);
  }

  pause() {
    if (!this.ready) return;
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
    else requestAnimationFrame(() => follow(this.video.currentTime));
  }

  resize() {
    const width = Math.round(this.canvas.clientWidth * (window.devicePixelRatio || 1));
    if (!width || width === this.canvas.width) return;
    this.canvas.width = width;
    this.canvas.height = Math.round(width * film.height / film.width);
    this.draw();
  }

  // `time` while it plays: the film may already be a frame further than the browser says, so what is
  // drawn is taken out of it first, and knows its own time.
  draw(time = this.playing ? this.video.currentTime : undefined) {
    let picture = this.video;
    if (time !== undefined) {
      if ('VideoFrame' in window) picture = new VideoFrame(this.video);
      const seconds = picture === this.video ? time : picture.timestamp / 1e6;
      this.frame = Math.min(film.first_frame + Math.floor(seconds * this.rate + 0.01), lastFrame);
    }
    const pen = this.canvas.getContext('2d');
    pen.fillStyle = '#222';
    pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.ready)
      pen.drawImage(picture, 0, 0, film.shown.width, film.shown.height, 0, 0, this.canvas.width,
                    this.canvas.height);
    if (picture !== this.video) picture.close();
    if (byId('show-tracks').checked) drawTracks(pen, this);
    this.canvas.dataset.frame = this.frame;
    this.onFrame(this);
  }

  // The track whose cell, or else whose tail, is under a place of the canvas's element.
  trackAt(left, top) {
    const scale = film.width / this.canvas.clientWidth, x = left * scale - 0.5, y = top * scale - 0.5;
    const reach = Math.max(4, 12 * scale);
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

const tailFrames = 30;

function drawTracks(pen, player) {
  const scale = player.canvas.width / film.width, dots = window.devicePixelRatio || 1;
  pen.save();
  pen.scale(scale, scale);
  pen.translate(0.5, 0.5);  // (0, 0) is the middle of the first pixel
  pen.lineJoin = pen.lineCap = 'round';
  const dot = dots / scale;  // a pixel of the screen
  for (const track of tracks)
    if (track.has(player.frame) && track !== player.chosen) drawTrack(pen, track, player, dot);
  if (player.chosen) drawChosen(pen, player.chosen, player, dot);
  pen.restore();
}

function drawPath(pen, track, from, to) {
  pen.beginPath();
  pen.moveTo(track.at(from, track.x), track.at(from, track.y));
  for (let i = 0; i < track.count; ++i) {
    const frame = track.frameOf(i);
    if (frame > from && frame < to) pen.lineTo(track.x[i], track.y[i]);
  }
  pen.lineTo(track.at(to, track.x), track.at(to, track.y));
  pen.stroke();
}

function drawCell(pen, track, frame, dot) {
  pen.setLineDash(track.seenAt(frame) ? [] : [3 * dot, 3 * dot]);
  pen.beginPath();
  pen.arc(track.at(frame, track.x), track.at(frame, track.y), track.at(frame, track.radius), 0, 2 * Math.PI);
  pen.stroke();
  pen.setLineDash([]);
}

function drawId(pen, track, frame, dot) {
  if (!byId('show-ids').checked) return;
  const away = track.at(frame, track.radius) * 0.75 + 2 * dot;
  const x = track.at(frame, track.x) + away, y = track.at(frame, track.y) - away;
  pen.font = `600 ${12 * dot}px system-ui, sans-serif`;
  pen.lineWidth = 3 * dot;
  pen.strokeStyle = 'rgba(0, 0, 0, 0.6)';
  pen.strokeText(track.id, x, y);
  pen.fillStyle = track === player.chosen ? '#fff' : colourOf(track);
  pen.fillText(track.id, x, y);
}

function drawTrack(pen, track, {frame, chosen}, dot) {
  pen.globalAlpha = chosen ? 0.7 : 1;
  pen.strokeStyle = colourOf(track);
  pen.lineWidth = 1.5 * dot;
  drawPath(pen, track, Math.max(track.first, frame - tailFrames), frame);
  drawCell(pen, track, frame, dot);
  drawId(pen, track, frame, dot);
  pen.globalAlpha = 1;
}

// All of its way, also where it is not now.
function drawChosen(pen, track, {frame}, dot) {
  for (const [width, colour] of [[4.5, 'rgba(0, 0, 0, 0.5)'], [2, colourOf(track)]]) {
    pen.lineWidth = width * dot;
    pen.strokeStyle = colour;
    drawPath(pen, track, track.first, track.last);
    if (!track.has(frame)) continue;
    if (colour === colourOf(track)) pen.strokeStyle = '#fff';
    drawCell(pen, track, frame, dot);
  }
  if (track.has(frame)) drawId(pen, track, frame, dot);
}
