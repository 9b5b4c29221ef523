// SPDX-License-Identifier: MIT
// A state machine that finds the processes and views in an export, byte by byte.

/// Cuts an export into texts that are JSON documents of their own.
///
/// Follows strings and brackets only. The decoder of the pieces validates them.
package struct ExportSplitter: Sendable {
    /// What a byte completed.
    package enum Action: Hashable, Sendable {
        case nothing
        /// The text of a store, with an empty list in the place of its views.
        case process([UInt8])
        /// The text of a view.
        case view([UInt8])
        /// A text is longer than any that is allowed.
        case tooLong
        /// The document has another shape.
        case misplaced
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

    private var place = Place.envelope
    private var depth = 0
    private var text: [UInt8] = []
    private var envelope: [UInt8] = []
    private var string: [UInt8] = []
    private var isInString = false
    private var isEscaped = false
    private var isComplete = false

    package init() {}

    /// Takes one byte.
    package mutating func take(_ byte: UInt8) -> Action {
        if isComplete { return Self.isBlank(byte) ? .nothing : .misplaced }
        if isInString { return takeInString(byte) }
        switch byte {
        case UInt8(ascii: "\""):
            isInString = true
            string.removeAll(keepingCapacity: true)
            return keep(byte)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return open(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return close(byte)
        default: return keep(byte)
        }
    }

    /// The text beside the processes; nil if the document is not complete.
    package func end() -> [UInt8]? {
        isComplete ? envelope : nil
    }

    private mutating func takeInString(_ byte: UInt8) -> Action {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
        }
        if isInString, string.count < 16 { string.append(byte) }
        return keep(byte)
    }

    private mutating func open(_ byte: UInt8) -> Action {
        depth += 1
        let isObject = byte == UInt8(ascii: "{")
        switch (place, depth) {
        case (.envelope, 2) where !isObject && string == Array("processes".utf8):
            place = .processes
            envelope.append(byte)
            return .nothing
        case (.processes, 3), (.views, 5):
            guard isObject else { return .misplaced }
            place = place == .processes ? .store : .view
            text = [byte]
            return .nothing
        case (.store, 4) where !isObject && string == Array("views".utf8):
            place = .views
            return .process(text + Array("[]}".utf8))
        default: return keep(byte)
        }
    }

    private mutating func close(_ byte: UInt8) -> Action {
        depth -= 1
        switch (place, depth) {
        case (.view, 4):
            place = .views
            return .view(text + [byte])
        case (.views, 3):
            place = .rest
            return .nothing
        case (.rest, 2):
            place = .processes
            return .nothing
        case (.store, 2): return .misplaced  // a store without views, or with something after them that we need
        case (.processes, 1):
            place = .envelope
            envelope.append(byte)
            return .nothing
        case (.envelope, 0):
            isComplete = true
            return keep(byte)
        case (_, ..<0): return .misplaced
        default: return keep(byte)
        }
    }

    private mutating func keep(_ byte: UInt8) -> Action {
        switch place {
        case .envelope:
            if depth == 0, !isComplete, !Self.isBlank(byte), byte != UInt8(ascii: "}") { return .misplaced }
            envelope.append(byte)
            return envelope.count > ExportReader.longestElement ? .tooLong : .nothing
        case .store, .view:
            text.append(byte)
            return text.count > ExportReader.longestElement ? .tooLong : .nothing
        case .processes, .views, .rest: return .nothing
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
