// SPDX-License-Identifier: MIT
// What an output can show, and how errors, tables and exports come to it.

import Foundation
import Glibc
import RerenderModel
@testable import RerenderShow
import TestSupport
import Testing
@testable import ToolSupport

@Suite("What goes to standard output and to files")
struct ConsoleTests {
    @Test("on a terminal the ways to a daemon are broken to its width, between words", arguments: [44, 80])
    func narrowError(width: Int) {
        let directory = RuntimeDirectory(path: "/tmp/session-of-a-test/rerender", origin: .xdg)
        let failure = ToolFailure.noDaemon(
            at: directory.querySocket, because: "No such file or directory", directories: [directory])
        let lines = Wrap.text("rerenderctl: \(failure.message)", width: width, cutting: false)
        #expect(lines.contains("  rerenderd --foreground    runs a daemon until Ctrl-C") == (width == 80))
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(lines)")
        for word in [directory.querySocket, "rerenderd-push.socket", "rerenderd-query.socket"] {
            #expect(lines.contains { $0.contains(word) })
        }
    }

    @Test(
        "a table is as wide as $COLUMNS; off a terminal nothing is cut where it says nothing",
        arguments: [("40", 40), ("120", 120), ("", 100_000), ("7", 100_000), ("x", 100_000)])
    func columns(variable: String, width: Int) {
        let file = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        let size = TerminalSize.of(OutputStream(descriptor: file), columns: TerminalSize.unlimitedColumns) {
            $0 == "COLUMNS" ? variable : nil
        }
        #expect(size.columns == width)
        let lines = StatsScreen(export: Sample.export([Sample.shop]), health: nil, order: .count, limit: nil)
            .lines(width: size.columns, colours: false)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= width })
        #expect(lines.contains { $0.contains("…") } == (width < 100), "\(lines)")
    }

    @Test("an export ends with a line end if and only if the daemon's answer does", arguments: ["", "\n"])
    func finalLineEnd(end: String) async throws {
        let body = Array(try Sample.export([Sample.shop]).json()) + Array(end.utf8)
        let client = FakeClient(answers: [.stats: body])
        var written: [UInt8] = []
        try await client.write(StatsQuery()) { written += $0 }
        #expect(written == body)
        // What reads an export takes it with and without, and a daemon of before, which sends no lines.
        #expect(try await client.export(StatsQuery()) == Sample.export([Sample.shop]))
    }

    @Test("a full disk is said, with 74")
    func fullDisk() throws {
        let file = try AtomicFile(path: "/dev/full")
        let failure = #expect(throws: ToolFailure.self) { try file.write([1]) }
        #expect(failure?.status == 74 && failure?.message.contains("No space left on device") == true)
    }

    @Test("a process or a store that is not there is wrong usage, and those that are there are listed")
    func fitsNone() {
        let stores = [Sample.store("counting", pid: 7), Sample.store("counting", pid: 7, store: "sidebar")]
        let process = ProcessSelection(process: "countng")
        #expect(!stores.contains { process.fits($0) })
        #expect(
            process.fitsNone(of: stores)
                == ToolFailure(64, "there is no process \"countng\".\nThere are: counting[7]"))
        let store = ProcessSelection(store: "sidebra")
        #expect(!stores.contains { store.fits($0) })
        let failure = store.fitsNone(of: stores)
        #expect(failure.status == 64 && failure.message.contains("there is no store \"sidebra\""))
        #expect(failure.message.contains("counting[7]/sidebar"), "\(failure)")
        let both = ProcessSelection(process: "counting", store: "sidebar")
        #expect(stores.map { both.fits($0) } == [false, true])
    }
}
