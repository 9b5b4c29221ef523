// SPDX-License-Identifier: MIT
// An older recording beside this one: views by process and key, turns by their order.

/** What is new, more, less or gone, in a word and a colour. */
function changeOf(before, now) {
  if (before === undefined) return ["new", "worse"];
  if (now === undefined) return ["gone", "better"];
  return now > before ? ["more", "worse"] : now < before ? ["less", "better"] : ["same", ""];
}

/** A number of both recordings: `12 → 40`. */
const bothText = (before, now, text) => (before === undefined ? unknownText : text(before)) + " → " + (now === undefined ? unknownText : text(now));

const changeMark = ([word, kind]) => element("span", { class: "change " + kind }, word);

function comparedViews(compared) {
  const of = (field) => (row) => [row.old?.[field], row.new?.[field]];
  const column = (name, field, text) => numbers(name, (row) => row.new?.[field] ?? 0, text, { cell: (row) => bothText(...of(field)(row), text) });
  const waste = (sums) => (sums === undefined || sums.wasted === 0 ? undefined : sums.wasted);
  return new Table($("compared-views"), {
    caption: "Views of both recordings", sort: "Change", rising: true,
    columns: [
      {
        name: "View", isHead: true, value: (row) => row.key,
        cell: (row) => (row.view === undefined ? isolated(row.key) : showButton("compared " + row.view, row.key, () => { ensureShown(report.views[row.view].process); page.showInTimeline(page.timeline.showView(row.view)); })),
      },
      names("Process", (row) => row.process),
      { name: "Change", isNumber: true, value: (row) => ["new", "more", "less", "gone", "same"].indexOf(changeOf(...of("evaluations")(row))[0]), cell: (row) => changeMark(changeOf(...of("evaluations")(row))) },
      column("Evaluations", "evaluations", grouped), column("Self time", "own", durationText),
      numbers("Wasted", (row) => waste(row.new) ?? 0, grouped, { cell: (row) => bothText(waste(row.old), waste(row.new), grouped) }),
    ],
    rows: () => compared.views.filter((row) => matches([row.key])),
    empty: () => "No view matches the search.",
  });
}

function comparedTurns(compared) {
  const longest = Math.max(1, ...compared.turns.flatMap((turn) => [turn.old?.duration ?? 0, turn.new?.duration ?? 0]));
  const cell = (found, kind) => (found === undefined ? unknownText : bar(durationText(found.duration), share(found.duration, longest), kind));
  const more = (turn) => changeOf(turn.old?.evaluations, turn.new?.evaluations);
  return new Table($("compared-turns"), {
    caption: "Turns with evaluations, the first beside the first",
    columns: [
      {
        name: "Turn", isHead: true, isNumber: true, class: "start", value: (turn) => turn.number,
        cell: (turn) => (turn.new === undefined ? grouped(turn.number)
          : showButton("turn " + turn.process + turn.number, grouped(turn.number), () => { ensureShown(turn.place); page.showInTimeline(page.timeline.showTurn(turn.place, turn.new.start)); })),
      },
      names("Process", (turn) => turn.process),
      numbers("Before", (turn) => turn.old?.duration ?? 0, durationText, { class: "wide", cell: (turn) => cell(turn.old, "before") }),
      numbers("Now", (turn) => turn.new?.duration ?? 0, durationText, { class: "wide", cell: (turn) => cell(turn.new, more(turn)[1] === "worse" ? "wasted" : "before") }),
      numbers("Evaluations", (turn) => turn.new?.evaluations ?? 0, grouped, { cell: (turn) => bothText(turn.old?.evaluations, turn.new?.evaluations, grouped) }),
      { name: "Change", cell: (turn) => changeMark(more(turn)) },
    ],
    rows: () => compared.turns,
    empty: () => "Neither recording has a turn with evaluations.",
  });
}

/** The tables of the comparison; none without an older recording. */
function comparisonTables() {
  const { compared } = report;
  $("compared").hidden = !compared;
  if (!compared) return [];
  const { turnsLeft, unaligned } = compared;
  $("compared-hint").replaceChildren("Before: ", isolated(compared.title), ", " + compared.recordedAt + worded(". Processes of one name are the same. The turns are those with evaluations, in their order.")
    + (turnsLeft > 0 ? " " + counted(turnsLeft, "further turn") + " " + (turnsLeft === 1 ? "is" : "are") + " not listed." : "")
    + (unaligned.length > 0 ? " Not aligned, because there are several processes of the name or turns are drawn in groups: " + unaligned.join(", ") + "." : ""));
  return [comparedViews(compared), comparedTurns(compared)];
}
