// SPDX-License-Identifier: MIT
// A real app that is told of hangs: it shows what the daemon counts and calls its handlers.

import Foundation
import RerenderModel
import RerenderWire
import TestSupport
import TestTraits
import Testing

@Suite("Notices of hangs to a real process")
struct HangNoticeTests {
    @Test("the store that is named shows the counts and calls its handler", .promise)
    func notices() async throws {
        try await withApp { app, daemon in
            try await app.ask("run 300")
            let connection = try await daemon.accept()
            let before = try #require(try await connection.messages { LatestTotals($0).sum == 300 })
            let store = try #require(before.compactMap(\.storeState).first { $0.name == "main" })
            let view = try #require(before.compactMap(\.viewDeclaration).first { $0.storeID == store.storeID })
            connection.send(.hangEnded(notice(300, 1, of: view)))
            #expect(try await app.nextLine() == "hung 300 \(view.key) in body")
            // Of another store; a micro-hang; and one more.
            var other = notice(900, 9, of: view)
            other.storeID = .max
            connection.send(.hangEnded(other))
            var micro = notice(120, 1, of: view)
            (micro.isMicroHang, micro.counts.microHangs) = (true, 1)
            connection.send(.hangEnded(micro))
            connection.send(.hangEnded(notice(400, 2, of: view)))
            #expect(try await app.nextLine() == "hung 400 \(view.key) in body")
            // Counts alone, which call no handler.
            connection.send(.hangCounts(notice(500, 5, of: view)))
            connection.send(.hangEnded(notice(400, 2, of: view)))
            #expect(try await app.nextLine() == "hung 400 \(view.key) in body")
            let entry = try await export(of: app, named: "main")
            #expect(entry.hangs.count == 2 && entry.hangs.lastNanoseconds == 400_000_000)
            #expect(entry.views.first { $0.key.rawValue == view.key }?.hangCount == 2)
            #expect(entry.views.filter { $0.hangCount > 0 }.count == 1)

            try await app.ask("reset")
            #expect(try await export(of: app, named: "main").hangs == HangTotals())
        }
    }

    private func notice(_ milliseconds: UInt64, _ count: UInt64, of view: ViewDeclaration) -> HangNotice {
        var hang = Hang(id: 1, pid: 1, process: "app", startedAt: .now, turn: count)
        hang.durationNanoseconds = milliseconds * 1_000_000
        (hang.view, hang.attribution) = (ViewKey(rawValue: view.key), .inBody)
        var counts = StoreHangs()
        for _ in 0..<count { counts.hangs.add(nanoseconds: hang.durationNanoseconds) }
        var notice = HangNotice(storeID: view.storeID, epoch: 0, hang: hang, isMicroHang: false, counts: counts)
        notice.blamed = .init(index: view.index, hangs: counts.hangs)
        return notice
    }

    private func export(of app: ChildProcess, named name: String) async throws -> ProcessStats {
        for store in 0..<3 {
            let data = try #require(Data(base64Encoded: try await app.ask("export \(store)")))
            let export = try JSONDecoder().decode(StatsExport.self, from: data)
            if let entry = export.processes.first, entry.store == name { return entry }
        }
        throw ChildProcess.Failure("there is no store \(name)")
    }
}
