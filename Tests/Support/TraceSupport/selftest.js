// SPDX-License-Identifier: MIT
// Put into the page's own scope by a test: zooms and moves through the whole trace and counts what each drawing cost. Counts,
// not times: they are the same on every machine.

window.selfTest = () => {
  const timeline = page.timeline, worst = { rectanglesPerPixel: 0, stepsPerPixel: 0, rectangles: 0 };
  let drawings = 0;
  const draw = () => {
    drawTimeline();
    drawings++;
    const places = drawn.pixels * Math.max(1, drawn.rows);
    worst.rectangles = Math.max(worst.rectangles, drawn.rectangles);
    worst.rectanglesPerPixel = Math.max(worst.rectanglesPerPixel, drawn.rectangles / places);
    worst.stepsPerPixel = Math.max(worst.stepsPerPixel, drawn.steps / places);
  };
  look(0, Infinity);
  draw();
  for (let level = 0; level < 30; level++) {
    timeline.zoom(0.5);
    draw();
    timeline.pan(level % 2 === 0 ? 0.4 : -0.4);
    draw();
  }
  for (let level = 0; level < 30; level++) {
    timeline.zoom(2);
    draw();
  }
  look(0, Infinity);
  const whole = report.views.map((_, view) => visibleOf(timeline, view));
  return {
    drawings, ...worst, intervals: timeline.evaluations.source.length,
    evaluations: whole.reduce((sum, view) => sum + view.evaluations, 0), wasted: whole.reduce((sum, view) => sum + view.wasted, 0),
    body: whole.reduce((sum, view) => sum + view.body, 0), misses: misses(timeline),
  };
};

/** Compares the look-up with a plain search through everything, at many places: how often they differ. */
function misses(timeline) {
  const index = timeline.evaluations, whole = report.durationNanoseconds;
  let missed = 0, seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let round = 0; round < 60 && report.views.length > 0; round++) {
    const lane = Math.floor(random() * report.views.length), span = whole * random() ** 8, begin = random() * (whole - span);
    const from = index.offsets[lane], to = index.offsets[lane + 1];
    const pixels = 200, wanted = new Uint8Array(pixels), seen = new Uint8Array(pixels);
    const mark = (row, left, right) => { for (let pixel = Math.floor(left); pixel < Math.min(pixels, right); pixel++) row[pixel] = 1; };
    for (let place = from; place < to; place++) {
      const left = ((index.start[place] - begin) / span) * pixels, right = ((index.end[place] - begin) / span) * pixels;
      if (right > 0 && left < pixels) mark(wanted, Math.max(0, left), Math.max(Math.floor(Math.max(0, left)) + 1, right));
    }
    index.eachPixel(lane, begin, begin + span, pixels, (left, right) => mark(seen, left, right));
    for (let pixel = 0; pixel < pixels; pixel++) if (wanted[pixel] === 1 && seen[pixel] === 0) missed++;
  }
  return missed;
}

/** Where a time of a row is on the canvas of the lanes; the row is named as it is drawn. */
window.placeOf = (name, time) => {
  // As it will be: a scroll bar that went away has changed the width.
  drawTimeline();
  const row = page.timeline.rows.findIndex((found) => found.name === name);
  return { x: page.drawing.x(time), y: page.drawing.top(row) + rowHeight / 2 };
};

/** Where a time is in the strip. */
window.inStrip = (time) => ({ x: page.overview.x(time) + page.overview.canvas.clientLeft, y: 18 });

/** Where an evaluation of the chosen turn is in its flame graph. */
window.inFlame = (view) => {
  const mark = page.flame.marks.find(({ index }) => report.views[page.timeline.data.view[index]].key === view);
  drawTimeline();
  return { x: mark.x + mark.across / 2, y: mark.row * flameRow + flameRow / 2 };
};

/** The visible time in whole milliseconds, and the names of the rows. */
window.visible = () => [Math.round(state.begin / 1e6), Math.round(state.end / 1e6)];
window.rowNames = () => page.timeline.rows.map((row) => row.name);

/** The colour of a place of the lanes, as they are drawn now. */
window.colourAt = ({ x, y }) => {
  drawTimeline();
  const ratio = Math.min(3, devicePixelRatio || 1), context = page.drawing.context;
  return Array.from(context.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data.slice(0, 3)).join(" ");
};
