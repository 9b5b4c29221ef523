// SPDX-License-Identifier: MIT
// The timeline on its canvas.

/** What the last drawing cost, its steps in the indexes included; a test bounds it. */
const drawn = { rectangles: 0, rows: 0, pixels: 0, steps: 0 };

/** Colours as the style sheet has them now, ready for a canvas. */
function palette() {
  const probe = element("span", { hidden: true });
  document.body.append(probe);
  const colours = {};
  for (const name of ["ink", "muted", "line", "surface", "stripe", "needed", "wasted", "turn", "hang", "write", "choice", "focus"]) {
    probe.style.color = "var(--" + name + ")";
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colours;
}

/** A canvas as sharp as the screen, cleared; coordinates are CSS pixels. */
function sheet(canvas, width, height, colours) {
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
  }
  const context = canvas.getContext("2d", { alpha: false });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  paint(context, colours.surface, 0, 0, width, height);
  return context;
}

function paint(context, colour, x, y, width, height) {
  context.fillStyle = colour;
  context.fillRect(x, y, width, height);
}

class TimelineDrawing {
  constructor(timeline, canvas) {
    Object.assign(this, { timeline, canvas });
    this.recolour();
  }

  /** Takes the colours again, after the theme changed. */
  recolour() { this.colours = palette(); }

  /** The width of the names at the left. */
  get gutter() { return Math.round(Math.min(240, Math.max(96, this.width * 0.22))); }
  get pixels() { return Math.max(1, Math.floor(this.width - this.gutter)); }

  /** Draws the rows that are visible at a scroll position. */
  draw(width, height, scroll) {
    this.width = width;
    const { timeline, colours } = this;
    const context = (this.context = sheet(this.canvas, width, height, colours));
    const { pinned } = timeline, first = pinned + Math.floor(scroll / rowHeight);
    const count = Math.max(0, Math.min(timeline.rows.length - first, Math.ceil((height - rulerHeight) / rowHeight) + 1 - pinned));
    Object.assign(drawn, { rectangles: 0, rows: count + pinned, pixels: this.pixels, steps: 0 });
    Object.assign(this, { scroll, bands: this.hangBands() });
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (let row = first; row < first + count; row++) this.drawRow(row);
    // Over the part of the first row that is scrolled away.
    paint(context, colours.surface, 0, 0, width, rulerHeight + pinned * rowHeight);
    for (let row = 0; row < pinned; row++) this.drawRow(row);
    if (pinned > 0) paint(context, colours.muted, 0, rulerHeight + pinned * rowHeight - 1, width, 1);
    this.drawRuler(height);
    this.drawCause();
    this.drawSpan(height);
  }

  /** The top of a row; pinned ones do not scroll. */
  top(row) { return rulerHeight + row * rowHeight - (row < this.timeline.pinned ? 0 : this.scroll); }

  /** The row at a height, -1 for the ruler. */
  rowAt(y) {
    const { pinned } = this.timeline, row = Math.floor((y - rulerHeight) / rowHeight);
    return row < pinned ? Math.max(-1, row) : Math.floor((y - rulerHeight + this.scroll) / rowHeight);
  }

  drawRow(place) {
    const { context, colours, timeline, gutter, width } = this, y = this.top(place);
    const row = timeline.rows[place];
    const isChosen = row.kind === "view" && row.lane === state.view;
    const isStripe = place % 2 === 1 || row.kind === "process";
    const ground = isChosen ? colours.choice : isStripe ? colours.stripe : colours.surface;
    paint(context, ground, 0, y, width, rowHeight);
    if (row.kind === "view") this.drawEvaluations(row.lane, y + 3, rowHeight - 6);
    if (row.kind === "turns") this.drawPlain(row, y + 6, rowHeight - 12, colours.turn);
    if (row.kind === "hangs") this.drawPlain(row, y + 4, rowHeight - 8, colours.hang);
    if (row.kind === "writes") this.drawPlain(row, y + 5, rowHeight - 10, colours.write, 2);
    this.drawBands(row.process, y);
    if (place === timeline.row) this.drawCursor(y, ground);
    this.drawName(row, y, gutter);
  }

