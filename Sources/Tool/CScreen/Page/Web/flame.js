// SPDX-License-Identifier: MIT
// One turn of a main loop: its evaluations in one another, with the time that is their own.

const flameRow = 18;

/** At most so many evaluations of a turn are drawn. */
const flameLimit = 5000;

class Flame {
  constructor(timeline) {
    Object.assign(this, { timeline, canvas: $("flame"), turn: -1, marks: [], left: 0 });
    this.table = turnTable(this);
    this.canvas.addEventListener("click", (event) => this.click(event));
    this.canvas.addEventListener("pointermove", (event) => this.hover(event));
    this.canvas.addEventListener("pointerleave", () => page.card.hide());
    $("turn-details").addEventListener("toggle", () => this.table.show());
  }

  /** The process whose turns are stepped through. */
  get process() { return this.turn >= 0 ? this.timeline.data.turnProcess[this.turn] : Math.max(0, state.process); }

  /** Takes the turn of what is under the cursor, if it is in one. */
  follow() {
    const { timeline } = this, { interval } = timeline, row = timeline.rows[timeline.row];
    if (!interval || row.process === undefined) return;
    const turn = row.kind === "turns" ? interval.source : this.turnAt(row.process, interval.start, interval.end);
    if (turn >= 0 && turn !== this.turn) this.choose(turn);
  }

  /** The turn of a process around a time, -1 if there is none. */
  turnAt(process, begin, end) {
    const { turns } = this.timeline, place = turns.touching(process, begin, Math.max(begin + 1, end))[0];
    return place === undefined ? -1 : turns.source[place];
  }

  choose(turn) {
    const { data } = this.timeline, begin = data.turnStart[turn], end = begin + data.turnDuration[turn], process = data.turnProcess[turn];
    this.turn = turn;
    const inside = [];
    let others = 0;
    for (let index = firstFrom(data.start, begin); index < data.start.length && data.start[index] <= end; index++) {
      if (processOf(data, index) !== process) continue;
      if (report.threads[data.thread[index]] === report.processes[process].pid || data.count[index] > 1) inside.push(index);
      else others++;
    }
    // Nothing is known of the depth of several together: they stand below.
    const marks = inside.slice(0, flameLimit), deepest = Math.max(0, ...marks.map((index) => data.depth[index]));
    this.marks = marks.map((index) => ({ index, row: data.count[index] > 1 ? deepest + 1 : data.depth[index] }));
    this.rows = Math.max(1, ...this.marks.map(({ row }) => row + 1));
    Object.assign(this, { begin, end, others, left: inside.length - marks.length });
    this.show();
  }

  /** Goes to the next (1) or previous (-1) turn with evaluations of the process. */
  step(by) {
    const { timeline, process } = this, { turns, data } = timeline, first = turns.offsets[process], last = turns.offsets[process + 1];
    const here = this.turn >= 0 ? turns.placeOf(process, this.turn) : turns.firstStartingAt(first, last, state.begin) - (by > 0 ? 1 : 0);
    let place = here + by;
    while (place >= first && place < last && data.turnEvaluations[turns.source[place]] === 0) place += by;
    if (place < first || place >= last) return;
    ensureShown(process);
    this.choose(turns.source[place]);
    const row = timeline.rowOf("turns", process);
    if (row < 0) return;
    [timeline.row, timeline.at] = [row, place];
    timeline.reveal();
  }

  show() {
    const { data } = this.timeline, { turn, marks } = this, bodies = marks.filter(({ row }) => row === 0).reduce((sum, { index }) => sum + data.body[index], 0);
    const isWhole = data.turnCount[turn] === 1 && this.left === 0 && marks.every(({ index }) => data.count[index] === 1);
    $("turn").hidden = false;
    $("turn-text").textContent = turnText(data, turn) + " " + (report.processes.length > 1 ? "In " + processName(data.turnProcess[turn]) + ". " : "")
      + worded("Outside of bodies: ") + (isWhole && bodies <= this.end - this.begin ? durationText(this.end - this.begin - bodies) : unknownText) + "."
      + (this.others > 0 ? " " + counted(this.others, "evaluation") + " of other threads at the same time " + (this.others === 1 ? "is" : "are") + " not drawn." : "")
      + (this.left > 0 ? " " + counted(this.left, "further evaluation") + " " + (this.left === 1 ? "is" : "are") + " not drawn." : "");
    if ($("turn-details").open) this.table.show();
  }

