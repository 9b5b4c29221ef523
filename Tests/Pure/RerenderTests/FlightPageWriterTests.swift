// SPDX-License-Identifier: MIT
// The page as written, read back from the file with the reader that the daemon uses.

import Foundation
import Glibc
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import Rerender

@Suite("Flight page")
struct FlightPageWriterTests {
    private let identity = ProcessIdentity(pid: 4_711, name: "shop", startTicks: 99)

    @Test("the file says which process, which stores, and how many evaluations")
    func contents() throws {
        try withDirectory { directory in
            let page = try #require(FlightPageWriter(directory: directory, identity: identity))
            let process = TestProcess(flightPage: page)
            let (main, other) = (process.makeStore("main"), process.makeStore("other"))
            for _ in 0..<3 { main.evaluate("A") }
            other.evaluate("B")
            let read = try readPage(page.name, in: directory)
            #expect(read.pid == 4_711)
            #expect(read.startTicks == 99)
            #expect(read.processName == "shop")
            #expect(!read.isClosed)
            #expect(read.stores.map(\.name) == ["main", "other"])
            #expect(read.stores.map(\.storeID) == [main.id, other.id])
            #expect(read.stores.map(\.evaluations) == [3, 1])
        }
    }

    @Test("after a reset the page counts the new epoch")
    func reset() throws {
        try withDirectory { directory in
            let page = try #require(FlightPageWriter(directory: directory, identity: identity))
            let core = TestProcess(flightPage: page).makeStore()
            for _ in 0..<5 { core.evaluate("A") }
            core.reset()
            core.evaluate("A")
            core.reset()
            core.evaluate("A")
            core.evaluate("A")
            let store = try #require(try readPage(page.name, in: directory).stores.first)
            #expect(store.epoch == 2)
            #expect(store.evaluations == 2)
        }
    }

    @Test("stores beyond the page's slots count in private memory")
    func manyStores() throws {
        try withDirectory { directory in
            let page = try #require(FlightPageWriter(directory: directory, identity: identity))
            let process = TestProcess(flightPage: page)
            let cores = (0..<FlightPageLayout.slots + 5).map { process.makeStore("store \($0)") }
            for core in cores { core.evaluate("A") }
            #expect(cores.map { $0.state().evaluations } == Array(repeating: 1, count: cores.count))
            let read = try readPage(page.name, in: directory)
            #expect(read.stores.count == FlightPageLayout.slots)
            #expect(read.stores.last?.name == "store 63")
        }
    }

    @Test("a page that somebody removed is made again, and no evaluation meanwhile is missing or there twice")
    func remade() throws {
        try withDirectory { directory in
            let page = try #require(FlightPageWriter(directory: directory, identity: identity))
            let process = TestProcess(flightPage: page)
            let core = process.makeStore()
            let (threads, rounds) = (4, 20_000)
            DispatchQueue.concurrentPerform(iterations: threads + 1) { thread in
                if thread == 0 {
                    for _ in 0..<50 {
                        try? FileManager.default.removeItem(atPath: directory.path)
                        page.makeFileIfGone()
                    }
                } else {
                    for _ in 0..<rounds { core.evaluate("A") }
                }
            }
            #expect(core.state().evaluations == UInt64(threads * rounds))
            core.reset()
            core.evaluate("A")
            let read = try readPage(page.name, in: directory)
            #expect(read.processName == "shop")
            #expect(read.stores.map(\.evaluations) == [1])
            #expect(read.stores.map(\.epoch) == [1])
        }
    }

    // MARK: Memory

