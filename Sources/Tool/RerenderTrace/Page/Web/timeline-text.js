// SPDX-License-Identifier: MIT
// The timeline in words: what is under the cursor, for the line below it and for a screen reader.

/** The cursor's row, and the interval in it. */
function cursorText(timeline) {
  const row = timeline.rows[timeline.row];
  if (!row) return state.query === "" ? "No evaluation was recorded." : "No view fits the search.";
  const where = "Row " + (timeline.row + 1) + " of " + timeline.rows.length + ": " + row.name;
  if (row.kind === "process") return where + ".";
  return timeline.at < 0 ? where + ", " + rowText(timeline, row) + "." : where + ". " + intervalText(timeline, row);
}

function rowText(timeline, row) {
  const all = row.index.total("count", row.index.offsets[row.lane], row.index.offsets[row.lane + 1]);
  if (row.kind === "hangs") return counted(all, "hang");
  if (row.kind === "turns") return counted(all, "turn");
  const { evaluations, wasted } = visibleOf(timeline, row.lane);
  return counted(evaluations, "evaluation") + " begin in the visible time, " + grouped(wasted) + " of them wasted";
}

/** What begins of a view in the visible time. */
function visibleOf(timeline, view) {
  const index = timeline.evaluations, last = index.offsets[view + 1];
  const from = index.firstStartingAt(index.offsets[view], last, state.begin);
  // The trace's end belongs to it.
  const to = state.end >= report.durationNanoseconds ? last : index.firstStartingAt(from, last, state.end);
  return {
    evaluations: index.total("count", from, to), wasted: index.total("wasted", from, to), body: index.total("body", from, to),
  };
}

function intervalText(timeline, row) {
  const source = row.index.source[timeline.at];
  if (row.kind === "hangs") return hangText(report.hangs[source]);
  return row.kind === "turns" ? turnText(timeline.data, source) : evaluationText(timeline.data, source);
}

function turnText(data, turn) {
  const count = data.turnCount[turn];
  const what = count === 1 ? "Turn" : counted(count, "turn") + " together";
  return what + " at " + moment(data.turnStart[turn], state.end - state.begin) + ", " + duration(data.turnDuration[turn])
    + ", " + counted(data.turnEvaluations[turn], "evaluation") + ".";
}

function hangText(hang) {
  const blamed = hang.view === "" ? "no view is blamed" : "blamed on " + hang.view + " (" + hang.attribution + ")";
  return "Hang at " + moment(hang.start) + ", " + duration(hang.duration) + (hang.isOpen ? " until the trace ends" : "")
    + ", " + blamed + ", " + hang.verdict + ".";
}

function evaluationText(data, evaluation) {
  const count = data.count[evaluation], wasted = data.wasted[evaluation];
  const at = " at " + moment(data.start[evaluation], state.end - state.begin);
  if (count > 1) {
    return counted(count, "evaluation") + " together" + at + " within " + duration(data.duration[evaluation])
      + ", body " + duration(data.body[evaluation]) + ", " + grouped(wasted) + " of them wasted.";
  }
  const thread = report.threads[data.thread[evaluation]]?.tid ?? "not told apart", depth = data.depth[evaluation];
  return "Evaluation" + at + ", body " + duration(data.body[evaluation]) + ", whole probe " + duration(data.duration[evaluation])
    + ", because of " + (report.reasons[data.reason[evaluation]] || "a reason that was not recorded")
    + (wasted > 0 ? ", wasted" : "") + "; thread " + thread + (depth > 0 ? ", inside " + counted(depth, "other evaluation") : "") + ".";
}
