// SPDX-License-Identifier: MIT
// The text of a long answer, made while it is read.

import RerenderModel

/// Makes a text piece by piece, as fast as its client reads. Confined to the event loop.
final class AnswerText {
    /// JSON lines, or one document.
    let isLines: Bool
    /// How many elements it has at most, each of some kilobytes.
    let elements: Int
    private(set) var hasBegun = false
    private(set) var isDone = false
    private let next: () throws -> [UInt8]?

    /// - Parameter next: The text of the next element; nil behind the last. Throws where the rest cannot be told.
    private init(elements: Int, isLines: Bool, next: @escaping () throws -> [UInt8]?) {
        (self.elements, self.isLines, self.next) = (elements, isLines, next)
    }

    /// An export as it is while it is read.
    convenience init(_ plan: ExportPlan, of registry: Registry, isLines: Bool) {
        self.init(elements: plan.elements, isLines: isLines, of: registry) { plan }
    }

    /// An export whose plan is made for the first piece. Until then it costs nothing: a client may want the headers alone, or get no place.
    ///
    /// - Parameter elements: How many stores and views there are at most.
    convenience init(elements: Int, isLines: Bool, of registry: Registry, plan: @escaping () -> ExportPlan) {
        var (known, writer): (ExportLines?, ExportWriter) = (nil, ExportWriter())
        self.init(elements: elements, isLines: isLines) {
            var lines = known ?? ExportLines(plan(), of: registry)
            let line = try lines.next()
            known = lines
            guard let line else { return writer.end() }
            return try isLines ? JSONLine.text(line) : writer.add(line)
        }
    }

    /// A document with one list, whose elements are made when their turn comes.
    ///
    /// - Parameter count: How many there are at most.
    convenience init<Elements: Sequence>(
        _ document: some Encodable, list: String, count: Int, _ elements: Elements
    ) where Elements.Element: Encodable {
        var (text, left): (ListText?, Elements.Iterator) = (nil, elements.makeIterator())
        self.init(elements: count, isLines: false) {
            guard text != nil else {
                text = try ListText(document, list: list)
                return text?.beginning
            }
            if let element = left.next() { return try text?.add(element) }
            return text?.end()
        }
    }

    /// The next bytes, about `size` of them; the last where ``isDone`` is true afterwards.
    func piece(size: Int) throws -> [UInt8] {
        hasBegun = true
        var bytes: [UInt8] = []
        while bytes.count < size {
            guard let more = try next() else {
                isDone = true
                // So that a shell's prompt begins on a line of its own.
                if !isLines { bytes.append(UInt8(ascii: "\n")) }
                break
            }
            bytes += more
        }
        return bytes
    }
}
