#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns a terminal's screen, as `tmux capture-pane -e` prints it, into a page that a browser can draw."""

import html
import re
import sys

# The sixteen colours of a dark terminal, as most have them.
COLOURS = ["#1e1e1e", "#f14c4c", "#23d18b", "#e5c07b", "#3b8eea", "#d670d6", "#29b8db", "#d4d4d4"]
BRIGHT = ["#808080", "#ff7b72", "#5af78e", "#ffd866", "#79b8ff", "#ff92df", "#7ee7ff", "#ffffff"]
BACKGROUND, FOREGROUND = "#1e1e1e", "#d4d4d4"

SEQUENCE = re.compile(r"\x1b\[([\d;:]*)m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x0e\x0f]")


def indexed(number):
    """The colour of one of the 256."""
    if number < 8:
        return COLOURS[number]
    if number < 16:
        return BRIGHT[number - 8]
    if number < 232:
        number -= 16
        steps = [0, 95, 135, 175, 215, 255]
        return "#%02x%02x%02x" % (steps[number // 36], steps[number // 6 % 6], steps[number % 6])
    return "#" + "%02x" % (8 + 10 * (number - 232)) * 3


class Look:
    """What the next characters look like."""

    def __init__(self):
        self.foreground = self.background = None
        self.flags = set()

    def apply(self, codes):
        codes = [int(code or 0) for code in re.split("[;:]", codes)]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.__init__()
            elif code in (1, 2, 3, 4, 7):
                self.flags.add(code)
            elif code == 22:
                self.flags -= {1, 2}
            elif code in (23, 24, 27):
                self.flags.discard(code - 20)
            elif code in (38, 48):
                colour = None
                if codes and codes[0] == 5:
                    colour = indexed(codes[1])
                    del codes[:2]
                elif codes and codes[0] == 2:
                    colour = "#%02x%02x%02x" % tuple(codes[1:4])
                    del codes[:4]
                self.set(code == 38, colour)
            elif 30 <= code <= 37 or 40 <= code <= 47:
                self.set(code < 40, COLOURS[code % 10])
            elif 90 <= code <= 97 or 100 <= code <= 107:
                self.set(code < 100, BRIGHT[code % 10])
            elif code in (39, 49):
                self.set(code == 39, None)

    def set(self, is_foreground, colour):
        if is_foreground:
            self.foreground = colour
        else:
            self.background = colour

    def style(self):
        foreground, background = self.foreground or FOREGROUND, self.background or BACKGROUND
        if 7 in self.flags:
            foreground, background = background, foreground
        parts = [f"color:{foreground}"]
        if background != BACKGROUND:
            parts.append(f"background:{background}")
        if 1 in self.flags:
            parts.append("font-weight:bold")
        if 2 in self.flags:
            parts.append("opacity:.62")
        if 4 in self.flags:
            parts.append("text-decoration:underline")
        return ";".join(parts)


def line_of(text, look):
    pieces, end = [], 0
    for match in SEQUENCE.finditer(text):
        pieces.append(span(text[end : match.start()], look))
        if match.group(1) is not None:
            look.apply(match.group(1))
        end = match.end()
    return "".join(pieces + [span(text[end:], look)])


def span(text, look):
    return f'<span style="{look.style()}">{html.escape(text)}</span>' if text else ""


def main():
    look = Look()
    lines = "\n".join(line_of(line, look) for line in sys.stdin.read().rstrip("\n").split("\n"))
    print(
        f"""<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: {BACKGROUND} }}
pre {{ margin: 0; padding: 12px; font: 14px/18px "DejaVu Sans Mono", monospace }}
</style><pre>{lines}</pre>"""
    )


main()
