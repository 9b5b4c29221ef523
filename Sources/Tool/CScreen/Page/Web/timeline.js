// SPDX-License-Identifier: MIT
// The timeline: its rows, where the reader is in it, and that in words. The drawing and the input are in files of their own.

/** Heights in pixels. */
const rowHeight = 22, rulerHeight = 24;

class Timeline {
  constructor(data) {
    this.data = data;
    const { start, duration, body, view, wasted, inferred, count, inner } = data;
    // Of several evaluations together, of which some were wasted, it is not known how long these took.
    const wastedBody = body.map((time, index) => (wasted[index] === count[index] ? time : 0));
    const mixed = wasted.map((some, index) => (some > 0 && some < count[index] ? 1 : 0));
    this.evaluations = new LaneIndex(report.views.length, view, start, duration,
      { wasted, inferred, count, body, self: body.map((time, index) => time - inner[index]), wastedBody, mixed });
    const many = report.processes.length, hangs = (name) => report.hangs.map((hang) => hang[name]);
    this.writes = new LaneIndex(many, data.writeProcess, data.writeStart, data.writeDuration, { count: data.writeCount });
    this.turns = new LaneIndex(many, data.turnProcess, data.turnStart, data.turnDuration, { count: data.turnCount });
    this.hangs = new LaneIndex(many, hangs("process"), hangs("start"), hangs("duration"),
      { count: report.hangs.map(() => 1) });
    /** The row under the cursor, and the interval in it (a place of its index) or -1. */
    this.row = 0;
    this.at = -1;
    this.arrange();
  }

  /** Rows from top to bottom: what is pinned, then each shown process, its hangs, turns and writes, and its views in the order of the table. */
  arrange() {
    const kept = this.rows?.[this.row];
    const viewRow = (lane) => ({ kind: "view", lane, name: report.views[lane].key, index: this.evaluations, process: report.views[lane].process });
    const rows = state.pins.map(viewRow), pinned = new Set(state.pins);
    const views = report.processes.map(() => []);
    report.views.forEach((view, index) => { if (fits(index) && !pinned.has(index)) views[view.process].push(index); });
    report.processes.forEach((_, process) => {
      if (!isShown(process) || (views[process].length === 0 && state.query !== "")) return;
      const row = (kind, name, index) => { if (!index || this.hasAny(index, process)) rows.push({ kind, lane: process, name, index, process }); };
      if (state.process < 0 && report.processes.length > 1) row("process", processName(process));
      row("hangs", "hangs", this.hangs);
      row("turns", "main-loop turns", this.turns);
      row("writes", "writes", this.writes);
      rows.push(...views[process].map(viewRow));
    });
    this.rows = rows;
    const place = kept ? this.rowOf(kept.kind, kept.lane) : -1;
    if (place < 0) this.at = -1;
    this.row = Math.max(0, place >= 0 ? place : rows.findIndex((row) => row.kind === "view"));
  }

  /** How many rows are pinned: they are the first. */
  get pinned() { return state.pins.length; }

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
    const hangs = report.hangs.map((_, index) => index).filter((index) => isShown(report.hangs[index].process));
    if (hangs.length === 0) return;
    const current = this.rows[this.row]?.kind === "hangs" ? hangs.indexOf(this.interval?.source) : -1;
    this.showHang(hangs[((current < 0 && by < 0 ? hangs.length : current) + by + hangs.length) % hangs.length]);
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

  /** Puts the cursor on a mark of a row, or for -1 on the row alone. */
  pick(row, place) {
    if (row < 0 || row >= this.rows.length) return;
    [this.row, this.at] = [row, place];
  }

  /** The place of the mark of a row at a time, or else of the nearest one within `reach`; -1 for none. */
  markAt(row, time, reach) {
    const { index, lane } = this.rows[row] ?? {};
    if (!index) return -1;
    const exact = index.touching(lane, time - reach / 8, time + reach / 8)[0];
    if (exact !== undefined) return exact;
    const distance = (place) => Math.max(index.start[place] - time, time - index.end[place]);
    return index.touching(lane, time - reach, time + reach).sort((a, b) => distance(a) - distance(b))[0] ?? -1;
  }

