// SPDX-License-Identifier: MIT
// What other programs tell of functions: c++filt of names, and a process's files of what is stripped.

import Foundation
import RerenderModel
import RerenderShow
import TestSupport
import Testing

@testable import RerenderTool
@testable import ToolSupport

@Suite("Help with names")
struct SymbolHelpTests {
    private static func store(_ writer: String, pid: Int32 = 4711) -> ProcessStats {
        let reason = ReasonCount(
            reason: "queue_draw", count: 10, attribution: .announced, writers: [WriterCount(writer: writer, count: 5)])
        return Sample.store(pid: pid, kind: .widgets, views: [Sample.view("GtkLabel", count: 10, reasons: [reason])])
    }

    @Test(
        "names of C++ that are not simple are read by c++filt, all at once",
        .enabled(if: TestSupport.ChildProcess.path(of: "c++filt") != nil, "needs c++filt"))
    func cxx() async {
        let writers = ["_ZN4shop6Window3putIiEEvT_() a.cpp:3", "_ZNK4shop6WindoweqERKS0_() a.cpp:4"]
        #expect(await SymbolHelp.prepare(writers.map { Self.store($0) }).isEmpty)
        #expect(
            writers.map { Printable.text($0) } == ["shop::Window::put() a.cpp:3", "shop::Window::operator==() a.cpp:4"])
    }

    @Test(
        "a document has names of C++ that c++filt reads",
        .enabled(if: TestSupport.ChildProcess.path(of: "c++filt") != nil, "needs c++filt"))
    func document() async {
        let frame = "_ZZN4shop5startEiENKUliE_clEi() a.cpp:7"
        let named = await SymbolHelp.named(Array(#"{"frames":["\#(frame)"],"key":"\#(frame)"}"#.utf8))
        let expected = #"{"frames":["shop::start::{lambda}() a.cpp:7"],"key":"\#(frame)"}"#
        #expect(String(decoding: named, as: UTF8.self) == expected)
    }

    @Test("a name whose meaning has no end costs a second at most, and stays as it is")
    func endless() async {
        var name = "_Z1fI"
        // Each argument stands for two of the one before.
        name += "1aIiiE"
        for number in 0..<40 { name += "S" + (number == 0 ? "" : String(number - 1, radix: 36).uppercased()) + "_IiiE" }
        name += "Evv"
        let clock = ContinuousClock()
        let taken = await clock.measure { _ = await SymbolHelp.prepare([Self.store("\(name)() a.cpp:3")]) }
        #expect(taken < .seconds(5), "\(taken)")
        #expect(MangledNames.unread(in: [name]).isEmpty)
    }

    @Test(
        "a stripped file of a process that lives is named, and one with its symbols is not",
        .enabled(if: TestSupport.ChildProcess.path(of: "cc") != nil, "needs cc"))
    func stripped() async throws {
        let folder = try TemporaryDirectory()
        let source = "\(folder.path)/a.c"
        try "int rerender_help_test(void) { return 1; }\n".write(toFile: source, atomically: true, encoding: .utf8)
        let cc = try #require(TestSupport.ChildProcess.path(of: "cc"))
        var advice: [String: [String]] = [:]
        for (name, flag) in [("librr-help-stripped.so", "-s"), ("librr-help-whole.so", "-g")] {
            let library = "\(folder.path)/\(name)"
            let made = try await TestSupport.ChildProcess.run([cc, flag, "-shared", "-fPIC", "-o", library, source])
            #expect(made.succeeded, "\(made.standardError)")
            _ = try #require(dlopen(library, RTLD_NOW))
            advice[name] = await SymbolHelp.prepare([Self.store("unknown in \(name)", pid: getpid())])
        }
        let sentence = "librr-help-stripped.so is stripped: run a build that keeps its symbols, or install them"
        #expect(advice == ["librr-help-stripped.so": [sentence], "librr-help-whole.so": []])
        // A program of one's own may lie anywhere, and a library that is nowhere says nothing.
        let missing = "functions of rr-no-such-file have no names: run a build that keeps its symbols"
        #expect(await SymbolHelp.prepare([Self.store("unknown in rr-no-such-file")]) == [missing])
        #expect(await SymbolHelp.prepare([Self.store("unknown in librr-none.so.1")]).isEmpty)
    }
}