  drawName(row, y, gutter) {
    const { context, colours } = this;
    if (row.kind === "view" && state.pins.includes(row.lane)) {
      context.fillStyle = colours.focus;
      context.textAlign = "right";
      context.fillText("\u25B4", gutter - 4, y + rowHeight / 2 + 0.5);
    }
    context.fillStyle = row.kind === "view" ? colours.ink : colours.muted;
    context.font = (row.kind === "process" ? "600 " : "") + "12px system-ui, sans-serif";
    context.textAlign = "left";
    context.fillText(fitted(context, this.label(row), gutter - 24), row.kind === "process" ? 6 : 10, y + rowHeight / 2 + 0.5);
  }

  /** A row's name; with its process where that is not the one that is shown. */
  label(row) {
    const isForeign = row.kind === "view" && report.processes.length > 1 && state.process !== row.process && state.pins.includes(row.lane);
    return isForeign ? row.name + " · " + processName(row.process) : row.name;
  }

  /** Evaluations in one colour, and from the bottom the part of them that was wasted. */
  drawEvaluations(lane, y, height) {
    const { context, colours, gutter, timeline } = this;
    const index = timeline.evaluations;
    index.eachPixel(lane, state.begin, state.end, this.pixels, (left, right, from, to) => {
      const width = Math.max(1, right - left), share = index.total("wasted", from, to) / index.total("count", from, to);
      context.globalAlpha = this.density(index, from, to);
      if (share < 1) this.fill(colours.needed, gutter + left, y, width, height);
      if (share > 0) this.fill(colours.wasted, gutter + left, y + height * (1 - share), width, height * share);
    });
    context.globalAlpha = 1;
  }

  /** How busy a stretch is, never so pale that it cannot be seen. */
  density(index, from, to) {
    if (to - from === 1 && this.timeline.data.count[index.source[from]] === 1) return 1;
    const span = index.start[to - 1] - index.start[from];
    const stretch = Math.max(span, (state.end - state.begin) / this.pixels);
    return 0.45 + 0.55 * Math.min(1, index.total("body", from, to) / stretch);
  }

  drawPlain(row, y, height, colour, least = 1) {
    row.index.eachPixel(row.lane, state.begin, state.end, this.pixels, (left, right) => {
      // A gap between neighbours, where there is room for it.
      this.fill(colour, this.gutter + left, y, Math.max(least, right - left - (right - left > 4 ? 1 : 0)), height);
    });
  }

  fill(colour, x, y, width, height) {
    drawn.rectangles++;
    paint(this.context, colour, x, y, width, height);
  }

  drawCursor(y, ground) {
    const { context, colours, gutter, width } = this, interval = this.timeline.interval;
    if (interval) {
      const left = Math.max(gutter - 8, this.x(interval.start) - 1.5);
      const right = Math.min(width + 8, Math.max(this.x(interval.start) + 2, this.x(interval.end)) + 1.5);
      context.strokeStyle = colours.focus;
      context.lineWidth = 2;
      context.strokeRect(left, y + 1.5, right - left, rowHeight - 3);
      // The names' column stays free of it.
      paint(context, ground, 0, y, gutter, rowHeight);
    }
    paint(context, colours.focus, 0, y + 2, 3, rowHeight - 4);
  }

  /** Where a time is on the canvas. */
  x(time) { return this.gutter + ((time - state.begin) / (state.end - state.begin)) * this.pixels; }
  /** Which time is at a place of the canvas. */
  time(x) { return state.begin + ((x - this.gutter) / this.pixels) * (state.end - state.begin); }

  drawRuler(height) {
    const { context, colours, gutter, width } = this;
    const span = state.end - state.begin, step = roundStep(span / Math.max(2, this.pixels / 110));
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "left";
    for (let time = Math.ceil(state.begin / step) * step; time <= state.end; time += step) {
      const x = Math.round(this.x(time)), text = rulerText(time, step);
      context.globalAlpha = 0.6;
      paint(context, colours.line, x, 4, 1, height - 4);
      context.globalAlpha = 1;
      context.fillStyle = colours.muted;
      if (x + 4.5 + context.measureText(text).width < width) context.fillText(text, x + 4.5, rulerHeight / 2);
    }
    context.fillStyle = colours.muted;
    context.fillText(durationText(span), 10, rulerHeight / 2);
    paint(context, colours.line, 0, rulerHeight - 1, width, 1);
    paint(context, colours.line, gutter - 1, rulerHeight, 1, height - rulerHeight);
  }

