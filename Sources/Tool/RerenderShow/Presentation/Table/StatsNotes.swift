// SPDX-License-Identifier: MIT
// The lines above the table: connected processes, and missing data.

/// The lines above the table of views.
package struct StatsNotes: Sendable {
    package let stores: [ProcessStats]
    package let health: HealthReport?
    package let order: StatsOrder
    private let labels: StoreLabels

    package init(stores: [ProcessStats], health: HealthReport?, order: StatsOrder) {
        (self.stores, self.health, self.order) = (stores, health, order)
        labels = StoreLabels(stores)
    }

    /// Stores that are listed by themselves; the others are counted.
    static let listedStores = 8

    /// The connected stores, then what is missing. Not yet fitted to a width.
    package var lines: [StyledLine] {
        (stores.count == 1 ? [] : [summary]) + storeLines + frameLines + idleLines + warnings
    }

    private var summary: StyledLine {
        let processes = Dictionary(grouping: stores, by: \.pid).values
        let connected = processes.count { $0.contains(where: \.connected) }
        let evaluations = stores.reduce(UInt64(0)) { $0 &+ $1.evaluations }
        let text =
            "\(Counted.text(connected, "process", "processes")) connected, \(processes.count - connected) ended; "
            + "\(Counted.text(stores.count, "store")), \(Counted.text(evaluations, "evaluation")), by \(order.rawValue)"
        return StyledLine(text: text)
    }

    private var storeLines: [StyledLine] {
        let ordered = stores.sorted {
            $0.connected != $1.connected ? $0.connected : $0.evaluations > $1.evaluations
        }
        let listed = ordered.prefix(Self.listedStores).map(line)
        let others = ordered.dropFirst(Self.listedStores)
        guard !others.isEmpty else { return listed }
        let connected = others.count(where: \.connected)
        let text = "and \(Counted.text(others.count, "more store")) (\(connected) connected): see --process NAME"
        return listed + [StyledLine(text: text, style: .dim)]
    }

    private func line(_ store: ProcessStats) -> StyledLine {
        let state = store.connected ? "connected" : "ended"
        // Only what is connected can be enabled; a program that `rerenderctl off` switched off has ended its connection.
        let remedy =
            store.connected
            ? ", DISABLED (enable with: rerenderctl config set enabled=true)" : ", disabled at its end"
        let off = store.enabled ? "" : remedy
        let text =
            "\(labels.full(store)): \(state), \(Counted.text(store.evaluations, "evaluation"))\(Self.loop(store))"
        return StyledLine(text: text + off, style: store.connected ? .plain : .dim)
    }

    /// What the frames of each process cost, where they are seen.
    private var frameLines: [StyledLine] {
        stores.filter { $0.frames != nil }.prefix(Self.listedStores).compactMap { store in
            store.frames.map { StyledLine(text: "\(labels.full(store)): \(FrameText.summary($0))") }
        }
    }

    /// What goes on without input, where somebody tells of that.
    private var idleLines: [StyledLine] { IdleText.lines(stores).map { StyledLine(text: $0) } }

    /// Empty without a watched main loop: many processes have none.
    private static func loop(_ store: ProcessStats) -> String {
        store.mainLoop == .none ? "" : ", main loop \(store.mainLoop.rawValue)"
    }

    /// What is missing from the numbers.
    package var warnings: [StyledLine] {
        let lost = missing(\.lost, "LOST", "the process ended before it reported them")
        let dropped = missing(\.dropped, "DROPPED", "too many keys in one process")
        let evaluations = (lost + dropped).map { $0 + "; they are not in the table" }
        return (evaluations + daemonDrops + unwatched).map {
            StyledLine(text: "! " + $0, style: .bad)
        }
    }

    private func missing(_ amount: KeyPath<ProcessStats, UInt64>, _ name: String, _ why: String) -> [String] {
        let concerned = stores.filter { $0[keyPath: amount] > 0 }
        guard concerned.count > Self.listedStores else {
            return concerned.map {
                "\(Counted.text($0[keyPath: amount], "evaluation")) \(name) in \(labels.full($0)): \(why)"
            }
        }
        let all = concerned.reduce(UInt64(0)) { $0 &+ $1[keyPath: amount] }
        return ["\(Counted.text(all, "evaluation")) \(name) in \(Counted.text(concerned.count, "store")): \(why)"]
    }

    private var daemonDrops: [String] {
        let causes = health?.dropped.causes ?? []
        guard !causes.isEmpty else { return [] }
        return ["dropped by the daemon since it started: " + causes.joined(separator: ", ")]
    }
}

extension StatsNotes {
    private var unwatched: [String] { health?.watchdog.unwatchedTurns.map { [$0 + Self.mayBeMissing] } ?? [] }

    /// The consequence of unwatched turns.
    package static let mayBeMissing = " since the daemon started: hangs may be missing"
}
