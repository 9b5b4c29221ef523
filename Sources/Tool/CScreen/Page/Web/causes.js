// SPDX-License-Identifier: MIT
// The graph of causes: from what was written, by whom, to the views that were evaluated for it, and on to the views inside them.

const causeSizes = { width: 230, least: 230, most: 420, gap: 110, height: 26, line: 15, space: 10, layers: 6, perLayer: 24 };

/** Nodes by layer, and the edges between them; views are where what caused most of their evaluations leads. */
class CauseGraph {
  constructor() {
    // Every view has a first evaluation: that is no news, and would cover what is.
    const isNews = (node) => node.cause?.name !== "initial";
    const causes = report.causes.map((cause, index) =>
      ({ id: "cause" + index, key: cause.name, process: cause.process, cause, layer: 0, count: cause.evaluations }));
    this.causes = causes.filter(isNews);
    this.views = report.views.map((view, index) =>
      ({ id: "view" + index, key: view.key, process: view.process, index, view, layer: -1, count: view.count }));
    /** Every edge; those that are news are drawn. */
    this.all = [
      ...causes.flatMap((from) => from.cause.views.map(({ view, count }) => ({ from, to: this.views[view], count }))),
      ...report.parents.map(({ parent, child, count }) => ({ from: this.views[parent], to: this.views[child], count })),
    ];
    this.edges = this.all.filter((edge) => isNews(edge.from));
    this.assignLayers();
  }

  /** A view stands behind the view that caused most of its evaluations, and otherwise beside the causes. */
  assignLayers() {
    const direct = new Map(), largest = new Map();
    for (const edge of this.edges) {
      if (edge.from.cause) direct.set(edge.to, (direct.get(edge.to) ?? 0) + edge.count);
      else if (edge.from !== edge.to && edge.count > (largest.get(edge.to)?.count ?? 0)) largest.set(edge.to, edge);
    }
    for (const edge of this.edges) {
      for (const node of [edge.from, edge.to]) {
        const way = [];
        // Views that cause one another end the way, too.
        let first = node;
        while (first.layer < 0 && !way.includes(first)) {
          way.push(first);
          const into = largest.get(first);
          if (!into || (direct.get(first) ?? 0) > into.count) break;
          first = into.from;
        }
        let layer = way.includes(first) ? 0 : first.layer;
        for (const step of way.reverse()) step.layer = layer = Math.min(layer + 1, causeSizes.layers - 1);
      }
    }
  }

  /** What is to be drawn: what leads to the views that fit and to the chosen one, the largest of each layer. */
  part() {
    const isWanted = state.view >= 0 || state.query !== "";
    let kept = new Set([...this.causes, ...this.views.filter((node) => node.layer >= 0)]);
    if (isWanted) {
      kept = new Set(this.views.filter((node) => (state.view >= 0 ? node.index === state.view : fits(node.index)) && node.layer >= 0));
      if (state.view < 0) for (const node of this.causes) if (causeFits(node.cause)) kept.add(node);
      const seeds = new Set(kept);
      for (const edge of this.edges) if (seeds.has(edge.from)) kept.add(edge.to);
      // Up to the causes, over all parents.
      for (let before = -1; before !== kept.size;) {
        before = kept.size;
        for (const edge of this.edges) if (kept.has(edge.to) && (seeds.has(edge.to) || edge.to.layer > edge.from.layer)) kept.add(edge.from);
      }
    }
    const layers = [];
    for (const node of kept) (layers[node.layer] ??= []).push(node);
    const shown = Array.from(layers, (nodes = []) =>
      nodes.sort((a, b) => b.count - a.count).slice(0, causeSizes.perLayer));
    const visible = new Set(shown.flat());
    return { layers: shown, hidden: kept.size - visible.size, edges: this.edges.filter((edge) => visible.has(edge.from) && visible.has(edge.to)) };
  }
}

const causeFits = (cause) => matches([cause.name, ...cause.writers.map(({ writer }) => writer)]);

