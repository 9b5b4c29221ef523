// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import NIOEmbedded
import NIOCore
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("The daemon's memory", .serialized)
struct MemoryLimitTests {
    @Test("is bounded by limits that add up to less than the unit allows, as the table of limits says")
    func sum() throws {
        let memory = DaemonMemory(DaemonLimits())
        let text = try String(contentsOf: Checkout.url("docs/reference/limits.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "## What the daemon takes").last)
        let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }
        func mebibytes(_ bytes: Int) -> String { String(format: "%.1f", Double(bytes) / Double(1 << 20)) }
        let expected = memory.parts.map { "| \($0.what) | \(mebibytes($0.bytes)) |" }
        #expect(rows.dropFirst().map(String.init) == expected + ["| all together | \(mebibytes(memory.bytes)) |"])
        #expect(memory.bytes < (try DaemonUnit.memoryMax()))
    }

    @Test("an export whose store was forgotten in the middle is broken off; one that was forgotten before is left out")
    func forgotten() throws {
        let fixture = RegistryFixture()
        for pid in 1...2 as ClosedRange<Int32> {
            let app = try fixture.connect(pid: pid)
            try fixture.say(.store(startedAt: Int64(pid)), on: app)
            for index in 0..<UInt32(60) { try fixture.say(.view(index, "v\(index)"), .totals(index, 1), on: app) }
        }
        let (broken, whole) = (fixture.answer(), fixture.answer())
        _ = try broken.piece(size: 2_000)
        fixture.registry.forget(fixture.registry.processes[0])
        #expect(throws: ExportLines.Forgotten.self) { try broken.piece(size: .max) }
        #expect(!broken.isDone)
        let export = try JSONDecoder().decode(StatsExport.self, from: Data(whole.whole(pieces: 2_000)))
        #expect(export.processes.map(\.pid) == [2] && export.processes[0].views.count == 60)
    }

    @Test("there is room for a command of so many requests", arguments: around(3))
    func largeCommand(requests: Int) throws {
        let embedded = try EmbeddedService(RegistryFixture().registry) { $0.commandRequests = 3 }
        let plan = CommandPlan(targets: (0..<UInt64(requests)).map { .init(connection: $0, storeID: nil) }) {
            .reset(request: $0, storeID: $1)
        }
        #expect(embedded.service.commands.hasRoom(for: plan) == (requests <= 3))
    }

    @Test("commands wait for no more answers than there is room for")
    func commands() throws {
        let embedded = try EmbeddedService(RegistryFixture().registry) { $0.commandRequests = 3 }
        let commands = embedded.service.commands
        func plan(_ count: UInt64) -> CommandPlan {
            CommandPlan(targets: (0..<count).map { .init(connection: $0, storeID: nil) }) {
                .reset(request: $0, storeID: $1)
            }
        }
        #expect(commands.hasRoom(for: plan(3)) && !commands.hasRoom(for: plan(4)))
        _ = commands.run(plan(2))
        #expect(commands.hasRoom(for: plan(1)) && !commands.hasRoom(for: plan(2)))
        embedded.loop.advanceTime(by: embedded.context.limits.commandTimeout)
        #expect(commands.hasRoom(for: plan(3)), "they gave up waiting")
    }
}
