// SPDX-License-Identifier: MIT
// Many apps as the daemon sees them: connections that speak the wire, with all their frames prepared beforehand.

import Foundation
import RerenderModel
import RerenderWire
import TestSupport

/// Connected apps of `views` views each.
final class Fleet {
    let apps: Int
    let views: Int
    private let sockets: [CInt]
    private var rounds: UInt64 = 0

    /// Connects and declares everything; the daemon has heard none of the totals yet.
    init(socket: String, apps: Int, views: Int) throws {
        self.apps = apps
        self.views = views
        sockets = try (0..<apps).map { _ in try UnixStream.connect(socket) }
        for app in 0..<apps { try UnixStream.send(Self.declarations(app, views: views), on: sockets[app]) }
    }

    deinit {
        for socket in sockets { close(socket) }
    }

    /// The frames of one more round: `count` views of each app, in turn, with totals that have grown.
    func round(of count: Int) -> [[UInt8]] {
        rounds += 1
        let serial = rounds
        return (0..<apps).map { _ in
            var writer = WireWriter()
            for position in 0..<count {
                let index = (Int(serial) * count + position) % views
                AppMessage.totals(Self.totals(index, serial)).write(to: &writer)
            }
            return writer.bytes
        }
    }

    /// Sends a round, one piece of each app at a time, as many apps would at once.
    func send(_ round: [[UInt8]]) throws {
        let piece = 65_536
        var offset = 0
        while round.contains(where: { $0.count > offset }) {
            for (app, bytes) in round.enumerated() where bytes.count > offset {
                try UnixStream.send(Array(bytes[offset..<min(offset + piece, bytes.count)]), on: sockets[app])
            }
            offset += piece
        }
    }

    /// What the view that was evaluated most stands at, once all views were in the latest round.
    var highestCount: UInt64 { (0..<views).map { Self.count($0, rounds) }.max() ?? 0 }

    private static func count(_ index: Int, _ serial: UInt64) -> UInt64 { serial * UInt64(index % 97 + 1) + 1 }

    private static func declarations(_ app: Int, views: Int) -> [UInt8] {
        var writer = WireWriter()
        // No living process has these start times, so each connection is a process of its own.
        let hello = Hello(pid: getpid(), startTicks: UInt64(app) + 1, processName: "app\(app)", flightPage: "")
        AppMessage.hello(hello).write(to: &writer)
        AppMessage.store(StoreState(storeID: 1, name: "main", startedAt: .now)).write(to: &writer)
        for view in 0..<views {
            let index = UInt32(view)
            let declaration = ViewDeclaration(
                storeID: 1, index: index, key: "Screen\(app).Section.Row\(view)", file: "App\(app)/Views.swift",
                line: index)
            AppMessage.view(declaration).write(to: &writer)
            for (number, text) in ["initial", "ticker.tick"].enumerated() {
                let reason = ReasonDeclaration(
                    storeID: 1, viewIndex: index, index: UInt8(number), text: text, attribution: .exact)
                AppMessage.reason(reason).write(to: &writer)
            }
            let writerName = DetailDeclaration(
                storeID: 1, viewIndex: index, reason: 1, slot: 0, text: "Ticker.advance() App\(app)/Ticker.swift:40")
            AppMessage.detail(writerName).write(to: &writer)
        }
        return writer.bytes
    }

    private static func totals(_ index: Int, _ serial: UInt64) -> ViewTotals {
        var totals = ViewTotals(storeID: 1, index: UInt32(index), epoch: 0)
        totals.count = count(index, serial)
        totals.instances = 1
        totals.commits = totals.count
        for path in [\ViewTotals.body, \ViewTotals.total] {
            totals[keyPath: path].last = 1_000 + serial
            totals[keyPath: path].max = 90_000
            totals[keyPath: path].p50 = 1_200
            totals[keyPath: path].p95 = 4_000
            totals[keyPath: path].p99 = 20_000
            totals[keyPath: path].sum = totals.count * 1_500
        }
        totals.lastRenderedAt = .now
        totals.lastReason = 1
        totals.reasonCounts = [.init(index: 0, count: 1), .init(index: 1, count: totals.count - 1)]
        totals.details = [.init(reason: 1, slot: 0, count: totals.count - 1)]
        totals.waste = WasteTotals()
        totals.waste.add(
            .parentOnly, isMeasured: false, nanoseconds: totals.count * 700, evaluations: totals.count / 2)
        return totals
    }
}
