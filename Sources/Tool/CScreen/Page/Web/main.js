// SPDX-License-Identifier: MIT
// Puts the page together: what stands above and below, the theme, and what the sections do to one another.

function showAbout() {
  $("about").replaceChildren(isolated(report.title), " · " + report.recordedAt + " · " + durationText(report.durationNanoseconds) + " · "
    + report.processes.map((process) => process.name + " " + process.pid).slice(0, 4).join(", ")
    + (report.processes.length > 4 ? " and " + (report.processes.length - 4) + " more processes" : ""));
  $("footer").textContent = report.tool + worded(". Times are body times unless marked otherwise. This page is one file and needs no network.");
}

/** What costs most, in the words of the command line; a view leads to its evaluations. */
function showVerdict() {
  const items = report.findings.map(({ kind, text, view }) => element("li", { class: kind }, isolated(text), view === undefined ? null : " ", view === undefined ? null
    : element("button", { type: "button", class: "link", "data-finding": view, "aria-label": "Show " + report.views[view].key + " in the timeline", on: { click: () => showFinding(view) } }, "Show")));
  if (report.moreFindings > 0) items.push(element("li", { class: "rest" }, "and " + counted(report.moreFindings, "more finding")));
  $("findings").replaceChildren(...items);
  $("verdict").hidden = items.length === 0;
}

/** Chooses a view and goes to it; not before the timeline is there. */
function showFinding(view) {
  if (!page.timeline) return;
  if (state.view !== view) choose(view);
  else ensureShown(report.views[view].process);
  page.showInTimeline(page.timeline.showView(view));
}

/** Whether something of a kind costs so much that it is a finding. */
const hasFinding = (kind) => report.findings.some((finding) => finding.kind === kind);

/** The longest hang, and how many there are in which the machine did not run the app. */
function hangsTotal() {
  if (report.hangs.length === 0) return "none recorded";
  const starved = report.hangs.filter((hang) => hang.verdict === "starved").length;
  return "longest " + durationText(Math.max(...report.hangs.map((hang) => hang.duration))) + (starved > 0 ? ", " + starvedText(starved) : "");
}

function showTotals() {
  const totals = report.totals, wastedOf = (text) => (totals.wasted === 0 ? "none is known" : text);
  const tiles = [
    ["Evaluations", totals.evaluations, grouped(totals.evaluations), counted(report.views.length, "view")],
    ["Wasted", totals.wasted, knownWaste(totals.wasted, totals.inferred, grouped), wastedOf(wastedShare(totals.wasted, totals.inferred, totals.evaluations) + " of evaluations")],
    ["Wasted time", totals.wastedNanoseconds, wastedTimeText(totals), wastedOf(wastedShare(totals.wastedNanoseconds, totals.inferredNanoseconds, totals.bodyNanoseconds) + " of body time")],
    ["Body time", totals.bodyNanoseconds, durationText(totals.bodyNanoseconds), "nested views once"],
    ["Turns", totals.turns, grouped(totals.turns), "of main loops"],
    ["Hangs", report.hangs.length, grouped(report.hangs.length), hangsTotal()],
  ];
  $("totals").replaceChildren(...tiles.map(([name, value, text, more]) => element("div", { class: name === "Hangs" && hasFinding("hangs") ? "bad" : name.startsWith("Wasted") && hasFinding("waste") ? "notice" : "" },
    element("dt", {}, worded(name)), element("dd", { "data-total": name, "data-value": value }, text), element("dd", { class: "more" }, worded(more)))));
}

/** Stands above every figure, and also says that nothing is missing. */
function showMissing() {
  const items = report.missing.map((text) => element("li", {}, isolated(text)));
  $("missing").replaceChildren(items.length > 0
    ? element("div", { class: "notice" }, element("h2", {}, "Parts of the recording are missing"), element("ul", {}, ...items))
    : element("p", { class: "whole" }, worded("The trace is whole: no event was lost, and no evaluation came before it.")));
}

