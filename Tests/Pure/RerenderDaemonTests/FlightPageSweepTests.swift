// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import RerenderModel
import RerenderQuery
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("Flight pages")
struct FlightPageSweepTests {
    /// A number that no process has: over the largest that the kernel gives.
    private let deadPid: Int32 = 2_000_000_000

    private func directory() throws -> RuntimeDirectory {
        let directory = RuntimeDirectory(path: try TestFile.makeDirectory())
        mkdir(directory.flightDirectory, 0o700)
        return directory
    }

    @Test("of an app that was killed in the middle of a move have what is newer of each store")
    func moving() throws {
        let directory = try directory()
        var page = FakeFlightPage(pid: deadPid, startTicks: 5)
        page.stores = [(0, "main", 0, 42), (1, "tools", 3, 7), (2, "late", 0, 1)]
        let name = "\(deadPid).page"
        try page.write(to: directory.flightDirectory + "/" + name)
        page.stores = [(0, "main", 0, 43), (1, "tools", 2, 9)]
        try page.write(to: directory.path + "/memory")
        let memory = OpenPage(try Descriptor(path: directory.path + "/memory", flags: O_RDONLY))
        let pages = FlightPages(directory: directory.flightDirectory)
        #expect(try pages.read(PagePlace(name: name, memory: memory)).stores.map(\.evaluations) == [43, 7, 1])
        page.isMoved = true
        try page.write(to: directory.path + "/memory")
        #expect(try pages.read(PagePlace(name: name, memory: memory)).stores.map(\.evaluations) == [42, 7, 1])
    }
}

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
