// SPDX-License-Identifier: MIT
// The page's data: JSON for the few things, packed columns for the many, and an index that finds intervals by their time.

/** The report, as JSON. */
const report = JSON.parse($("data-report").textContent);

function bytesOf(id) {
  const holder = $("data-" + id);
  const text = holder.textContent.trim();
  holder.textContent = "";
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Numbers of seven bits a byte, lowest first; `isDelta`: each is what is added to the one before. */
function unpack(id, target, isDelta = false) {
  const bytes = bytesOf(id);
  let at = 0, last = 0;
  for (let index = 0; index < target.length; index++) {
    // Not by shifting: numbers have up to 53 bits.
    let value = 0, unit = 1, byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * unit;
      unit *= 128;
    } while (byte > 127);
    last = isDelta ? last + value : value;
    target[index] = last;
  }
  if (at !== bytes.length) throw new Error("column " + id + " holds " + bytes.length + " bytes, and " + at + " were expected");
  return target;
}

/** Evaluations, turns and writes as typed arrays, unpacked column by column; the names say of which, and starts are deltas. */
async function unpackColumns() {
  const data = {};
  for (const { id } of document.querySelectorAll("[id^=data-]:not(#data-report)")) {
    const name = id.slice("data-".length);
    const length = name.startsWith("turn") ? report.turns : name.startsWith("write") ? report.writes : report.evaluations;
    data[name] = unpack(name, new Float64Array(length), ["start", "turnStart", "writeStart"].includes(name));
    // So that the page answers in between.
    await new Promise((resume) => setTimeout(resume));
  }
  return data;
}

/** Intervals sorted by lane and then by start, with running totals and the largest ends of runs of 8, 64, 512, … */
class LaneIndex {
  static overlapLimit = 64;

  /** `start` rises; `sums` are columns whose totals over runs are asked for. */
  constructor(laneCount, lane, start, duration, sums) {
    const length = start.length;
    this.offsets = new Uint32Array(laneCount + 1);
    for (let index = 0; index < length; index++) this.offsets[lane[index] + 1]++;
    for (let index = 0; index < laneCount; index++) this.offsets[index + 1] += this.offsets[index];
    const next = this.offsets.slice(0, laneCount);
    this.source = new Uint32Array(length);
    this.start = new Float64Array(length);
    this.end = new Float64Array(length);
    for (let index = 0; index < length; index++) {
      const place = next[lane[index]]++;
      this.source[place] = index;
      this.start[place] = start[index];
      this.end[place] = start[index] + duration[index];
    }
    this.totals = {};
    for (const [name, column] of Object.entries(sums)) this.totals[name] = this.runningTotal(column);
    this.pyramid = this.largestEnds();
  }

  runningTotal(column) {
    const totals = new Float64Array(this.source.length + 1);
    for (let index = 0; index < this.source.length; index++) totals[index + 1] = totals[index] + column[this.source[index]];
    return totals;
  }

  largestEnds() {
    const levels = [this.end];
    for (let level = this.end; level.length > 8;) {
      const above = new Float64Array(Math.ceil(level.length / 8));
      for (let index = 0; index < level.length; index++) {
        if (level[index] > above[index >> 3]) above[index >> 3] = level[index];
      }
      levels.push(above);
      level = above;
    }
    return levels;
  }

  /** The total of a column over places `from ..< to`. */
  total(name, from, to) { return this.totals[name][to] - this.totals[name][from]; }

