// SPDX-License-Identifier: MIT
// How answers are written: an export line by line, a document element by element, and a value on a line.

import FoundationEssentials

/// One line of an export that is sent as JSON lines: all but the processes, then each store, with each of its views behind it.
///
/// Exactly one member is there.
package struct ExportLine: Codable, Sendable {
    /// All but the processes.
    package var export: StatsExport?
    /// A store without its views.
    package var process: ProcessStats?
    /// A view of the store before.
    package var view: Stats?

    package init(export: StatsExport? = nil, process: ProcessStats? = nil, view: Stats? = nil) {
        (self.export, self.process, self.view) = (export, process, view)
    }
}

/// Writes the document of an export from its lines.
package struct ExportWriter: Sendable {
    private var document: ListText?
    private var store: ListText?

    package init() {}

    /// What the line adds to the document.
    package mutating func add(_ line: ExportLine) throws -> [UInt8] {
        if let export = line.export {
            document = try ListText(export, list: "processes")
            return document?.beginning ?? []
        }
        if let process = line.process {
            let before = endStore() + (document?.separator() ?? [])
            store = try ListText(process, list: "views", depth: 2)
            return before + (store?.beginning ?? [])
        }
        return try line.view.flatMap { try store?.add($0) } ?? []
    }

    /// The end of the document, without a newline; nil where that was asked for before.
    package mutating func end() -> [UInt8]? {
        guard let end = document?.end() else { return nil }
        return endStore() + end
    }

    private mutating func endStore() -> [UInt8] { store?.end() ?? [] }
}

extension StatsExport {
    /// Takes in a line behind the first one, which is the export itself.
    package mutating func add(_ line: ExportLine) {
        if let process = line.process { processes.append(process) }
        if let view = line.view, !processes.isEmpty { processes[processes.count - 1].views.append(view) }
    }

    /// Hands over the text of ``json()`` in pieces, so that no text of all is held.
    package func write(_ take: (_ bytes: [UInt8]) throws -> Void) throws {
        var (writer, text) = (ExportWriter(), [UInt8]())
        func add(_ line: ExportLine) throws {
            text += try writer.add(line)
            guard text.count >= 1 << 16 else { return }
            try take(text)
            text = []
        }
        var beside = self
        beside.processes = []
        try add(ExportLine(export: beside))
        for process in processes {
            var store = process
            store.views = []
            try add(ExportLine(process: store))
            for view in process.views { try add(ExportLine(view: view)) }
        }
        try take(text + (writer.end() ?? []))
    }
}

/// Writes a document with a list, element by element, as `StatsExport.encoder()` writes the whole.
///
/// An encoder holds some ten kilobytes for each view of what it writes, and a busy daemon has 100,000 views.
package struct ListText: Sendable {
    /// Up to the list, with its bracket.
    package let beginning: [UInt8]
    private let rest: [UInt8]
    private let depth: Int
    private var isEmpty = true
    private var hasEnded = false

    private static let encoder = StatsExport.encoder()
    private static let newline = UInt8(ascii: "\n")

    /// - Parameters:
    ///   - document: The document without any element.
    ///   - list: The name of its list.
    ///   - depth: How many brackets are open around it.
    package init(_ document: some Encodable, list: String, depth: Int = 0) throws {
        let text = try Self.text(of: document, depth: depth)
        // No text in a string has a newline, so that this is the list of the document itself.
        let blanks = String(repeating: "  ", count: depth + 1)
        let mark = Array("\n\(blanks)\"\(list)\" : [".utf8)
        let end = text.firstRange(of: mark)?.upperBound ?? text.endIndex
        beginning = Array(text[..<end])
        // An empty list has an empty line.
        rest = Array(text[end...].dropFirst())
        self.depth = depth
    }

    /// What stands before the next element.
    package mutating func separator() -> [UInt8] {
        let start = isEmpty ? [Self.newline] : [UInt8(ascii: ","), Self.newline]
        isEmpty = false
        return start + Self.blanks(depth + 2)
    }

    /// The next element, with what stands before it.
    package mutating func add(_ element: some Encodable) throws -> [UInt8] {
        let text = try Self.text(of: element, depth: depth + 2)
        return separator() + text
    }

    /// The end of the list and of the document; nil where that was asked for before.
    package mutating func end() -> [UInt8]? {
        guard !hasEnded else { return nil }
        hasEnded = true
        return (isEmpty ? [Self.newline] : []) + rest
    }

    private static func blanks(_ depth: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: " "), count: 2 * depth) }

    private static func text(of value: some Encodable, depth: Int) throws -> [UInt8] {
        let text = Array(try encoder.encode(value))
        guard depth > 0 else { return text }
        let blanks = blanks(depth)
        var shifted: [UInt8] = []
        shifted.reserveCapacity(text.count * 2)
        for (index, byte) in text.enumerated() {
            shifted.append(byte)
            if byte == newline, index + 1 < text.count, text[index + 1] != newline { shifted += blanks }
        }
        return shifted
    }
}

/// A value on a line of its own.
package enum JSONLine {
    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    /// The value with sorted keys, and a newline.
    package static func text(_ value: some Encodable) throws -> [UInt8] {
        Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    }
}
