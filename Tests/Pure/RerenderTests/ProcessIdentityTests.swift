// SPDX-License-Identifier: MIT
// Who the process is, against what the kernel and Foundation say.

import Foundation
import Testing

@testable import Rerender

@Suite("Process identity")
struct ProcessIdentityTests {
    @Test("the pid, the executable's name and the start are those of /proc")
    func current() throws {
        let identity = ProcessIdentity.current()
        #expect(identity.pid == ProcessInfo.processInfo.processIdentifier)
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #expect(identity.name == URL(fileURLWithPath: executable).lastPathComponent)
        let stat = try String(contentsOfFile: "/proc/self/stat", encoding: .utf8)
        let fields = try #require(stat.split(separator: ") ", maxSplits: 1).last).split(separator: " ")
        #expect(identity.startTicks == UInt64(fields[19]))
        #expect(identity.startTicks > 0)
    }

    @Test("the name of a program whose file was replaced has no mark of the kernel's")
    func replaced() {
        #expect(LoadedFile.unmarked("/usr/bin/app (deleted)") == "/usr/bin/app")
        for path in ["", "/usr/bin/app", "/usr/bin/app (deleted).old"] { #expect(LoadedFile.unmarked(path) == path) }
    }
}
