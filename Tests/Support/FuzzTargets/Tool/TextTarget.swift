// SPDX-License-Identifier: MIT
// Texts that are escaped, and read by the programs that they are escaped for.

import TestSupport

#if DEBUG || RERENDER_FUZZ
    import Foundation
    import FuzzWire
    import RerenderModel
    @testable import RerenderShow
    import Synchronization

    extension FuzzTarget {
        static let text = FuzzTarget("text", longest: 256, startsPrograms: true) { bytes in
            let texts = bytes.split(separator: 0xFF, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
            try shell(texts.map { $0.replacing("\0", with: "") })
            let shown = texts.map { Printable.text($0) }
            try markup(texts, shown)
            try cells(texts, shown)
            try labels(shown)
        }

        private static func shell(_ words: [String]) throws {
            let line = ShellCommand.line(words)
            try hold(
                try TextReaders.read("s", line.text) == words.map { Array($0.utf8) }, "bash reads \(line) otherwise")
            try hold(ShellCommand(parsing: line.text) == line, "\(line) is not read back")
        }

        private static func markup(_ texts: [String], _ shown: [String]) throws {
            let children = texts.map { "<a value=\"\($0)\">\($0)</a>" as Markup }.joined(separator: "")
            let document: Markup = "<all>\(children)</all>"
            let written = shown.map { text in
                Array(
                    text.unicodeScalars.map { scalar in
                        scalar == "\u{FFFE}" || scalar == "\u{FFFF}"
                            ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
                    }.joined().utf8)
            }
            try hold(
                try TextReaders.read("x", document.text) == [Array(written.joined())] + written,
                "a reader of XML reads \(document) otherwise")
        }

        private static func cells(_ texts: [String], _ shown: [String]) throws {
            let record = CSVText.record(texts.map { CSVText($0) })
            let read = try TextReaders.read("c", record.text) ?? []
            // A record of one empty cell is an empty line, which readers leave out.
            guard texts != [""] else { return }
            try hold(read.count == texts.count, "\(record.text) has \(read.count) cells")
            for (cell, text) in zip(read, shown) {
                try hold(cell == Array(text.utf8) || cell == Array("'\(text)".utf8), "the cell of \(text) is another")
            }
        }

        private static func labels(_ texts: [String]) throws {
            let sample = MetricText.family(
                MetricText.connected, [(texts.enumerated().map { ("l\(1_000 + $0)", MetricLabel($1)) }, 1)])
            try hold(
                try TextReaders.read("m", sample) == texts.map { Array($0.utf8) },
                "Prometheus' reader reads \(sample) otherwise")
        }
    }

    /// The programs, which run as long as this one does.
    private enum TextReaders {
        private static let script = Checkout.url("Tests/Pure/FuzzTests/readers.py")

        private struct Ends {
            let child: StartedChild
            let input, output: FileHandle
        }

        /// One request at a time.
        private static let running = Mutex<Ends?>(nil)

        /// The texts that a reader finds; nil where it finds the text to be none of its syntax.
        static func read(_ reader: Unicode.Scalar, _ text: String) throws -> [[UInt8]]? {
            try running.withLock { ends in
                let open = try ends ?? start()
                ends = open
                let bytes = Array(text.utf8)
                try open.input.write(contentsOf: Data([UInt8(ascii: reader)] + number(bytes.count) + bytes))
                let count = try number(open.output)
                guard count != .max else { return nil }
                return try (0..<count).map { _ in try take(Int(try number(open.output)), open.output) }
            }
        }

        private static func start() throws -> Ends {
            let (input, output) = try (ChildPipe(), ChildPipe())
            let child = try StartedChild(
                ["/usr/bin/python3", script.path],
                [.copy(of: input.reading.fileDescriptor), .copy(of: output.writing.fileDescriptor)])
            for end in [input.reading, output.writing] { try? end.close() }
            return Ends(child: child, input: input.writing, output: output.reading)
        }

        private static func number(_ number: Int) -> [UInt8] {
            let number = UInt32(number)
            return [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number >> 16 & 0xFF), UInt8(number >> 24)]
        }

        private static func number(_ output: FileHandle) throws -> UInt32 {
            try take(4, output).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }

        private static func take(_ count: Int, _ output: FileHandle) throws -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count {
                guard let more = try output.read(upToCount: count - bytes.count), !more.isEmpty else {
                    throw FuzzFinding("the readers have ended: is python3-prometheus-client there?")
                }
                bytes += more
            }
            return bytes
        }
    }
#endif
