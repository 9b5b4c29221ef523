// SPDX-License-Identifier: MIT
// Keys, buttons, mouse and touch of the timeline. Letters and wheel are those of Perfetto.

/** Every key, for the timeline and for the list of keys. */
function timelineKeys(timeline) {
  const rows = () => Math.max(1, Math.floor($("lanes").clientHeight / rowHeight) - 2);
  return [
    { keys: ["ArrowUp"], text: "the row above", act: () => timeline.moveRow(-1) },
    { keys: ["ArrowDown"], text: "the row below", act: () => timeline.moveRow(1) },
    { keys: ["PageUp"], text: "a screen of rows up", act: () => timeline.moveRow(-rows()) },
    { keys: ["PageDown"], text: "a screen of rows down", act: () => timeline.moveRow(rows()) },
    { keys: ["ArrowLeft", "a", "A"], text: "back in time; with Shift by half a screen", act: (event) => timeline.pan(event?.shiftKey ? -0.5 : -0.1) },
    { keys: ["ArrowRight", "d", "D"], text: "on in time; with Shift by half a screen", act: (event) => timeline.pan(event?.shiftKey ? 0.5 : 0.1) },
    { keys: ["+", "=", "w", "W"], text: "zoom in: w at the pointer", act: (event) => timeline.zoom(0.5, zoomCentre(timeline, event)) },
    { keys: ["-", "s", "S"], text: "zoom out: s at the pointer", act: (event) => timeline.zoom(2, zoomCentre(timeline, event)) },
    { keys: ["0"], text: "show the whole trace", act: () => look(0, Infinity) },
    { keys: ["Home"], text: "go to the beginning", act: () => look(0, state.end - state.begin) },
    { keys: ["End"], text: "go to the end", act: () => look(report.durationNanoseconds, report.durationNanoseconds + state.end - state.begin) },
    { keys: ["."], text: "the next evaluation, turn, write or hang of the row", act: () => timeline.step(1) },
    { keys: [","], text: "the one before", act: () => timeline.step(-1) },
    { keys: ["Enter"], text: "zoom to the selected interval; if none is selected, highlight the view on the whole page", act: () => enter(timeline) },
    { keys: ["h"], text: "the next hang", act: () => timeline.nextHang(1) },
    { keys: ["H"], text: "the hang before", act: () => timeline.nextHang(-1) },
    { keys: ["]"], text: "the next turn of the main loop, as a flame graph", act: () => page.flame.step(1) },
    { keys: ["["], text: "the turn before", act: () => page.flame.step(-1) },
    { keys: ["g"], text: "go to the write that led to the evaluation", act: () => timeline.showCause() },
    { keys: ["m"], text: "select the time of the interval under the cursor, or else what is visible", act: () => selectAtCursor(timeline) },
    { keys: ["f"], text: "zoom to the selected time, or else to the interval under the cursor", act: () => zoomToSpan() || timeline.zoomToCursor() },
    { keys: ["p"], text: "pin the row above the others, or take it down", act: () => pinRow(timeline) },
    { keys: ["Escape"], text: "clear the selection", act: () => clear(timeline) },
  ];
}

/** Letters zoom at the pointer, if it is over the lanes. */
const zoomCentre = (timeline, event) => (event && /[wWsS]/.test(event.key) ? page.input.pointedTime : undefined) ?? timeline.centre();

function enter(timeline) {
  const row = timeline.rows[timeline.row];
  if (!timeline.zoomToCursor() && row?.kind === "view") choose(row.lane);
}

function pinRow(timeline) {
  const row = timeline.rows[timeline.row];
  if (row?.kind === "view") pin(row.lane);
}

/** The span first, so that one key does not clear everything. */
function clear(timeline) {
  if (state.span) return selectSpan(null);
  timeline.at = -1;
  return state.view >= 0 ? choose(state.view) : undefined;
}

/** Half of the least width in pixels in which a mark can be hit. */
const hitReach = 3;

