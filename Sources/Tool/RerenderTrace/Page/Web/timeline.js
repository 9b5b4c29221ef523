// SPDX-License-Identifier: MIT
// The timeline: its rows, where the reader is in it, and that in words. The drawing and the input are in files of their own.

/** Heights in pixels. */
const rowHeight = 22, rulerHeight = 24;

class Timeline {
  constructor(data) {
    this.data = data;
    const { start, duration, body, view, wasted, inferred, count } = data;
    this.evaluations = new LaneIndex(report.views.length, view, start, duration, { wasted, inferred, count, body });
    const many = report.processes.length, hangs = (name) => report.hangs.map((hang) => hang[name]);
    this.turns = new LaneIndex(many, data.turnProcess, data.turnStart, data.turnDuration, { count: data.turnCount });
    this.hangs = new LaneIndex(many, hangs("process"), hangs("start"), hangs("duration"),
      { count: report.hangs.map(() => 1) });
    /** The row under the cursor, and the interval in it (a place of its index) or -1. */
    this.row = 0;
    this.at = -1;
    this.arrange();
  }

  /** Rows from top to bottom: each process, its hangs and turns, and its views in the order of the table. */
  arrange() {
    const kept = this.rows?.[this.row];
    const rows = [];
    const views = report.processes.map(() => []);
    report.views.forEach((view, index) => { if (fits(index)) views[view.process].push(index); });
    report.processes.forEach((process, index) => {
      if (views[index].length === 0 && state.query !== "") return;
      if (report.processes.length > 1) rows.push({ kind: "process", lane: index, name: processName(index) });
      if (this.hasAny(this.hangs, index)) rows.push({ kind: "hangs", lane: index, name: "hangs", index: this.hangs });
      if (this.hasAny(this.turns, index)) rows.push({ kind: "turns", lane: index, name: "main-loop turns", index: this.turns });
      for (const lane of views[index]) rows.push({ kind: "view", lane, name: report.views[lane].key, index: this.evaluations });
    });
    this.rows = rows;
    const place = kept ? this.rowOf(kept.kind, kept.lane) : -1;
    if (place < 0) this.at = -1;
    this.row = Math.max(0, place >= 0 ? place : rows.findIndex((row) => row.kind === "view"));
  }

  /** The place of a row, or -1. */
  rowOf(kind, lane) { return this.rows.findIndex((row) => row.kind === kind && row.lane === lane); }

  hasAny(index, lane) { return index.offsets[lane] < index.offsets[lane + 1]; }

  /** The interval under the cursor, or null. */
  get interval() {
    const index = this.at < 0 ? null : this.rows[this.row]?.index;
    return index ? { start: index.start[this.at], end: index.end[this.at], source: index.source[this.at] } : null;
  }

  /** Goes to another row. */
  moveRow(by) {
    this.row = Math.min(this.rows.length - 1, Math.max(0, this.row + by));
    this.at = -1;
  }

  /** Goes to the row of a view; false if the search hides it. */
  showView(view) {
    const row = this.rowOf("view", view);
    if (row < 0) return false;
    if (row !== this.row) this.at = -1;
    this.row = row;
    return true;
  }

  /** Goes to the next (1) or previous (-1) interval of the row, if there is one. */
  step(by) {
    const row = this.rows[this.row];
    if (!row?.index) return;
    const first = row.index.offsets[row.lane], last = row.index.offsets[row.lane + 1];
    let place = this.at + by;
    if (this.at < 0) place = by > 0 ? row.index.firstStartingAt(first, last, state.begin) : row.index.firstStartingAt(first, last, state.end) - 1;
    if (place < first || place >= last) return;
    this.at = place;
    this.reveal();
  }

  /** Moves the visible time so that the interval under the cursor is in it. */
  reveal() {
    const { start, end } = this.interval, span = state.end - state.begin;
    if (start >= state.begin && Math.min(end, start + span / 50) <= state.end) return;
    look(start - span * 0.3, start + span * 0.7);
  }

  /** Goes to the next hang after the cursor, or to the first, and looks at it with as much around it. */
  nextHang(by) {
    const hangs = report.hangs;
    if (hangs.length === 0) return;
    const current = this.rows[this.row]?.kind === "hangs" ? this.interval : null;
    this.showHang(((current?.source ?? (by > 0 ? -1 : hangs.length)) + by + hangs.length) % hangs.length);
  }

  /** Goes to one hang; false if the search hides its process. */
  showHang(hang) {
    const { process, start, duration } = report.hangs[hang];
    const row = this.rowOf("hangs", process);
    if (row < 0) return false;
    this.row = row;
    this.at = this.hangs.source.indexOf(hang);
    look(start - duration, start + 2 * duration);
    return true;
  }

  /** Goes to the turn of a process at a time, or only to that time where the turn itself is not in the trace. */
  showTurn(process, start) {
    const row = this.rowOf("turns", process);
    const place = row < 0 ? undefined : this.turns.touching(process, start, start + 1)[0];
    if (place !== undefined) [this.row, this.at] = [row, place];
    const length = place === undefined ? 20e6 : this.turns.end[place] - this.turns.start[place];
    look(start - length, start + 2 * length);
    return true;
  }

