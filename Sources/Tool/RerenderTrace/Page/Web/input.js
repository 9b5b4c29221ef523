// SPDX-License-Identifier: MIT
// Keys, buttons, mouse and touch of the timeline.

/** Every key, for the timeline and for the list of keys. */
function timelineKeys(timeline) {
  const rows = () => Math.max(1, Math.floor($("lanes").clientHeight / rowHeight) - 2);
  return [
    { keys: ["ArrowUp"], text: "the row above", act: () => timeline.moveRow(-1) },
    { keys: ["ArrowDown"], text: "the row below", act: () => timeline.moveRow(1) },
    { keys: ["PageUp"], text: "a screen of rows up", act: () => timeline.moveRow(-rows()) },
    { keys: ["PageDown"], text: "a screen of rows down", act: () => timeline.moveRow(rows()) },
    { keys: ["ArrowLeft"], text: "back in time; with Shift by half a screen", act: (event) => timeline.pan(event?.shiftKey ? -0.5 : -0.1) },
    { keys: ["ArrowRight"], text: "on in time; with Shift by half a screen", act: (event) => timeline.pan(event?.shiftKey ? 0.5 : 0.1) },
    { keys: ["+", "="], text: "zoom in", act: () => timeline.zoom(0.5) },
    { keys: ["-"], text: "zoom out", act: () => timeline.zoom(2) },
    { keys: ["0"], text: "show the whole trace", act: () => look(0, Infinity) },
    { keys: ["Home"], text: "go to the beginning", act: () => look(0, state.end - state.begin) },
    { keys: ["End"], text: "go to the end", act: () => look(report.durationNanoseconds, report.durationNanoseconds + state.end - state.begin) },
    { keys: ["."], text: "the next evaluation, turn or hang of the row", act: () => timeline.step(1) },
    { keys: [","], text: "the one before", act: () => timeline.step(-1) },
    { keys: ["Enter"], text: "zoom to the selected interval; if none is selected, highlight the view on the whole page", act: () => enter(timeline) },
    { keys: ["h"], text: "the next hang", act: () => timeline.nextHang(1) },
    { keys: ["H"], text: "the hang before", act: () => timeline.nextHang(-1) },
    { keys: ["Escape"], text: "clear the selection", act: () => { timeline.at = -1; if (state.view >= 0) choose(state.view); } },
  ];
}

function enter(timeline) {
  const row = timeline.rows[timeline.row];
  if (!timeline.zoomToCursor() && row?.kind === "view") choose(row.lane);
}

/** Joins the timeline to its elements. `redraw` draws what the input changed. */
class TimelineInput {
  constructor(timeline, drawing, redraw) {
    Object.assign(this, { timeline, drawing, redraw, box: $("lanes") });
    this.box.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && this.act(event.key, event)) event.preventDefault();
    });
    this.box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.box.addEventListener("scroll", redraw);
    this.box.addEventListener("pointerdown", (event) => this.press(event));
    this.box.addEventListener("dblclick", () => { timeline.zoomToCursor(); redraw(); });
    for (const button of document.querySelectorAll("[data-key]")) button.addEventListener("click", () => this.act(button.dataset.key));
    this.overviewInput($("overview"));
  }

  /** Does what a key does, also for a button; false for a key that does nothing. */
  act(key, event) {
    const found = timelineKeys(this.timeline).find((row) => row.keys.includes(key));
    found?.act(event);
    if (found) this.afterMove();
    return found !== undefined;
  }

  afterMove() {
    this.showRow();
    this.redraw();
  }

  /** Scrolls so that the cursor's row is visible. */
  showRow() {
    const y = this.timeline.row * rowHeight, room = this.box.clientHeight - rulerHeight;
    if (y < this.box.scrollTop) this.box.scrollTop = y;
    else if (y + rowHeight > this.box.scrollTop + room) this.box.scrollTop = y + rowHeight - room;
  }

  /** With Ctrl it zooms, sideways it moves; otherwise it scrolls as everywhere. */
  wheel(event) {
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (event.ctrlKey || event.metaKey) {
      this.timeline.zoom(1.0015 ** Math.max(-400, Math.min(400, event.deltaY)), this.drawing.time(this.inside(event).x));
    } else if (Math.abs(sideways) > (event.shiftKey ? 0 : Math.abs(event.deltaY))) {
      this.timeline.pan(sideways / this.drawing.pixels);
    } else {
      return;
    }
    event.preventDefault();
    this.redraw();
  }

  inside(event) {
    const frame = $("lanes-canvas").getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  }

  /** Dragging moves; a press that does not move chooses what is there. */
  press(event) {
    const from = this.inside(event);
    // The scroll bar is beside the canvas.
    if (event.button !== 0 || from.x > this.drawing.width) return;
    const [begin, end] = [state.begin, state.end];
    let isDrag = false;
    const move = (moved) => {
      const by = this.inside(moved).x - from.x;
      isDrag ||= Math.abs(by) > 4;
      if (!isDrag) return;
      const time = (by / this.drawing.pixels) * (end - begin);
      look(begin - time, end - time);
      this.redraw();
    };
    const released = new AbortController(), { signal } = released;
    addEventListener("pointermove", move, { signal });
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => released.abort(), { signal });
    signal.addEventListener("abort", () => { if (!isDrag) this.click(from); });
  }

  click({ x, y }) {
    const row = Math.floor((y - rulerHeight + this.box.scrollTop) / rowHeight);
    if (y < rulerHeight) return;
    const isName = x < this.drawing.gutter;
    this.timeline.pick(row, isName ? Infinity : this.drawing.time(x - 2), isName ? Infinity : this.drawing.time(x + 2));
    const picked = this.timeline.rows[row];
    if (isName && picked?.kind === "view") choose(picked.lane);
    this.redraw();
  }

  /** In the overview a press goes there. */
  overviewInput(canvas) {
    const go = (event) => {
      const frame = canvas.getBoundingClientRect(), span = state.end - state.begin;
      const middle = ((event.clientX - frame.left) / frame.width) * report.durationNanoseconds;
      look(middle - span / 2, middle + span / 2);
      this.redraw();
    };
    canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); go(event); });
    canvas.addEventListener("pointermove", (event) => { if (canvas.hasPointerCapture(event.pointerId)) go(event); });
  }
}