/** Draws the graph into its box. */
function showCauses(causeGraph) {
  const { layers, edges, hidden } = causeGraph.part();
  $("causes-hint").textContent = worded("On the left: what was written, and the code that wrote it. Next: the views that this invalidated. Further right: views inside "
    + "those that only their parent caused. A line is as wide as the number of evaluations. First evaluations are in the table only.")
    + (hidden > 0 ? " The largest " + causeSizes.perLayer + " of each column are drawn; " + counted(hidden, "smaller one is", "smaller ones are") + " in the table." : "");
  if (layers.flat().length === 0) {
    const none = report.causes.length === 0 ? "No cause was recorded." : worded("No cause matches. First evaluations are in the table only.");
    $("causes-graph").replaceChildren(element("p", { class: "hint" }, none));
    return;
  }
  // Lines that do not lead to the right go around the last column.
  const around = edges.some((edge) => edge.to.layer <= edge.from.layer) ? causeSizes.gap * 0.6 : 0;
  const room = ($("causes-graph").clientWidth - around - 2 + causeSizes.gap) / layers.length - causeSizes.gap;
  causeSizes.width = Math.floor(Math.max(causeSizes.least, Math.min(causeSizes.most, room)));
  arrange(layers, edges);
  const width = layers.length * (causeSizes.width + causeSizes.gap) - causeSizes.gap + around + 2;
  const height = Math.max(...layers.flat().map((node) => node.y + node.height)) + 2;
  const most = Math.max(1, ...edges.map((edge) => edge.count));
  const lines = edges.sort((a, b) => b.count - a.count).map((edge) => edgeLine(edge, most));
  $("causes-graph").replaceChildren(svg("svg", {
    viewBox: "0 0 " + width + " " + height, width, height, role: "group", "aria-label": "Graph of causes; the same is in the table below",
  }, ...lines, ...layers.flat().map((node) => nodeBox(node, edges))));
}

/** The small lines of a node: its process where there are several, and who wrote. */
function nodeTexts(node) {
  const process = report.processes.length > 1 ? [fittedText(processName(node.process), causeSizes.width - 16, 11)] : [];
  return process.concat((node.cause?.writers ?? []).slice(0, 2).map((writer) => "← " + fittedText(writer.writer, causeSizes.width - 34, 11)));
}

/** Places nodes; each layer in the order of the middle of what leads to it, so that few lines cross. */
function arrange(layers, edges) {
  layers.forEach((nodes, layer) => {
    for (const node of nodes) {
      node.texts = nodeTexts(node);
      node.height = causeSizes.height + node.texts.length * causeSizes.line;
      node.x = layer * (causeSizes.width + causeSizes.gap) + 1;
      const into = edges.filter((edge) => edge.to === node && edge.from.layer < layer && edge.from.y !== undefined);
      const weight = into.reduce((sum, edge) => sum + edge.count, 0);
      node.wish = weight > 0 ? into.reduce((sum, edge) => sum + edge.count * (edge.from.y + edge.from.height / 2), 0) / weight : Infinity;
    }
    if (layer > 0) nodes.sort((a, b) => a.wish - b.wish || b.count - a.count);
    let y = 1;
    for (const node of nodes) {
      node.y = y;
      y += node.height + causeSizes.space;
    }
  });
}

/** Whether an edge begins or ends at the chosen view. */
const isOfChosen = (from, to) => state.view >= 0 && (to.index === state.view || from.index === state.view);

function edgeLine({ from, to, count }, most) {
  const thick = Math.max(1, 12 * (count / most));
  const [x1, y1, y2] = [from.x + causeSizes.width, from.y + from.height / 2, to.y + to.height / 2];
  // A line back, or to the same column, goes around on the right.
  const x2 = to.layer > from.layer ? to.x : to.x + causeSizes.width;
  const bend = to.layer > from.layer ? (x2 - x1) / 2 : causeSizes.gap * 0.6;
  const back = to.layer > from.layer ? -bend : bend;
  const path = ["M", x1, y1, "C", x1 + bend, y1, x2 + back, y2, x2, y2].join(" ");
  return svg("path", { d: path, class: "edge" + (isOfChosen(from, to) ? " chosen" : ""), "stroke-width": thick.toFixed(1) },
    svg("title", {}, fullName(from) + " → " + fullName(to) + ": " + counted(count, "evaluation")));
}