/** Joins the switch; `recoloured` is called after the colours changed. */
function joinTheme(recoloured) {
  const choice = $("theme");
  const apply = (theme) => {
    if (theme === "") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    recoloured();
  };
  // A page opened from disk may not be allowed to remember anything.
  const allowed = (act) => { try { act(); } catch { /* Then it is not remembered. */ } };
  allowed(() => { choice.value = localStorage.getItem("rerender-theme") ?? ""; });
  if (choice.value !== "") apply(choice.value);
  choice.addEventListener("change", () => {
    apply(choice.value);
    allowed(() => localStorage.setItem("rerender-theme", choice.value));
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recoloured);
  addEventListener("beforeprint", () => apply("light"));
  addEventListener("afterprint", () => apply(choice.value));
}

/** What sections do to one another. */
const page = {
  /** Goes to the timeline, if `isFound`: something was found there to go to. */
  showInTimeline(isFound) {
    if (!isFound) return;
    page.input.afterMove();
    $("lanes").focus();
    $("timeline").scrollIntoView({ block: "start" });
  },
};

function drawTimeline() {
  const box = $("lanes"), timeline = page.timeline;
  const height = Math.min(Math.max(160, Math.round(innerHeight * 0.6)), timeline.rows.length * rowHeight + rulerHeight + 4);
  box.style.height = height + 2 + "px";
  $("lanes-height").style.height = Math.max(0, timeline.rows.length * rowHeight + rulerHeight - height) + "px";
  page.drawing.draw(box.clientWidth, height, box.scrollTop);
  page.overview.draw(box.offsetWidth - 2, page.drawing.colours);
  page.flame.draw(box.offsetWidth - 2, page.drawing.colours);
}

/** Draws before the next frame, once however much changed. */
function changed() {
  page.flame.follow();
  page.address?.write();
  tellCursor();
  if (page.isWaiting) return;
  page.isWaiting = true;
  requestAnimationFrame(() => {
    page.isWaiting = false;
    drawTimeline();
  });
}

/** What is under the cursor, said after the reader stopped moving. */
function tellCursor() {
  clearTimeout(page.telling);
  page.telling = setTimeout(() => {
    $("cursor").textContent = cursorText(page.timeline);
    if ($("range").open) page.rangeTable.show();
  }, 120);
}

function showHelp() {
  const rows = [
    ["/", "search"], ["?", "this list"], ["Tab", "from one thing to the next"],
    ...timelineKeys(page.timeline).map((row) => [row.keys.join(" or "), "in the timeline: " + row.text]),
    ["Ctrl + wheel", "in the timeline: zoom at the pointer"], ["Shift + wheel, Shift + drag", "in the timeline: move in time"],
    ["drag", "in the timeline: select a span of time"], ["drag in the strip above", "choose the visible time, or move it and its edges"],
  ];
  $("help-keys").replaceChildren(...rows.flatMap(([key, text]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, worded(text))]));
  $("help").showModal();
}

function joinSearch() {
  const field = $("search");
  field.addEventListener("input", () => search(field.value));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || field.value === "") return;
    event.preventDefault();
    field.value = "";
    search("");
  });
  follow("query", () => {
    $("search-result").textContent = state.query === "" ? "" : grouped(fitting().length) + " of " + counted(report.views.length, "view");
  });
  addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input:not([type=checkbox]), select, textarea, dialog");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") field.focus();
    else if (event.key === "?") showHelp();
    else return;
    event.preventDefault();
  });
  $("help-button").addEventListener("click", showHelp);
}

/** The switch for the process in the timeline; there is none for one process. */
function joinSwitch() {
  const options = report.processes.map((_, index) => element("option", { value: index }, processName(index)));
  $("process").replaceChildren(...options, element("option", { value: -1 }, "All processes"));
  $("process-switch").hidden = report.processes.length < 2;
  $("process").addEventListener("change", () => showProcess(Number($("process").value)));
  showSwitch();
}

function showSwitch() { $("process").value = state.process; }

