// SPDX-License-Identifier: MIT
// The report of what was summed up.

internal import RerenderModel

extension ReportBuilder {
    /// The report, after the last event.
    package func report(_ texts: TraceTexts, traces: Int) -> TraceReport {
        let visible = visibleViews
        let order = orderOfStores(texts)
        return TraceReport(
            export: StatsExport(
                generatedAt: Timestamp(nanosecondsSince1970: ended), processes: processes(order, visible, texts)),
            storeNumbers: order.map { known.stores[$0].number },
            began: Timestamp(nanosecondsSince1970: began), ended: Timestamp(nanosecondsSince1970: ended),
            events: events, otherEvents: otherEvents, traces: traces, processes: known.processes.count,
            missing: missing(order, visible, texts), beforeReset: beforeReset, discarded: discarded,
            unended: open.allUnended, unbegun: open.unbegun, hangs: allHangs(texts), hangsForgotten: hangsForgotten,
            hasDaemon: hangs.hasAny, doubleTurns: doubles.turns, doubleEvaluations: doubles.again,
            worstDoubleTurns: doubles.worst.sorted { $0.again > $1.again }, doubleKeys: doubleKeys(texts),
            causes: processCauses(texts), writes: writes.writes(texts), writeCount: writes.total,
            overflowed: overflowed + texts.overflowed)
    }

    private var overflowed: UInt64 {
        known.processes.reduce(known.overflowed + causes.overflowed + told.overflowed) { $0 + $1.loop.overflowed }
    }

    /// The views of each store in its latest epoch; one that was last evaluated before a reset has nothing to show.
    private var visibleViews: [Int: [ViewTally]] {
        Dictionary(
            grouping: known.views.filter { $0.isVisible && $0.epoch == known.stores[$0.store].epoch }, by: \.store)
    }

    private var beforeReset: UInt64 {
        known.views.reduce(0) { sum, view in
            sum &+ view.earlier &+ (view.epoch == known.stores[view.store].epoch ? 0 : view.seen)
        }
    }

    /// The stores by process and name, and by number where names are equal.
    private func orderOfStores(_ texts: TraceTexts) -> [Int] {
        let names = known.stores.map { texts[$0.name] }
        let key = { (index: Int) in
            let store = known.stores[index]
            return (known.processes[store.process].pid, names[index], store.number)
        }
        return known.stores.indices.sorted { key($0) < key($1) }
    }

    private func processes(
        _ order: [Int], _ visible: [Int: [ViewTally]], _ texts: TraceTexts
    ) -> [ProcessStats] {
        order.map { index in
            let store = known.stores[index]
            let process = known.processes[store.process]
            var stats = ProcessStats(
                pid: process.pid, name: texts[process.name], store: texts[store.name],
                startedAt: Timestamp(nanosecondsSince1970: store.startedAt))
            for view in visible[index, default: []] {
                let missing = view.missing
                stats.lost &+= missing.before &+ missing.between
                stats.evaluations &+= view.seen &+ missing.before &+ missing.between
                stats.views.append(view.stats(texts))
            }
            stats.views.sort(by: Stats.byCount)
            if !store.isReplaced {
                // They are the process's, and would count twice.
                stats.hangs = process.hangs
                stats.microHangs = process.microHangs
            }
            return stats
        }
    }

    private func missing(
        _ order: [Int], _ visible: [Int: [ViewTally]], _ texts: TraceTexts
    ) -> [MissingEvaluations] {
        order.enumerated().flatMap { place, store in
            visible[store, default: []].map { (place: place, view: $0) }
        }.compactMap { place, view in
            let missing = view.missing
            guard missing.before > 0 || missing.between > 0 else { return nil }
            let store = known.stores[view.store]
            let process = known.processes[store.process]
            return MissingEvaluations(
                pid: process.pid, process: texts[process.name], store: texts[store.name],
                key: ViewKey(rawValue: texts[view.key]), place: place, before: missing.before, between: missing.between)
        }.sorted {
            let (left, right) = ($0.before &+ $0.between, $1.before &+ $1.between)
            return left != right ? left > right : $0.key < $1.key
        }
    }

    private func processCauses(_ texts: TraceTexts) -> [ProcessCauses] {
        known.processes.indices.compactMap { index in
            let causes = causes.causes(of: index, texts)
            let process = known.processes[index]
            return causes.isEmpty
                ? nil : ProcessCauses(pid: process.pid, process: texts[process.name], causes: causes)
        }
    }

    private func doubleKeys(_ texts: TraceTexts) -> [TextID: ViewKey] {
        var keys: [TextID: ViewKey] = [:]
        for view in doubles.worst.flatMap(\.views) { keys[view.key] = ViewKey(rawValue: texts[view.key]) }
        return keys
    }
}