    @Test("in the memory that was offered it goes on, and its file says that it is elsewhere")
    func inMemory() throws {
        try withDirectory { directory in
            let page = try #require(FlightPageWriter(directory: directory, identity: identity))
            let core = TestProcess(flightPage: page).makeStore()
            core.evaluate("A")
            let offer = try #require(page.offerMemory())
            #expect(try readMemory(offer).isMoved, "nobody is to read it yet")
            #expect(try !readPage(page.name, in: directory).isMoved)
            page.moveToMemory()
            core.evaluate("A")
            let memory = try readMemory(offer)
            #expect(memory.stores.map(\.evaluations) == [2] && !memory.isMoved)
            #expect(memory.pid == 4_711 && memory.startTicks == 99 && memory.processName == "shop")
            let file = try readPage(page.name, in: directory)
            #expect(file.stores.map(\.evaluations) == [1] && file.isMoved)
            page.leaveMemory()
            core.evaluate("A")
            #expect(try readMemory(offer).isMoved)
            let last = try readPage(page.name, in: directory)
            #expect(last.stores.map(\.evaluations) == [3] && !last.isMoved)
            #expect(page.offerMemory() == offer, "the same memory is offered again")
        }
    }

    @Test("nobody can cut off its memory, and what is done to its file meanwhile does not reach the app")
    func sealed() throws {
        try withDirectory { directory in
            let page = try #require(FlightPageWriter(directory: directory, identity: identity))
            let core = TestProcess(flightPage: page).makeStore()
            let offer = try #require(page.offerMemory())
            page.moveToMemory()
            let memory = open(path(of: offer), O_RDWR | O_CLOEXEC)
            try #require(memory >= 0)
            defer { Glibc.close(memory) }
            #expect(ftruncate(memory, 0) == -1 && errno == EPERM)
            let file = directory.flightDirectory + "/" + page.name
            #expect(chmod(file, 0o600) == 0 && truncate(file, 0) == 0)
            core.evaluate("A")
            #expect(try readMemory(offer).stores.map(\.evaluations) == [1])
            page.leaveMemory()
            #expect(try readPage(page.name, in: directory).stores.map(\.evaluations) == [1])
        }
    }

    @Test("between file and memory no evaluation is missing or there twice, while threads evaluate and reset")
    func moves() throws {
        try withDirectory { directory in
            let page = try #require(FlightPageWriter(directory: directory, identity: identity))
            let process = TestProcess(flightPage: page)
            let (core, other) = (process.makeStore("main"), process.makeStore("other"))
            let offer = try #require(page.offerMemory())
            let (threads, rounds) = (4, 20_000)
            DispatchQueue.concurrentPerform(iterations: threads + 1) { thread in
                if thread == 0 {
                    for round in 0..<100 {
                        page.moveToMemory()
                        if round % 10 == 0 { other.reset() }
                        page.leaveMemory()
                    }
                } else {
                    for _ in 0..<rounds { core.evaluate("A") }
                }
            }
            #expect(try readPage(page.name, in: directory).stores.map(\.evaluations) == [UInt64(threads * rounds), 0])
            page.moveToMemory()
            #expect(try readMemory(offer).stores.map(\.evaluations) == [UInt64(threads * rounds), 0])
            #expect(core.state().evaluations == UInt64(threads * rounds))
        }
    }

    @Test("where no file can be made it stays in memory, and goes to a file once one can")
    func noFile() throws {
        try withDirectory { directory in
            let page = try #require(FlightPageWriter(directory: directory, identity: identity))
            let core = TestProcess(flightPage: page).makeStore()
            let offer = try #require(page.offerMemory())
            page.moveToMemory()
            try FileManager.default.removeItem(atPath: directory.path)
            page.leaveMemory()
            core.evaluate("A")
            #expect(try readMemory(offer).stores.map(\.evaluations) == [1])
            #expect(try !readMemory(offer).isMoved)
            page.makeFileIfGone()
            #expect(try readMemory(offer).isMoved)
            #expect(try readPage(page.name, in: directory).stores.map(\.evaluations) == [1])
        }
    }

