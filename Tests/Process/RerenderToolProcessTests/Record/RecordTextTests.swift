// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderRecording
@testable import RerenderRun
@testable import RerenderTool
@testable import RerenderToolBase
import TestSupport
import Testing
@testable import ToolSupport

@Suite("What a recording says and reads")
struct RecordTextTests {
    @Test("a trace that cannot be read is said to be one, with its size; a directory without one has no events")
    func content() async throws {
        let directory = try TemporaryDirectory()
        #expect(await TraceContent.of(directory.path) == TraceContent(bytes: 0, events: .counted(0)))
        try Data("no metadata".utf8).write(to: directory.url.appending(path: "metadata"))
        let content = await TraceContent.of(directory.path, patience: .zero, program: Program.rerenderctl)
        guard case .unreadable(let why) = content.events else {
            Issue.record("\(content)")
            return
        }
        #expect(content.bytes == 11 && why.contains("is damaged or cut off") && !why.contains("\n"))
    }
}