/** Joins the buttons below the timeline. */
function joinSpan() {
  $("span-zoom").addEventListener("click", () => { if (zoomToSpan()) $("lanes").focus(); });
  $("span-clear").addEventListener("click", () => { selectSpan(null); $("lanes").focus(); });
}

function joinSections() {
  const graph = new CauseGraph(), histograms = new Histograms();
  const tables = [viewsTable(), sourcesTable(), hangsTable(), doublesTable(), causesTable(graph), ...comparisonTables()];
  joinFolded(tables[0]);
  const show = () => {
    for (const table of tables) table.show();
    showCauses(graph);
    histograms.show();
    if ($("range").open) page.rangeTable.show();
  };
  follow("query", () => { page.timeline.arrange(); show(); showSpan(page.timeline); changed(); });
  follow("view", () => {
    const pressed = document.activeElement, focused = pressed?.dataset?.view, node = pressed?.dataset?.node, section = pressed?.closest?.("section");
    const buttons = () => Array.from(section?.querySelectorAll("[data-view]") ?? []), place = buttons().indexOf(pressed);
    show();
    if (state.view >= 0 && page.timeline.showView(state.view)) page.input.showRow();
    changed();
    // What was pressed was made anew; the focus stays on it, or goes to the next view where its row is folded again.
    const again = focused !== undefined ? '[data-view="' + focused + '"]' : node !== undefined ? '[data-node="' + node + '"]' : null;
    const made = again && section?.querySelector(again), next = place < 0 ? null : buttons()[place] ?? buttons().at(-1);
    (made ?? next)?.focus({ preventScroll: true });
  });
  for (const what of ["process", "pins"]) {
    follow(what, () => {
      page.timeline.arrange();
      page.input.showRow();
      showSwitch();
      showSpan(page.timeline);
      if ($("range").open) page.rangeTable.show();
      changed();
    });
  }
  follow("span", () => { showSpan(page.timeline); changed(); });
  follow("time", changed);
  $("range").addEventListener("toggle", () => { if ($("range").open) page.rangeTable.show(); });
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = Array.from(document.querySelectorAll("details:not([open])"));
    for (const details of closed) details.open = true;
  });
  addEventListener("afterprint", () => { for (const details of closed) details.open = false; });
  show();
}

/** The words of the layout itself. Nothing of a trace is among them yet. */
function nameWidgets() {
  if (!report.areWidgets) return;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) if (!texts.currentNode.parentElement.closest("script")) texts.currentNode.data = worded(texts.currentNode.data);
  for (const name of ["title", "aria-label", "placeholder"]) {
    for (const made of document.body.querySelectorAll("[" + name + "]")) made.setAttribute(name, worded(made.getAttribute(name)));
  }
}

async function main() {
  nameWidgets();
  showAbout();
  showVerdict();
  showTotals();
  showMissing();
  showDoublesHint();
  showLoops();
  showHangLegend();
  page.card = new Card($("card"));
  $("cursor").textContent = "Unpacking " + counted(report.evaluations, "evaluation") + " …";
  const data = await unpackColumns();
  page.timeline = new Timeline(data);
  page.drawing = new TimelineDrawing(page.timeline, $("lanes-canvas"));
  page.overview = new Overview(data, page.drawing, $("overview"));
  page.flame = new Flame(page.timeline);
  page.overview.join(changed);
  page.input = new TimelineInput(page.timeline, page.drawing, changed);
  page.rangeTable = rangeTable(page.timeline);
  joinSwitch();
  joinSpan();
  joinSections();
  joinSearch();
  joinTheme(() => { page.drawing.recolour(); drawTimeline(); });
  addEventListener("resize", changed);
  // A scroll bar that comes or goes changes the width as well.
  new ResizeObserver(changed).observe($("lanes"));
  drawTimeline();
  page.address = new Address(page.timeline);
  tellCursor();
  document.documentElement.dataset.ready = "true";
}

main().catch((error) => {
  $("missing").prepend(element("p", { class: "notice bad" }, "This page could not be drawn: " + error.message));
  document.documentElement.dataset.ready = "failed";
});