  /** Goes to an evaluation; false if the search hides its row. */
  showEvaluation(evaluation) {
    const view = this.data.view[evaluation], row = this.rowOf("view", view);
    if (row < 0) return false;
    [this.row, this.at] = [row, this.evaluations.placeOf(view, evaluation)];
    this.reveal();
    return true;
  }

  /** Goes to the write that led to the evaluation under the cursor; false if it is not known. */
  showCause() {
    const { interval } = this, write = this.rows[this.row]?.kind === "view" && interval ? writeBefore(this, interval.source) : -1;
    const row = write < 0 ? -1 : this.rowOf("writes", this.data.writeProcess[write]);
    if (row < 0) return false;
    [this.row, this.at] = [row, this.writes.placeOf(this.data.writeProcess[write], write)];
    this.reveal();
    return true;
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
  if (!row) return state.query === "" ? worded("No evaluation was recorded.") : worded("No view matches the search.");
  const where = "Row " + (timeline.row + 1) + " of " + timeline.rows.length + ": " + row.name;
  if (row.kind === "process") return where + ".";
  return timeline.at < 0 ? where + ", " + rowText(timeline, row) + "." : where + ". " + intervalText(timeline, row);
}

function rowText(timeline, row) {
  const all = row.index.total("count", row.index.offsets[row.lane], row.index.offsets[row.lane + 1]);
  if (row.kind === "hangs") return counted(all, "hang");
  if (row.kind === "turns") return counted(all, "turn");
  if (row.kind === "writes") return counted(all, "write");
  const { evaluations, wasted, inferred } = visibleOf(timeline, row.lane);
  return counted(evaluations, "evaluation") + " begin in the visible time, " + wastedWords(wasted, inferred);
}

/** How many of several were wasted; that none was is not known. */
const wastedWords = (wasted, inferred) => (wasted === 0 ? "no waste known" : wastedText(wasted, inferred, grouped) + " of them wasted");

/** What begins of a view in the visible time, or in another span. */
function visibleOf(timeline, view, { begin, end } = state) {
  const index = timeline.evaluations, last = index.offsets[view + 1];
  const from = index.firstStartingAt(index.offsets[view], last, begin);
  // The trace's end belongs to it.
  const to = end >= report.durationNanoseconds ? last : index.firstStartingAt(from, last, end);
  const total = (name) => index.total(name, from, to);
  return { evaluations: total("count"), wasted: total("wasted"), inferred: total("inferred"), body: total("body"), self: total("self"), wastedBody: total("wastedBody"), mixed: total("mixed") };
}

function intervalText(timeline, row) {
  const { source } = timeline.interval;
  if (row.kind === "hangs") return hangText(report.hangs[source]);
  if (row.kind === "writes") return writeText(timeline.data, source);
  return row.kind === "turns" ? turnText(timeline.data, source) : evaluationText(timeline.data, source) + causeText(timeline, source);
}

function writeText(data, write) {
  const count = data.writeCount[write], at = " at " + moment(data.writeStart[write], state.end - state.begin);
  if (count > 1) return counted(count, "write") + " together" + at + ".";
  return "Write of " + report.reasons[data.writeName[write]] + at + " by " + (report.reasons[data.writeWriter[write]] || "unknown code") + ", which invalidated " + counted(data.writeViews[write], "view") + ".";
}

/** The sentence about the write that led to an evaluation; empty where it is not known. */
function causeText({ data }, evaluation) {
  const write = writeBefore({ data }, evaluation);
  return write < 0 ? "" : " It followed a write of " + report.reasons[data.writeName[write]] + " by " + report.reasons[data.writeWriter[write]]
    + " " + durationText(data.start[evaluation] - data.writeStart[write]) + " before.";
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
      + worded(", body ") + durationText(data.body[evaluation]) + ", " + wastedWords(wasted, inferred) + ".";
  }
  const thread = report.threads[data.thread[evaluation]] ?? "unknown", depth = data.depth[evaluation];
  return worded("Evaluation") + at + worded(", body ") + durationText(data.body[evaluation]) + ", whole probe " + durationText(data.duration[evaluation])
    + ", because of " + (report.reasons[data.reason[evaluation]] || "an unknown reason")
    + (wasted > 0 ? ", wasted" + (inferred > 0 ? " (inferred)" : "") : "") + "; thread " + thread + (depth > 0 ? ", inside " + counted(depth, "other evaluation") : "") + ".";
}
