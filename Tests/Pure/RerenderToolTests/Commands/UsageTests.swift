// SPDX-License-Identifier: MIT
// What is said to a command line that cannot be right.

import Foundation
@testable import RerenderTool
@testable import RerenderToolBase
import Testing

@Suite("Wrong usage")
struct UsageTests {
    @Test("an output that is no plain file may be an input, too: a terminal, a pipe, /dev/null")
    func specialFiles() {
        #expect(!FilePath.isSame("/dev/null", "/dev/null") && !FilePath.isSame("/tmp", "/tmp/"))
        #expect(FilePath.isSame("/etc/passwd", "/etc/../etc/passwd") && FilePath.isSame("./none", "none"))
        #expect(!FilePath.isSame("none", "other") && !FilePath.isSame("none", ""))
    }

    @Test(
        "a command that there is, is not taken for a mistyped one",
        arguments: [
            [], ["stats"], ["config"], ["config", "--json"], ["config", "get"], ["help", "config", "set"], ["help"],
            ["run", "stat"], ["run", "--", "stat"], ["pulse", "stat"], ["--version"], ["-h", "stat"],
        ])
    func knownCommand(arguments: [String]) {
        #expect(UnknownCommand.fault(in: arguments) == nil)
    }
}
