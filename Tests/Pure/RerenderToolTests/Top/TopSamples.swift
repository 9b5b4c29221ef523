// SPDX-License-Identifier: MIT
// States of the live screen to test with.

import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
@testable import ToolSupport

/// Makes samples of the live screen.
enum TopSamples {
    static let second: Int64 = 1_000_000_000

    static func time(_ seconds: Double) -> Timestamp {
        Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 + Int64(seconds * 1e9))
    }

    /// A model of a screen that is connected and has seen a sample of these stores at once.
    static func model(
        _ stores: [ProcessStats], columns: Int = 100, lines: Int = 30,
        order: StatsOrder = .wasted
    ) -> TopModel {
        var model = TopModel(size: TerminalSize(columns: columns, lines: lines), order: order)
        model.now = time(0)
        answer(&model, model.ask(), stores, at: time(0))
        return model
    }

    /// Answers every query among the effects, as the daemon would.
    static func answer(
        _ model: inout TopModel, _ effects: [TopEffect], _ stores: [ProcessStats], at now: Timestamp,
        hangs: [Hang] = [], health: HealthReport? = nil
    ) {
        for case .sample(let query) in effects {
            var sample = sample(query, stores, at: now)
            (sample.hangs, sample.hangsOfProcess, sample.health) = (hangs, hangs, health)
            let more = model.take(.sampled(sample, 0.4))
            answer(&model, more, stores, at: now, hangs: hangs, health: health)
        }
    }

    /// What a daemon that knows these stores answers.
    static func sample(_ query: TopQuery, _ stores: [ProcessStats], at now: Timestamp) -> TopSample {
        let matching = query.order.ranked(stores, isReversed: query.isReversed).filter {
            query.filter.isEmpty || $0.view.key.rawValue.lowercased().contains(query.filter.lowercased())
        }
        let rows = Array(matching.dropFirst(query.first).prefix(query.limit))
        let plain = stores.map { store in
            var store = store
            store.views = []
            return store
        }
        return TopSample(
            query: query, at: now, stores: plain, rows: rows, total: matching.count,
            verdict: VerdictBuilder.verdict(of: stores))
    }

    /// Presses keys and has the daemon answer what they ask for.
    static func press(_ model: inout TopModel, _ stores: [ProcessStats], _ keys: TopKey...) -> [TopEffect] {
        var all: [TopEffect] = []
        for key in keys {
            let effects = model.take(.key(key))
            all += effects
            answer(&model, effects, stores, at: model.now)
        }
        return all
    }

    /// A store of very many views, the first evaluated most.
    static func large(_ count: Int) -> ProcessStats {
        Sample.store(views: (0..<count).map { Sample.view(ViewKey(rawValue: "view \($0)"), count: UInt64(count - $0)) })
    }

    static func text(_ model: TopModel) -> String { model.frame.lines.map(\.text).joined(separator: "\n") }
}
