// SPDX-License-Identifier: MIT
// What main loops did and called: the lines and the table of `stats`, with its figures.

/** The table of sources and handlers, at first in the order of the report. */
function sourcesTable() {
  const { sources } = report, hasSeveral = new Set(sources.map((row) => row.process)).size > 1;
  const figure = (name, field, title) => numbers(name, (row) => row[field]?.value ?? -1, grouped, { title, cell: (row) => row[field]?.text ?? unknownText });
  const time = (name, field, title, sign) => numbers(name, (row) => row[field], durationText, { title, cell: (row) => (row[field] === 0 ? unknownText : sign(row) + durationText(row[field])) });
  const columns = [
    hasSeveral ? names("Process", (row) => processName(row.process)) : null,
    names("What", (row) => row.kind),
    names("Source", (row) => row.name, { isHead: true, cell: (row) => isolated(row.name) }),
    numbers("Calls", (row) => row.calls ?? -1, grouped, { cell: (row) => (row.calls === undefined ? unknownText : grouped(row.calls)) }),
    figure("Rate", "rate", "Calls in a second"),
    figure("Core", "core", "Processor time, as a part of a core"),
    time("CPU", "processor", "Processor time, sum", (row) => (row.isShared ? "~" : "")),
    time("Max", "longest", "The longest call, by the clock", () => ""),
    sources.some((row) => row.thread !== undefined) ? names("Thread", (row) => row.thread ?? "main") : null,
  ];
  return new Table($("loops-table"), {
    caption: "Sources and handlers of main loops, those with most processor time first",
    columns: columns.filter((column) => column !== null),
    rows: () => sources.filter((row) => matches([row.name])),
    empty: () => (sources.length === 0 ? "No main loop told of a source or a handler." : "No source and no handler matches the search."),
  });
}

/** The lines above the table. There is no such section where no main loop told of itself. */
function showLoops() {
  const { mainLoops, sources, moreSources } = report;
  $("loops").hidden = mainLoops.length === 0 && sources.length === 0;
  $("loops-lines").hidden = mainLoops.length === 0;
  $("loops-lines").replaceChildren(...mainLoops.map((text) => element("li", {}, isolated(text))));
  $("loops-hint").textContent = "What main loops called, with the processor time that it took. A ~ stands before what was shared out by the clock."
    + (moreSources > 0 ? " " + counted(moreSources, "further row is", "further rows are") + " not listed." : "");
}
