// SPDX-License-Identifier: MIT
// Who wrote: every kind of writer by its source's name and line, which the corpus states itself.

import CRerender
import Foundation
import TestSupport
import TestTraits
import Testing
import WriterCorpus

@testable import Rerender

@Suite struct WriterTests {
    @Test("a program of its own names its writers, those at the top level too, and prints nothing else", .promise)
    func namesWriters() async throws {
        let output = try await ChildProcess.run([ChildProcess.product("corpus"), "writers"])
        #expect(output.standardOutput == "76 of 76 right\n")
        #expect(output.standardError == "")
    }

    @Test(.enabled(if: ChildProcess.path(of: "strip") != nil, "needs binutils"))
    func `a program without symbols has unknown writers, and one without lines has their functions`() async throws {
        let names = try await Self.names(strippedWith: "--strip-all")
        #expect(names.count == 76)
        for name in names { #expect(name.actual == "unknown") }
        let functions = try await Self.names(strippedWith: "--strip-debug")
        #expect(functions.count == 76)
        var hidden: [String] = []
        for name in functions {
            let function = name.expected.split(separator: " ").dropLast().joined(separator: " ")
            if name.actual == "unknown" {
                hidden.append(function)
            } else {
                #expect(name.actual == function + " in stripped")
            }
        }
        // Without lines, the thunk of a subscript's key path may hide the writer: one of the three cases of each.
        #expect(hidden == ["Grid.byDynamicPath(_:)", "Grid.byPathApart(_:)"])
    }

    /// What the corpus says that it found wrong.
    private static func names(strippedWith option: String) async throws -> [(expected: String, actual: String)] {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("rerender-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let program = directory.appendingPathComponent("stripped").path
        let strip = try #require(ChildProcess.path(of: "strip"))
        #expect(try await ChildProcess.run([strip, option, "-o", program, ChildProcess.product("corpus")]).succeeded)
        let lines = try await ChildProcess.run([program, "writers"]).standardOutput.split(separator: "\n")
        let expected = lines.filter { $0.hasPrefix("expected: ") }.map { String($0.dropFirst(10)) }
        let actual = lines.filter { $0.hasPrefix(" but was: ") }.map { String($0.dropFirst(10)) }
        return Array(zip(expected, actual))
    }

    @Test func `a stack that was met before costs no allocation and has one number`() async throws {
        let output = try await ChildProcess.run([ChildProcess.product("measured"), "cost", "10000"])
        let lines = output.standardOutput.split(separator: "\n")
        #expect(lines.contains("allocations=0"))
        #expect(lines.contains("stacks=0"))
    }

    @Test func `stacks are kept up to a bound, told apart, and counted beyond it`() async throws {
        let output = try await ChildProcess.run([ChildProcess.product("measured"), "fill", "5000"])
        // What found no room counts each time.
        #expect(output.standardOutput == "kept=4096 again=5000 other=\(5_000 - 4_096)\n")
    }
}
