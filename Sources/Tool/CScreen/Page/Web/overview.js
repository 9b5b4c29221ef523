// SPDX-License-Identifier: MIT
// The strip above the timeline with the whole trace. Dragging in it chooses the visible time.

const overviewHeight = 36;

/** What a drag from a place of the strip does: pixels of the window's `left` and `right` edge, in a strip of `pixels`. */
function grip(x, left, right, pixels) {
  if (Math.abs(x - left) <= 5) return "begin";
  if (Math.abs(x - right) <= 5) return "end";
  // A window over everything cannot be moved.
  return x > left && x < right && right - left < pixels * 0.98 ? "move" : "brush";
}

/** The visible time after a drag of `kind` from one time to another. */
function brushed(kind, from, to, { begin, end }) {
  if (kind === "begin") return { begin: Math.min(to, end), end: Math.max(to, end) };
  if (kind === "end") return { begin: Math.min(begin, to), end: Math.max(begin, to) };
  if (kind === "move") return { begin: begin + to - from, end: end + to - from };
  return { begin: Math.min(from, to), end: Math.max(from, to) };
}

class Overview {
  /** It begins and ends where the lanes of `drawing` do. */
  constructor(data, drawing, canvas) {
    Object.assign(this, { data, drawing, canvas });
  }

  draw(width, colours) {
    const height = overviewHeight, context = sheet(this.canvas, width, height, colours), { gutter, pixels } = this.drawing;
    if (this.columns?.length !== pixels || this.process !== state.process) this.columns = this.sumUp(pixels);
    const most = Math.max(1, ...this.columns.map((column) => column.count));
    for (const [pixel, { count, wasted }] of this.columns.entries()) {
      if (count === 0) continue;
      const tall = Math.max(1, (Math.log1p(count) / Math.log1p(most)) * (height - 4)), orange = tall * (wasted / count);
      paint(context, colours.needed, gutter + pixel, height - tall, 1, tall - orange);
      paint(context, colours.wasted, gutter + pixel, height - orange, 1, orange);
    }
    for (const hang of report.hangs) {
      if (isShown(hang.process)) paint(context, colours.hang, this.x(hang.start), 0, Math.max(2, this.x(hang.start + hang.duration) - this.x(hang.start)), 4);
    }
    this.drawWindow(context, height, colours);
    context.fillStyle = colours.muted;
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.fillText("whole trace", 10, height / 2);
    paint(context, colours.line, gutter - 1, 0, 1, height);
  }

  get whole() { return Math.max(1, report.durationNanoseconds); }
  /** Where a time is, and which time is at a place. */
  x(time) { return this.drawing.gutter + (time / this.whole) * this.drawing.pixels; }
  time(x) { return Math.max(0, Math.min(1, (x - this.drawing.gutter) / this.drawing.pixels)) * this.whole; }

  /** Evaluations by the pixel in which they begin. */
  sumUp(pixels) {
    const { data, whole } = this, columns = Array.from({ length: pixels }, () => ({ count: 0, wasted: 0 }));
    this.process = state.process;
    data.start.forEach((start, index) => {
      if (!isShown(processOf(data, index))) return;
      const column = columns[Math.min(pixels - 1, Math.floor((start / whole) * pixels))];
      column.count += data.count[index];
      column.wasted += data.wasted[index];
    });
    return columns;
  }

  drawWindow(context, height, colours) {
    const { gutter, pixels } = this.drawing, left = this.x(state.begin), right = Math.max(left + 3, this.x(state.end));
    context.globalAlpha = 0.65;
    paint(context, colours.surface, gutter, 0, left - gutter, height);
    paint(context, colours.surface, right, 0, gutter + pixels - right, height);
    if (state.span) {
      context.globalAlpha = 0.3;
      paint(context, colours.focus, this.x(state.span.begin), 0, Math.max(1, this.x(state.span.end) - this.x(state.span.begin)), height);
    }
    context.globalAlpha = 1;
    context.strokeStyle = colours.focus;
    context.lineWidth = 1.5;
    context.strokeRect(left + 0.75, 0.75, Math.max(1.5, right - left - 1.5), height - 1.5);
    // What its edges are dragged by.
    for (const edge of [left, right]) paint(context, colours.focus, edge - 2, height / 2 - 7, 4, 14);
  }

