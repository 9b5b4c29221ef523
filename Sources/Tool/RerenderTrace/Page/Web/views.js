// SPDX-License-Identifier: MIT
// The ranked table of views, and what is known of the chosen one.

const share = (value, most) => (most > 0 ? value / most : 0);

/** A bar behind a number; its length is the share of the largest. */
function bar(text, part, kind) {
  const made = element("span", { class: "bar " + (part > 0 ? kind : "none") }, element("i", { "aria-hidden": "true" }), element("span", {}, text));
  made.firstChild.style.width = 100 * part + "%";
  return made;
}

const mainReason = (view) => view.reasons[0];

function reasonCell(view) {
  const reason = mainReason(view);
  if (!reason) return "–";
  const all = view.reasons.reduce((sum, reason) => sum + reason.count, 0);
  return element("span", { class: "why" }, isolated(reason.reason), " " + percent(reason.count, all));
}

function viewsTable() {
  const views = report.views;
  const most = Math.max(0, ...views.map((view) => view.wastedNanoseconds));
  const time = (name, field, title) => ({
    name, title, isNumber: true, value: (index) => views[index][field], exact: (index) => views[index][field], cell: (index) => duration(views[index][field]),
  });
  const number = (name, field, title) => ({
    name, title, isNumber: true, value: (index) => views[index][field], exact: (index) => views[index][field], cell: (index) => grouped(views[index][field]),
  });
  const columns = [
    { name: "View", isHead: true, value: (index) => views[index].key, cell: viewButton },
    {
      ...time("Wasted time", "wastedNanoseconds", "Time in bodies whose result was not needed"), class: "wide",
      cell: (index) => bar(duration(views[index].wastedNanoseconds), share(views[index].wastedNanoseconds, most), "wasted"),
    },
    {
      ...number("Wasted", "wasted", "Evaluations whose result was not needed"),
      cell: (index) => grouped(views[index].wasted) + " · " + percent(views[index].wasted, views[index].count),
    },
    number("Evaluations", "count"),
    time("Average", "averageNanoseconds", "Body time, mean"),
    time("P95", "p95Nanoseconds", "Body time, 95th percentile"),
    time("Max", "maxNanoseconds", "Body time, longest"),
    time("Total", "totalNanoseconds", "Body time, sum"),
    number("Hangs", "hangs", "Hangs that the view is blamed for"),
    { name: "Main reason", value: (index) => mainReason(views[index])?.reason ?? "", cell: (index) => reasonCell(views[index]), class: "text" },
    { name: "Place", value: (index) => place(views[index]), cell: (index) => isolated(place(views[index])), class: "text dim" },
  ];
  const order = views.map((_, index) => index);
  return new Table($("views-table"), {
    caption: "Views with their evaluations, most wasted time first", columns, rows: () => order.filter(fits),
    empty: () => (views.length === 0 ? "No evaluation was recorded." : "No view fits the search."),
    mark: (index) => index === state.view,
    expansion: (index) => (index === state.view ? viewDetails(views[index], index) : null),
  });
}

/** Why a view was evaluated: reasons with writers. */
function viewDetails(view, index) {
  const items = view.reasons.map((reason) => {
    const writers = reason.writers.map((writer) => element("li", {}, "← ", isolated(writer.writer), " " + grouped(writer.count)))
      .concat(reason.chains.map((chain) => element("li", {}, isolated(chain.chain), " " + grouped(chain.count))));
    return element("li", {}, element("b", {}, isolated(reason.reason)), " " + grouped(reason.count) + attributionText(reason.attribution),
      writers.length > 0 ? element("ul", {}, ...writers) : null);
  });
  const facts = [place(view), processName(view.process), view.missing > 0 ? grouped(view.missing) + " evaluations are not in this trace" : ""];
  return element("div", { class: "details" },
    element("p", {}, element("b", {}, isolated(view.key)), " · ", isolated(facts.filter((fact) => fact !== "").join(" · "))),
    items.length > 0 ? element("ul", {}, ...items) : element("p", {}, "No reason was recorded."),
    element("button", { type: "button", "data-focus": "show " + index, on: { click: () => page.showInTimeline(index) } }, "Show in the timeline"));
}

const attributionText = (attribution) => ({ exact: ", observed", announced: ", announced by the app", diff: ", found by comparing values" })[attribution] ?? "";

/** Views with what begins of them in the visible time. */
function rangeTable(timeline) {
  const row = (index) => ({ index, ...visibleOf(timeline, index) });
  const number = (name, field) => ({ name, isNumber: true, value: (row) => row[field], exact: (row) => row[field], cell: (row) => grouped(row[field]) });
  return new Table($("range-table"), {
    caption: "Evaluations that begin in the visible time", sort: "Evaluations",
    columns: [
      { name: "View", isHead: true, value: (row) => report.views[row.index].key, cell: (row) => isolated(fullName(report.views[row.index])) },
      number("Evaluations", "evaluations"), number("Wasted", "wasted"),
      { name: "Body time", isNumber: true, value: (row) => row.body, exact: (row) => row.body, cell: (row) => duration(row.body) },
    ],
    rows: () => report.views.map((_, index) => index).filter(fits).map(row).filter((row) => row.evaluations > 0),
    empty: () => "No evaluation begins in the visible time.",
  });
}
