// SPDX-License-Identifier: MIT
// Adds to the sums of the metrics what stores have counted since they were seen last.

/// Takes in an export, store by store with their views, and says what the metrics are then.
///
/// A daemon's numbers cannot be shown as they are: their sums fall when a process is forgotten or a store is reset, and those of "all other
/// views" whenever one of them becomes expensive. A reader of counters takes each fall for a restart, and adds all of it once more.
/// So only growth is added, each once.
package struct MetricLedger: Sendable {
    /// How many names have sums of their own, of programs and of views each.
    static let places = 20
    /// Stores that the daemon does not have now, and may have again after it was restarted.
    static let mostAbsent = 256
    static let longestAbsence: Int64 = 86_400_000_000_000

    /// A store of the export.
    private struct Seen {
        let id: StoreReading.Identity
        let process: ProcessKey
        let counts: ProgramCounts
        var views = ViewCounts.zero
        var named: [[String]: ViewCounts] = [:]
    }

    /// A process of the export: a number alone may be that of one that ended, too.
    private struct ProcessKey: Hashable {
        let pid: Int32
        let program: [String]
        let isConnected: Bool
    }

    /// What the metrics are after an export.
    package struct Result: Sendable {
        package let state: MetricState
        /// How many processes of each program with a place are connected, in the order of the places, and of all others.
        let connected: (programs: [Int], rest: Int)
    }

    private let before: MetricState
    private var seen: [Seen] = []

    /// - Parameter state: What an earlier export left; nil to begin with all that the daemon has.
    package init(continuing state: MetricState? = nil) { before = state ?? MetricState() }

    /// Takes in a store with its views.
    ///
    /// Names are as they may be shown: two that look the same are one, or there were two series of one name.
    package mutating func add(_ store: ProcessStats) {
        let process = ProcessKey(
            pid: store.pid, program: [Printable.text(store.name)], isConnected: store.connected)
        var known = Seen(id: .init(store), process: process, counts: ProgramCounts(store))
        for view in store.views {
            let name = process.program + [Printable.text(store.store), Printable.text(view.key.rawValue)]
            let counts = ViewCounts(view)
            known.views = known.views.clampedSum(counts)
            known.named[name] = known.named[name, default: .zero].clampedSum(counts)
        }
        seen.append(known)
    }

    // MARK: The result

    /// What the metrics are, of an export that was made at a time.
    package func result(at time: Timestamp) -> Result {
        var state = before
        state.at = time.nanosecondsSince1970
        state.programs.choose(programCosts)
        state.views.choose(viewCosts)
        let readings = Dictionary(before.stores.map { ($0.store, $0) }) { first, _ in first }
        addPrograms(readings, to: &state)
        let present = addViews(readings, to: &state)
        state.stores = present + absent(besides: Set(present.map(\.store)), in: state)
        return Result(state: state, connected: connected(in: state.programs))
    }

    private var programCosts: [[String]: UInt64] {
        seen.reduce(into: [:]) { costs, store in
            let cost = costs[store.process.program, default: 0]
            costs[store.process.program] = cost.clampedSum(store.views[ViewCounts.selfTime])
        }
    }

    private var viewCosts: [[String]: UInt64] {
        seen.reduce(into: [:]) { costs, store in
            for (name, counts) in store.named {
                costs[name] = costs[name, default: 0].clampedSum(counts[ViewCounts.selfTime])
            }
        }
    }

    private func connected(in programs: MetricGroup<ProgramCounts>) -> (programs: [Int], rest: Int) {
        var (counts, rest) = (programs.names.map { _ in 0 }, 0)
        let places = programs.indices
        for process in Set(seen.map(\.process)) where process.isConnected {
            if let place = places[process.program] { counts[place] += 1 } else { rest += 1 }
        }
        return (counts, rest)
    }

    /// Each store of a process counts its own evaluations, and all hangs of the main loop since it is there.
    private func addPrograms(_ readings: [StoreReading.Identity: StoreReading], to state: inout MetricState) {
        var growth: [ProcessKey: ProgramCounts] = [:]
        for store in seen {
            let one = store.counts.growth(since: readings[store.id]?.counts ?? .zero)
            let all = growth[store.process, default: .zero]
            let sum = all.clampedSum(one)
            growth[store.process] = sum.replacing(with: pointwiseMax(all, one), where: ProgramCounts.ofLoop)
        }
        let places = state.programs.indices
        for (process, growth) in growth { state.programs.add(growth, to: places[process.program]) }
    }

    /// Adds what the views of each store grew by. Returns what was seen of the stores.
    private func addViews(
        _ readings: [StoreReading.Identity: StoreReading], to state: inout MetricState
    ) -> [StoreReading] {
        let (places, earlierPlaces) = (state.views.indices, before.views.indices)
        return seen.map { store in
            let earlier = readings[store.id]
            // A daemon that was restarted may have the store before it has all its views.
            var (named, ofNamed) = (earlier.map { moved($0.named, to: places) } ?? [:], ViewCounts.zero)
            for (name, counts) in store.named {
                guard let place = places[name] else { continue }
                let known = Self.known(counts, earlierPlaces[name], earlier, before.at)
                let growth = counts.growth(since: known)
                state.views.add(growth, to: place)
                ofNamed = ofNamed.clampedSum(growth)
                named[place] = pointwiseMax(counts, known)
            }
            let all = store.views.growth(since: earlier?.views ?? .zero)
            state.views.add(all.growth(since: ofNamed), to: nil)
            return StoreReading(
                store: store.id, at: state.at, counts: pointwiseMax(store.counts, earlier?.counts ?? .zero),
                views: pointwiseMax(store.views, earlier?.views ?? .zero), named: named)
        }
    }

    /// How much of a view with a place is in the sums already, its own or that of all others.
    private static func known(
        _ counts: ViewCounts, _ earlierPlace: Int?, _ earlier: StoreReading?, _ latest: Int64
    ) -> ViewCounts {
        // Nothing of a store that was never seen.
        guard let earlier else { return .zero }
        // All, where it had no place: it begins with 0.
        guard let earlierPlace else { return counts }
        if let known = earlier.named[earlierPlace] { return known }
        // Nothing, where it had a place and was not in the store. A store that was absent then does not tell.
        return earlier.at == latest ? .zero : counts
    }

    /// Stores that the daemon does not have now, the latest first.
    private func absent(besides present: Set<StoreReading.Identity>, in state: MetricState) -> [StoreReading] {
        let places = state.views.indices
        let recent = before.stores.filter { reading in
            let age = state.at.subtractingReportingOverflow(reading.at)
            return !present.contains(reading.store) && !age.overflow && age.partialValue < Self.longestAbsence
        }
        return recent.sorted { $0.at > $1.at }.prefix(Self.mostAbsent).map { reading in
            var reading = reading
            reading.named = moved(reading.named, to: places)
            return reading
        }
    }

    /// Counts by the places before, by those of now; without the views that have none now.
    private func moved(_ named: [Int: ViewCounts], to places: [[String]: Int]) -> [Int: ViewCounts] {
        let moved = named.compactMap { place, counts in
            before.views.names.indices.contains(place)
                ? places[before.views.names[place]].map { ($0, counts) } : nil
        }
        return Dictionary(moved) { first, _ in first }
    }
}
