// SPDX-License-Identifier: MIT
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
