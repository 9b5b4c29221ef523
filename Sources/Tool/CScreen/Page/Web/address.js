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
