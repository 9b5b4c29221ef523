// SPDX-License-Identifier: MIT
// The lines below the expanded row.

/// A line of the details.
struct HUDDetailLine: Hashable, Sendable {
    /// What a line is about.
    enum Kind: Hashable, Sendable { case plain, place, hang, reason, writer, more }

    /// What stands before it; empty where the line goes on with what the one above is about.
    var label: String
    var text: String
    var kind = Kind.plain

    /// Reasons that are shown; the others are counted.
    static let mostReasons = 6

    /// The lines of a state's expanded row.
    static func all(_ state: HUDState) -> [HUDDetailLine] {
        guard let details = state.content.details, details.key == state.expanded else {
            return [HUDDetailLine(label: "", text: "no details yet", kind: .more)]
        }
        let row = state.content.rows.first { $0.key == details.key }
        return [
            HUDDetailLine(label: "Body", text: times(details.body)),
            HUDDetailLine(label: "Total", text: times(details.total)),
            HUDDetailLine(label: "Place", text: details.place ?? HUDNumbers.unknown, kind: .place),
            hangs(details.hangs, row?.hangs ?? 0),
        ] + reasons(details.reasons)
    }

    static func height(of lines: [HUDDetailLine]) -> Double {
        Double(lines.count) * HUDMetrics.detailLine + 2 * HUDMetrics.detailPadding
    }

    private static func times(_ times: HUDTimes) -> String {
        "last \(HUDNumbers.time(times.last)) · average \(HUDNumbers.time(times.average))"
    }

    private static func hangs(_ hangs: HUDHangs?, _ count: UInt64) -> HUDDetailLine {
        guard let hangs, count > 0 else { return HUDDetailLine(label: "Hangs", text: "none") }
        let text = "\(count) · last \(HUDNumbers.time(hangs.last)) · longest \(HUDNumbers.time(hangs.worst))"
        return HUDDetailLine(label: "Hangs", text: text, kind: .hang)
    }

    private static func reasons(_ reasons: [HUDReason]) -> [HUDDetailLine] {
        guard !reasons.isEmpty else { return [HUDDetailLine(label: "Why", text: HUDNumbers.unknown)] }
        let shown = reasons.prefix(mostReasons).enumerated().flatMap { place, reason -> [HUDDetailLine] in
            let text = "\(reason.text) × \(HUDNumbers.count(reason.count))"
            let line = HUDDetailLine(label: place == 0 ? "Why" : "", text: text, kind: .reason)
            return [line] + (reason.writer.map { [HUDDetailLine(label: "", text: "by \($0)", kind: .writer)] } ?? [])
        }
        let rest = reasons.count - mostReasons
        guard rest > 0 else { return shown }
        return shown + [HUDDetailLine(label: "", text: "\(rest) more", kind: .more)]
    }
}
