// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderRun
import TestSupport
import Testing
@testable import ToolSupport

@Suite("What is known of a program before it is started")
struct ProgramFileTests {
    private func image(_ change: (inout MadeELF) -> Void) -> ProgramImage {
        var file = MadeELF()
        change(&file)
        return ProgramImage(file.bytes)
    }

    @Test("the file that runs is the interpreter's, through scripts that interpret others, and never without end")
    func started() async throws {
        let scratch = try TemporaryDirectory()
        func script(_ name: String, _ line: String) async throws -> String {
            try await TestSupport.ChildProcess.makeScript("#!\(line)\n", at: "\(scratch.path)/\(name)")
            return "\(scratch.path)/\(name)"
        }
        let inner = try await script("inner", "/bin/sh"), outer = try await script("outer", inner + " -x")
        for path in [inner, outer] {
            let file = try #require(ProgramFile.started(by: path))
            #expect(file.path == "/bin/sh" && file.script == path)
            guard case .program = file.image else {
                Issue.record("\(file)")
                continue
            }
        }
        let endless = try await script("endless", scratch.path + "/endless")
        #expect(ProgramFile.started(by: endless)?.image == .script)
        let broken = try await script("broken", "/nowhere/interpreter")
        #expect(ProgramFile.started(by: broken)?.image == .script)
        #expect(ProgramFile.started(by: "/bin/sh")?.script == nil)
    }
}
