// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import NIOEmbedded
import NIOCore
import RerenderModel
import RerenderQuery
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

    @Test("exports copy no more of stores than there is room for, and then show each view as it is")
    func copies() throws {
        let fixture = RegistryFixture()
        let app = try fixture.connect()
        try fixture.say(.store(), on: app)
        for index in 0..<UInt32(600) {
            try fixture.say(.view(index, "v\(index)"), .totals(index, 600 - UInt64(index)), on: app)
        }
        let copies = CopyBudget(bytes: try #require(fixture.process(app).stores.first).bytes)
        var first: ExportCursor? = ExportCursor(of: fixture.registry, StatsQuery(), copies: copies)
        var second = ExportCursor(of: fixture.registry, StatsQuery(), copies: copies)
        var texts: [[UInt8]] = [first?.next(size: 2_000) ?? [], second.next(size: 2_000)]
        #expect(copies.free == 0)
        for index in 0..<UInt32(600) { try fixture.say(.totals(index, 9_000), on: app) }
        while first?.isDone == false { texts[0] += first?.next(size: 2_000) ?? [] }
        while !second.isDone { texts[1] += second.next(size: 2_000) }
        let counts = try texts.map {
            try JSONDecoder().decode(StatsExport.self, from: Data($0)).processes[0].views.map(\.count)
        }
        #expect(counts[0] == (1...600).reversed().map { UInt64($0) }, "as they were")
        #expect(counts[1].last == 9_000 && counts[1].count == 600, "as they are")
        first = nil
        #expect(copies.free > 0, "the room is given back")
    }

    @Test("an export whose store was forgotten in the middle is broken off")
    func forgotten() throws {
        let fixture = RegistryFixture()
        let app = try fixture.connect()
        try fixture.say(.store(), on: app)
        for index in 0..<UInt32(600) { try fixture.say(.view(index, "v\(index)"), .totals(index, 1), on: app) }
        var cursor = ExportCursor(of: fixture.registry, StatsQuery(), copies: CopyBudget(bytes: 0))
        _ = cursor.next(size: 2_000)
        fixture.registry.forget(try fixture.process(app))
        _ = cursor.next(size: .max)
        #expect(cursor.isBroken && !cursor.isDone)
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
