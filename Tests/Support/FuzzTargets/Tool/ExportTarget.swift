// SPDX-License-Identifier: MIT
// An export that was saved, or that comes from anything that calls itself a daemon.

#if DEBUG || RERENDER_FUZZ
    import FuzzWire
    import RerenderModel
    @testable import RerenderShow

    extension FuzzTarget {
        /// The first byte is the size of the pieces in which the rest is read.
        static let export = FuzzTarget("export", longest: 8_192) { bytes in
            let document = Array(bytes.dropFirst())
            let whole = ExportUnderTest.read(document, pieces: max(1, document.count))
            let pieces = ExportUnderTest.read(document, pieces: max(1, Int(bytes.first ?? 1)))
            try hold(whole == pieces, "at once \(whole), in pieces \(pieces)")
            let shown = named(document, pieces: max(1, document.count))
            let shownPieces = named(document, pieces: max(1, Int(bytes.first ?? 1)))
            try hold(shown == shownPieces, "other names at once than in pieces")
            let isPlain = MangledNames.readable(String(decoding: document, as: UTF8.self)).utf8.elementsEqual(document)
            try hold(!isPlain || shown == document, "without names, \(document.count) bytes became \(shown.count)")
        }

        /// A document with readable names.
        private static func named(_ document: [UInt8], pieces: Int) -> [UInt8] {
            var (text, written) = (NamedJSON(), [UInt8]())
            for start in stride(from: 0, to: document.count, by: pieces) {
                written += text.add(Array(document[start..<min(start + pieces, document.count)]))
            }
            return written + text.end()
        }
    }

    /// What an export says, or why it cannot be read.
    private enum ExportUnderTest: Equatable {
        case export(StatsExport)
        case failure(String)

        static func read(_ document: [UInt8], pieces: Int) -> ExportUnderTest {
            var text = ExportText()
            do {
                for start in stride(from: 0, to: document.count, by: pieces) {
                    try text.add(Array(document[start..<min(start + pieces, document.count)]))
                }
                return .export(try text.end())
            } catch {
                return .failure("\(error)")
            }
        }
    }
#endif
