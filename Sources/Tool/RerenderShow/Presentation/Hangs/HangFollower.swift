// SPDX-License-Identifier: MIT
// Turns live events into the lines of `rerenderctl hangs --follow`.

import FoundationEssentials

/// Turns live events into lines about hangs.
package struct HangFollower {
    /// Only the process with this pid or name.
    package let process: String?
    /// Whether lines are passed on as they are.
    package let isJSON: Bool
    private var rest: [UInt8] = []
    /// Hangs whose beginning was shown.
    private var open: [UInt64: Timestamp] = [:]
    /// Hangs whose end was shown, the latest last: a trace may be saved some seconds later.
    private var ended: [UInt64] = []
    private static let mostEnded = 256
    /// The longest line that the daemon writes.
    private static let longestLine = 1 << 20

    package init(process: String?, isJSON: Bool) {
        self.process = process
        self.isJSON = isJSON
    }

    /// The lines that the next bytes complete. Throws status 65 for anything but live events.
    package mutating func lines(_ bytes: [UInt8]) throws -> [StyledLine] {
        rest += bytes
        var shown: [StyledLine] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(rest[..<end])
            rest.removeFirst(end + 1)
            shown += try Self.read(line).map { show($0, line) } ?? []
        }
        guard rest.count <= Self.longestLine else { throw ToolFailure.unreadable("a line is too long") }
        return shown
    }

    /// Looks for the word before it reads the line: a busy app's totals are many.
    private static func read(_ line: [UInt8]) throws -> LiveEvent? {
        guard String(decoding: line, as: UTF8.self).contains("\"event\":\"hang") else { return nil }
        do {
            return try JSONDecoder().decode(LiveEvent.self, from: Data(line))
        } catch {
            throw ToolFailure.unreadable(DecodingText.of(error))
        }
    }

    private mutating func show(_ read: LiveEvent, _ line: [UInt8]) -> [StyledLine] {
        if let hang = read.hang { return show(hang, line) }
        // Only one that was shown is taken back.
        guard let id = read.hangID, let start = open.removeValue(forKey: id) else { return [] }
        if isJSON { return [StyledLine(text: String(decoding: line, as: UTF8.self))] }
        let time = LocalTime.text(start, now: .now)
        let text = "    the hang of \(time) was withdrawn: when it ended, it was shorter than the threshold"
        return [StyledLine(text: text, style: .dim)]
    }

    private mutating func show(_ hang: Hang, _ line: [UInt8]) -> [StyledLine] {
        guard process == nil || process == hang.process || process == String(hang.pid) else { return [] }
        let isNew = open.updateValue(hang.startedAt, forKey: hang.id) == nil
        if !hang.open { open[hang.id] = nil }
        if isJSON { return [StyledLine(text: String(decoding: line, as: UTF8.self))] }
        let text = HangText(hang: hang, now: .now)
        if hang.open { return isNew ? [text.headline] : [] }
        if ended.contains(hang.id) {
            let start = LocalTime.text(hang.startedAt, now: .now)
            return text.trace.map { StyledLine(text: "    the hang of \(start): " + $0) }
        }
        ended.append(hang.id)
        if ended.count > Self.mostEnded { ended.removeFirst() }
        return text.lines(indent: 0, rest: 4)
    }
}
