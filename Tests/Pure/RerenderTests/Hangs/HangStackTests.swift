// SPDX-License-Identifier: MIT
// Stacks of a real process's thread in hangs of every kind, and what taking them does to it.

import CRerender
import Foundation
import RerenderWire
import TestSupport
import Testing

import RerenderSymbols

@testable import Rerender

@Suite("Stacks of hangs")
struct HangStackTests {
    @Test("a file that is unloaded is noticed, after which addresses are asked about anew")
    func unloaded() throws {
        let libraries: [String] = ["libanl.so.1", "libnss_hesiod.so.2", "libBrokenLocale.so.1"]
        let library = try #require(libraries.first { dlopen($0, RTLD_LAZY | RTLD_NOLOAD) == nil })
        let before = LoadedFile.unloads
        let handle = try #require(dlopen(library, RTLD_LAZY))
        #expect(dlclose(handle) == 0 && LoadedFile.unloads > before)
    }

    #if arch(x86_64)
    #endif

    @Test("a thread that is none of the process has no stack, and nothing happens")
    func foreignThread() {
        var stacks = HangStacks()
        #expect(stacks.frames(of: getpid()) == [], "it is off")
        #expect(stacks.frames(of: 1) == [] && stacks.frames(of: 0) == [] && stacks.frames(of: -1) == [])
    }

    private func hanging(_ kind: String) async throws -> ChildProcess {
        let app = try ChildProcess([ChildProcess.product("hanging"), kind])
        #expect(try await app.nextLine() == "ready")
        return app
    }

    /// What a sample answers; a thread that the machine does not run in time has none, so it is asked for again.
    private func frames(of app: ChildProcess) async throws -> [String] {
        for _ in 0..<200 {
            let line = try await app.ask("sample")
            if !line.isEmpty { return line.components(separatedBy: " | ") }
        }
        return []
    }

    /// The line of the hanging program's source with these words.
    private func line(of mark: String) throws -> Int {
        let source = Checkout.url("Tests/Processes/hanging/Hangs.swift")
        let lines = try String(contentsOf: source, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        return try #require(lines.firstIndex { $0.hasSuffix(mark) }) + 1
    }

    private func signals(_ mask: String) throws -> Set<Int> {
        let bits = try #require(UInt64(mask, radix: 16))
        return Set((1...64).filter { bits >> UInt64($0 - 1) & 1 == 1 })
    }

    /// The signals that a process has handlers for.
    private func signals(of app: ChildProcess) throws -> Set<Int> {
        let status = try String(contentsOfFile: "/proc/\(app.processID)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") })
        return try signals(line.dropFirst(7).trimmingCharacters(in: .whitespaces))
    }
}
