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

    @Test("a name whose meaning has no end is given up, and stays as it is")
    func endless() async {
        var name = "_Z1fI"
        // Each argument stands for two of the one before.
        name += "1aIiiE"
        for number in 0..<40 { name += "S" + (number == 0 ? "" : String(number - 1, radix: 36).uppercased()) + "_IiiE" }
        name += "Evv"
        // Without a limit, this would take years.
        let taken = await ContinuousClock().measure { _ = await SymbolHelp.prepare([Self.store("\(name)() a.cpp:3")]) }
        Figure.note("a name of C++ without an end is given up after", taken / .milliseconds(1), "ms")
        #expect(MangledNames.unread(in: [name]).isEmpty)
    }

    /// A stripped program that prints which debug information it was given.
    private static func program(in folder: String) async throws -> String {
        let (source, program) = ("\(folder)/shop.c", "\(folder)/shop")
        try """
        #include <stdio.h>
        #include <stdlib.h>
        int main(void) { const char *file = getenv("RERENDER_DEBUG_FILE"); puts(file ? file : "none"); }

        """.write(toFile: source, atomically: true, encoding: .utf8)
        let cc = try #require(TestSupport.ChildProcess.path(of: "cc"))
        let made = try await TestSupport.ChildProcess.run([cc, "-s", "-Wl,--build-id", "-o", program, source])
        try #require(made.succeeded, "\(made.standardError)")
        return program
    }

    /// A stand-in for debuginfod-find.
    private static func finder(_ script: String, in folder: String) async throws -> String {
        let path = "\(folder)/debuginfod-find"
        try await TestSupport.ChildProcess.makeScript("#!/bin/sh\n\(script)\n", at: path)
        return path
    }

    @Test(
        "the debug information of a stripped program comes from a server where the settings allow that",
        .enabled(if: TestSupport.ChildProcess.path(of: "cc") != nil, "needs cc"))
    func server() async throws {
        let bench = try Bench()
        let (program, config) = (try await Self.program(in: bench.path), bench.path + "/config/rerender")
        _ = try await Self.finder(
            "echo \"$DEBUGINFOD_URLS $1 ${#2}\" >> '\(bench.path)/asked'\n"
                + "touch '\(bench.path)/debuginfo'\necho '\(bench.path)/debuginfo'",
            in: bench.path)
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        func run(_ settings: String, _ servers: String?) async throws -> Outcome {
            try settings.write(toFile: config + "/config.toml", atomically: true, encoding: .utf8)
            var variables = ["PATH": "\(bench.path):\(path)", "XDG_CONFIG_HOME": bench.path + "/config"]
            variables["DEBUGINFOD_URLS"] = servers
            return try await bench.ctl("run", "--", program, environment: variables)
        }
        let allowed = try await run("debuginfod = true", "https://example.org")
        #expect(allowed.ending == .exited(0) && allowed.output == "\(bench.path)/debuginfo\n", "\(allowed)")
        let asked = try String(contentsOfFile: "\(bench.path)/asked", encoding: .utf8)
        #expect(asked == "https://example.org debuginfo 40\n")
        // Neither the variable nor the setting alone asks.
        for (settings, servers) in [("", "https://example.org"), ("debuginfod = false", "https://example.org")] {
            let output = try await run(settings, servers).output
            #expect(output == "none\n")
        }
        let nobody = try await run("debuginfod = true", "")
        #expect(nobody.output == "none\n" && nobody.errors.contains("DEBUGINFOD_URLS names no server"), "\(nobody)")
        #expect(try String(contentsOfFile: "\(bench.path)/asked", encoding: .utf8) == asked)
    }

    @Test(
        "a server that has nothing, is slow, or cannot be asked is a sentence",
        .enabled(if: TestSupport.ChildProcess.path(of: "cc") != nil, "needs cc"))
    func serverFails() async throws {
        let folder = try TemporaryDirectory()
        let program = try await Self.program(in: folder.path)
        let file = try #require(ProgramFile.started(by: program))
        let id = try #require(file.buildID)
        func answer(_ asking: String, _ limit: Duration = .seconds(60)) async -> DebugServer.Answer {
            await DebugServer.answer(for: file, servers: "https://example.org", asking: asking, limit: limit)
        }
        let nothing = DebugServer.Answer.failure("no server of DEBUGINFOD_URLS has the debug information of shop")
        for script in ["exit 1", "echo no/path", "echo /no/such/file", "echo /etc", "true"] {
            let finder = try await Self.finder(script, in: folder.path)
            let came = await answer(finder)
            #expect(came == nothing, "\(script)")
        }
        let slow = DebugServer.Answer.failure(
            "the debug information of shop did not come in 500ms; "
                + "this gets it without a limit: debuginfod-find debuginfo \(id)")
        let sleeping = try await Self.finder("exec sleep 600", in: folder.path)
        let late = await answer(sleeping, .milliseconds(500))
        #expect(late == slow)
        let missing = DebugServer.Answer.failure(
            "shop is stripped, and debuginfod-find cannot be run (Debian: debuginfod)")
        let unasked = await answer("\(folder.path)/none")
        #expect(unasked == missing)
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

    @Test(
        "a library of a process that has ended is found as the loader finds it",
        .enabled(if: TestSupport.ChildProcess.path(of: "dpkg") != nil, "needs dpkg"))
    func library() async throws {
        let advice = await SymbolHelp.prepare([Self.store("unknown in libz.so.1", pid: .max)])
        // With its debug information beside it, nothing is missing.
        let dpkg = try TestSupport.ChildProcess.installed("dpkg")
        let isThere = StartedChild.succeeds([dpkg, "--status", "zlib1g-dbgsym"])
        #expect(advice == (isThere ? [] : ["libz.so.1 is stripped: install zlib1g-dbgsym"]))
        #expect(await SymbolHelp.prepare([Self.store("unknown in ../libz.so.1", pid: .max)]).isEmpty)
    }
}
