// SPDX-License-Identifier: MIT
// What the user chose: a view, a search, a part of the time. The sections follow it.

/** The page's state; change it with `choose`, `search` and `look`. */
const state = {
  /** The chosen view's index, or -1. */
  view: -1,
  /** What is searched for, in small letters. */
  query: "",
  /** The visible part of the trace, in nanoseconds since its beginning. */
  begin: 0,
  end: Math.max(1, report.durationNanoseconds),
  /** The process in the timeline, or -1 for all. */
  process: costliestProcess(),
  /** Whether the table of views has the rows that say nothing of their own. */
  showsFolded: false,
  /** The selected span of time as `{ begin, end }`, or null. */
  span: null,
  /** The views whose rows are pinned, in the order in which they were. */
  pins: [],
};

/** At most so many rows are pinned: they leave less room for the others. */
const pinLimit = 8;

const followers = { view: [], query: [], time: [], process: [], span: [], pins: [] };

/** Calls `act` after each change of `what`, a name above. */
const follow = (what, act) => followers[what].push(act);
const tell = (what) => followers[what].forEach((act) => act());

/** The process of the first finding about a view, or else the one with the most evaluations. */
function costliestProcess() {
  const found = report.findings.find(({ view }) => view !== undefined);
  if (found) return report.views[found.view].process;
  const counts = report.processes.map(() => 0);
  for (const view of report.views) counts[view.process] += view.count;
  return Math.max(0, counts.indexOf(Math.max(...counts)));
}

/** Marks a view in the whole page; choosing it again leaves it. */
function choose(view) {
  state.view = state.view === view ? -1 : view;
  if (state.view >= 0) ensureShown(report.views[view].process);
  tell("view");
}

/** Shows one process in the timeline, or all for -1. */
function showProcess(process) {
  if (process === state.process) return;
  state.process = process;
  tell("process");
}

/** Shows a process, unless it is already seen. */
function ensureShown(process) { if (!isShown(process)) showProcess(process); }

/** Whether the timeline shows a process. */
const isShown = (process) => state.process < 0 || state.process === process;

/** Selects a span of time; null for none. */
function selectSpan(span) {
  state.span = span && span.end > span.begin ? span : null;
  tell("span");
}

/** Pins a view's row above the others, or takes it down; false where there is no room. */
function pin(view) {
  if (state.pins.includes(view)) state.pins = state.pins.filter((pinned) => pinned !== view);
  else if (state.pins.length < pinLimit) state.pins = [...state.pins, view];
  else return false;
  tell("pins");
  return true;
}

/** Shows only what matches. */
function search(text) {
  state.query = text.trim().toLowerCase();
  tell("query");
}

/** Shows a part of the time, kept inside the trace and not shorter than 100 ns. */
function look(begin, end) {
  const whole = Math.max(1, report.durationNanoseconds);
  const span = Math.min(whole, Math.max(Math.min(100, whole), end - begin));
  state.begin = Math.min(Math.max(0, begin), whole - span);
  state.end = state.begin + span;
  tell("time");
}

/** For each view the text that a search looks through. */
const searchTexts = report.views.map((view) =>
  [view.key, view.file, ...view.reasons.map((reason) => reason.reason)].join("\n").toLowerCase());

/** Whether any of the texts contains what is searched for. */
const matches = (texts) => state.query === "" || texts.some((text) => text.toLowerCase().includes(state.query));

/** Whether a view matches the search. */
const fits = (view) => state.query === "" || searchTexts[view].includes(state.query);

/** The places of the views that match the search. */
const fitting = () => report.views.map((_, index) => index).filter(fits);

const folded = new Set(report.folded);

/** Whether the table folds rows; a search finds all. */
const isFolding = () => !state.showsFolded && state.query === "";

/** Whether the table has a row for a view; the chosen one has one. */
const hasRow = (view) => !isFolding() || view === state.view || !folded.has(view);

/** What is folded under a view, but for the chosen one, which has a row. */
function foldedNote(view) {
  if (!isFolding()) return "";
  const under = report.views[state.view]?.under;
  return under?.view === view ? under.note : report.views[view].note;
}

/** Where a view's probe is: `Shop/Cart.swift:12`. */
const probeText = (view) => (view.file === "" ? "–" : view.file + ":" + view.line);

/** The name of a view or node, with its process where there are several. */
const fullName = ({ key, process }) => (report.processes.length > 1 ? key + " (" + processName(process) + ")" : key);

const processName = (index) => report.processes[index].name + " " + report.processes[index].pid;

/** A button with a view's name, which chooses it; made anew when another is chosen. */
function viewButton(index) {
  const view = report.views[index];
  const button = element("button", {
    type: "button", class: "link", "data-view": index, "aria-pressed": String(index === state.view), on: { click: () => choose(index) },
  }, isolated(view.key));
  if (report.processes.length > 1) button.append(" ", element("small", {}, isolated(processName(view.process))));
  return button;
}
