// SPDX-License-Identifier: MIT
// Tables that sort by their headings and are long only where that is asked for.

/**
 * A table in `box`. A column has `name`, `value(row)` (what it sorts by), `cell(row)` (text or an element),
 * `isNumber`, and for the first `isHead`. `rows()` gives the rows of the moment.
 */
class Table {
  constructor(box, { caption, columns, rows, sort = null, rising = false, page = 25, empty, expansion = null, mark = null }) {
    Object.assign(this, { box, caption, columns, rows, sort, rising, page, empty, expansion, mark });
    this.limit = page;
  }

  /** Makes it anew, and leaves the focus where it was. */
  show() {
    const focused = this.box.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
    const rows = this.sorted();
    const shown = rows.slice(0, this.limit);
    if (rows.length === 0) return this.box.replaceChildren(element("p", { class: "hint" }, this.empty()));
    const body = element("tbody");
    for (const row of shown) body.append(...this.row(row));
    this.box.replaceChildren(
      element("table", {}, element("caption", { class: "quiet" }, this.caption), element("thead", {}, this.head()), body),
      this.rest(rows.length, shown.length));
    if (focused !== undefined) this.box.querySelector('[data-focus="' + focused + '"]')?.focus();
  }

  sorted() {
    const rows = this.rows();
    const column = this.columns.find((column) => column.name === this.sort);
    if (!column) return rows;
    const sign = this.rising ? 1 : -1;
    const compare = column.isNumber ? (a, b) => a - b : (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    return rows.map((row) => [column.value(row), row]).sort((a, b) => sign * compare(a[0], b[0])).map((pair) => pair[1]);
  }

  head() {
    const cells = this.columns.map((column) => {
      const isSorted = this.sort === column.name;
      const content = column.value
        ? element("button", { type: "button", class: "sort", "data-focus": "sort " + column.name, on: { click: () => this.sortBy(column) } },
          column.name, element("span", { "aria-hidden": "true" }, isSorted ? (this.rising ? " ▲" : " ▼") : ""))
        : column.name;
      return element("th", { scope: "col", class: (column.class ?? "") + (column.isNumber ? " number" : ""), title: column.title, "aria-sort": isSorted && (this.rising ? "ascending" : "descending") }, content);
    });
    return element("tr", {}, ...cells);
  }

  sortBy(column) {
    if (this.sort === column.name) this.rising = !this.rising;
    else [this.sort, this.rising] = [column.name, !column.isNumber];
    this.show();
  }

  row(row) {
    const cells = this.columns.map((column) => element(column.isHead ? "th" : "td", {
      scope: column.isHead && "row", class: (column.class ?? "") + (column.isNumber ? " number" : ""), "data-value": column.exact?.(row),
    }, column.cell(row)));
    const made = element("tr", { class: this.mark?.(row) && "chosen" }, ...cells);
    const expansion = this.expansion?.(row);
    if (!expansion) return [made];
    return [made, element("tr", { class: "expansion" }, element("td", { colspan: this.columns.length }, expansion))];
  }

  rest(all, shown) {
    const line = element("p", { class: "rest" }, grouped(shown) + " of " + grouped(all) + " rows");
    if (shown === all) return all > this.page ? line : "";
    const more = (limit, text) => element("button", { type: "button", "data-focus": text, on: { click: () => { this.limit = limit; this.show(); } } }, text);
    line.append(" ");
    if (all - shown > 200) line.append(more(this.limit + 200, "Show 200 more"), " ");
    line.append(more(all, "Show all"));
    return line;
  }
}
