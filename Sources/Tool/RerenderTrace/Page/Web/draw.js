// SPDX-License-Identifier: MIT
// The timeline on its canvas, and the strip above it with the whole trace.

/** What the last drawing cost, its steps in the indexes included; a test bounds it. */
const drawn = { rectangles: 0, rows: 0, pixels: 0, steps: 0 };

/** Colours as the style sheet has them now, ready for a canvas. */
function palette() {
  const probe = element("span", { hidden: true });
  document.body.append(probe);
  const colours = {};
  for (const name of ["ink", "muted", "line", "surface", "stripe", "needed", "wasted", "turn", "hang", "choice", "focus"]) {
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
    const first = Math.floor(scroll / rowHeight);
    const count = Math.min(timeline.rows.length - first, Math.ceil((height - rulerHeight) / rowHeight) + 1);
    Object.assign(drawn, { rectangles: 0, rows: count, pixels: this.pixels, steps: 0 });
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (let row = first; row < first + count; row++) this.drawRow(row, rulerHeight + row * rowHeight - scroll);
    // Over the part of the first row that is scrolled away.
    paint(context, colours.surface, 0, 0, width, rulerHeight);
    this.drawRuler(height);
    this.drawHangBands(height);
  }

  drawRow(place, y) {
    const { context, colours, timeline, gutter, width } = this;
    const row = timeline.rows[place];
    const isChosen = row.kind === "view" && row.lane === state.view;
    const isStripe = place % 2 === 1 || row.kind === "process";
    const ground = isChosen ? colours.choice : isStripe ? colours.stripe : colours.surface;
    paint(context, ground, 0, y, width, rowHeight);
    if (row.kind === "view") this.drawEvaluations(row.lane, y + 3, rowHeight - 6);
    if (row.kind === "turns") this.drawPlain(row, y + 6, rowHeight - 12, colours.turn);
    if (row.kind === "hangs") this.drawPlain(row, y + 4, rowHeight - 8, colours.hang);
    if (place === timeline.row) this.drawCursor(y, ground);
    this.drawName(row, y, gutter);
  }

  drawName(row, y, gutter) {
    const { context, colours } = this;
    context.fillStyle = row.kind === "view" ? colours.ink : colours.muted;
    context.font = (row.kind === "process" ? "600 " : "") + "12px system-ui, sans-serif";
    context.textAlign = "left";
    context.fillText(fitted(context, row.name, gutter - 18), row.kind === "process" ? 6 : 10, y + rowHeight / 2 + 0.5);
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

  drawPlain(row, y, height, colour) {
    row.index.eachPixel(row.lane, state.begin, state.end, this.pixels, (left, right) => {
      // A gap between neighbours, where there is room for it.
      this.fill(colour, this.gutter + left, y, Math.max(1, right - left - (right - left > 4 ? 1 : 0)), height);
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

  /** A hang's time in red through all rows, so that what ran in it is seen. */
  drawHangBands(height) {
    const { context, colours, gutter, timeline } = this;
    context.globalAlpha = 0.1;
    for (let lane = 0; lane < report.processes.length; lane++) {
      timeline.hangs.eachPixel(lane, state.begin, state.end, this.pixels, (left, right) => {
        paint(context, colours.hang, gutter + left, rulerHeight, Math.max(1, right - left), height - rulerHeight);
      });
    }
    context.globalAlpha = 1;
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

class Overview {
  constructor(data, canvas) {
    Object.assign(this, { data, canvas });
  }

  draw(width, colours) {
    const height = 36, context = sheet(this.canvas, width, height, colours);
    const whole = Math.max(1, report.durationNanoseconds), pixels = Math.max(1, Math.floor(width));
    if (this.columns?.length !== pixels) this.columns = this.sumUp(pixels, whole);
    const most = Math.max(1, ...this.columns.map((column) => column.count));
    for (const [pixel, { count, wasted }] of this.columns.entries()) {
      if (count === 0) continue;
      const tall = Math.max(1, (Math.log1p(count) / Math.log1p(most)) * (height - 4)), orange = tall * (wasted / count);
      paint(context, colours.needed, pixel, height - tall, 1, tall - orange);
      paint(context, colours.wasted, pixel, height - orange, 1, orange);
    }
    for (const hang of report.hangs) {
      paint(context, colours.hang, (hang.start / whole) * width, 0, Math.max(2, (hang.duration / whole) * width), 4);
    }
    this.drawWindow(context, width, height, whole, colours);
  }

  /** Evaluations by the pixel in which they begin. */
  sumUp(pixels, whole) {
    const columns = Array.from({ length: pixels }, () => ({ count: 0, wasted: 0 }));
    this.data.start.forEach((start, index) => {
      const column = columns[Math.min(pixels - 1, Math.floor((start / whole) * pixels))];
      column.count += this.data.count[index];
      column.wasted += this.data.wasted[index];
    });
    return columns;
  }

  drawWindow(context, width, height, whole, colours) {
    const left = (state.begin / whole) * width, right = Math.max(left + 3, (state.end / whole) * width);
    context.globalAlpha = 0.65;
    paint(context, colours.surface, 0, 0, left, height);
    paint(context, colours.surface, right, 0, width - right, height);
    context.globalAlpha = 1;
    context.strokeStyle = colours.focus;
    context.lineWidth = 1.5;
    context.strokeRect(left + 0.75, 0.75, Math.max(1.5, right - left - 1.5), height - 1.5);
  }
}
