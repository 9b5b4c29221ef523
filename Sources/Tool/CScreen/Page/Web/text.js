// SPDX-License-Identifier: MIT
// Numbers as text, as the command line writes them, and elements made without markup.

/** The elements of this page, by id. */
const $ = (id) => document.getElementById(id);

/** Fills an element. Text goes in as text: nothing of a trace is ever read as markup. */
function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "on") for (const [event, act] of Object.entries(value)) made.addEventListener(event, act);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== undefined && value !== false && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Makes an element. */
const element = (name, attributes = {}, ...children) => filled(document.createElement(name), attributes, children);

/** Makes an element of a drawing. */
const svg = (name, attributes = {}, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

/** Words for views, and those for widgets, which are drawn and not evaluated. */
const widgetWords = { evaluation: "drawing", evaluated: "drawn", body: "drawing", bodies: "drawings", view: "widget" };

/** A text of the page's own, and none of a trace, in the words for what was recorded. */
const worded = (text) => (!report.areWidgets ? text : text.replace(/\b(evaluation|evaluated|body|bodies|view)(?=s?\b)/gi, (word) => {
  const other = widgetWords[word.toLowerCase()];
  return /^[A-Z]/.test(word) ? other[0].toUpperCase() + other.slice(1) : other;
}));

/** The parts of a name between which a line may break: behind its signs, and in what is longer than any word. */
const nameParts = (text) => text.match(/[^/#.:_]{1,40}[/#.:_]{0,40}|[/#.:_]{1,40}/gu) ?? [];

/** A file with a line, in which no line may break: `Views.swift:50`. */
const placeSign = /([^\s/#]{1,40}\.[A-Za-z][A-Za-z0-9+]{0,7}:[0-9]{1,7})/;

/** Text of unknown direction, which must not turn its neighbours around. */
const isolated = (text) =>
  element("bdi", {}, ...String(text).split(placeSign)
    .flatMap((piece, index) => (index % 2 === 1 ? [element("span", { class: "unbroken" }, piece)] : nameParts(piece)))
    .flatMap((part, index) => (index > 0 ? [element("wbr"), part] : [part])));

/** The same in a drawing, which has no elements in its texts. */
const isolatedText = (text) => "\u2068" + text + "\u2069";

/** At most so many characters of a text, and a sign between its beginning and its end: that tells as much. */
function cutText(text, kept) {
  const head = Array.from(text.slice(0, 400)).slice(0, Math.ceil(kept / 2)), tail = Array.from(text.slice(-200));
  return head.join("") + "…" + tail.slice(tail.length - Math.floor(kept / 2)).join("");
}

/** `812ns`, `4.12µs`, `38.0ms`, `1.50s`, `12m05s`, `3h07m`: cut, and the same as on the command line. */
function durationText(nanoseconds) {
  const whole = Math.floor(nanoseconds);
  if (whole <= 0) return "0";
  if (whole < 1e3) return whole + "ns";
  if (whole < 60e9) {
    const [unit, name] = whole < 1e6 ? [1e3, "µs"] : whole < 1e9 ? [1e6, "ms"] : [1e9, "s"];
    const digits = whole >= 100 * unit ? 0 : whole >= 10 * unit ? 1 : 2;
    return (Math.floor((whole * 10 ** digits) / unit) / 10 ** digits).toFixed(digits) + name;
  }
  const seconds = Math.floor(whole / 1e9), minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
  const pad = (number) => String(number % 60).padStart(2, "0");
  return hours > 0 ? hours + "h" + pad(minutes) + "m" : minutes + "m" + pad(seconds) + "s";
}

/** A number with a comma before each three digits. */
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

/** `1 view`, `3 views`. */
const counted = (number, one, many = one + "s") => grouped(number) + " " + worded(number === 1 ? one : many);

/** A share in whole percent, cut: `<1%` for a little, and 0 and 100 only where it is exactly none or all. */
function percent(part, whole) {
  if (whole === 0 || part === 0) return "0%";
  if (part === whole) return "100%";
  const percents = Math.floor((part * 100) / whole);
  return percents === 0 ? "<1%" : (part < whole ? Math.min(99, percents) : percents) + "%";
}

/** What was measured as wasted, and behind a `~` what is inferred: `9`, `~3`, `9 + ~3`. */
function wastedText(wasted, inferred, text) {
  if (inferred === 0) return text(wasted);
  return (wasted > inferred ? text(wasted - inferred) + " + " : "") + "~" + text(inferred);
}

/** The same as shares of a whole. */
const wastedShare = (wasted, inferred, whole) => wastedText(wasted, inferred, (part) => percent(part, whole));

/** What stands for a number that is not known, such as the waste of what was never found wasted: it may not have been judged. */
const unknownText = "–";

/** The same as `wastedText`; unknown, and not 0, where none is known. */
const knownWaste = (wasted, inferred, text) => (wasted === 0 ? unknownText : wastedText(wasted, inferred, text));

/** A time within the trace, to the microsecond where that much is to be seen. */
function moment(nanoseconds, span = 0) {
  const digits = span > 0 && span < 1e6 ? 6 : span > 0 && span < 20e6 ? 4 : 3;
  return (nanoseconds / 1e9).toFixed(digits) + " s";
}