  /** The first place in `from ..< to` that starts at `time` or later; looks near `from` first. */
  firstStartingAt(from, to, time) {
    let low = from, step = 1;
    while (low + step < to && this.start[low + step] < time) {
      low += step;
      step *= 2;
      drawn.steps++;
    }
    let high = Math.min(to, low + step);
    while (low < high) {
      const middle = (low + high) >>> 1;
      drawn.steps++;
      if (this.start[middle] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The first place in `from ..< to` that ends after `time`, or `to`. */
  firstEndingAfter(from, to, time) {
    let place = from, level = 0;
    while (place < to) {
      drawn.steps++;
      // Up while a whole run is over by then, down where one is not.
      while (level + 1 < this.pyramid.length && (place & (8 ** (level + 1) - 1)) === 0) level++;
      while (level > 0 && this.pyramid[level][place / 8 ** level] > time) level--;
      if (level === 0 && this.end[place] > time) return place;
      place += 8 ** level;
      while (level > 0 && (place & (8 ** level - 1)) !== 0) level--;
    }
    return to;
  }

  /** The largest end in `from ..< to`. */
  largestEnd(from, to) {
    let largest = -Infinity, place = from;
    while (place < to) {
      drawn.steps++;
      let level = 0;
      while (level + 1 < this.pyramid.length && (place & (8 ** (level + 1) - 1)) === 0 && place + 8 ** (level + 1) <= to) level++;
      largest = Math.max(largest, this.pyramid[level][place / 8 ** level]);
      place += 8 ** level;
    }
    return largest;
  }

  /**
   * Calls `draw(left, right, from, to)` for what a row of `pixels` shows of a lane between two times: at most once for each
   * pixel in which something starts, and for what had started before. No interval is left out; those of one pixel are together.
   */
  eachPixel(lane, begin, end, pixels, draw) {
    const scale = pixels / (end - begin);
    const last = this.offsets[lane + 1];
    const { found, rest, later } = this.open(lane, begin, begin);
    for (const at of found) draw(0, Math.min(pixels, Math.max(1, (this.end[at] - begin) * scale)), at, at + 1);
    if (rest < later) draw(0, Math.min(pixels, (this.largestEnd(rest, later) - begin) * scale), rest, later);
    let place = later;
    while (place < last && this.start[place] < end) {
      const pixel = Math.min(pixels - 1, Math.floor((this.start[place] - begin) * scale));
      // At least one further, whatever rounding does.
      const next = Math.max(place + 1, this.firstStartingAt(place, last, begin + (pixel + 1) / scale));
      const stop = next === place + 1 ? this.end[place] : this.largestEnd(place, next);
      draw(pixel, Math.min(pixels, Math.max(pixel + 1, (stop - begin) * scale)), place, next);
      place = next;
    }
  }

  /**
   * The places that start before `end` and end after `begin`, `rest` as the first of those that are too many, and `later`
   * as the first that starts at `end`. A view has few at once: one a thread, and more only where it nests in itself.
   */
  open(lane, begin, end) {
    const later = this.firstStartingAt(this.offsets[lane], this.offsets[lane + 1], end);
    const found = [];
    let rest = this.firstEndingAfter(this.offsets[lane], later, begin);
    while (rest < later && found.length < LaneIndex.overlapLimit) {
      found.push(rest);
      rest = this.firstEndingAfter(rest + 1, later, begin);
    }
    return { found, rest, later };
  }

  /** The place of an element in its lane, -1 if it is not there. */
  placeOf(lane, source) {
    let [low, high] = [this.offsets[lane], this.offsets[lane + 1]];
    // Those of a lane are in the order of the columns.
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.source[middle] < source) low = middle + 1;
      else high = middle;
    }
    return this.source[low] === source ? low : -1;
  }

  /** The places that touch a time: the shortest first, so that what is inside is found before what is around it. */
  touching(lane, begin, end) {
    const { found } = this.open(lane, begin, end);
    return found.sort((a, b) => this.end[a] - this.start[a] - (this.end[b] - this.start[b]));
  }
}

/** The first index of a rising column whose number is `least` or more. */
function firstFrom(column, least) {
  let low = 0, high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How far a search through neighbours goes. */
const searchLimit = 20_000;

/** The evaluation around another on the same thread, -1 if there is none. */
function enclosing(data, evaluation) {
  const depth = data.depth[evaluation];
  if (depth === 0 || data.count[evaluation] > 1) return -1;
  for (let index = evaluation - 1; index >= Math.max(0, evaluation - searchLimit); index--) {
    if (data.thread[index] !== data.thread[evaluation] || data.depth[index] !== depth - 1 || data.count[index] > 1) continue;
    if (processOf(data, index) !== processOf(data, evaluation)) continue;
    return data.start[index] + data.duration[index] >= data.start[evaluation] + data.duration[evaluation] ? index : -1;
  }
  return -1;
}

const processOf = (data, evaluation) => report.views[data.view[evaluation]].process;

/** The last part of a path: `tick` of `shop.ticker.tick`, without what else the page says of a reason. */
const lastPart = (path) => path.slice(path.lastIndexOf(".") + 1).replace(/^~/, "").replace(/ \(a further pass of the same update\)$/, "");

/**
 * The write that led to an evaluation, or to the one around it; -1 where it is not known. It is the latest before it, in its
 * process, of a property that the reason names and by code that the evaluation names as the writer.
 */
function writeBefore({ data }, evaluation) {
  for (let index = evaluation; index >= 0; index = enclosing(data, index)) {
    const writers = report.reasons[data.writtenBy[index]];
    if (data.count[index] > 1) return -1;
    if (writers === "") continue;
    const names = report.reasons[data.reason[index]].split(", ").map(lastPart), last = firstFrom(data.writeStart, data.start[index] + 1) - 1;
    const isCause = (write) => data.writeProcess[write] === processOf(data, index) && data.writeCount[write] === 1
      && names.includes(lastPart(report.reasons[data.writeName[write]])) && isWriter(writers, report.reasons[data.writeWriter[write]]);
    for (let write = last; write >= Math.max(0, last - searchLimit); write--) if (isCause(write)) return write;
  }
  return -1;
}

/** Whether a list of writers has one: they are separated by `; `, each with ` ×COUNT` where it wrote more than once. */
const isWriter = (writers, writer) => writer !== "" && writers.split("; ").some((name) => name === writer || name.startsWith(writer + " ×"));
