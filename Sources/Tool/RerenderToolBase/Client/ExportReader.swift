// SPDX-License-Identifier: MIT
// Reads an export view by view, so that its text is never held as a whole.

import FoundationEssentials
package import RerenderModel

/// Splits the JSON of an export into processes and views while it comes in.
///
/// Follows strings and brackets only, byte by byte, and has the decoder validate the pieces, which are JSON documents of
/// their own. Relies on sorted keys: the description of a process precedes its `views`.
/// Throws ``ToolFailure`` with status 65 for anything else. Holds at most one view and the text around all views.
package struct ExportReader {
    /// What comes out, in the document's order: a process, then its views.
    package enum Element: Sendable {
        /// A store, with `views` empty.
        case process(ProcessStats)
        /// A view of the store that came last.
        case view(Stats)
    }

    /// The members beside the processes.
    package struct Envelope: Decodable, Sendable {
        let version: Int
        package let generatedAt: Timestamp
        /// How many views there would be without a limit; nil where none was asked for.
        package let matchingViews: Int?
        /// What costs most of all views, whichever are listed; nil in an older document.
        package let verdict: Verdict?
        /// What a run left beside its counts; nil in any other export.
        package let run: RunRecord?
    }

    /// Where the document's text goes now.
    private enum Place: Hashable, Sendable {
        /// Outside of all processes.
        case envelope
        /// In the list of processes, between two.
        case processes
        /// In a store, before its views.
        case store
        /// In the list of views, between two.
        case views
        /// In a view.
        case view
        /// In a store, after its views.
        case rest
    }

    /// The longest text of one view, or around all of them: far above what the limits of an app allow.
    static let longestElement = 4 << 20

    private var place = Place.envelope
    private var depth = 0
    private var text: [UInt8] = []
    private var envelope: [UInt8] = []
    private var string: [UInt8] = []
    private var isInString = false
    private var isEscaped = false
    private var isComplete = false
    /// What the bytes completed.
    private var elements: [Element] = []
    /// The byte before, outside of strings.
    private var last = UInt8(ascii: " ")
    private let decoder = JSONDecoder()
    private let refuse: @Sendable (_ reason: String) -> ToolFailure
    private let skipsProcesses: Bool

    /// - Parameters:
    ///   - skipsProcesses: Whether only ``end()`` is asked for: processes and views are not looked at.
    ///   - refuse: What to throw, with status 65, where the document cannot be read.
    package init(
        skipsProcesses: Bool = false,
        refuse: @escaping @Sendable (_ reason: String) -> ToolFailure = ToolFailure.unreadable
    ) {
        (self.skipsProcesses, self.refuse) = (skipsProcesses, refuse)
    }

    /// Takes the next bytes of the document and returns what they complete.
    package mutating func read(_ bytes: [UInt8]) throws(ToolFailure) -> [Element] {
        for byte in bytes { try take(byte) }
        defer { elements = [] }
        return elements
    }

    /// Says that the document is complete and returns what stood beside the processes.
    package mutating func end() throws(ToolFailure) -> Envelope {
        guard isComplete else { throw refuse("it is incomplete") }
        let envelope: Envelope = try decode(envelope)
        guard envelope.version == StatsExport.currentVersion else {
            throw refuse(
                "it is an export of version \(envelope.version), and this rerenderctl reads version \(StatsExport.currentVersion)"
            )
        }
        return envelope
    }

    private func decode<T: Decodable>(_ text: [UInt8]) throws(ToolFailure) -> T {
        do {
            return try decoder.decode(T.self, from: Data(text))
        } catch {
            throw refuse(DecodingText.of(error))
        }
    }

    /// The document has another shape.
    private var misplaced: ToolFailure { refuse("it is not an export of Rerender") }

    private mutating func take(_ byte: UInt8) throws(ToolFailure) {
        guard !isComplete else {
            guard Self.isBlank(byte) else { throw misplaced }
            return
        }
        if isInString { return try takeInString(byte) }
        // Half of a document that people can read. One blank between two values stays: without it they were one.
        let isRedundant = Self.isBlank(byte) && (Self.isBlank(last) || Self.isMark(last))
        last = byte
        if isRedundant { return }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return try open(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return try close(byte)
        case UInt8(ascii: "\""):
            isInString = true
            string.removeAll(keepingCapacity: true)
        default: break
        }
        try keep(byte)
    }

    private mutating func takeInString(_ byte: UInt8) throws(ToolFailure) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
        }
        if isInString, string.count < 16 { string.append(byte) }
        try keep(byte)
    }

    private mutating func open(_ byte: UInt8) throws(ToolFailure) {
        depth += 1
        let isObject = byte == UInt8(ascii: "{")
        switch (place, depth) {
        case (.envelope, 2) where !isObject && string == Array("processes".utf8):
            place = .processes
            envelope.append(byte)
        case (.processes, 3), (.views, 5):
            guard isObject else { throw misplaced }
            place = place == .processes ? .store : .view
            text = [byte]
        case (.store, 4) where !isObject && string == Array("views".utf8):
            place = .views
            if !skipsProcesses { elements.append(.process(try decode(text + Array("[]}".utf8)))) }
        default: try keep(byte)
        }
    }

    private mutating func close(_ byte: UInt8) throws(ToolFailure) {
        depth -= 1
        switch (place, depth) {
        case (.view, 4):
            place = .views
            if !skipsProcesses { elements.append(.view(try decode(text + [byte]))) }
        case (.views, 3): place = .rest
        case (.rest, 2): place = .processes
        case (.store, 2): throw misplaced  // a store without views, or with something after them that we need
        case (.processes, 1):
            place = .envelope
            envelope.append(byte)
        case (.envelope, 0):
            isComplete = true
            try keep(byte)
        case (_, ..<0): throw misplaced
        default: try keep(byte)
        }
    }

    private mutating func keep(_ byte: UInt8) throws(ToolFailure) {
        switch place {
        case .envelope:
            if depth == 0, !isComplete, !Self.isBlank(byte), byte != UInt8(ascii: "}") { throw misplaced }
            envelope.append(byte)
        case .store, .view: text.append(byte)
        case .processes, .views, .rest: return
        }
        guard max(envelope.count, text.count) <= Self.longestElement else {
            throw refuse("one element is longer than \(Self.longestElement >> 20) MiB")
        }
    }

    /// Whether no blank is needed behind it.
    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