  /** Where the hangs of each process are on the canvas. */
  hangBands() {
    return report.processes.map((_, lane) => {
      const bands = [];
      this.timeline.hangs.eachPixel(lane, state.begin, state.end, this.pixels, (left, right) => bands.push([left, Math.max(1, right - left)]));
      return bands;
    });
  }

  /** A hang's time in red through the rows of its own process, so that what ran in it is seen. */
  drawBands(process, y) {
    const { context, colours, gutter } = this;
    context.globalAlpha = 0.1;
    for (const [left, across] of this.bands[process]) paint(context, colours.hang, gutter + left, y, across, rowHeight);
    context.globalAlpha = 1;
  }

  /** A line from the evaluation under the cursor to the write that led to it. */
  drawCause() {
    const { context, colours, gutter, timeline, width } = this, { data, interval } = timeline, row = timeline.rows[timeline.row];
    if (!interval || row.kind !== "view") return;
    const write = writeBefore(timeline, interval.source), from = write < 0 ? -1 : timeline.rowOf("writes", data.writeProcess[write]);
    if (from < 0) return;
    const [x1, y1, x2, y2] = [this.x(data.writeStart[write]) + 1, this.top(from) + rowHeight / 2, this.x(interval.start), this.top(timeline.row) + rowHeight / 2];
    context.save();
    context.beginPath();
    context.rect(gutter, rulerHeight, width - gutter, this.canvas.clientHeight);
    context.clip();
    context.strokeStyle = context.fillStyle = colours.focus;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x1, y1);
    // Down first, and then on in time: an arrow that does not hide what is between.
    context.bezierCurveTo(x1, (y1 + y2) / 2, x2 - 14, y2, x2 - 1, y2);
    context.stroke();
    context.beginPath();
    context.arc(x1, y1, 4, 0, 7);
    context.moveTo(x2, y2);
    context.lineTo(x2 - 7, y2 - 4);
    context.lineTo(x2 - 7, y2 + 4);
    context.fill();
    context.restore();
  }

  /** The selected span. */
  drawSpan(height) {
    if (!state.span) return;
    const { context, colours, gutter, width } = this;
    const left = Math.max(gutter, this.x(state.span.begin)), right = Math.min(width, this.x(state.span.end));
    if (right < gutter || left > width) return;
    context.globalAlpha = 0.14;
    paint(context, colours.focus, left, 0, right - left, height);
    context.globalAlpha = 1;
    for (const edge of [left, right - 1]) paint(context, colours.focus, edge, 0, 1, height);
  }
}

/** 1, 2 or 5 times a power of ten, at least `least`. */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}

/** A time of the ruler, with as many digits as its steps need. */
function rulerText(time, step) {
  if (step >= 1e9) return grouped(Math.round(time / 1e9)) + " s";
  const digits = Math.min(9, Math.max(1, Math.ceil(9 - Math.log10(step) - 1e-9)));
  return (time / 1e9).toFixed(digits) + " s";
}

const textWidths = new Map();

/** Text cut in the middle where it does not fit. */
function fitted(context, text, width) {
  const name = context.font + "\n" + width + "\n" + text;
  const known = textWidths.get(name);
  if (known !== undefined) return known;
  let result = text;
  if (text.length > 400 || context.measureText(text).width > width) {
    let low = 0, high = Math.min(Array.from(text.slice(0, 400)).length, 200);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (context.measureText(cutText(text, middle)).width <= width) low = middle;
      else high = middle - 1;
    }
    result = cutText(text, low);
  }
  result = isolatedText(result);
  if (textWidths.size > 5000) textWidths.clear();
  textWidths.set(name, result);
  return result;
}
