// The panel for corrections: its buttons make edits, and the page shows the tracks after them.
class CorrectPanel {
  // `show` is called after every edit with the id of the track to choose, or undefined.
  constructor(player, show) {
    Object.assign(this, {player, show, list: new EditList(), mode: null});
    const actions = {
      'edit-delete': () => this.make({kind: 'delete', track: this.track}),
      'edit-split': () => this.make({kind: 'split', track: this.track, frame: player.frame}),
      'edit-merge': () => this.wait('merge'),
      'edit-add': () => this.wait('add'),
      'edit-new': () => this.wait('new'),
      'edit-undo': () => this.undo()
    };
    for (const [id, action] of Object.entries(actions)) byId(id).onclick = action;
    byId('correct').onclick = () => this.open(byId('corrections').hidden);
    byId('correct').disabled = data.edits.text === null;
    if (data.edits.text === null) {
      byId('correct').title = 'These tracks were corrected in TrackMate: correct them there.';
      return;
    }
    this.list.recall();
    this.apply();
    this.open(this.list.edits.length > 0);
  }

  get track() {
    return this.player.chosen?.id;
  }

  open(yes) {
    byId('corrections').hidden = !yes;
    byId('correct').setAttribute('aria-pressed', yes);
    this.rest();
  }

  // The next click on the film or the table belongs to `mode`; a second press ends it.
  wait(mode) {
    this.mode = mode === this.mode ? null : mode;
    this.refresh();
  }

  // Clicks choose tracks again.
  rest() {
    this.mode = null;
    this.refresh();
  }

  // True if a click on the film was an edit, not a choice.
  takeClick(left, top) {
    if (this.mode === 'merge') return this.takeTrack(this.player.trackAt(left, top));
    if (!this.mode) return false;
    const [x, y] = this.player.placeOf(left, top), typed = Number(byId('edit-radius').value);
    const fresh = this.mode === 'new', track = fresh ? this.list.now.next : this.track;
    const edit = {kind: 'add', track, frame: this.player.frame};
    edit.x = inFrame(x, film.width);
    edit.y = inFrame(y, film.height);
    if (typed > 0)
      edit.radius = typed;
    else if (fresh)
      edit.radius = this.usualRadius();
    this.make(edit, track, 'add');
    return true;
  }

  // The same for a click on a track.
  takeTrack(track) {
    if (this.mode !== 'merge') return false;
    if (track) this.make({kind: 'merge', track: this.track, other: track.id});
    return true;
  }

  usualRadius() {
    const radii = tracks.map((track) => track.summary.mean_radius);
    return Number((radii.length ? medianOf(radii) : data.radii.least).toFixed(2));
  }

  // Afterwards the track `chosen` is chosen, and the next click belongs to `mode`.
  make(edit, chosen = this.track, mode = null) {
    try {
      this.list.take(edit);
    } catch (wrong) {
      byId('edit-hint').textContent = wrong.message;
      return;
    }
    this.update(chosen, mode);
  }

  undo() {
    this.list.undo();
    this.update(this.track, null);
  }

  update(chosen, mode) {
    this.apply();
    this.show(chosen);
    this.mode = this.player.chosen ? mode : null;
    this.refresh();
  }

  // What the page shows follows from the edits.
  apply() {
    const {edits, now} = this.list;
    tracks = [...now.known.values()].sort((a, b) => a.id - b.id);
    counts = edits.length ? countsOf(tracks) : data.counts;
    histogram = edits.length ? histogramOf(tracks) : data.histogram;
  }

  hint() {
    const {track} = this;
    if (this.mode)
      return {
        merge: `Click the track that continues track ${track}, on the film or in the table. ` +
            `In frames that both have, the spots of track ${track} are kept.`,
        add: `Click on the film: track ${track} gets a spot there in this frame.`,
        new: 'Click on the film: a new track begins there in this frame.'
      }[this.mode];
    if (!this.list.edits.length && !this.player.chosen)
      return 'Choose a track on the film or in the table, or begin a new one.';
    if (!this.list.edits.length) return '';
    return 'These corrections are only in this page. To apply them, download the table and run ' +
        'the command of this report again with --edits edits.csv --force.';
  }

  // Buttons, hint, list and download.
  refresh() {
    const {edits} = this.list;
    byId('edit-hint').textContent = this.hint();
    for (const id of ['edit-delete', 'edit-split', 'edit-merge', 'edit-add'])
      byId(id).disabled = !this.player.chosen;
    for (const mode of ['merge', 'add', 'new'])
      byId(`edit-${mode}`).setAttribute('aria-pressed', mode === this.mode);
    byId('edit-undo').disabled = !edits.length;
    byId('edit-list').replaceChildren(
        ...edits.map((edit) => element('li', {textContent: lineOf(edit)})));
    byId('edit-list').scrollTop = byId('edit-list').scrollHeight;
    URL.revokeObjectURL(byId('edit-download').href);
    byId('edit-download').href =
        URL.createObjectURL(new Blob([this.list.text()], {type: 'text/csv'}));
  }
}

// Hundredths of a pixel.
const inFrame = (value, side) => Number(Math.min(Math.max(value, -0.5), side - 0.5).toFixed(2));