function nodeBox(node, edges) {
  const out = edges.filter((edge) => edge.from === node);
  const label = fullName(node) + ", " + counted(node.count, "evaluation")
    + (node.cause ? node.cause.writers.map((writer) => ", written by " + writer.writer).join("") : ", " + knownWaste(node.view.wasted, node.view.inferred, grouped) + " wasted")
    + (out.length > 0 ? "; leads to " + out.slice(0, 8).map((edge) => edge.to.key).join(", ") : "");
  const isView = node.index !== undefined;
  const act = () => isView && choose(node.index);
  const made = svg("g", {
    transform: "translate(" + node.x + " " + node.y + ")", tabindex: "0", class: "node " + (isView ? "view" : "cause") + (isView && node.index === state.view ? " chosen" : ""),
    role: isView ? "button" : "img", "aria-label": label, "data-node": node.id,
    on: { click: act, keydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(); } } },
  }, svg("title", {}, label), svg("rect", { width: causeSizes.width, height: node.height, rx: 4 }));
  if (isView && node.view.wasted > 0) {
    made.append(svg("rect", { class: "waste", width: causeSizes.width * share(node.view.wasted, node.view.count), height: 3, y: node.height - 3 }));
  }
  const count = grouped(node.count);
  // The number stands on the right, and the name ends before it.
  const room = causeSizes.width - 28 - textWidth(count, 12.5);
  made.append(svg("text", { x: 8, y: 17, class: "name" }, fittedText(node.key, room, 12.5)),
    svg("text", { x: causeSizes.width - 8, y: 17, class: "count" }, count));
  node.texts.forEach((text, line) => made.append(svg("text", { x: 8, y: 33 + line * causeSizes.line, class: "writer" }, text)));
  return made;
}

const causeInk = document.createElement("canvas").getContext("2d");

/** How wide a text of the graph is. */
function textWidth(text, size) {
  causeInk.font = size + 'px system-ui, "DejaVu Sans", sans-serif';
  return causeInk.measureText(text).width;
}

/** Text of at most so many pixels, cut in the middle. */
function fittedText(text, pixels, size) {
  let most = 80;
  while (most > 3 && textWidth(shortened(text, most), size) > pixels) most -= 1;
  return shortened(text, most);
}

/** Text of at most so many characters, cut in the middle, kept from turning its neighbours around. */
function shortened(text, most) {
  const isWhole = text.length <= 2000 && Array.from(text).length <= most;
  return isolatedText(isWhole ? text : cutText(text, most - 1));
}

/** Every edge as a row: what is drawn, and what is too small for it. */
function causesTable(graph) {
  return new Table($("causes-table"), {
    caption: "Causes and the views that were evaluated for them", sort: "Evaluations",
    columns: [
      { name: "Cause", isHead: true, value: ({ from }) => from.key, cell: ({ from }) => element("span", {}, from.cause ? "" : "inside ", isolated(from.key), causeProcess(from)) },
      { name: "Written by", cell: (row) => writersCell(row.from.cause), class: "text" },
      { name: "View", value: (row) => row.to.key, cell: (row) => viewButton(row.to.index) },
      numbers("Evaluations", (row) => row.count),
    ],
    rows: () => graph.all.filter(({ from, to }) => (fits(to.index) || (from.cause && causeFits(from.cause))) && (state.view < 0 || isOfChosen(from, to))),
    empty: () => (graph.all.length === 0 ? "No cause was recorded." : "Nothing matches the search."),
  });
}

const causeProcess = (node) => (report.processes.length > 1 && node.cause ? element("small", {}, " ", isolated(processName(node.process))) : "");

function writersCell(cause) {
  if (!cause || cause.writers.length === 0) return "–";
  return element("ul", { class: "inline" }, ...cause.writers.map(({ writer, count }) => element("li", {}, isolated(writer), " " + grouped(count))));
}

// How body times are distributed: one small drawing a view, all on the same logarithmic axis.

const chart = { width: 300, height: 64, axis: 16 };

/** The part of the buckets in which any view has something. */
function usedBuckets() {
  const isUsed = (bucket) => report.views.some((view) => view.histogram.some(([own]) => own === bucket));
  const used = report.buckets.map((_, bucket) => bucket).filter(isUsed);
  return { first: Math.max(0, (used[0] ?? 0) - 1), last: Math.min(report.buckets.length - 1, (used.at(-1) ?? -1) + 1) };
}

