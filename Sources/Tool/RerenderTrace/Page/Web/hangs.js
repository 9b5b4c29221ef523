// SPDX-License-Identifier: MIT
// The tables of hangs, and of turns in which a view was evaluated more than once.

function hangsTable() {
  const hangs = report.hangs;
  return new Table($("hangs-table"), {
    caption: "Hangs of the main loop in the order of time",
    columns: [
      {
        name: "At", isHead: true, isNumber: true, class: "start", value: (index) => hangs[index].start,
        cell: (index) => element("button", { type: "button", class: "link", "data-focus": "hang " + index, title: "Show in the timeline", on: { click: () => page.showHang(index) } }, moment(hangs[index].start)),
      },
      { name: "Took", isNumber: true, value: (index) => hangs[index].duration, exact: (index) => hangs[index].duration, cell: (index) => duration(hangs[index].duration) + (hangs[index].isOpen ? " so far" : "") },
      { name: "Process", value: (index) => processName(hangs[index].process), cell: (index) => isolated(processName(hangs[index].process)) },
      { name: "Blamed view", value: (index) => hangs[index].view, cell: (index) => isolated(hangs[index].view || "none") },
      { name: "Because", value: (index) => hangs[index].attribution, cell: (index) => hangs[index].attribution },
      { name: "Main thread", value: (index) => hangs[index].verdict, cell: (index) => hangs[index].verdict },
      { name: "What ran in it", cell: (index) => insideText(hangs[index]), class: "text" },
    ],
    rows: () => hangs.map((_, index) => index).filter((index) => hangFits(hangs[index])),
    empty: () => (hangs.length === 0 ? "No hang was recorded. " + report.hangsNote : "No hang fits the search."),
  });
}

const hangFits = (hang) => state.query === ""
  || [hang.view, ...hang.inside.map((part) => part.view)].join("\n").toLowerCase().includes(state.query);

function insideText(hang) {
  if (hang.inside.length === 0) return "no evaluation that the trace has";
  const parts = element("ul", { class: "inline" });
  for (const { view, nanoseconds } of hang.inside) parts.append(element("li", {}, isolated(view), " " + duration(nanoseconds)));
  parts.append(element("li", {}, "no view " + duration(hang.unattributed)));
  return parts;
}

function doublesTable() {
  const doubles = report.doubles;
  return new Table($("doubles-table"), {
    caption: "Turns of the main loop in which an instance was evaluated more than once, the worst first", sort: "Evaluated again",
    columns: [
      {
        name: "Turn", isHead: true, isNumber: true, class: "start", value: (row) => row.turn, exact: (row) => row.turn,
        cell: (row) => element("button", { type: "button", class: "link", "data-focus": "turn " + row.process + " " + row.turn, title: "Show in the timeline", on: { click: () => page.showTurn(row) } }, grouped(row.turn)),
      },
      { name: "At", isNumber: true, value: (row) => row.start, cell: (row) => moment(row.start) },
      { name: "Process", value: (row) => processName(row.process), cell: (row) => isolated(processName(row.process)) },
      { name: "Evaluated again", isNumber: true, value: (row) => row.again, exact: (row) => row.again, cell: (row) => grouped(row.again) },
      { name: "Views", cell: againCell, class: "text" },
    ],
    rows: () => doubles.filter((row) => state.query === "" || row.views.some((part) => part.view.toLowerCase().includes(state.query))),
    empty: () => (doubles.length === 0 ? "No instance was evaluated more than once in a turn." : "No turn fits the search."),
  });
}

function againCell(row) {
  const list = element("ul", { class: "inline" });
  for (const { view, again } of row.views) list.append(element("li", {}, isolated(view), " " + grouped(again)));
  return list;
}

/** How many there are beyond those in the table. */
function showDoublesHint() {
  const { doubleTurns, doubleEvaluations } = report.totals;
  $("doubles-hint").textContent = doubleTurns === 0 ? "" : counted(doubleTurns, "turn") + " with " + counted(doubleEvaluations, "evaluation")
    + " beyond the first of an instance" + (doubleTurns > report.doubles.length ? "; those with the most are listed." : ".");
  $("hangs-hint").textContent = report.hangs.length > 0 ? report.hangsNote : "";
  $("timeline-note").textContent = report.timelineNote;
}
