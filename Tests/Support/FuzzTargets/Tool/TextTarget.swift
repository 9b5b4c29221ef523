// SPDX-License-Identifier: MIT
// Texts that are escaped, and read by the programs that they are escaped for. Workflow commands and folded stacks have no such program here:
// EscapedTextTests reads them. The text of an event has no syntax, and is recorded as it is: TextTests.

import TestSupport

#if DEBUG || RERENDER_FUZZ
    import Foundation
    import FuzzWire
    @testable import RerenderDaemon
    import RerenderModel
    @testable import RerenderShow
    @testable import RerenderTool
    import Synchronization

    extension FuzzTarget {
        static let text = FuzzTarget("text", longest: 256, startsPrograms: true) { bytes in
            let texts = bytes.split(separator: 0xFF, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
            let words = texts.map { $0.replacing("\0", with: "") }
            try shell(words)
            try notification(words.joined(separator: "\n"))
            let shown = texts.map { Printable.text($0) }
            try markup(texts, shown)
            try cells(texts, shown)
            try labels(shown)
            try items(texts, shown)
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

        /// What notify-send makes of its argument.
        private static func notification(_ text: String) throws {
            let argument = NotifySendText(text).text
            try hold(try TextReaders.read("n", argument) == [Array(text.utf8)], "GLib reads \(argument) otherwise")
        }

        /// A reader of Markdown drops blanks at both ends of a paragraph.
        private static func items(_ texts: [String], _ shown: [String]) throws {
            let list = Markdown.items(texts).joined(separator: "\n")
            let written = shown.map { text -> [UInt8] in
                let begun = text.unicodeScalars.drop { $0.properties.isWhitespace }
                let ended = begun.reversed().drop { $0.properties.isWhitespace }.reversed()
                return Array(String(String.UnicodeScalarView(ended)).utf8)
            }
            try hold(try TextReaders.read("k", list.text) == written, "a reader of Markdown reads \(list) otherwise")
        }
    }

    /// The programs, which run as long as this one does.
    package enum TextReaders {
        /// Whether they can run here.
        package static var areThere: Bool {
            StartedChild.succeeds(["/usr/bin/python3", "-c", "import markdown_it, prometheus_client"])
        }

        /// The packages that they need, and no other script does.
        package static let modules = "python3-markdown-it and python3-prometheus-client"

        private static let script = Checkout.url("Tests/Pure/FuzzTests/readers.py")

        private struct Ends {
            let child: StartedChild
            let input, output: FileHandle
        }

        /// One request at a time.
        private static let running = Mutex<Ends?>(nil)

        /// The texts that a reader finds; nil where it finds the text to be none of its syntax.
        fileprivate static func read(_ reader: Unicode.Scalar, _ text: String) throws -> [[UInt8]]? {
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
                    throw FuzzFinding("the readers have ended: are \(Self.modules) there?")
                }
                bytes += more
            }
            return bytes
        }
    }
#endif