/** `100ns to 200ns`; the last has no end. */
function bucketText(bucket) {
  const end = report.buckets[bucket + 1];
  return durationText(report.buckets[bucket]) + (end === undefined ? " and more" : " to " + durationText(end));
}

class Histograms {
  constructor() {
    this.used = usedBuckets();
    this.limit = 12;
    this.table = timesTable(this);
  }

  /** The chosen view first, then those that fit, most body time first. */
  order() {
    return fitting().filter((index) => report.views[index].histogram.length > 0).sort((a, b) =>
      (b === state.view) - (a === state.view) || report.views[b].body.totalNanoseconds - report.views[a].body.totalNanoseconds);
  }

  show() {
    const order = this.order();
    $("histograms").replaceChildren(...order.slice(0, this.limit).map((index) => this.item(index)));
    const more = element("button", { type: "button", on: { click: () => { this.limit += 24; this.show(); } } }, "Show more");
    $("histograms-more").replaceChildren(order.length > this.limit
      ? element("p", { class: "rest" }, grouped(this.limit) + " of " + counted(order.length, "view") + " ", more)
      : order.length === 0 ? element("p", { class: "hint" }, "No view matches the search.") : "");
    this.table.show();
  }

  item(index) {
    const view = report.views[index];
    return element("li", { class: index === state.view && "chosen" }, element("div", {}, viewButton(index)),
      this.picture(view), element("small", {}, counted(view.count, "evaluation") + " · median " + durationText(view.body.p50Nanoseconds) + " · P95 " + durationText(view.body.p95Nanoseconds)
        + " · max " + durationText(view.body.maxNanoseconds)));
  }

  picture(view) {
    const { first, last } = this.used, many = last - first + 1, wide = chart.width / many, tall = chart.height - chart.axis;
    const most = Math.max(...view.histogram.map(([, count]) => count));
    const top = view.histogram.find(([, count]) => count === most);
    const made = svg("svg", {
      viewBox: "0 0 " + chart.width + " " + chart.height, role: "img",
      "aria-label": worded("Body times of ") + view.key + ": most often " + bucketText(top[0]) + " (" + counted(most, "evaluation") + ")",
    });
    for (const [bucket, count] of view.histogram) {
      const height = Math.max(1.5, (count / most) * (tall - 4));
      made.append(svg("rect", { class: "bucket", x: (bucket - first) * wide + 0.5, y: tall - height, width: Math.max(1, wide - 1), height },
        svg("title", {}, bucketText(bucket) + ": " + counted(count, "evaluation"))));
    }
    made.append(svg("line", { x1: 0, x2: chart.width, y1: tall, y2: tall }));
    for (let bucket = first; bucket <= last; bucket++) {
      // At powers of ten; the first bucket begins at 0.
      if (bucket === 0 || !Number.isInteger(Math.log10(report.buckets[bucket]) + 0) || (bucket - first) * wide > chart.width - 24) continue;
      const x = (bucket - first) * wide;
      made.append(svg("line", { x1: x, x2: x, y1: tall, y2: tall + 4 }), svg("text", { x: x + 2, y: chart.height - 3 }, axisText(report.buckets[bucket])));
    }
    return made;
  }
}

/** `1µs`, `100ms`: a power of ten without what follows the point. */
const axisText = (nanoseconds) => durationText(nanoseconds).replace(/\.0+(?=\D)/, "");

/** The same as numbers: a row for each bucket of each view that is drawn. */
function timesTable(histograms) {
  return new Table($("times-table"), {
    caption: "Numbers of evaluations by body time", page: 50,
    columns: [
      names("View", (row) => fullName(report.views[row.view]), { isHead: true }),
      { name: "Body time", isNumber: true, value: (row) => row.bucket, cell: (row) => bucketText(row.bucket) },
      numbers("Evaluations", (row) => row.count),
    ],
    rows: () => histograms.order().slice(0, histograms.limit).flatMap((view) => report.views[view].histogram.map(([bucket, count]) => ({ view, bucket, count }))),
    empty: () => "No evaluation was recorded.",
  });
}
