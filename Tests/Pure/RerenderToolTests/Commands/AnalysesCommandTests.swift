// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderTool
import TestSupport
import Testing

@Suite("rerenderctl analyses")
struct AnalysesCommandTests {
    @Test("--install writes the file to a directory that it makes, replaces an older one, and says what to click")
    func installs() throws {
        let scratch = try TemporaryDirectory()
        let path = scratch.path + "/new/deep/" + TraceCompassFile.name
        #expect(try TraceCompassFile.install(in: scratch.path + "/new/deep") == path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(TraceCompassFile.bytes))
        try Data("older".utf8).write(to: URL(fileURLWithPath: path))
        // The same directory, as one names it from where one is.
        let here = FileManager.default.currentDirectoryPath
        let relative = here.split(separator: "/").map { _ in ".." }.joined(separator: "/") + scratch.path + "/new/deep/"
        #expect(try TraceCompassFile.install(in: relative) == "\(here)/\(relative)\(TraceCompassFile.name)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(TraceCompassFile.bytes))
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/new/deep")
        #expect(names == [TraceCompassFile.name], "nothing is left beside it")
        let steps = TraceCompassFile.steps(for: path)
        #expect(steps.first == "wrote \(path)")
        #expect(steps.contains { $0.contains("Window > Preferences > Tracing > XML Analyses > Import") })
    }

    @Test("neither or both is wrong usage", arguments: [[], ["--print", "--install", "d"], ["--install", ""]])
    func usage(arguments: [String]) {
        let line = ParsedLine(["analyses"] + arguments)
        #expect(line.status == 64 && line.text.contains("--install"), "\(line)")
    }
}
