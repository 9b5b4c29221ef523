// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import NIOCore
import NIOEmbedded
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

/// What may lie where a flight page belongs.
enum HostilePage: String, CaseIterable {
    case absent, directory, link, fifo, short, empty, garbage, version, foreign, otherProcess

    /// Only root can give a file to another user.
    static let possible = allCases.filter { $0 != .foreign || getuid() == 0 }

    /// Puts it there.
    func make(at path: String, pid: Int32, ticks: UInt64) throws {
        var page = FakeFlightPage(pid: pid, startTicks: ticks)
        page.stores = [(0, "main", 0, 1_000)]
        switch self {
        case .absent: break
        case .directory: mkdir(path, 0o700)
        case .link:
            try page.write(to: path + ".target")
            symlink(path + ".target", path)
        case .fifo: mkfifo(path, 0o600)
        case .short: try TestFile.write(Array(page.bytes.prefix(4_000)), to: path)
        case .empty: try TestFile.write([], to: path)
        case .garbage: try TestFile.write([UInt8](repeating: 0xA5, count: FlightPageLayout.byteCount), to: path)
        case .version:
            var bytes = page.bytes
            bytes[FlightPageLayout.versionOffset] = 99
            try TestFile.write(bytes, to: path)
        case .foreign:
            try page.write(to: path)
            chown(path, 65_534, 65_534)
        case .otherProcess:
            page.startTicks = ticks + 1
            try page.write(to: path)
        }
    }

    /// Why a daemon does not use it; nil for what can be opened, or read, and is no page.
    var fault: FlightPages.Fault? {
        switch self {
        case .absent: .gone
        case .directory, .fifo: .notAFile
        case .empty: .noRoom
        case .foreign: .foreignOwner(65_534)
        case .otherProcess: .anotherProcess
        case .link, .short, .garbage, .version: nil
        }
    }
}

@Suite("Flight pages")
struct FlightPageSweepTests {
    private let deadPid = DeadProcess.pid

    private func directory() throws -> RuntimeDirectory { try .withFlightDirectory() }

    @Test("that are none are refused, each for its reason", arguments: HostilePage.possible)
    func refused(kind: HostilePage) throws {
        let directory = try directory()
        let name = "\(deadPid).page"
        try kind.make(at: directory.flightDirectory + "/" + name, pid: deadPid, ticks: 5)
        let pages = FlightPages(directory: directory.flightDirectory)
        let fault = #expect(throws: FlightPages.Fault.self) {
            _ = try FlightPageSource(
                ProcessInstance(pid: deadPid, startTicks: 5), place: PagePlace(name: name), in: pages)
        }
        if let expected = kind.fault {
            #expect(fault == expected)
        } else if case .unreadable(let text) = fault {
            #expect(!text.isEmpty)
        } else {
            Issue.record("\(String(describing: fault))")
        }
    }

    @Test("that are none are counted on start and stop nothing", arguments: HostilePage.possible)
    func hostileOnStart(kind: HostilePage) throws {
        let directory = try directory()
        try kind.make(at: directory.flightDirectory + "/\(deadPid).page", pid: deadPid, ticks: 5)
        let daemon = try EmbeddedCore(directory: directory)
        let stats = try daemon.stats()
        let logged = daemon.log.lines.contains { $0.hasPrefix("<4>cannot use the flight page") }
        let counted = try daemon.health().dropped.flightPages
        switch kind {
        case .absent: #expect(stats.isEmpty && counted == 0 && !logged)
        case .otherProcess: #expect(stats.map(\.lost) == [1_000], "on start there is nothing to compare with")
        default: #expect(stats.isEmpty && counted == 1 && logged)
        }
    }

    @Test(
        "are read by no name that leads elsewhere",
        arguments: [
            "../push.sock", "/etc/passwd", "..", "x/1.page", "1.page\0", "01.page", "-1.page", "1.PAGE", "1.page.page",
            "９.page", "1.0.page", "1.01.page", "1.-1.page", "1.1.1.page", "1..page", "1.+1.page", "1.4294967296.page",
        ])
    func hostileNames(name: String) {
        #expect(FlightPageName(name) == nil)
        #expect(throws: FlightPages.Fault.badName) {
            try FlightPages(directory: "/nowhere").read(PagePlace(name: name))
        }
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

@Suite("Flight pages that the watchdog cannot use")
struct FlightPageFaultTests {
    private let fixture = RegistryFixture()

    private var counted: UInt64 { UInt64(fixture.registry.drops.flightPages) }

    @Test("are counted and logged once")
    func once() throws {
        let embedded = try EmbeddedService(fixture.registry)
        let faults = FlightPageFaults(embedded.context)
        let process = try fixture.process(fixture.connect()).identity
        for fault in [.notAFile, .anotherProcess, .notAFile] as [FlightPages.Fault] { faults.unwatched(process, fault) }
        #expect(counted == 1)
    }

    @Test(
        "are no fault of an app that took its page away and said goodbye before it was looked at",
        arguments: [FlightPages.Fault.gone, .noRoom], [true, false])
    func shortLived(fault: FlightPages.Fault, isConnected: Bool) throws {
        let embedded = try EmbeddedService(fixture.registry)
        let faults = FlightPageFaults(embedded.context)
        let app = try fixture.connect()
        faults.unwatched(try fixture.process(app).identity, fault)
        try fixture.say(.store(), .goodbye, on: app)
        if !isConnected { fixture.registry.disconnected(app) }
        embedded.loop.advanceTime(by: embedded.context.limits.goodbyeDelay)
        #expect(counted == 0)
    }

    @Test("are counted where the app stays", arguments: [FlightPages.Fault.gone, .noRoom])
    func stays(fault: FlightPages.Fault) throws {
        let embedded = try EmbeddedService(fixture.registry)
        let faults = FlightPageFaults(embedded.context)
        faults.unwatched(try fixture.process(fixture.connect()).identity, fault)
        embedded.loop.advanceTime(by: embedded.context.limits.goodbyeDelay - .nanoseconds(1))
        #expect(counted == 0)
        embedded.loop.advanceTime(by: .nanoseconds(1))
        #expect(counted == 1)
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
