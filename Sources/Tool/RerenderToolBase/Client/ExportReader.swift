// SPDX-License-Identifier: MIT
// Reads an export view by view, so that its text is never held as a whole.

import FoundationEssentials
package import RerenderModel

/// Splits the JSON of an export into processes and views while it comes in.
///
/// Relies on sorted keys: the description of a process precedes its `views`.
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
    }

    /// The longest text of one view, or around all of them: far above what the limits of an app allow.
    static let longestElement = 4 << 20

    private var splitter = ExportSplitter()
    private let decoder = JSONDecoder()
    private let refuse: @Sendable (_ reason: String) -> ToolFailure

    /// - Parameter refuse: What to throw, with status 65, where the document cannot be read.
    package init(refuse: @escaping @Sendable (_ reason: String) -> ToolFailure = ToolFailure.unreadable) {
        self.refuse = refuse
    }

    /// Takes the next bytes of the document and returns what they complete.
    package mutating func read(_ bytes: [UInt8]) throws -> [Element] {
        var elements: [Element] = []
        for byte in bytes {
            switch splitter.take(byte) {
            case .nothing: continue
            case .process(let text): elements.append(.process(try decode(text)))
            case .view(let text): elements.append(.view(try decode(text)))
            case .tooLong: throw refuse("one element is longer than \(Self.longestElement >> 20) MiB")
            case .misplaced: throw refuse("it is not an export of Rerender")
            }
        }
        return elements
    }

    /// Says that the document is complete and returns what stood beside the processes.
    package mutating func end() throws -> Envelope {
        guard let text = splitter.end() else { throw refuse("it is incomplete") }
        let envelope: Envelope = try decode(text)
        guard envelope.version == StatsExport.currentVersion else {
            throw refuse(
                "it is an export of version \(envelope.version), and this rerenderctl reads version \(StatsExport.currentVersion)"
            )
        }
        return envelope
    }

    private func decode<T: Decodable>(_ text: [UInt8]) throws -> T {
        do {
            return try decoder.decode(T.self, from: Data(text))
        } catch {
            throw refuse(DecodingText.of(error))
        }
    }
}
