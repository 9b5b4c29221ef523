// SPDX-License-Identifier: MIT
// An export that was saved, or that comes from anything that calls itself a daemon.

#if DEBUG || RERENDER_FUZZ
    import FuzzWire
    import RerenderModel
    @testable import RerenderToolBase

    extension FuzzTarget {
        /// The first byte is the size of the pieces in which the rest is read.
        static let export = FuzzTarget("export", longest: 8_192) { bytes in
            let document = Array(bytes.dropFirst())
            let whole = ExportUnderTest.read(document, pieces: max(1, document.count))
            let pieces = ExportUnderTest.read(document, pieces: max(1, Int(bytes.first ?? 1)))
            try hold(whole == pieces, "at once \(whole), in pieces \(pieces)")
        }
    }

    /// What an export says, or why it cannot be read.
    private enum ExportUnderTest: Equatable {
        case export(StatsExport)
        case failure(String)

        static func read(_ document: [UInt8], pieces: Int) -> ExportUnderTest {
            var reader = ExportReader()
            var export = StatsExport(generatedAt: Timestamp(nanosecondsSince1970: 0), processes: [])
            do {
                for start in stride(from: 0, to: document.count, by: pieces) {
                    for element in try reader.read(Array(document[start..<min(start + pieces, document.count)])) {
                        switch element {
                        case .process(let process): export.processes.append(process)
                        case .view(let view): export.processes[export.processes.count - 1].views.append(view)
                        }
                    }
                }
                let end = try reader.end()
                (export.generatedAt, export.verdict) = (end.generatedAt, end.verdict)
                return .export(export)
            } catch {
                return .failure("\(error)")
            }
        }
    }
#endif