  /** Joins the pointer; `redraw` draws what changed. */
  join(redraw) {
    const at = (event) => event.clientX - this.canvas.getBoundingClientRect().left - this.canvas.clientLeft;
    this.canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const x = at(event), kind = grip(x, this.x(state.begin), this.x(state.end), this.drawing.pixels);
      const before = { begin: state.begin, end: state.end };
      let isDrag = false;
      drag(event, (moved) => {
        isDrag ||= Math.abs(at(moved) - x) > 3;
        if (!isDrag) return;
        const { begin, end } = brushed(kind, this.time(x), this.time(at(moved)), before);
        look(begin, end);
        redraw();
      }, () => {
        if (isDrag) return;
        // A press without a move goes there.
        const half = (before.end - before.begin) / 2;
        look(this.time(x) - half, this.time(x) + half);
        redraw();
      });
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const kind = grip(at(event), this.x(state.begin), this.x(state.end), this.drawing.pixels);
      this.canvas.style.cursor = kind === "brush" ? "crosshair" : kind === "move" ? "grab" : "ew-resize";
    });
  }
}

/** Follows a pressed pointer: `moved` for each move, `ended` once, with whether it was given up. */
function drag(pressed, moved, ended) {
  const released = new AbortController(), { signal } = released;
  const mine = (act) => (event) => { if (event.pointerId === pressed.pointerId) act(event); };
  addEventListener("pointermove", mine(moved), { signal });
  addEventListener("pointerup", mine(() => { released.abort(); ended(false); }), { signal });
  addEventListener("pointercancel", mine(() => { released.abort(); ended(true); }), { signal });
}

// The card beside the pointer. It repeats what the line below the timeline says of the cursor, so that a screen reader misses nothing.

class Card {
  constructor(box) {
    this.box = box;
    addEventListener("keydown", (event) => { if (event.key === "Escape") this.hide(); });
    addEventListener("scroll", () => this.hide(), { passive: true });
  }

  /** Shows a title and pairs of a name and a text beside a place of the window. */
  show(x, y, { title, facts, colour = "" }) {
    const { box } = this;
    box.replaceChildren(element("b", { class: colour }, isolated(title)),
      element("dl", {}, ...facts.flatMap(([name, text]) => [element("dt", {}, worded(name)), element("dd", {}, isolated(text))])));
    box.hidden = false;
    // On the other side where there is no room.
    const { offsetWidth: width, offsetHeight: height } = box, { clientWidth, clientHeight } = document.documentElement;
    box.style.left = Math.max(4, x + 16 + width > clientWidth ? x - 12 - width : x + 16) + "px";
    box.style.top = Math.max(4, y + 16 + height > clientHeight ? y - 12 - height : y + 16) + "px";
  }

  hide() { this.box.hidden = true; }

  /** Shows what `content` gives while the pointer is over an element. */
  over(target, content) {
    target.addEventListener("pointermove", (event) => this.show(event.clientX, event.clientY, content()));
    target.addEventListener("pointerleave", () => this.hide());
  }
}

/** What the card says of a mark of a row; of the row itself where `place` is -1. */
function cardOf(timeline, row, place) {
  if (place < 0) return row.kind === "view" ? viewCard(timeline, row.lane) : null;
  const source = row.index.source[place], { data } = timeline;
  if (row.kind === "hangs") return hangCard(report.hangs[source]);
  if (row.kind === "turns") {
    const facts = [["At", moment(data.turnStart[source], state.end - state.begin)], ["Took", durationText(data.turnDuration[source])], ["Evaluations", grouped(data.turnEvaluations[source])]];
    return { title: data.turnCount[source] > 1 ? counted(data.turnCount[source], "turn") + " together" : "Turn of the main loop", facts, colour: "turn" };
  }
  return row.kind === "writes" ? writeCard(data, source) : evaluationCard(timeline, source);
}

function viewCard(timeline, view) {
  const { key, count, wasted, inferred, body, hangs } = report.views[view];
  return {
    title: key, colour: "needed", facts: [
      ["Place", probeText(report.views[view])], ["Evaluations", grouped(count)], ["Wasted", wastedCountText({ wasted, inferred }, count)],
      ["Body time", durationText(body.totalNanoseconds)], ["Hangs", grouped(hangs)],
    ],
  };
}

function hangCard(hang) {
  const parts = partsOf(hang)?.slice(0, 5).map((part) => partText(part, hang.duration)).join("; ");
  return {
    title: "Hang", colour: "hang", facts: [
      ["At", moment(hang.start)], ["Took", durationText(hang.duration) + (hang.isOpen ? " so far" : "")],
      ["Attributed to", ownerText(hang) + (hang.view === "" ? "" : " (" + hang.attribution + ")")], ["Main thread", threadText(hang)], ["Made of", parts ?? unknownText],
    ],
  };
}

