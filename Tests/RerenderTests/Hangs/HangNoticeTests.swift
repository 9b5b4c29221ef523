// SPDX-License-Identifier: MIT
// A real app that is told of hangs: it counts, calls its handlers, and tells the totals back.

import Foundation
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@Suite("Notices of hangs to a real process")
struct HangNoticeTests {
    @Test("each store counts by its own thresholds, calls its handler, and the totals travel back")
    func notices() async throws {
        try await withApp { app, daemon in
            try await app.ask("run 300")
            let connection = try await daemon.accept()
            let before = try #require(try await connection.messages { LatestTotals($0).sum == 300 })
            let store = try #require(before.compactMap(\.storeState).first { $0.name == "main" })
            let view = try #require(before.compactMap(\.viewDeclaration).first { $0.storeID == store.storeID })
            // The other two stores take it for a micro-hang.
            for state in Set(before.compactMap(\.storeState).map(\.storeID)) where state != store.storeID {
                connection.send(.configure(request: state, storeID: state, .init(hangThresholdMilliseconds: 1_000)))
                _ = try await connection.messages { $0.contains(.done(.init(request: state, reached: 1))) }
            }
            var notice = HangNotice(
                id: 1, startedAt: .now, durationNanoseconds: 300_000_000, turn: 3)
            (notice.view, notice.viewStoreID, notice.viewIndex) = (view.key, view.storeID, view.index)
            notice.attribution = .inBody
            connection.send(.hangEnded(notice))
            #expect(try await app.nextLine() == "hung 300 \(view.key) in body")
            let after = try #require(
                try await connection.messages { messages in
                    let states = messages.compactMap(\.storeState)
                    return states.contains { $0.hangs.count == 1 }
                        && Set(states.filter { $0.microHangs == 1 }.map(\.storeID)).count == 2
                        && messages.contains { $0.viewTotals?.hangs.count == 1 }
                })
            #expect(after.compactMap(\.viewTotals).allSatisfy { $0.hangs.count == 0 || $0.index == view.index })

            // Told again, as a daemon may that came back; and too short for any.
            connection.send(.hangEnded(notice))
            connection.send(
                .hangEnded(HangNotice(id: 0, startedAt: .now, durationNanoseconds: 99_000_000, turn: 4)))
            notice.durationNanoseconds = 400_000_000
            notice.turn = 5
            connection.send(.hangEnded(notice))
            #expect(try await app.nextLine() == "hung 400 \(view.key) in body")
            let entry = try await export(of: app, named: "main")
            #expect(entry.hangs.count == 2 && entry.hangs.lastNanoseconds == 400_000_000 && entry.microHangs == 0)
            #expect(entry.views.first { $0.key.rawValue == view.key }?.hangCount == 2)
            #expect(entry.views.filter { $0.hangCount > 0 }.count == 1)

            try await app.ask("reset")
            #expect(try await export(of: app, named: "main").hangs == HangTotals())
        }
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

extension AppMessage {
    fileprivate var viewDeclaration: ViewDeclaration? { if case .view(let view) = self { view } else { nil } }
    fileprivate var viewTotals: ViewTotals? { if case .totals(let totals) = self { totals } else { nil } }
}
