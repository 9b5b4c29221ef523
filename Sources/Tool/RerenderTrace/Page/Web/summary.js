// SPDX-License-Identifier: MIT
// What stands above and below: the trace, the totals, and what is missing.

function showAbout() {
  $("about").replaceChildren(isolated(report.title), " · " + report.recordedAt + " · " + duration(report.durationNanoseconds) + " · "
    + report.processes.map((process) => process.name + " " + process.pid).slice(0, 4).join(", ")
    + (report.processes.length > 4 ? " and " + (report.processes.length - 4) + " more processes" : ""));
  $("footer").textContent = report.tool + ". Times are body times unless said otherwise. This page is one file and needs no network.";
}

function showTotals() {
  const totals = report.totals;
  const tiles = [
    ["Evaluations", totals.evaluations, grouped(totals.evaluations), counted(report.views.length, "view")],
    ["Wasted", totals.wasted, grouped(totals.wasted), percent(totals.wasted, totals.evaluations) + " of evaluations"],
    ["Wasted time", totals.wastedNanoseconds, duration(totals.wastedNanoseconds), percent(totals.wastedNanoseconds, totals.bodyNanoseconds) + " of body time"],
    ["Body time", totals.bodyNanoseconds, duration(totals.bodyNanoseconds), "nested views included"],
    ["Turns", totals.turns, grouped(totals.turns), "of main loops"],
    ["Hangs", report.hangs.length, grouped(report.hangs.length), report.hangs.length > 0 ? "longest " + duration(Math.max(...report.hangs.map((hang) => hang.duration))) : "none recorded"],
  ];
  $("totals").replaceChildren(...tiles.map(([name, value, text, more]) => element("div", { class: name === "Hangs" && value > 0 ? "bad" : name.startsWith("Wasted") && value > 0 ? "notice" : "" },
    element("dt", {}, name), element("dd", { "data-total": name, "data-value": value }, text), element("dd", { class: "more" }, more))));
}

/** Said first, and also when nothing is missing: silence would look like that, too. */
function showMissing() {
  const list = element("ul");
  for (const text of report.missing) list.append(element("li", {}, isolated(text)));
  $("missing").replaceChildren(report.missing.length > 0
    ? element("div", { class: "notice" }, element("h2", {}, "Not everything is here"), list)
    : element("p", { class: "whole" }, "The trace is whole: no event was lost, and no evaluation came before it."));
}
