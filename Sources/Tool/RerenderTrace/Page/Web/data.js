// SPDX-License-Identifier: MIT
// The page's data: JSON for what is few, packed columns for what is many.

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
async function columns() {
  const many = report.evaluationIntervals, turns = report.turnIntervals;
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