  draw(width, colours) {
    if (this.turn < 0) return;
    const height = this.rows * flameRow + 2, context = sheet(this.canvas, width, height, colours), { data, interval, rows, row } = this.timeline;
    const chosen = rows[row]?.kind === "view" && interval ? interval.source : -1;
    this.scale = width / Math.max(1, this.end - this.begin);
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (const mark of this.marks) {
      const { index } = mark, x = (data.start[index] - this.begin) * this.scale, across = Math.max(1, data.duration[index] * this.scale - 0.5), y = mark.row * flameRow + 1;
      Object.assign(mark, { x, across });
      context.globalAlpha = data.count[index] > 1 ? 0.5 : 1;
      paint(context, data.wasted[index] > 0 ? colours.wasted : colours.needed, x, y, across, flameRow - 2);
      context.globalAlpha = 1;
      if (across > 28) {
        // Dark on orange in both themes: white would be too pale.
        context.fillStyle = data.wasted[index] > 0 ? "#1d2025" : colours.surface;
        context.textAlign = "left";
        context.fillText(fitted(context, report.views[data.view[index]].key, Math.floor(across / 8) * 8 - 8), Math.max(0, x) + 4, y + flameRow / 2 - 0.5);
      }
      if (index !== chosen) continue;
      context.strokeStyle = colours.focus;
      context.lineWidth = 2;
      context.strokeRect(x + 1, y + 1, Math.max(2, across - 2), flameRow - 4);
    }
  }

  /** The evaluation at the pointer, or the nearest one within reach; null for none. */
  markAt(event) {
    const frame = this.canvas.getBoundingClientRect(), [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
    const distance = (mark) => Math.max(0, mark.x - x, x - mark.x - mark.across);
    const near = this.marks.filter((mark) => mark.row === Math.floor((y - 1) / flameRow) && distance(mark) <= hitReach);
    return near.sort((a, b) => distance(a) - distance(b))[0] ?? null;
  }

  hover(event) {
    const mark = this.markAt(event);
    this.canvas.style.cursor = mark ? "pointer" : "";
    return mark ? page.card.show(event.clientX, event.clientY, evaluationCard(this.timeline, mark.index)) : page.card.hide();
  }

  click(event) {
    const mark = this.markAt(event);
    if (mark) this.go(mark.index);
  }

  /** Puts the cursor on an evaluation of the turn. */
  go(evaluation) {
    ensureShown(processOf(this.timeline.data, evaluation));
    if (this.timeline.showEvaluation(evaluation)) page.input.afterMove();
  }
}

/** The evaluations of the turn, most self time first. */
function turnTable(flame) {
  const { data } = flame.timeline, self = ({ index }) => data.body[index] - data.inner[index];
  return new Table($("turn-table"), {
    caption: "Evaluations of the turn, most self time first", sort: "Self",
    columns: [
      {
        name: "View", isHead: true, value: ({ index }) => report.views[data.view[index]].key,
        cell: ({ index }) => showButton("evaluation " + index, report.views[data.view[index]].key, () => flame.go(index)),
      },
      numbers("Inside", ({ index }) => data.depth[index]), numbers("After", ({ index }) => data.start[index] - flame.begin, durationText),
      numbers("Body", ({ index }) => data.body[index], durationText), numbers("Self", self, durationText),
      numbers("Wasted", ({ index }) => data.wasted[index], grouped, { cell: ({ index }) => knownWaste(data.wasted[index], data.inferred[index], grouped) }),
    ],
    rows: () => flame.marks,
    empty: () => "No evaluation of this turn is in the trace.",
  });
}
