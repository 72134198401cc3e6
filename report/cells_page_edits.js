// Edits of tracks, with the meaning they have in cells_edits.cpp: ids, kept spots and bridged
// frames are those that the tool gives when it replays the table.
const editColumns = ['EDIT', 'TRACK', 'FRAME', 'OTHER', 'X', 'Y', 'RADIUS'];

// A track's spots by frame. Those of a corrected track have no bridged frames: later edits may
// fill them.
function spotsOf(track) {
  if (track.spots) return track.spots;
  return Array.from({length: track.last - track.first + 1}, (_, i) => {
    const frame = track.first + i, spot = {frame, seen: track.seenAt(frame)};
    for (const what of ['x', 'y', 'radius', 'score']) spot[what] = track.at(frame, track[what]);
    return spot;
  });
}

// Frames between spots are on a straight line, and not seen.
function bridged(spots) {
  const all = [];
  for (const spot of spots) {
    const from = all[all.length - 1];
    for (let frame = from ? from.frame + 1 : spot.frame; frame < spot.frame; ++frame) {
      const part = (frame - from.frame) / (spot.frame - from.frame);
      const between = (what) => from[what] + part * (spot[what] - from[what]);
      all.push({
        frame,
        x: between('x'),
        y: between('y'),
        radius: between('radius'),
        score: 0,
        seen: false
      });
    }
    all.push(spot);
  }
  return all;
}

function unseenRuns(spots) {
  const runs = [];
  for (const {frame, seen} of spots) {
    const last = runs[runs.length - 1];
    if (seen) continue;
    if (last && last[1] === frame - 1)
      last[1] = frame;
    else
      runs.push([frame, frame]);
  }
  return runs;
}

function correctedTrack(id, spots) {
  const all = bridged(spots), motion = motionOf(all);
  const summary = summaryOf(id, all, motion), unseen = unseenRuns(all);
  const facts = {summary, every: 1, unseen, motion, spots};
  for (const what of ['x', 'y', 'radius', 'score'])
    facts[what] = Float64Array.from(all, (spot) => spot[what]);
  facts.speed = Float64Array.from(motion, ({speed}) => speed);
  return new Track(facts);
}

// All tracks by id, and the next unused id. An edit makes others from them; tracks that it does not
// change are the same objects.
class Tracks {
  constructor(known, next) {
    this.known = known;
    this.next = next;
  }

  // Throws an Error whose message is a sentence for the user.
  after(edit) {
    const changed = new Tracks(new Map(this.known), this.next);
    changed[edit.kind](edit);
    return changed;
  }

  spots(id) {
    const track = this.known.get(id);
    if (!track) throw new Error(`There is no track ${id}.`);
    return spotsOf(track);
  }

  set(id, spots) {
    this.known.set(id, correctedTrack(id, spots));
  }

  delete({track}) {
    this.spots(track);
    this.known.delete(track);
  }

  split({track, frame}) {
    const spots = this.spots(track), first = spots[0].frame,
          last = spots[spots.length - 1].frame;
    if (frame <= first || frame > last)
      throw new Error(first === last ?
          `Track ${track} has only frame ${first}: it cannot be split.` :
          `Track ${track} can be split at frames ${first + 1} to ${last}; this is frame ${frame}.`);
    this.set(track, spots.filter((spot) => spot.frame < frame));
    this.set(this.next++, spots.filter((spot) => spot.frame >= frame));
  }

  // If both have a spot in a frame, the first one's is kept.
  merge({track, other}) {
    if (track === other) throw new Error('Choose another track to merge with.');
    const kept = this.spots(track), frames = new Set(kept.map(({frame}) => frame));
    const added = this.spots(other).filter(({frame}) => !frames.has(frame));
    this.set(track, [...kept, ...added].sort((a, b) => a.frame - b.frame));
    this.known.delete(other);
  }

  add({track, frame, x, y, radius}) {
    const old = this.known.has(track) ? this.spots(track) : [];
    const spot = {frame, x, y, radius: radius ?? nearestRadius(old, frame), score: 0, seen: true};
    const others = old.filter((one) => one.frame !== frame);
    this.set(track, [...others, spot].sort((a, b) => a.frame - b.frame));
    this.next = Math.max(this.next, track + 1);
  }
}

// Of two spots that are equally near, the earlier one counts.
function nearestRadius(spots, frame) {
  const away = (spot) => Math.abs(spot.frame - frame);
  return spots.reduce((best, spot) => (away(spot) < away(best) ? spot : best)).radius;
}

// A line of the table, without the empty fields at its end.
function lineOf({kind, track, frame, other, x, y, radius}) {
  const fields = [kind, track, frame, other, x, y, radius].map((value) => value ?? '');
  return fields.join(',').replace(/,+$/, '');
}

// The edits made in this page, the tracks after each of them, and their memory between visits.
class EditList {
  constructor() {
    this.edits = [];
    this.states = [new Tracks(new Map(tracks.map((track) => [track.id, track])), data.edits.next)];
    this.key = `tessera cells ${film.name} ${digestOf(JSON.stringify([data.tracks, data.edits]))}`;
  }

  get now() {
    return this.states[this.states.length - 1];
  }

  take(edit) {
    this.states.push(this.now.after(edit));
    this.edits.push(edit);
    this.remember();
  }

  undo() {
    if (!this.edits.length) return;
    this.edits.pop();
    this.states.pop();
    this.remember();
  }

  // The whole table: edits that the report was made with, then those of this page.
  text() {
    const before = data.edits.text || `${editColumns.join(',')}\n`;
    return before + (before.endsWith('\n') ? '' : '\n') +
        this.edits.map((edit) => `${lineOf(edit)}\n`).join('');
  }

  // A browser may refuse to store anything: edits then last as long as the page is open.
  remember() {
    try {
      if (this.edits.length)
        localStorage.setItem(this.key, JSON.stringify(this.edits));
      else
        localStorage.removeItem(this.key);
    } catch (refused) {
    }
  }

  recall() {
    try {
      for (const edit of JSON.parse(localStorage.getItem(this.key)) ?? []) this.take(edit);
    } catch (refused) {
    }
  }
}

// FNV-1a of 32 bits: tells reports of the same film apart.
function digestOf(text) {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; ++i) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(16);
}
