// Tracks over a frame of the film: outlines, tails, ids, and the whole path of the chosen one.
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
  pen.arc(
      track.at(frame, track.x), track.at(frame, track.y), track.at(frame, track.radius), 0,
      2 * Math.PI);
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

// Its whole path, before and after the current frame.
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