/** Joins the timeline to its elements. `redraw` draws what the input changed. */
class TimelineInput {
  constructor(timeline, drawing, redraw) {
    Object.assign(this, { timeline, drawing, redraw, box: $("lanes") });
    this.box.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && this.act(event.key, event)) event.preventDefault();
    });
    // Over the lanes letters need no click before.
    addEventListener("keydown", (event) => {
      const isFree = event.target === document.body && this.pointed && event.key.length === 1;
      if (isFree && !event.ctrlKey && !event.metaKey && !event.altKey && this.act(event.key, event)) event.preventDefault();
    });
    this.box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.box.addEventListener("scroll", () => { page.card.hide(); redraw(); });
    this.box.addEventListener("pointermove", (event) => this.hover(event));
    this.box.addEventListener("pointerleave", () => this.leave());
    this.box.addEventListener("pointerdown", (event) => this.press(event));
    this.box.addEventListener("dblclick", () => { timeline.zoomToCursor(); redraw(); });
    for (const button of document.querySelectorAll("[data-key]")) button.addEventListener("click", () => this.act(button.dataset.key));
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
    const { row, pinned } = this.timeline, y = (row - pinned) * rowHeight, room = this.box.clientHeight - rulerHeight - pinned * rowHeight;
    if (row < pinned) return;
    if (y < this.box.scrollTop) this.box.scrollTop = y;
    else if (y + rowHeight > this.box.scrollTop + room) this.box.scrollTop = y + rowHeight - room;
  }

  /** Shows the card of what is under the pointer. Browsers send one move a frame. */
  hover(event) {
    this.pointed = { at: this.inside(event), x: event.clientX, y: event.clientY, isPressed: event.buttons > 0 };
    this.showCard();
  }

  leave() {
    this.pointed = null;
    page.card.hide();
  }

  /** The time under the pointer; undefined where there is none. */
  get pointedTime() {
    return this.pointed && this.pointed.at.x >= this.drawing.gutter ? this.drawing.time(this.pointed.at.x) : undefined;
  }

  showCard() {
    if (!this.pointed || this.pointed.isPressed) return page.card.hide();
    const { row, place, isName } = this.hit(this.pointed.at), found = this.timeline.rows[row];
    this.box.style.cursor = !isName && place >= 0 ? "pointer" : "";
    const content = found && (isName || place >= 0) ? cardOf(this.timeline, found, place) : null;
    return content ? page.card.show(this.pointed.x, this.pointed.y, content) : page.card.hide();
  }

  /** The row at a place of the canvas, and the mark there; thin marks are as wide as a pointer can hit. */
  hit({ x, y }) {
    const isName = x < this.drawing.gutter, row = y < rulerHeight ? -1 : this.drawing.rowAt(y);
    const reach = (hitReach / this.drawing.pixels) * (state.end - state.begin);
    return { row, isName, place: isName || row < 0 ? -1 : this.timeline.markAt(row, this.drawing.time(x), reach) };
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

  /** Dragging selects a span; with Shift, the middle button or a finger it moves. A press that does not move chooses what is there. */
  press(event) {
    const from = this.inside(event);
    // The scroll bar is beside the canvas.
    if (event.button > 1 || from.x > this.drawing.width) return;
    const isPan = event.shiftKey || event.button === 1 || event.pointerType === "touch";
    const { begin, end } = state, before = state.span, start = this.timeIn(from.x);
    let isDrag = false;
    page.card.hide();
    drag(event, (moved) => {
      const { x } = this.inside(moved);
      isDrag ||= Math.abs(x - from.x) > 4;
      if (!isDrag) return;
      if (isPan) {
        const time = ((x - from.x) / this.drawing.pixels) * (end - begin);
        look(begin - time, end - time);
      } else if (from.x >= this.drawing.gutter) {
        const other = this.timeIn(x);
        selectSpan({ begin: Math.min(start, other), end: Math.max(start, other) });
      }
      this.redraw();
    }, (isGivenUp) => {
      if (isGivenUp) selectSpan(before);
      else if (!isDrag && event.button === 0) this.click(from);
    });
  }

  /** The time at a place, kept in what is visible. */
  timeIn(x) { return Math.max(state.begin, Math.min(state.end, this.drawing.time(x))); }

  click(place) {
    const { row, isName, place: mark } = this.hit(place), picked = this.timeline.rows[row];
    if (row < 0) return selectSpan(null);
    this.timeline.pick(row, mark);
    if (isName && picked?.kind === "view") place.x > this.drawing.gutter - 22 ? pin(picked.lane) : choose(picked.lane);
    return this.redraw();
  }
}
