// SPDX-License-Identifier: MIT
import Foundation
import Glibc
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing

@Suite("The file that metrics are written to")
struct MetricLinkTests {
    @Test("a link of another user is refused", .enabled(if: geteuid() == 0, "needs root to make such a link"))
    func foreignLink() throws {
        let directory = try TemporaryDirectory()
        let (link, mine) = (directory.path + "/link.prom", directory.path + "/mine")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: mine))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: mine)
        #expect(lchown(link, 12_345, 12_345) == 0)
        // Root trusts root alone.
        let failure = #expect(throws: ToolFailure.self) { try ExportCommand.refuseForeignLink(link) }
        #expect(failure?.status == 73 && failure?.message.contains("link of another user") == true)
        #expect(try String(contentsOfFile: mine, encoding: .utf8) == "mine")
    }
}
