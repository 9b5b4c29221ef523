// SPDX-License-Identifier: MIT
// The page's data: JSON for the few things, packed columns for the many, and an index that finds intervals by their time.

/** The report, as JSON. */
const report = JSON.parse($("data-report").textContent);

function bytesOf(id) {
  const holder = $("data-" + id);
  const text = holder.textContent.trim();
  holder.textContent = "";
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let index = 0; index < raw.length; index++) bytes[index] = raw.charCodeAt(index);
  return bytes;
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

/** Lets the page answer between two pieces of long work. */
const pause = () => new Promise((resume) => setTimeout(resume));

/** Evaluations and turns as typed arrays, unpacked column by column. */
async function unpackColumns() {
  const many = report.evaluations, turns = report.turns;
  const plan = {
    start: [Float64Array, many, true], duration: [Float64Array, many], body: [Float64Array, many],
    view: [Uint32Array, many], thread: [Uint32Array, many], depth: [Uint32Array, many], reason: [Uint32Array, many],
    wasted: [Float64Array, many], count: [Float64Array, many],
    turnStart: [Float64Array, turns, true], turnDuration: [Float64Array, turns], turnProcess: [Uint32Array, turns],
    turnEvaluations: [Float64Array, turns], turnCount: [Float64Array, turns],
  };
  const data = {};
  for (const [id, [kind, length, isDelta]] of Object.entries(plan)) {
    data[id] = unpack(id, new kind(length), isDelta === true);
    await pause();
  }
  return data;
}

/** Intervals sorted by lane and then by start, with running totals and the largest ends of runs of 8, 64, 512, … */
class LaneIndex {
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
    /** Steps taken since the last reset; a test bounds them. */
    this.steps = 0;
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
      this.steps++;
    }
    let high = Math.min(to, low + step);
    while (low < high) {
      const middle = (low + high) >>> 1;
      this.steps++;
      if (this.start[middle] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The first place in `from ..< to` that ends after `time`, or `to`. */
  firstEndingAfter(from, to, time) {
    let place = from, level = 0;
    while (place < to) {
      this.steps++;
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
      this.steps++;
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
    let place = this.eachBefore(lane, begin, scale, pixels, draw);
    while (place < last && this.start[place] < end) {
      const pixel = Math.min(pixels - 1, Math.floor((this.start[place] - begin) * scale));
      // At least one further, whatever rounding does.
      const next = Math.max(place + 1, this.firstStartingAt(place, last, begin + (pixel + 1) / scale));
      const stop = next === place + 1 ? this.end[place] : this.largestEnd(place, next);
      draw(pixel, Math.min(pixels, Math.max(pixel + 1, (stop - begin) * scale)), place, next);
      place = next;
    }
  }

  /** What had started before `begin` and lasts; returns the first place that starts later. */
  eachBefore(lane, begin, scale, pixels, draw) {
    const last = this.offsets[lane + 1];
    const later = this.firstStartingAt(this.offsets[lane], last, begin);
    let place = this.firstEndingAfter(this.offsets[lane], later, begin);
    // A view has few at once: one a thread, and more only where it nests in itself. What is beyond that is together.
    for (let drawn = 0; place < later && drawn < LaneIndex.overlapLimit; drawn++) {
      draw(0, Math.min(pixels, Math.max(1, (this.end[place] - begin) * scale)), place, place + 1);
      place = this.firstEndingAfter(place + 1, later, begin);
    }
    if (place < later) draw(0, Math.min(pixels, (this.largestEnd(place, later) - begin) * scale), place, later);
    return later;
  }

  /** The places that touch a time: the shortest first, so that what is inside is found before what is around it. */
  touching(lane, begin, end) {
    const last = this.offsets[lane + 1];
    const later = this.firstStartingAt(this.offsets[lane], last, end);
    const found = [];
    let place = this.firstEndingAfter(this.offsets[lane], later, begin);
    while (place < later && found.length < LaneIndex.overlapLimit) {
      found.push(place);
      place = this.firstEndingAfter(place + 1, later, begin);
    }
    return found.sort((a, b) => this.end[a] - this.start[a] - (this.end[b] - this.start[b]));
  }
}
LaneIndex.overlapLimit = 64;
