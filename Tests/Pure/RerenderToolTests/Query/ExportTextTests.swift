// SPDX-License-Identifier: MIT
import FoundationEssentials
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("An export is read from a document or from lines")
struct ExportTextTests {
    private func read(_ bytes: [UInt8], pieces: Int) throws -> StatsExport {
        var text = ExportText()
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try text.add(Array(bytes[start..<min(start + pieces, bytes.count)]))
        }
        return try text.end()
    }

    /// As a daemon sends it.
    private func lines(_ export: StatsExport) throws -> [UInt8] {
        var beside = export
        beside.processes = []
        var bytes = try JSONLine.text(ExportLine(export: beside))
        for store in export.processes {
            bytes += try JSONLine.text(ExportLine(process: store.with(views: [])))
            for view in store.views { bytes += try JSONLine.text(ExportLine(view: view)) }
        }
        return bytes
    }

    private var sample: StatsExport {
        let hostile = "\"views\": [ {\\ \u{1B} }] \u{0} カ"
        let views = [Sample.view(ViewKey(rawValue: hostile), count: 1, reasons: [Sample.reason("\\\"", 1)])]
        return Sample.export([
            Sample.shop, Sample.store("views", store: "processes"), Sample.store(hostile, store: hostile, views: views),
        ])
    }

    @Test("gives what was written, whatever the pieces that it comes in", arguments: [1, 2, 3, 7, 64, 1 << 20])
    func roundTrip(pieces: Int) throws {
        #expect(try read(Array(sample.json()), pieces: pieces) == sample)
        var judged = sample
        judged.verdict = VerdictBuilder.verdict(of: judged.processes)
        judged.matchingViews = 9
        #expect(try read(Array(judged.json()), pieces: pieces) == judged && judged.verdict != nil)
        #expect(try read(lines(judged), pieces: pieces) == judged)
    }

    @Test("reads a document without blanks, and one with nothing in it")
    func compact() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try read(Array(encoder.encode(sample)), pieces: 5) == sample)
        #expect(try read(Array(Sample.export([]).json()) + [0x0A], pieces: 5) == Sample.export([]))
    }

    @Test("skips names that a later daemon may add, objects and lists among them")
    func additions() throws {
        let text = #"""
            {"aaa": {"processes": [{"views": [1]}]}, "generatedAt": "2026-11-20T22:45:00.123Z", "processes": [
              {"aaa": [[{"x": []}]], "zone": {"views": 3}, HEADER, "views": [ VIEW ], "zzz": [{"views": []}]}
            ], "version": 1, "zzz": [[]]}
            """#
        let header = String(decoding: try JSONEncoder().encode(Sample.store()), as: UTF8.self)
            .replacing(#","views":[]"#, with: "").replacing(#""views":[],"#, with: "")
        let view = String(decoding: try JSONEncoder().encode(Sample.view("A", count: 3)), as: UTF8.self)
        let document = text.replacing("HEADER", with: header.dropFirst().dropLast()).replacing("VIEW", with: view)
        let export = try read(Array(document.utf8), pieces: 3)
        #expect(export.processes.first?.views.first?.key == "A")
        #expect(export.processes.first?.name == "shop")
    }

    @Test("refuses every document that ends too early, and lines that end in the middle of one")
    func truncated() throws {
        let (document, lines) = (Array(try sample.json()), try lines(sample))
        for length in stride(from: 0, to: document.count, by: 13) {
            #expect(throws: ToolFailure.self) { try read(Array(document[..<length]), pieces: 50) }
        }
        for length in stride(from: 0, to: lines.count, by: 13) where length == 0 || lines[length - 1] != 0x0A {
            #expect(throws: ToolFailure.self) { try read(Array(lines[..<length]), pieces: 50) }
        }
    }

    @Test(
        "refuses what is no export, with status 65",
        arguments: [
            "", "hello", "[]", "null", "{}", "}{", #"{"processes": [[]]}"#, #"{"processes": [{"pid": 1}]}"#,
            #"{"processes": [{"views": []}]}"#, #"{"processes": [], "version": 1}"#, #"{"processes": []}]"#,
            #"{"generatedAt": "2026-11-20T22:45:00.123Z", "processes": [], "version": 2}"#,
            #"{"generatedAt": "yesterday", "processes": [], "version": 1}"#,
            #"{"generatedAt": "2026-11-20T22:45:00.123Z", "processes": [], "version":  1  1}"#,
        ])
    func garbage(text: String) {
        let failure = #expect(throws: ToolFailure.self) { try read(Array(text.utf8), pieces: 4) }
        #expect(failure?.status == 65)
    }

    @Test("refuses at once what cannot be one")
    func endless() {
        var text = ExportText()
        let failure = #expect(throws: ToolFailure.self) { try text.add([0]) }
        #expect(failure?.status == 65)
    }
}
