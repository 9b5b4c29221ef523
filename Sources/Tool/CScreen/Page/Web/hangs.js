// SPDX-License-Identifier: MIT
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
