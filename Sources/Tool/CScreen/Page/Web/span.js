// SPDX-License-Identifier: MIT
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
