// SPDX-License-Identifier: MIT
// Pages in memory that apps share with the daemon, as fake apps offer it.

import CRerender
import Foundation
import Glibc
import RerenderModel
import RerenderWire
import TestSupport
import TestTraits
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("The memory of a flight page")
struct PageMemoryTests {
    private let ticks = TestFile.startTicks(of: getpid())

    /// An app that has offered memory, and the two pages.
    private func connect(to running: RunningDaemon) async throws -> (app: FakeApp, file: LivePage, memory: LivePage) {
        let file = try LivePage(running.directory, startTicks: ticks)
        let memory = try LivePage(inMemory: ticks)
        memory.page.isMoved = true
        memory.write()
        let app = try running.app()
        _ = try app.greet(startTicks: ticks, flightPage: file.name)
        try app.send(.memory(memory.offer), .store())
        #expect(try app.receive() == .holdsMemory(true))
        return (app, file, memory)
    }

    @Test("is followed from the file and back, and hangs are told that begin here and end there")
    func followed() async throws {
        let running = try await RunningDaemon.start()
        let (app, file, memory) = try await connect(to: running)
        file.begin(turn: 1, agoMilliseconds: 300)
        try await eventually("the hang") { try running.hangs().contains(where: \.open) ? () : nil }
        memory.takeOver(from: file)
        let length = memory.end()
        let first = try await eventually("its end") { try running.hangs().first { !$0.open } }
        #expect(first.durationNanoseconds == length && first.turn == 1)

        memory.begin(turn: 2, agoMilliseconds: 300)
        try await eventually("the second hang") { try running.hangs().contains(where: \.open) ? () : nil }
        // As an app does it: another file takes the name, and then the memory says that the page is elsewhere.
        unlink(file.path)
        let next = try LivePage(running.directory, startTicks: ticks)
        next.takeOver(from: memory)
        let second = next.end()
        let hangs = try await eventually("both ends") {
            let hangs = try running.hangs()
            return hangs.count == 2 && !hangs.contains(where: \.open) ? hangs : nil
        }
        #expect(Set(hangs.map(\.durationNanoseconds)) == [length, second])
        #expect(try running.health().watchdog.missed == 0)
        app.close()
        try await running.stop()
    }

    @Test("is what counts when the process ends, and not the file that it left")
    func ended() async throws {
        let running = try await RunningDaemon.start()
        let child = try ChildProcess([try #require(ChildProcess.path(of: "sleep")), "1000"])
        let ticks = TestFile.startTicks(of: child.processID)
        // A page of a process that can end; the connection is this one's, whose number the kernel tells.
        let page = PagePlace(name: "\(child.processID).page", memory: nil)
        var fake = FakeFlightPage(pid: child.processID, startTicks: ticks)
        fake.stores = [(storeID: 0, name: "main", epoch: 0, evaluations: 40)]
        fake.isMoved = true
        try fake.write(to: running.directory.flightDirectory + "/" + page.name)
        child.kill(SIGKILL)
        await child.waitForExit()
        // Nobody has its memory: what is here is at least what there was, and the daemon says that there may be more.
        try await eventually("the end") {
            try running.stats().processes.contains { $0.pid == child.processID && $0.lost == 40 } ? () : nil
        }
        #expect(try running.health().dropped.flightPages == 1)
        #expect(running.log.lines.contains { $0.contains("\(page.name): its app counted on in memory") })
        try await running.stop()
    }

    @Test(
        "is written to the page's file when the daemon stops, and says there that the app may count on elsewhere",
        .promise)
    func kept() async throws {
        let running = try await RunningDaemon.start()
        let (app, file, memory) = try await connect(to: running)
        file.page.stores = [(storeID: 0, name: "main", epoch: 0, evaluations: 5)]
        memory.takeOver(from: file)
        memory.page.stores[0].evaluations = 9
        memory.write()
        // The app does not do what it is asked for, as one that is stopped.
        try await running.stop()
        while try app.receive() != .holdsMemory(false) {}
        let bytes = try TestFile.read(file.path)
        let page = try FlightPage(bytes.span.bytes)
        #expect(page.stores.map(\.evaluations) == [9] && page.isMoved && page.startTicks == ticks)
        var status = stat()
        #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o400)
        app.close()
    }

    @Test("stays out of the file of an app that has left it before the daemon stops")
    func left() async throws {
        let running = try await RunningDaemon.start()
        let (app, file, memory) = try await connect(to: running)
        file.page.stores = [(storeID: 0, name: "main", epoch: 0, evaluations: 5)]
        memory.takeOver(from: file)
        file.takeOver(from: memory)
        try await running.stop()
        let bytes = try TestFile.read(file.path)
        #expect(try !FlightPage(bytes.span.bytes).isMoved)
        app.close()
    }

    @Test(
        "is not held where the page has another name than the process's, so that it is written to no other file",
        arguments: ["../../victim", "../victim.page", "1.page", ""])
    func foreignName(name: String) async throws {
        let running = try await RunningDaemon.start()
        let memory = try LivePage(inMemory: ticks)
        let app = try running.app()
        _ = try app.greet(startTicks: ticks, flightPage: name)
        try app.send(.memory(memory.offer), .store(evaluations: 3))
        try await running.eventually("the store") { $0.processes.first?.evaluations == 3 }
        try await running.stop()
        #expect(try FileManager.default.contentsOfDirectory(atPath: running.directory.flightDirectory) == [])
        let pages = FlightPages(directory: running.directory.flightDirectory)
        let place = PagePlace(name: name, memory: OpenPage(memory.offer, of: getpid()))
        #expect(place.memory != nil && (!pages.keep(place, isFinal: true) || FlightPageName(name) != nil))
        #expect(!TestFile.exists(running.directory.path + "/victim.page"))
    }

    @Test("of processes without a connection is let go of where it is that of many")
    func disconnected() async throws {
        let running = try await RunningDaemon.start { $0.limits.disconnectedMemories = 4 }
        func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.hasPrefix(
                    "/memfd:many") ?? false
            }
        }
        let file = crerender_sealed_memory("many", FlightPageLayout.byteCount)
        defer { close(file) }
        let page = FakeFlightPage(pid: getpid(), startTicks: ticks)
        let bytes = page.bytes
        #expect(bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) } == bytes.count)
        for copy in UInt32(1)...30 {
            let name = FlightPageName(pid: getpid(), copy: copy).text
            let app = try running.app()
            _ = try app.greet(startTicks: ticks, copy: copy, flightPage: name)
            try app.send(.memory(MemoryOffer(thread: getpid(), descriptor: file)))
            #expect(try app.receive() == .holdsMemory(true))
            app.close()
        }
        try await eventually("few descriptors", seen: { try descriptors() }) { try descriptors() <= 5 ? () : nil }
        try await running.stop()
    }

    @Test("of another process is not held, and a second offer closes the connection")
    func refused() async throws {
        let running = try await RunningDaemon.start()
        let file = try LivePage(running.directory, startTicks: ticks)
        let memory = try LivePage(inMemory: ticks + 1)
        let app = try running.app()
        _ = try app.greet(startTicks: ticks, flightPage: file.name)
        try app.send(.memory(memory.offer), .memory(memory.offer))
        #expect(try app.receive() == nil, "closed without a word")
        #expect(try running.health().dropped.malformed == 1)
        try await running.stop()
    }
}
