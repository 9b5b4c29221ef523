// SPDX-License-Identifier: MIT
// The strip above the timeline: the whole trace, with what is visible of it marked.

class Overview {
  constructor(data, canvas) {
    const lanes = new Uint32Array(data.start.length);
    this.canvas = canvas;
    this.evaluations = new LaneIndex(1, lanes, data.start, data.duration, { count: data.count, wasted: data.wasted });
  }

  draw(width, colours) {
    const height = 36, context = sheet(this.canvas, width, height, colours);
    const whole = Math.max(1, report.durationNanoseconds), pixels = Math.max(1, Math.floor(width));
    this.bars ??= {};
    if (this.bars.pixels !== pixels) this.bars = { pixels, columns: this.columns(pixels, whole) };
    const most = Math.max(1, ...this.bars.columns.map((column) => column.count));
    for (const { pixel, count, wasted } of this.bars.columns) {
      const tall = Math.max(1, (Math.log1p(count) / Math.log1p(most)) * (height - 4)), orange = tall * (wasted / count);
      context.fillStyle = colours.needed;
      context.fillRect(pixel, height - tall, 1, tall - orange);
      context.fillStyle = colours.wasted;
      context.fillRect(pixel, height - orange, 1, orange);
    }
    context.fillStyle = colours.hang;
    for (const hang of report.hangs) {
      context.fillRect((hang.start / whole) * width, 0, Math.max(2, (hang.duration / whole) * width), 4);
    }
    this.drawWindow(context, width, height, whole, colours);
  }

  /** Evaluations by the pixel in which they begin. */
  columns(pixels, whole) {
    const columns = [], index = this.evaluations;
    let place = 0;
    for (let pixel = 0; pixel < pixels; pixel++) {
      const next = pixel + 1 === pixels ? index.start.length : index.firstStartingAt(place, index.start.length, ((pixel + 1) / pixels) * whole);
      if (next > place) columns.push({ pixel, count: index.total("count", place, next), wasted: index.total("wasted", place, next) });
      place = next;
    }
    return columns;
  }

  drawWindow(context, width, height, whole, colours) {
    const left = (state.begin / whole) * width, right = Math.max(left + 3, (state.end / whole) * width);
    context.fillStyle = colours.surface;
    context.globalAlpha = 0.65;
    context.fillRect(0, 0, left, height);
    context.fillRect(right, 0, width - right, height);
    context.globalAlpha = 1;
    context.strokeStyle = colours.focus;
    context.lineWidth = 1.5;
    context.strokeRect(left + 0.75, 0.75, Math.max(1.5, right - left - 1.5), height - 1.5);
  }
}