    @Test(
        "on a full disk it goes back to the file that it left, and nothing is missing while threads evaluate",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a small file system"))
    func fullDisk() throws {
        let disk = try SmallDisk(bytes: 65_536)
        let directory = RuntimeDirectory(path: disk.path + "/rerender", origin: .environment)
        let page = try #require(FlightPageWriter(directory: directory, identity: identity))
        let core = TestProcess(flightPage: page).makeStore()
        let offer = try #require(page.offerMemory())
        page.moveToMemory()
        try disk.fill(true)
        let (threads, rounds) = (3, 5_000)
        DispatchQueue.concurrentPerform(iterations: threads + 1) { thread in
            if thread == 0 {
                for _ in 0..<50 {
                    page.leaveMemory()
                    page.moveToMemory()
                }
            } else {
                for _ in 0..<rounds { core.evaluate("A") }
            }
        }
        page.leaveMemory()
        core.evaluate("A")
        let read = try readPage(page.name, in: directory)
        #expect(read.stores.map(\.evaluations) == [UInt64(threads * rounds) + 1] && !read.isMoved)
        #expect(try readMemory(offer).isMoved)
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.flightDirectory + "/" + page.name)
        #expect(attributes[.posixPermissions] as? Int == 0o400)
    }

    @Test(
        "that begins on a full disk begins in memory, and goes to a file once there is room",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a small file system"))
    func beginsOnFullDisk() throws {
        let disk = try SmallDisk(bytes: 65_536)
        let directory = RuntimeDirectory(path: disk.path + "/rerender", origin: .environment)
        #expect(mkdir(directory.path, 0o700) == 0 && mkdir(directory.flightDirectory, 0o700) == 0)
        try disk.fill(true)
        let page = try #require(FlightPageWriter(directory: directory, identity: identity))
        let core = TestProcess(flightPage: page).makeStore()
        core.evaluate("A")
        let offer = try #require(page.offerMemory())
        page.moveToMemory()
        page.leaveMemory()
        core.evaluate("A")
        let memory = try readMemory(offer)
        #expect(memory.stores.map(\.evaluations) == [2] && !memory.isMoved && memory.processName == "shop")
        #expect(try Data(contentsOf: URL(filePath: directory.flightDirectory + "/" + page.name)).isEmpty)
        try disk.fill(false)
        page.leaveMemory()
        #expect(try readPage(page.name, in: directory).stores.map(\.evaluations) == [2])
        #expect(try readMemory(offer).isMoved)
    }

    @Test("in memory it is still known as one of this program, which another copy does not mark")
    func mappedMemory() throws {
        // A number of its own: which pages are mapped is asked of this whole process, where other tests run.
        let identity = ProcessIdentity(pid: 4_714, name: "shop", startTicks: 99)
        try withDirectory { directory in
            let first = try #require(FlightPageWriter(directory: directory, identity: identity))
            _ = first.offerMemory()
            first.moveToMemory()
            let second = try #require(FlightPageWriter(directory: directory, identity: identity))
            #expect(!second.isFirstCopy && second.copyNumber != first.copyNumber)
            #expect(try !readPage(first.name, in: directory).isReplaced)
        }
    }

    @Test("a closed page is gone")
    func close() throws {
        try withDirectory { directory in
            let page = try #require(FlightPageWriter(directory: directory, identity: identity))
            page.close()
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.flightDirectory).isEmpty)
        }
    }

    @Test("the directories are private")
    func permissions() throws {
        try withDirectory { directory in
            _ = try #require(FlightPageWriter(directory: directory, identity: identity))
            for path in [directory.path, directory.flightDirectory] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == 0o700)
            }
        }
    }

    @Test("without a directory that can be made there is no page, and counting goes on")
    func noDirectory() {
        let directory = RuntimeDirectory(path: "/proc/nowhere/rerender", origin: .environment)
        let page = FlightPageWriter(directory: directory, identity: identity)
        #expect(page == nil)
        let core = TestProcess(flightPage: page).makeStore()
        core.evaluate("A")
        #expect(core.state().evaluations == 1)
    }

    @Test("a directory that others can write to is not used")
    func openDirectory() throws {
        try withDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            #expect(chmod(directory.path, 0o777) == 0)
            #expect(FlightPageWriter(directory: directory, identity: identity) == nil)
        }
    }

    @Test("a program that the process becomes leaves the page of the one before, and marks it")
    func replaced() throws {
        // A number of its own: which pages are mapped is asked of this whole process, where other tests run.
        let identity = ProcessIdentity(pid: 4_712, name: "shop", startTicks: 99)
        try withDirectory { directory in
            let first = try #require(FlightPageWriter(directory: directory, identity: identity))
            let second = try #require(FlightPageWriter(directory: directory, identity: identity))
            #expect(!second.isFirstCopy && second.copyNumber > first.copyNumber)
            #expect(try !readPage(first.name, in: directory).isReplaced, "a copy in the same program")
            // Pages that nobody maps: of the program before, of another process of that number, and others.
            let next = second.copyNumber + 1
            func left(_ copy: UInt32, ticks: UInt64 = 99, isClosed: Bool = false) throws -> String {
                var page = FakeFlightPage(pid: 4_712, startTicks: ticks)
                page.isClosed = isClosed
                let name = "4712.\(next + copy).page"
                try page.write(to: "\(directory.flightDirectory)/\(name)")
                return name
            }
            let (before, other, closed) = try (left(0), left(1, ticks: 98), left(2, isClosed: true))
            try Data("short".utf8).write(to: URL(filePath: "\(directory.flightDirectory)/4712.\(next + 3).page"))
            mkfifo("\(directory.flightDirectory)/4712.\(next + 4).page", 0o600)
            let third = try #require(FlightPageWriter(directory: directory, identity: identity))
            #expect(third.copyNumber == next + 5)
            #expect(try readPage(before, in: directory).isReplaced)
            #expect(try !readPage(other, in: directory).isReplaced)
            #expect(try readPage(closed, in: directory).isClosed)
        }
    }

    @Test("pages that no daemon collects are removed once there are very many, those of this program never")
    func uncollected() throws {
        // A number of its own: which pages are mapped is asked of this whole process, where other tests run.
        let identity = ProcessIdentity(pid: 4_713, name: "shop", startTicks: 99)
        try withDirectory { directory in
            let first = try #require(FlightPageWriter(directory: directory, identity: identity))
            for copy in 0..<300 {
                try FakeFlightPage(pid: 4_713, startTicks: 99)
                    .write(to: "\(directory.flightDirectory)/4713.\(1_000 + copy).page")
            }
            let next = try #require(FlightPageWriter(directory: directory, identity: identity))
            let left = try FileManager.default.contentsOfDirectory(atPath: directory.flightDirectory)
            #expect(Set(left) == [first.name, next.name])
        }
    }

    @Test("a page left by a process of the same number is not written to")
    func stalePage() throws {
        try withDirectory { directory in
            try FileManager.default.createDirectory(
                atPath: directory.flightDirectory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            #expect(chmod(directory.path, 0o700) == 0)
            // A link in the page's place must not be followed.
            let victim = directory.path + "/victim"
            try Data("keep me".utf8).write(to: URL(fileURLWithPath: victim))
            try FileManager.default.createSymbolicLink(
                atPath: directory.flightDirectory + "/4711.page", withDestinationPath: victim)
            _ = try #require(FlightPageWriter(directory: directory, identity: identity))
            #expect(try String(contentsOfFile: victim, encoding: .utf8) == "keep me")
        }
    }

    private func withDirectory(_ body: (RuntimeDirectory) throws -> Void) throws {
        let parent = FileManager.default.temporaryDirectory.appendingPathComponent("flight-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: parent) }
        try body(RuntimeDirectory(path: parent.path + "/rerender", origin: .environment))
    }

    private func path(of offer: MemoryOffer) -> String { "/proc/self/task/\(offer.thread)/fd/\(offer.descriptor)" }

    private func readMemory(_ offer: MemoryOffer) throws -> FlightPage {
        let bytes = try TestFile.read(path(of: offer))
        return try FlightPage(bytes.span.bytes)
    }

    private func readPage(_ name: String, in directory: RuntimeDirectory) throws -> FlightPage {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: directory.flightDirectory + "/" + name)))
        return try FlightPage(bytes.span.bytes)
    }
}
