// SPDX-License-Identifier: MIT
// Says to a registry what apps say, without a socket.

import FoundationEssentials
import NIOCore
import RerenderModel
import RerenderWire
import Testing

@testable import RerenderDaemon

/// A registry and the words to talk to it.
final class RegistryFixture {
    let registry: Registry
    private var serial: UInt64 = 0

    init(_ change: (inout DaemonLimits) -> Void = { _ in }) {
        var limits = DaemonLimits()
        change(&limits)
        registry = Registry(limits: limits)
    }

    func connect(pid: Int32 = 10, ticks: UInt64 = 1, name: String = "shop") throws -> AppConnection {
        serial += 1
        let connection = AppConnection(serial: serial, pid: pid)
        try say(.hello(Hello(pid: pid, startTicks: ticks, processName: name)), on: connection)
        return connection
    }

    /// Sends messages as bytes, through the same code as a socket's.
    func say(_ messages: AppMessage..., on connection: AppConnection) throws {
        var writer = WireWriter()
        for message in messages { message.write(to: &writer) }
        let bytes = writer.bytes
        let registry = registry
        _ = try FrameReader.frames(in: bytes.span.bytes) { (frame) throws(WireError) in
            try registry.receive(frame: frame, from: connection)
        }
    }

    func export(_ query: StatsQuery = StatsQuery(), at now: Timestamp = .now) throws -> StatsExport {
        try JSONDecoder().decode(StatsExport.self, from: Data(text(query, at: now).utf8))
    }

    /// The export as the document that it is.
    func text(_ query: StatsQuery, at now: Timestamp = .now) throws -> String {
        try String(decoding: answer(query, at: now).whole(pieces: 100), as: UTF8.self)
    }

    /// The export as an answer that is made while it is read.
    func answer(_ query: StatsQuery = StatsQuery(), at now: Timestamp = .now, isLines: Bool = false) -> AnswerText {
        AnswerText(registry.plan(query, now: now), of: registry, isLines: isLines)
    }

    func process(_ connection: AppConnection) throws -> ProcessEntry {
        try #require(connection.process)
    }
}

extension AnswerText {
    /// All of it, in pieces of about that size.
    func whole(pieces size: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while !isDone { bytes += try piece(size: size) }
        return bytes
    }
}

extension WasteTotals {
    /// The count and the nanoseconds of each kind.
    static func of(_ kinds: [WasteKind: (UInt64, UInt64)]) -> WasteTotals {
        var totals = WasteTotals()
        for (kind, (count, nanoseconds)) in kinds {
            totals.add(kind, nanoseconds: nanoseconds, evaluations: count)
        }
        return totals
    }
}

extension AppMessage {
    static func store(
        _ id: UInt32 = 0, _ name: String = "main", epoch: UInt32 = 0, evaluations: UInt64 = 0, dropped: UInt64 = 0,
        startedAt: Int64 = 1_000_000_000
    ) -> AppMessage {
        var state = StoreState(storeID: id, name: name, startedAt: Timestamp(nanosecondsSince1970: startedAt))
        state.epoch = epoch
        state.evaluations = evaluations
        state.dropped = dropped
        return .store(state)
    }

    static func view(_ index: UInt32, _ key: String, store: UInt32 = 0) -> AppMessage {
        .view(ViewDeclaration(storeID: store, index: index, key: key, file: "Shop/\(key).swift", line: 12))
    }

    static func reason(_ index: UInt8, _ text: String, view: UInt32 = 0, store: UInt32 = 0) -> AppMessage {
        .reason(ReasonDeclaration(storeID: store, viewIndex: view, index: index, text: text, attribution: .announced))
    }

    static func detail(
        _ slot: UInt8, _ text: String, reason: UInt8 = 0, view: UInt32 = 0, store: UInt32 = 0
    ) -> AppMessage {
        .detail(DetailDeclaration(storeID: store, viewIndex: view, reason: reason, slot: slot, text: text))
    }

    /// A cycle of some steps.
    static func cycle(
        _ index: UInt8, _ names: [String], rounds: UInt64, epoch: UInt32 = 0, store: UInt32 = 0
    ) -> AppMessage {
        let cycle = Cycle(
            steps: names.map { .init(name: $0, writer: "set() Shop/\($0).swift:9") }, rounds: rounds, latestRounds: 61,
            latestNanoseconds: 1_000_000_000, latestAt: Timestamp(nanosecondsSince1970: 1_800_000_000_000_000_000))
        return .cycle(ItemMessage(storeID: store, epoch: epoch, index: index, item: cycle))
    }

    /// What goes on without input.
    static func work(
        _ index: UInt8, _ view: String, own: UInt64, epoch: UInt32 = 0, store: UInt32 = 0
    ) -> AppMessage {
        var work = IdleWork(
            .evaluations, latestAt: Timestamp(nanosecondsSince1970: 1_800_000_000_000_000_000))
        (work.view, work.reason, work.writer) = (view, "tick", "set() Shop/\(view).swift:9")
        (work.latest.own, work.latest.count, work.latestDuration) = (61, 122, 1_000_000_000)
        (work.all.own, work.all.count, work.all.nanoseconds) = (own, 2 * own, 7)
        return .work(ItemMessage(storeID: store, epoch: epoch, index: index, item: work))
    }

    /// Totals of a view of which only values were seen.
    static func notSeen(_ index: UInt32, commits: UInt64 = 0, epoch: UInt32 = 0, store: UInt32 = 0) -> AppMessage {
        var totals = TotalsMessage(ViewTotals(storeID: store, index: index, epoch: epoch))
        totals.notSeen = 1
        totals.commits = commits
        return .totals(totals)
    }

    static func totals(
        _ index: UInt32, _ count: UInt64, epoch: UInt32 = 0, store: UInt32 = 0, body: UInt64 = 0, own: UInt64? = nil,
        reasons: [UInt8: UInt64] = [:], passes: [UInt8: UInt64] = [:], details: [DetailCount] = [],
        waste: WasteTotals = WasteTotals(),
        forgotten: UInt64 = 0
    ) -> AppMessage {
        var totals = TotalsMessage(ViewTotals(storeID: store, index: index, epoch: epoch))
        totals.count = count
        totals.body.sum = body
        totals.selfNanoseconds = own ?? body
        totals.reasonCounts = reasons.sorted { $0.key < $1.key }.map {
            .init(index: $0.key, count: $0.value, passes: passes[$0.key] ?? 0)
        }
        totals.passes = passes.values.reduce(0, +)
        totals.details = details
        totals.waste = waste
        totals.forgotten = forgotten
        return .totals(totals)
    }
}
