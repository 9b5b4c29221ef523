// SPDX-License-Identifier: MIT
// The tables of views, and of turns in which a view was evaluated more than once.

/** A column of numbers, shown as `text` writes them. */
const numbers = (name, value, text = grouped, more = {}) =>
  ({ name, isNumber: true, value, exact: value, cell: (row) => text(value(row)), ...more });

/** A column of texts of the trace. */
const names = (name, value, more = {}) => ({ name, value, cell: (row) => isolated(value(row)), ...more });

/** A button in the first column that shows something in the timeline. */
const showButton = (focus, text, act) =>
  element("button", { type: "button", class: "link", "data-focus": focus, title: "Show in the timeline", on: { click: act } }, text);

/** A list of views in one line, each with a text. */
const viewList = (parts) => element("ul", { class: "inline" }, ...parts.map(([view, text]) => element("li", {}, isolated(view), " " + text)));

/**
 * A table in `box`. A column has `name`, `value(row)` (what it sorts by), `cell(row)` (text or an element),
 * `isNumber`, and for the first `isHead`. `rows()` gives the rows of the moment.
 */
class Table {
  constructor(box, { caption, columns, rows, sort = null, rising = false, page = 25, empty, expansion = null, mark = null }) {
    Object.assign(this, { box, caption, columns, rows, sort, rising, page, empty, expansion, mark });
    this.limit = page;
  }

  /** Makes it anew, and leaves the focus where it was. */
  show() {
    const focused = this.box.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
    const rows = this.sorted();
    const shown = rows.slice(0, this.limit);
    if (rows.length === 0) {
      this.box.replaceChildren(element("p", { class: "hint" }, worded(this.empty())));
      return;
    }
    const body = element("tbody");
    for (const row of shown) body.append(...this.row(row));
    this.box.replaceChildren(
      element("table", {}, element("caption", { class: "quiet" }, worded(this.caption)), element("thead", {}, this.head()), body),
      this.rest(rows.length, shown.length));
    if (focused !== undefined) this.box.querySelector('[data-focus="' + focused + '"]')?.focus();
  }

