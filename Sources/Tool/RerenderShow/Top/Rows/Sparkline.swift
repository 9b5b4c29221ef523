// SPDX-License-Identifier: MIT
// Rates as bars.

/// Rates as a row of bars.
enum Sparkline {
    private static let bars = Array("▁▂▃▄▅▆▇█")
    private static let plain = Array("_.:-=+*#")

    /// One column for each of the last `width` rates, the newest on the right; higher is more, `scale` is full.
    ///
    /// A blank is a time of which nothing is known, a dot (`·`; in ASCII an apostrophe) one without an evaluation. Bars of which
    /// at least half was wasted are marked: in orange, or bold where there are no colours.
    static func pieces(_ paces: [Pace], width: Int, scale: Double, unicode: Bool) -> [TopSpan] {
        let shown = paces.suffix(max(0, width))
        let blanks = String(repeating: " ", count: max(0, width - shown.count))
        let signs = unicode ? bars : plain
        var pieces = [TopSpan(text: blanks, style: .dim)]
        for pace in shown {
            let isWasted = pace.wasted > 0 && pace.wasted * 2 >= pace.all
            let level = scale > 0 ? min(1, pace.all / scale) : 0
            let sign =
                pace.all > 0
                ? signs[min(signs.count - 1, Int(level * Double(signs.count - 1) + 0.5))] : unicode ? "·" : "'"
            let style: Style = isWasted ? .notice : .dim
            if pieces[pieces.count - 1].style == style {
                pieces[pieces.count - 1].text.append(sign)
            } else {
                pieces.append(TopSpan(text: String(sign), style: style))
            }
        }
        return pieces.filter { !$0.text.isEmpty }
    }
}
