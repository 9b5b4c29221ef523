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
        let hello = Hello(pid: getpid(), startTicks: UInt64(app) + 1, processName: "app\(app)")
        AppMessage.hello(hello).write(to: &writer)
        AppMessage.store(StoreState(storeID: 1, name: "main", startedAt: .now)).write(to: &writer)
        for view in 0..<views {
            let key = "Screen\(app).Section.Row\(view)"
            for message in FleetView.declarations(UInt32(view), key: key, app: "App\(app)") {
                message.write(to: &writer)
            }
        }
        return writer.bytes
    }

    private static func totals(_ index: Int, _ serial: UInt64) -> TotalsMessage {
        var totals = FleetView.totals(index, count: count(index, serial), serial: serial)
        totals.commits = totals.count
        totals.waste.add(
            .parentOnly, nanoseconds: totals.count * 700, evaluations: totals.count / 2)
        return totals
    }
}
