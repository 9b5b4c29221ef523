// SPDX-License-Identifier: MIT
// The state in the address, so that reloading and a shared link bring it back. Views are named by process and key: their places differ
// between two pages of one recording.

const viewAddress = (view) => report.processes[report.views[view].process].pid + ":" + report.views[view].key;

/** The view of an address, -1 if the page has none. */
const viewAt = (address) => report.views.findIndex((_, view) => viewAddress(view) === address);

const spanAddress = ({ begin, end }) => Math.round(begin) + "-" + Math.round(end);

/** The two times of an address; null for anything else. */
function spanAt(text) {
  const [begin, end] = (/^(\d{1,16})-(\d{1,16})$/.exec(text ?? "") ?? []).slice(1).map(Number);
  return begin < end ? { begin, end: Math.min(end, Math.max(1, report.durationNanoseconds)) } : null;
}

/** What the address says of the state; nothing of what is as at first. */
function addressOfState(timeline) {
  const said = new URLSearchParams(), row = timeline.rows[timeline.row];
  if (state.begin > 0 || state.end < report.durationNanoseconds) said.set("time", spanAddress(state));
  if (report.processes.length > 1) said.set("process", state.process < 0 ? "all" : report.processes[state.process].pid);
  if (state.view >= 0) said.set("view", viewAddress(state.view));
  if (state.span) said.set("span", spanAddress(state.span));
  if (state.query !== "") said.set("search", state.query);
  for (const view of state.pins) said.append("pin", viewAddress(view));
  if (timeline.interval) said.set("at", row.kind + "-" + row.lane + "-" + timeline.interval.source);
  return said.toString();
}

/** Takes the state of the address over, in whatever order it was written. Anything that is not of this page is left out. */
function takeAddress(timeline, text) {
  const said = new URLSearchParams(text), view = viewAt(said.get("view") ?? ""), time = spanAt(said.get("time"));
  // A link to a section of the page says nothing of the state.
  if (!text.includes("=")) return;
  $("search").value = said.get("search") ?? "";
  search($("search").value);
  state.pins = [...new Set(said.getAll("pin").map(viewAt).filter((pinned) => pinned >= 0))].slice(0, pinLimit);
  tell("pins");
  const process = report.processes.findIndex(({ pid }) => String(pid) === said.get("process"));
  showProcess(said.get("process") === "all" ? -1 : process >= 0 ? process : state.process);
  if (view !== state.view && (view >= 0 || state.view >= 0)) choose(view >= 0 ? view : state.view);
  selectSpan(spanAt(said.get("span")));
  takeCursor(timeline, said.get("at") ?? "");
  look(time?.begin ?? 0, time?.end ?? Infinity);
}

function takeCursor(timeline, text) {
  const [, kind, lane, source] = /^(view|hangs|turns|writes)-(\d{1,9})-(\d{1,9})$/.exec(text) ?? [], row = kind ? timeline.rowOf(kind, Number(lane)) : -1;
  if (row < 0) return;
  timeline.pick(row, timeline.rows[row].index.placeOf(Number(lane), Number(source)));
}

/** Keeps the address as the state is, and the state as the address is when the reader goes back. */
class Address {
  constructor(timeline) {
    this.timeline = timeline;
    this.written = location.hash.slice(1);
    takeAddress(timeline, this.written);
    addEventListener("hashchange", () => {
      const text = location.hash.slice(1);
      if (text === this.written) return;
      this.written = text;
      takeAddress(timeline, text);
    });
  }

  /** Writes it after the reader stopped moving: browsers forbid to do it too often. */
  write() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      const text = addressOfState(this.timeline);
      if (text === this.written) return;
      this.written = text;
      try { history.replaceState(null, "", "#" + text); } catch { /* Then it is not kept. */ }
    }, 300);
  }
}

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
