// SPDX-License-Identifier: MIT
// The card beside the pointer. It repeats what the line below the timeline says of the cursor, so that a screen reader misses nothing.

class Card {
  constructor(box) {
    this.box = box;
    addEventListener("keydown", (event) => { if (event.key === "Escape") this.hide(); });
    addEventListener("scroll", () => this.hide(), { passive: true });
  }

  /** Shows a title and pairs of a name and a text beside a place of the window. */
  show(x, y, { title, facts, colour = "" }) {
    const { box } = this;
    box.replaceChildren(element("b", { class: colour }, isolated(title)),
      element("dl", {}, ...facts.flatMap(([name, text]) => [element("dt", {}, worded(name)), element("dd", {}, isolated(text))])));
    box.hidden = false;
    // On the other side where there is no room.
    const { offsetWidth: width, offsetHeight: height } = box, { clientWidth, clientHeight } = document.documentElement;
    box.style.left = Math.max(4, x + 16 + width > clientWidth ? x - 12 - width : x + 16) + "px";
    box.style.top = Math.max(4, y + 16 + height > clientHeight ? y - 12 - height : y + 16) + "px";
  }

  hide() { this.box.hidden = true; }

  /** Shows what `content` gives while the pointer is over an element. */
  over(target, content) {
    target.addEventListener("pointermove", (event) => this.show(event.clientX, event.clientY, content()));
    target.addEventListener("pointerleave", () => this.hide());
  }
}

/** What the card says of a mark of a row; of the row itself where `place` is -1. */
function cardOf(timeline, row, place) {
  if (place < 0) return row.kind === "view" ? viewCard(timeline, row.lane) : null;
  const source = row.index.source[place], { data } = timeline;
  if (row.kind === "hangs") return hangCard(report.hangs[source]);
  if (row.kind === "turns") {
    const facts = [["At", moment(data.turnStart[source], state.end - state.begin)], ["Took", durationText(data.turnDuration[source])], ["Evaluations", grouped(data.turnEvaluations[source])]];
    return { title: data.turnCount[source] > 1 ? counted(data.turnCount[source], "turn") + " together" : "Turn of the main loop", facts, colour: "turn" };
  }
  return row.kind === "writes" ? writeCard(data, source) : evaluationCard(timeline, source);
}

function viewCard(timeline, view) {
  const { key, count, wasted, inferred, body, hangs } = report.views[view];
  return {
    title: key, colour: "needed", facts: [
      ["Place", probeText(report.views[view])], ["Evaluations", grouped(count)], ["Wasted", wastedCountText({ wasted, inferred }, count)],
      ["Body time", durationText(body.totalNanoseconds)], ["Hangs", grouped(hangs)],
    ],
  };
}

function hangCard(hang) {
  const parts = partsOf(hang)?.slice(0, 5).map((part) => partText(part, hang.duration)).join("; ");
  return {
    title: "Hang", colour: "hang", facts: [
      ["At", moment(hang.start)], ["Took", durationText(hang.duration) + (hang.isOpen ? " so far" : "")],
      ["Attributed to", ownerText(hang) + (hang.view === "" ? "" : " (" + hang.attribution + ")")], ["Main thread", threadText(hang)], ["Made of", parts ?? unknownText],
    ],
  };
}

function writeCard(data, write) {
  const at = ["At", moment(data.writeStart[write], state.end - state.begin)], count = data.writeCount[write];
  if (count > 1) return { title: counted(count, "write") + " together", colour: "write", facts: [at, ["Within", durationText(data.writeDuration[write])]] };
  return {
    title: "Write of " + report.reasons[data.writeName[write]], colour: "write",
    facts: [at, ["By", report.reasons[data.writeWriter[write]] || unknownText], ["Invalidated", counted(data.writeViews[write], "view")]],
  };
}

function evaluationCard(timeline, evaluation) {
  const { data } = timeline, view = report.views[data.view[evaluation]], count = data.count[evaluation];
  const [wasted, inferred, body] = [data.wasted[evaluation], data.inferred[evaluation], data.body[evaluation]];
  const times = [["At", moment(data.start[evaluation], state.end - state.begin)], ["Body", durationText(body)], ["Self", durationText(body - data.inner[evaluation])]];
  if (count > 1) {
    return { title: view.key, colour: "needed", facts: [["Together", counted(count, "evaluation")], ...times, ["Wasted", wastedCountText({ wasted, inferred }, count)]] };
  }
  const write = writeBefore(timeline, evaluation), writer = report.reasons[data.writtenBy[evaluation]];
  return {
    title: view.key, colour: wasted > 0 ? "wasted" : "needed", facts: [
      ["Reason", report.reasons[data.reason[evaluation]] || unknownText], ...times, ["Wasted", wasted === 0 ? unknownText : inferred > 0 ? "yes, inferred" : "yes"],
      ["Written by", write < 0 ? writer || unknownText : report.reasons[data.writeWriter[write]] + ", " + durationText(data.start[evaluation] - data.writeStart[write]) + " before"],
      ["Thread", String(report.threads[data.thread[evaluation]] ?? unknownText)], ["Place", probeText(view)],
    ],
  };
}
