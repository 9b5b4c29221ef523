// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("The process table")
struct ProcessTableTests {
    @Test("reads the start of a process whatever its name")
    func stat() {
        let fields = "S " + (4...21).map(String.init).joined(separator: " ") + " 777 23 24"
        for name in ["app", "a b", "a) R 1", ")", "(", "\u{1b}"] {
            #expect(ProcessTable.startTicks(inStat: Array("1 (\(name)) \(fields)".utf8)) == 777)
        }
        // Field 20 is the number of threads.
        let running = "1 (app) Z\(fields.dropFirst())"
        let ended = running.replacing(" 20 ", with: " 1 ")
        #expect(ProcessTable.startTicks(inStat: Array(ended.utf8)) == nil, "a zombie has ended")
        #expect(ProcessTable.startTicks(inStat: Array(running.utf8)) == 777, "its other threads may run")
        for text in ["", ")", "1 (app", "1 (app) S", "1 (app) S x"] {
            #expect(ProcessTable.startTicks(inStat: Array(text.utf8)) == nil)
        }
    }

    @Test("knows who lives")
    func living() async throws {
        #expect(ProcessTable.startTicks(of: getpid()) == TestFile.startTicks(of: getpid()))
        #expect(ProcessTable.startTicks(of: 0) == nil && ProcessTable.startTicks(of: -1) == nil)
        #expect(ProcessTable.startTicks(of: 2_000_000_000) == nil)
        #expect(!ProcessTable.isAlive(ProcessInstance(pid: getpid(), startTicks: 1)))
        #expect(ProcessTable.bootID.count == 36)
    }
}
