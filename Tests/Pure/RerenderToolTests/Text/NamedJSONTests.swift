// SPDX-License-Identifier: MIT
// JSON with mangled names: which of them are made readable, and what waits for another program's answer.

import Foundation
import RerenderModel
import Testing

@testable import RerenderShow
@testable import ToolSupport

@Suite("Names in JSON")
struct NamedJSONTests {
    /// What is written of a document, in pieces of some bytes.
    private static func text(_ document: String, pieces: Int = 1) -> String {
        var (named, written) = (NamedJSON(), [UInt8]())
        let bytes = Array(document.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            written += named.add(Array(bytes[start..<min(start + pieces, bytes.count)]))
        }
        return String(decoding: written + named.end(), as: UTF8.self)
    }

    @Test(
        "names of functions become readable, in each form of JSON",
        arguments: [
            (#"{"writer":"by _ZN3app4tickEv() a.cpp:3"}"#, #"{"writer":"by app::tick() a.cpp:3"}"#),
            ("{\n  \"call\" : \"_ZN3app4tickEv\"\n}\n", "{\n  \"call\" : \"app::tick\"\n}\n"),
            (#"{"frames":["_ZN3app4tickEv()","main() /a.c:1"]}"#, #"{"frames":["app::tick()","main() /a.c:1"]}"#),
            (#"{"name": "a \"b\" _ZN3app4tickEv"}"#, #"{"name": "a \"b\" app::tick"}"#),
        ])
    func readable(document: String, expected: String) {
        for pieces in [1, 2, 7, document.utf8.count] { #expect(Self.text(document, pieces: pieces) == expected) }
    }

    @Test(
        "keys of views, files, commands and names of members stay what they are, and so does what is no JSON",
        arguments: [
            #"{"key":"_ZN3app4tickEv"}"#, #"{"file":"_ZN3app4tickEv","command":"explain _ZN3app4tickEv"}"#,
            #"{"_ZN3app4tickEv":{"count":1}}"#, #"{"writer":"Cart.total() Cart.swift:3"}"#, #""_ZN3app4tickEv"#,
            #"{"writer":"_ZN3app4tickEv"#, #"{"writer":"\ud800 _ZN3app4tickEv"}"#, "", "\\\"", "}]:,",
        ])
    func same(document: String) {
        for pieces in [1, 3, max(1, document.utf8.count)] { #expect(Self.text(document, pieces: pieces) == document) }
    }

    @Test("what has a name that another program reads waits for it, with all behind it")
    func waits() {
        let name = "_ZN4json6Window3putIiEEvT_"
        var named = NamedJSON()
        #expect(named.add(Array(#"{"count":1,"#.utf8)) == Array(#"{"count":1,"#.utf8))
        let rest = #""writer":"\#(name)() a.cpp:3","writers":[{"writer":"_ZN3app4tickEv"}]}"#
        #expect(named.add(Array(rest.utf8)) == [] && named.unread == [name])
        MangledNames.learn([name], ["json::Window::put<int>"])
        let expected = #""writer":"json::Window::put() a.cpp:3","writers":[{"writer":"app::tick"}]}"#
        #expect(String(decoding: named.end(), as: UTF8.self) == expected)
    }

    @Test("many such names do not keep a document back for ever")
    func bounded() {
        let names = (0..<3_000).map { "_ZN4full6Window3putILi\($0)EEvv" }
        let document = "[" + names.map { #"{"writer":"\#($0)"}"# }.joined(separator: ",") + "]"
        var named = NamedJSON()
        var written: [UInt8] = []
        let bytes = Array(document.utf8)
        for start in stride(from: 0, to: bytes.count, by: 1_000) {
            written += named.add(Array(bytes[start..<min(start + 1_000, bytes.count)]))
        }
        #expect(!written.isEmpty && named.unread.count < 1_100)
        #expect(String(decoding: written + named.end(), as: UTF8.self) == document)
    }

    @Test("an export is the same but for names")
    func export() throws {
        let counts = [WriterCount(writer: "_ZN3app4tickEv() a.cpp:3", count: 5)]
        let reason = ReasonCount(reason: "queue_draw", count: 10, attribution: .announced, writers: counts)
        var export = StatsExport(
            generatedAt: Sample.now,
            processes: [Sample.store(views: [Sample.view("_ZN3app4tickEv", count: 10, reasons: [reason])])],
            verdict: nil)
        let text = Self.text(String(decoding: try export.json(), as: UTF8.self), pieces: 4_096)
        export.processes[0].views[0].reasons[0].writers[0].writer = "app::tick() a.cpp:3"
        #expect(text == String(decoding: try export.json(), as: UTF8.self))
    }
}