function writeCard(data, write) {
  const at = ["At", moment(data.writeStart[write], state.end - state.begin)], count = data.writeCount[write];
  if (count > 1) return { title: counted(count, "write") + " together", colour: "write", facts: [at, ["Within", durationText(data.writeDuration[write])]] };
  return {
    title: "Write of " + report.reasons[data.writeName[write]], colour: "write",
    facts: [at, ["By", report.reasons[data.writeWriter[write]] || unknownText], ["Invalidated", counted(data.writeViews[write], "view")]],
  };
}

function evaluationCard(timeline, evaluation) {
  const { data } = timeline, view = report.views[data.view[evaluation]], count = data.count[evaluation];
  const [wasted, inferred, body] = [data.wasted[evaluation], data.inferred[evaluation], data.body[evaluation]];
  const times = [["At", moment(data.start[evaluation], state.end - state.begin)], ["Body", durationText(body)], ["Self", durationText(body - data.inner[evaluation])]];
  if (count > 1) {
    return { title: view.key, colour: "needed", facts: [["Together", counted(count, "evaluation")], ...times, ["Wasted", wastedCountText({ wasted, inferred }, count)]] };
  }
  const write = writeBefore(timeline, evaluation), writer = report.reasons[data.writtenBy[evaluation]];
  return {
    title: view.key, colour: wasted > 0 ? "wasted" : "needed", facts: [
      ["Reason", report.reasons[data.reason[evaluation]] || unknownText], ...times, ["Wasted", wasted === 0 ? unknownText : inferred > 0 ? "yes, inferred" : "yes"],
      ["Written by", write < 0 ? writer || unknownText : report.reasons[data.writeWriter[write]] + ", " + durationText(data.start[evaluation] - data.writeStart[write]) + " before"],
      ["Thread", String(report.threads[data.thread[evaluation]] ?? unknownText)], ["Place", probeText(view)],
    ],
  };
}

// The selected span of time, and its sums.

/** What begins in a span, of the views that the timeline shows, and the hangs that touch it. */
function sumsOf(timeline, span) {
  const sums = { evaluations: 0, wasted: 0, inferred: 0, self: 0, wastedBody: 0, mixed: 0, hangs: 0, hangTime: 0 };
  report.views.forEach((view, index) => {
    if (!isShown(view.process) || !fits(index)) return;
    const part = visibleOf(timeline, index, span);
    for (const name of Object.keys(part)) if (name in sums) sums[name] += part[name];
  });
  for (const { process, start, duration } of report.hangs) {
    const inside = Math.min(span.end, start + duration) - Math.max(span.begin, start);
    if (!isShown(process) || inside <= 0) continue;
    sums.hangs++;
    sums.hangTime += inside;
  }
  return sums;
}

/** The sums as pairs of a name and a text. */
function spanFacts(sums) {
  const time = sums.wasted === 0 ? unknownText : (sums.mixed > 0 ? "at least " : "") + durationText(sums.wastedBody);
  return [
    ["Evaluations", grouped(sums.evaluations)], ["Self time", durationText(sums.self)],
    ["Wasted", sums.wasted === 0 ? unknownText : wastedCountText(sums, sums.evaluations)], ["Wasted time", time],
    ["Hangs", sums.hangs === 0 ? "0" : grouped(sums.hangs) + ", " + durationText(sums.hangTime) + " of the span"],
  ];
}

/** Shows the sums of the selected span below the timeline. */
function showSpan(timeline) {
  const { span } = state, facts = span ? spanFacts(sumsOf(timeline, span)) : [];
  $("span").hidden = !span;
  if (!span) return $("span-text").replaceChildren();
  const what = "Selected " + moment(span.begin, span.end - span.begin) + " to " + moment(span.end, span.end - span.begin) + ", " + durationText(span.end - span.begin)
    + (state.process >= 0 && report.processes.length > 1 ? " of " + processName(state.process) : "");
  return $("span-text").replaceChildren(element("b", {}, isolated(what)), ": ",
    ...facts.flatMap(([name, text], index) => [index > 0 ? " · " : "", worded(name) + " ", element("b", { "data-sum": name }, text)]));
}

/** Selects the interval under the cursor, or else the visible time. */
function selectAtCursor(timeline) {
  const { interval } = timeline;
  selectSpan(interval && interval.end > interval.start ? { begin: interval.start, end: interval.end } : { begin: state.begin, end: state.end });
}

/** Looks at the selected span; false where there is none. */
function zoomToSpan() {
  if (!state.span) return false;
  look(state.span.begin, state.span.end);
  return true;
}
