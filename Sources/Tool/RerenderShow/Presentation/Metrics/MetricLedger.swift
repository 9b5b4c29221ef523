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
        var loop: LoopCounts?
        var rows = SourceCounts.zero
        var namedRows: [[String]: SourceCounts] = [:]
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
        known.loop = store.loop.map { LoopCounts($0.totals) }
        // What samples tell of may become less.
        for row in store.loop?.rows ?? [] where row.calls != nil {
            let name = process.program + [row.kind.rawValue, Self.name(row)]
            let counts = SourceCounts(row.numbers)
            known.rows = known.rows.clampedSum(counts)
            known.namedRows[name] = known.namedRows[name, default: .zero].clampedSum(counts)
        }
        seen.append(known)
    }

    /// A handler by its widget and signal, too: one function may handle several.
    private static func name(_ row: LoopRow) -> String {
        row.of.map { "\(Printable.text($0)) → \(row.function)" } ?? row.function
    }

    // MARK: The result

    /// What the metrics are, of an export that was made at a time.
    package func result(at time: Timestamp) -> Result {
        var state = before
        state.at = time.nanosecondsSince1970
        state.programs.choose(programCosts)
        state.views.choose(viewCosts)
        var (loops, sources) = (state.loops ?? MetricGroup(width: 1), state.sources ?? MetricGroup(width: 3))
        loops.choose(loopCosts)
        sources.choose(sourceCosts)
        (state.loops, state.sources) = (loops, sources)
        let readings = Dictionary(before.stores.map { ($0.store, $0) }) { first, _ in first }
        addPrograms(readings, to: &state)
        addLoops(readings, to: &state)
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

    private var loopCosts: [[String]: UInt64] {
        seen.reduce(into: [:]) { costs, store in
            guard let loop = store.loop else { return }
            let cost = costs[store.process.program, default: 0]
            costs[store.process.program] = cost.clampedSum(loop[LoopCounts.loopTime])
        }
    }

    private var sourceCosts: [[String]: UInt64] {
        seen.reduce(into: [:]) { costs, store in
            for (name, counts) in store.namedRows {
                costs[name] = costs[name, default: 0].clampedSum(counts[SourceCounts.sourceTime])
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

    /// One store of a process has its main loop.
    private func addLoops(_ readings: [StoreReading.Identity: StoreReading], to state: inout MetricState) {
        let places = state.loops?.indices ?? [:]
        for store in seen {
            guard let loop = store.loop else { continue }
            let growth = loop.growth(since: readings[store.id]?.loop ?? .zero)
            state.loops?.add(growth, to: places[store.process.program])
        }
    }

    /// Adds what the views and sources of each store grew by. Returns what was seen of the stores.
    private func addViews(
        _ readings: [StoreReading.Identity: StoreReading], to state: inout MetricState
    ) -> [StoreReading] {
        var (views, sources) = (state.views, state.sources ?? MetricGroup(width: 3))
        let taken = seen.map { store -> StoreReading in
            let earlier = readings[store.id]
            let ofViews = earlier.map { TakenNames(all: $0.views, named: $0.named, at: $0.at) }
            let ofRows = earlier.flatMap { reading in
                reading.rows.map { TakenNames(all: $0, named: reading.namedRows ?? [:], at: reading.at) }
            }
            var reading = StoreReading(
                store: store.id, at: state.at, counts: pointwiseMax(store.counts, earlier?.counts ?? .zero),
                views: pointwiseMax(store.views, earlier?.views ?? .zero),
                named: add(store.named, store.views, since: ofViews, to: &views, before.views))
            guard let loop = store.loop else { return reading }
            reading.loop = pointwiseMax(loop, earlier?.loop ?? .zero)
            reading.rows = pointwiseMax(store.rows, earlier?.rows ?? .zero)
            reading.namedRows = add(
                store.namedRows, store.rows, since: ofRows, to: &sources, before.sources ?? MetricGroup(width: 3))
            return reading
        }
        (state.views, state.sources) = (views, sources)
        return taken
    }

    /// What was seen of the names of a store: the sum over all, and those with a place.
    private struct TakenNames {
        let all: ViewCounts
        let named: [Int: ViewCounts]
        let at: Int64
    }

    /// Adds what names of a store grew by, which add up to a sum. Returns what was seen of those with a place.
    private func add(
        _ names: [[String]: ViewCounts], _ all: ViewCounts, since earlier: TakenNames?,
        to group: inout MetricGroup<ViewCounts>, _ before: MetricGroup<ViewCounts>
    ) -> [Int: ViewCounts] {
        let (places, earlierPlaces) = (group.indices, before.indices)
        // A daemon that was restarted may have the store before it has all its views.
        var (named, ofNamed) = (
            earlier.map { Self.moved($0.named, from: before, to: places) } ?? [:], ViewCounts.zero
        )
        for (name, counts) in names {
            guard let place = places[name] else { continue }
            let known = Self.known(counts, earlierPlaces[name], earlier, self.before.at)
            let growth = counts.growth(since: known)
            group.add(growth, to: place)
            ofNamed = ofNamed.clampedSum(growth)
            named[place] = pointwiseMax(counts, known)
        }
        group.add(all.growth(since: earlier?.all ?? .zero).growth(since: ofNamed), to: nil)
        return named
    }

    /// How much of a name with a place is in the sums already, its own or that of all others.
    private static func known(
        _ counts: ViewCounts, _ earlierPlace: Int?, _ earlier: TakenNames?, _ latest: Int64
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
        let (places, rowPlaces) = (state.views.indices, state.sources?.indices ?? [:])
        let recent = before.stores.filter { reading in
            let age = state.at.subtractingReportingOverflow(reading.at)
            return !present.contains(reading.store) && !age.overflow && age.partialValue < Self.longestAbsence
        }
        return recent.sorted { $0.at > $1.at }.prefix(Self.mostAbsent).map { reading in
            var reading = reading
            reading.named = Self.moved(reading.named, from: before.views, to: places)
            if let rows = reading.namedRows, let sources = before.sources {
                reading.namedRows = Self.moved(rows, from: sources, to: rowPlaces)
            }
            return reading
        }
    }

    /// Counts by the places before, by those of now; without the names that have none now.
    private static func moved(
        _ named: [Int: ViewCounts], from group: MetricGroup<ViewCounts>, to places: [[String]: Int]
    ) -> [Int: ViewCounts] {
        let moved = named.compactMap { place, counts in
            group.names.indices.contains(place) ? places[group.names[place]].map { ($0, counts) } : nil
        }
        return Dictionary(moved) { first, _ in first }
    }
}
