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
