// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderTool
import Testing

@Suite("A command's arguments and environment")
struct LaunchBytesTests {
    @Test("that are not those of our own command line are taken as they are")
    func others() {
        #expect(LaunchBytes.words(["no-such-word", "é"]) == [Array("no-such-word".utf8), Array("é".utf8)])
        let own = CommandLine.arguments
        #expect(LaunchBytes.words(own) == own.map { Array($0.utf8) } && LaunchBytes.words([]).isEmpty)
    }

    @Test("get our variables instead of those of the same name, and keep those with a longer one")
    func changes() {
        let changed = LaunchBytes.environment(with: ["PATH": "/here", "NEW": "é"])
        let texts = changed.map { String(decoding: $0, as: UTF8.self) }
        #expect(texts.suffix(2) == ["NEW=é", "PATH=/here"] && texts.count { $0.hasPrefix("PATH=") } == 1)
        let others = LaunchBytes.environment(with: [:]).filter { !$0.starts(with: "PATH=".utf8) }
        #expect(Array(changed.dropLast(2)) == others)
    }
}
