// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderRecording
@testable import RerenderRun
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite("rerenderctl analyses")
struct AnalysesCommandTests {
    private func run(_ arguments: String..., directory: String? = nil) async throws -> TestSupport.ChildProcess.Output {
        let command = [TestSupport.ChildProcess.product("rerenderctl"), "analyses"] + arguments
        guard let directory else { return try await TestSupport.ChildProcess.run(command) }
        return try await TestSupport.ChildProcess.run(
            ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", directory] + command)
    }

    @Test("--print writes the file")
    func prints() async throws {
        let output = try await run("--print")
        #expect(output.exit == .status(0))
        #expect(output.standardOutput == String(decoding: TraceCompassFile.bytes, as: UTF8.self))
    }

    @Test("--install writes the file to a directory that it makes, replaces an older one, and says what to click")
    func installs() async throws {
        let scratch = try TemporaryDirectory()
        let path = scratch.path + "/new/deep/" + TraceCompassFile.name
        #expect(try await run("--install", scratch.path + "/new/deep").standardOutput.hasPrefix("wrote \(path)\n"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(TraceCompassFile.bytes))
        try Data("older".utf8).write(to: URL(fileURLWithPath: path))
        let output = try await run("--install", "new/deep/", directory: scratch.path)
        #expect(output.exit == .status(0) && output.standardOutput.hasPrefix("wrote \(path)\n"))
        #expect(output.standardOutput.contains("Window > Preferences > Tracing > XML Analyses > Import"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(TraceCompassFile.bytes))
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/new/deep")
        #expect(names == [TraceCompassFile.name], "nothing is left beside it")
    }

    @Test("a directory that cannot be made is status 73")
    func noDirectory() async throws {
        let scratch = try TemporaryDirectory()
        try Data().write(to: URL(fileURLWithPath: scratch.path + "/file"))
        let output = try await run("--install", scratch.path + "/file")
        #expect(output.exit == .status(73) && output.standardError.contains("it is not a directory"))
    }

    @Test("neither or both is wrong usage", arguments: [[], ["--print", "--install", "d"], ["--install", ""]])
    func usage(arguments: [String]) async throws {
        let command = [TestSupport.ChildProcess.product("rerenderctl"), "analyses"] + arguments
        let output = try await TestSupport.ChildProcess.run(command)
        #expect(output.exit == .status(64) && output.standardError.contains("--install"))
    }
}