  /** Puts the cursor where something is, or on the row alone. */
  pick(row, begin, end) {
    if (row < 0 || row >= this.rows.length) return;
    this.row = row;
    const { index, lane } = this.rows[row];
    this.at = index?.touching(lane, begin, end)[0] ?? -1;
  }

  /** Magnifies around a time. */
  zoom(factor, around = this.centre()) {
    look(around - (around - state.begin) * factor, around + (state.end - around) * factor);
  }

  /** Where zooming holds still: the cursor if it is visible, else the middle. */
  centre() {
    const { interval } = this, middle = interval ? (interval.start + interval.end) / 2 : -1;
    return middle >= state.begin && middle <= state.end ? middle : (state.begin + state.end) / 2;
  }

  /** Looks at the interval under the cursor; false where there is none. */
  zoomToCursor() {
    if (!this.interval) return false;
    const { start, end } = this.interval, length = Math.max(50, end - start);
    look(start - length, start + 2 * length);
    return true;
  }

  /** Moves in time by a part of what is visible. */
  pan(part) {
    const by = (state.end - state.begin) * part;
    look(state.begin + by, state.end + by);
  }
}

/** The cursor's row, and the interval in it. */
function cursorText(timeline) {
  const row = timeline.rows[timeline.row];
  if (!row) return state.query === "" ? "No evaluation was recorded." : "No view matches the search.";
  const where = "Row " + (timeline.row + 1) + " of " + timeline.rows.length + ": " + row.name;
  if (row.kind === "process") return where + ".";
  return timeline.at < 0 ? where + ", " + rowText(timeline, row) + "." : where + ". " + intervalText(timeline, row);
}

function rowText(timeline, row) {
  const all = row.index.total("count", row.index.offsets[row.lane], row.index.offsets[row.lane + 1]);
  if (row.kind === "hangs") return counted(all, "hang");
  if (row.kind === "turns") return counted(all, "turn");
  const { evaluations, wasted, inferred } = visibleOf(timeline, row.lane);
  return counted(evaluations, "evaluation") + " begin in the visible time, " + wastedText(wasted, inferred, grouped) + " of them wasted";
}

/** What begins of a view in the visible time. */
function visibleOf(timeline, view) {
  const index = timeline.evaluations, last = index.offsets[view + 1];
  const from = index.firstStartingAt(index.offsets[view], last, state.begin);
  // The trace's end belongs to it.
  const to = state.end >= report.durationNanoseconds ? last : index.firstStartingAt(from, last, state.end);
  return {
    evaluations: index.total("count", from, to), wasted: index.total("wasted", from, to),
    inferred: index.total("inferred", from, to), body: index.total("body", from, to),
  };
}

function intervalText(timeline, row) {
  const { source } = timeline.interval;
  if (row.kind === "hangs") return hangText(report.hangs[source]);
  return row.kind === "turns" ? turnText(timeline.data, source) : evaluationText(timeline.data, source);
}

function turnText(data, turn) {
  const count = data.turnCount[turn];
  const what = count === 1 ? "Turn" : counted(count, "turn") + " together";
  return what + " at " + moment(data.turnStart[turn], state.end - state.begin) + ", " + durationText(data.turnDuration[turn])
    + ", " + counted(data.turnEvaluations[turn], "evaluation") + ".";
}

function hangText(hang) {
  const owner = hang.view === "" ? "attributed to no view" : "attributed to " + ownerText(hang) + " (" + hang.attribution + ")"
    + (hang.atThreshold === "" || hang.atThreshold === hang.view ? "" : ", " + hang.atThreshold + " at the threshold");
  return "Hang at " + moment(hang.start) + ", " + durationText(hang.duration) + (hang.isOpen ? " until the trace ends" : "")
    + ", " + owner + ", " + threadText(hang) + ".";
}

function evaluationText(data, evaluation) {
  const count = data.count[evaluation], wasted = data.wasted[evaluation], inferred = data.inferred[evaluation];
  const at = " at " + moment(data.start[evaluation], state.end - state.begin);
  if (count > 1) {
    return counted(count, "evaluation") + " together" + at + " within " + durationText(data.duration[evaluation])
      + ", body " + durationText(data.body[evaluation]) + ", " + wastedText(wasted, inferred, grouped) + " of them wasted.";
  }
  const thread = report.threads[data.thread[evaluation]] ?? "unknown", depth = data.depth[evaluation];
  return "Evaluation" + at + ", body " + durationText(data.body[evaluation]) + ", whole probe " + durationText(data.duration[evaluation])
    + ", because of " + (report.reasons[data.reason[evaluation]] || "an unknown reason")
    + (wasted > 0 ? ", wasted" + (inferred > 0 ? " (inferred)" : "") : "") + "; thread " + thread + (depth > 0 ? ", inside " + counted(depth, "other evaluation") : "") + ".";
}