  sorted() {
    const rows = this.rows();
    const column = this.columns.find(({ name }) => name === this.sort);
    if (!column) return rows;
    const sign = this.rising ? 1 : -1;
    const compare = column.isNumber ? (a, b) => a - b : (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    return rows.map((row) => [column.value(row), row]).sort((a, b) => sign * compare(a[0], b[0])).map((pair) => pair[1]);
  }

  head() {
    const cells = this.columns.map((column) => {
      const isSorted = this.sort === column.name;
      const content = column.value
        ? element("button", { type: "button", class: "sort", "data-focus": "sort " + column.name, on: { click: () => this.sortBy(column) } },
          worded(column.name), element("span", { "aria-hidden": "true" }, isSorted ? (this.rising ? " ▲" : " ▼") : ""))
        : worded(column.name);
      return element("th", { scope: "col", class: (column.class ?? "") + (column.isNumber ? " number" : ""), title: worded(column.title ?? "") || undefined, "aria-sort": isSorted && (this.rising ? "ascending" : "descending") }, content);
    });
    return element("tr", {}, ...cells);
  }

  sortBy(column) {
    if (this.sort === column.name) this.rising = !this.rising;
    else [this.sort, this.rising] = [column.name, !column.isNumber];
    this.show();
  }

  row(row) {
    const cells = this.columns.map((column) => element(column.isHead ? "th" : "td", {
      scope: column.isHead && "row", class: (column.class ?? "") + (column.isNumber ? " number" : ""), "data-value": column.exact?.(row),
    }, column.cell(row)));
    const made = element("tr", { class: this.mark?.(row) && "chosen" }, ...cells);
    const expansion = this.expansion?.(row);
    if (!expansion) return [made];
    return [made, element("tr", { class: "expansion" }, element("td", { colspan: this.columns.length }, expansion))];
  }

  rest(all, shown) {
    const line = element("p", { class: "rest" }, grouped(shown) + " of " + grouped(all) + " rows");
    if (shown === all) return all > this.page ? line : "";
    const more = (limit, text) => element("button", { type: "button", "data-focus": text, on: { click: () => { this.limit = limit; this.show(); } } }, text);
    line.append(" ");
    if (all - shown > 200) line.append(more(this.limit + 200, "Show 200 more"), " ");
    line.append(more(all, "Show all"));
    return line;
  }
}

const share = (value, most) => (most > 0 ? value / most : 0);

/** A bar behind a number; its length is the share of the largest. */
function bar(text, part, kind) {
  const made = element("span", { class: "bar " + (part > 0 ? kind : "none") }, element("i", { "aria-hidden": "true" }), element("span", {}, text));
  made.firstChild.style.width = 100 * part + "%";
  return made;
}

/** The main reason of a view with its share, `~` before a guess, and what is folded under the view. */
function reasonCell({ mainReason, count }, note) {
  if (!mainReason) return unknownText;
  const text = " " + percent(mainReason.count, count) + note;
  return element("span", { class: "why" }, isolated((mainReason.isGuess ? "~" : "") + mainReason.reason), text);
}

/** A count of wasted evaluations with its share, and their time; unknown where no waste is known. */
const wastedCountText = ({ wasted, inferred }, whole) =>
  (wasted === 0 ? unknownText : wastedText(wasted, inferred, grouped) + " · " + wastedShare(wasted, inferred, whole));
const wastedTimeText = ({ wasted, wastedNanoseconds, inferredNanoseconds }) =>
  (wasted === 0 ? unknownText : wastedText(wastedNanoseconds, inferredNanoseconds, durationText));

/** Hangs with their time, and in how many the machine did not run the app. */
const hangsText = ({ hangs, hangNanoseconds, starvedHangs }) =>
  (hangs === 0 ? "0" : grouped(hangs) + " · " + durationText(hangNanoseconds) + (starvedHangs > 0 ? ", " + starvedText(starvedHangs) : ""));

function viewsTable() {
  const views = report.views;
  const most = Math.max(0, ...views.map((view) => view.wastedNanoseconds));
  const number = (name, field, title, text, more) => numbers(name, (index) => views[index][field], text, { title, ...more });
  const time = (name, field, title) => numbers(name, (index) => views[index].body[field], durationText, { title });
  const columns = [
    { name: "View", isHead: true, value: (index) => views[index].key, cell: viewButton },
    number("Wasted time", "wastedNanoseconds", "Time in bodies whose result was not needed", durationText, {
      class: "wide", cell: (index) => bar(wastedTimeText(views[index]), share(views[index].wastedNanoseconds, most), "wasted"),
    }),
    number("Wasted", "wasted", "Evaluations whose result was not needed", grouped, {
      cell: (index) => wastedCountText(views[index], views[index].count),
    }),
    number("Evaluations", "count"),
    time("Average", "averageNanoseconds", "Body time, mean"),
    time("P95", "p95Nanoseconds", "Body time, 95th percentile"),
    time("Max", "maxNanoseconds", "Body time, longest"),
    number("Self", "selfNanoseconds", "Body time without nested views, sum", durationText),
    time("Total", "totalNanoseconds", "Body time with nested views, sum"),
    number("Hangs", "hangs", "Hangs attributed to the view, and their time", grouped, { cell: (index) => hangsText(views[index]) }),
    { name: "Main reason", value: (index) => views[index].mainReason?.reason ?? "", cell: (index) => reasonCell(views[index], foldedNote(index)), class: "text" },
    names("Source", (index) => probeText(views[index]), {
      class: "text dim", cell: (index) => isolated(probeText(views[index])),
      isEmpty: views.every(({ file }) => file === ""),
    }),
  ].filter(({ isEmpty }) => !isEmpty);
  return new Table($("views-table"), {
    caption: "Views with their evaluations, in the order of tables: what a fault names first, then what cost most by itself", columns, rows: () => fitting().filter(hasRow),
    empty: () => (views.length === 0 ? "No evaluation was recorded." : "No view matches the search."),
    mark: (index) => index === state.view,
    expansion: (index) => (index === state.view ? viewDetails(views[index], index) : null),
  });
}

/** The box that unfolds the table of views, hidden where nothing is folded. */
function joinFolded(table) {
  $("views-folded").hidden = folded.size === 0;
  $("views-folded-text").textContent = "Show all: " + report.foldedText;
  $("views-all").addEventListener("change", () => { state.showsFolded = $("views-all").checked; table.show(); });
}

/** Why a view was evaluated: reasons with writers. */
function viewDetails(view, index) {
  const items = view.reasons.map((reason) => {
    const writers = reason.writers.map((writer) => element("li", {}, "← ", isolated(writer.writer), " " + grouped(writer.count)))
      .concat(reason.chains.map((chain) => element("li", {}, isolated(chain.chain), " " + grouped(chain.count))));
    return element("li", {}, element("b", {}, isolated(reason.reason)), " " + grouped(reason.count) + passesText(reason.passes) + attributionText(reason.attribution),
      writers.length > 0 ? element("ul", {}, ...writers) : null);
  });
  const facts = [processName(view.process),
    view.passes > 0 ? grouped(view.passes) + " of " + counted(view.count, "evaluation") + " were further passes of the same update" : "",
    view.missing > 0 ? grouped(view.missing) + worded(" evaluations are missing from the trace") : ""];
  return element("div", { class: "details" },
    element("p", {}, element("b", {}, isolated(view.key)), " · ", isolated(probeText(view)), " · ", isolated(facts.filter((fact) => fact !== "").join(" · "))),
    items.length > 0 ? element("ul", {}, ...items) : element("p", {}, "No reason was recorded."),
    view.advice.length > 0 ? element("p", { class: "advice" }, element("b", {}, "What helps: "), isolated(view.advice.join(" "))) : null,
    element("button", { type: "button", "data-focus": "show " + index, on: { click: () => { ensureShown(view.process); page.showInTimeline(page.timeline.showView(index)); } } }, "Show in the timeline"));
}

const passesText = (passes) => (passes > 0 ? " (" + counted(passes, "pass", "passes") + ")" : "");

const attributionText = (attribution) => ({ exact: ", observed", announced: ", announced by the app", diff: ", found by comparing values" })[attribution] ?? "";

/** Views with the evaluations that begin in the visible time. */
function rangeTable(timeline) {
  return new Table($("range-table"), {
    caption: "Evaluations that begin in the visible time", sort: "Evaluations",
    columns: [
      names("View", (row) => fullName(report.views[row.index]), { isHead: true }),
      numbers("Evaluations", (row) => row.evaluations), numbers("Wasted", (row) => row.wasted, grouped, { cell: (row) => knownWaste(row.wasted, row.inferred, grouped) }),
      numbers("Body time", (row) => row.body, durationText),
    ],
    rows: () => fitting().filter((index) => isShown(report.views[index].process)).map((index) => ({ index, ...visibleOf(timeline, index) }))
      .filter((row) => row.evaluations > 0),
    empty: () => "No evaluation begins in the visible time.",
  });
}

function doublesTable() {
  const doubles = report.doubles;
  return new Table($("doubles-table"), {
    caption: "Turns of the main loop in which an instance was evaluated more than once, the worst first", sort: "Evaluated again",
    columns: [
      numbers("Turn", (row) => row.turn, grouped, {
        isHead: true, class: "start", cell: (row) => showButton("turn " + row.process + " " + row.turn, grouped(row.turn), () => page.showInTimeline(page.timeline.showTurn(row.process, row.start))),
      }),
      { name: "At", isNumber: true, value: (row) => row.start, cell: (row) => moment(row.start) },
      names("Process", (row) => processName(row.process)),
      numbers("Evaluated again", (row) => row.again),
      { name: "Views", cell: (row) => viewList(row.views.map(({ view, amount }) => [view, grouped(amount)])), class: "text" },
    ],
    rows: () => doubles.filter((row) => matches(row.views.map((part) => part.view))),
    empty: () => (doubles.length === 0 ? "No instance was evaluated more than once in a turn." : "No turn matches the search."),
  });
}

/** How many there are beyond those in the table. */
function showDoublesHint() {
  const { doubleTurns, doubleEvaluations } = report.totals;
  $("doubles-hint").textContent = doubleTurns === 0 ? "" : counted(doubleTurns, "turn") + " with " + counted(doubleEvaluations, "evaluation")
    + " beyond the first of an instance" + (doubleTurns > report.doubles.length ? "; those with the most are listed." : ".");
  $("hangs-hint").textContent = report.hangs.length > 0 ? report.hangsNote : "";
  $("timeline-note").textContent = report.timelineNote;
}

// Hangs, one row each: how long, whose, and in a bar what they were made of.

/** What the time of a hang went to, by the colour of its part. */
const hangParts = [
  ["body", "bodies"], ["layout", "layout"], ["snapshot", "snapshots"], ["handler", "event handlers"], ["drawing", "drawing"],
  ["view", "bodies or snapshots"], ["other", "no view"],
];

/** The parts of a hang, each with its kind; null where they are not known. */
function partsOf(hang) {
  if (hang.unattributed === undefined) return null;
  const parts = hang.inside.map(({ view, amount, phase }) => ({ kind: phase ?? "view", name: view, amount }));
  return hang.unattributed > 0 ? [...parts, { kind: "other", name: "no view", amount: hang.unattributed }] : parts;
}

const partText = ({ kind, name, amount }, whole) =>
  name + " " + durationText(amount) + " (" + percent(amount, whole) + (kind === "other" || kind === "view" ? "" : ", " + hangParts.find((row) => row[0] === kind)[1]) + ")";

function hangsTable() {
  const hangs = report.hangs, longest = Math.max(1, ...hangs.map((hang) => hang.duration)), process = (index) => processName(hangs[index].process);
  return new Table($("hangs-table"), {
    caption: "Hangs of the main loop in the order of time",
    columns: [
      {
        name: "At", isHead: true, isNumber: true, class: "start", value: (index) => hangs[index].start,
        cell: (index) => showButton("hang " + index, moment(hangs[index].start), () => { ensureShown(hangs[index].process); page.showInTimeline(page.timeline.showHang(index)); }),
      },
      numbers("Took", (index) => hangs[index].duration, durationText, {
        cell: (index) => durationText(hangs[index].duration) + (hangs[index].isOpen ? " so far" : ""),
      }),
      { name: "Made of", cell: (index) => hangBar(hangs[index], longest), class: "wide" },
      names("Process", process),
      { name: "Attributed to", value: (index) => hangs[index].view, cell: (index) => isolated(ownerText(hangs[index])) },
      { name: "Attribution", value: (index) => hangs[index].attribution, cell: (index) => hangs[index].attribution },
      { name: "At the threshold", value: (index) => hangs[index].atThreshold, cell: (index) => isolated(hangs[index].atThreshold || unknownText) },
      { name: "Main thread", value: (index) => hangs[index].verdict, cell: (index) => threadText(hangs[index]) },
      { name: "What ran in it", cell: (index) => insideCell(hangs[index]), class: "text" },
    ],
    rows: () => hangs.map((_, index) => index).filter((index) => matches([hangs[index].view, ...hangs[index].inside.map((part) => part.view)])),
    empty: () => (hangs.length === 0 ? "No hang was recorded. " + report.hangsNote : "No hang matches the search."),
  });
}

/** A bar as long as the hang, compared with the longest one, of the parts of its time. */
function hangBar(hang, longest) {
  const parts = partsOf(hang);
  if (!parts || parts.length === 0) return unknownText;
  const made = element("span", { class: "stack", role: "img", "aria-label": parts.map((part) => partText(part, hang.duration)).join(", ") });
  made.style.width = Math.max(3, 100 * share(hang.duration, longest)) + "%";
  for (const part of parts) {
    const piece = element("i", { class: "part-" + part.kind });
    piece.style.flexGrow = part.amount;
    page.card?.over(piece, () => ({ title: part.name, facts: [["Time", durationText(part.amount)], ["Share", percent(part.amount, hang.duration)],
      ["Kind", hangParts.find((row) => row[0] === part.kind)[1]]] }));
    made.append(piece);
  }
  return made;
}

/** The kinds that there are, with their colours. */
function showHangLegend() {
  const kinds = new Set(report.hangs.flatMap((hang) => partsOf(hang) ?? []).map((part) => part.kind));
  $("hangs-legend").replaceChildren(...hangParts.filter(([kind]) => kinds.has(kind)).map(([kind, text]) => element("li", {}, element("i", { class: "part-" + kind }), text)));
}

/** So many hangs in which the thread had no processor for most of the time. */
const starvedText = (count) => grouped(count) + " without a processor";

/** Whose a hang is; a guess has a mark. */
const ownerText = (hang) => (hang.view === "" ? "none" : (hang.isGuess ? "~" : "") + hang.view);

/** What the main thread did, and for how much of the hang it had no processor, if that was more than a moment. */
const threadText = (hang) => (hang.verdict === "unknown" ? unknownText : hang.verdict)
  + (hang.starved * 20 > hang.duration ? ", no processor for " + Math.floor((100 * hang.starved) / hang.duration) + "%" : "");

const insideCell = (hang) => (hang.unattributed === undefined ? unknownText : hang.inside.length === 0 ? worded("no evaluation in the trace")
  : viewList([...hang.inside.map(({ view, amount }) => [view, durationText(amount)]), ["no view", durationText(hang.unattributed)]]));

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
