// SPDX-License-Identifier: MIT
// Finds the view that a typed key means.

import RerenderShow

/// Which stores a command can do something with.
enum ViewReach: Sendable {
    /// Those that are connected.
    case connected
    /// Those that the daemon knows; of a key that several have, the connected ones are meant.
    case known
}

/// A view of one store.
struct ViewTarget: Sendable {
    let store: ProcessStats
    let key: ViewKey

    /// Finds the view among those of the stores that are in reach and selected.
    static func find(
        _ wanted: String, _ selection: SelectionOptions, _ session: Session, reach: ViewReach = .connected
    ) async throws -> ViewTarget {
        var names = KeyIndex(wanted: wanted, reach: reach)
        var query = StatsQuery(process: selection.choice.process)
        query.hasHandles = isHandle(wanted)
        let stores = try await session.client.export(query).processes
        if query.hasHandles, let target = try handled(wanted, stores, selection, reach) { return target }
        for store in stores {
            names.enter(store.with(views: []), counts: selection.choice.fits(store))
            for key in store.views.map(\.key).sorted() { names.add(key) }
            // A widget that is not visible was never drawn, and can be explained nevertheless.
            let facts = reach == .known ? FactText.keys(of: store, beside: stores) : []
            for key in facts { names.add(key) }
        }
        if reach == .known, selection.isGiven, !names.hasReachable {
            throw selection.choice.fitsNone(of: try await session.processes())
        }
        return try names.target()
    }

    /// Whether a text is a handle: `v3.12`.
    static func isHandle(_ text: String) -> Bool { text.wholeMatch(of: /v[0-9]+\.[0-9]+/) != nil }

    /// The view with a handle; nil where a view has the text as its key. Throws status 64 where it is neither: it never means another view.
    static func handled(
        _ handle: String, _ stores: [ProcessStats], _ selection: SelectionOptions, _ reach: ViewReach
    ) throws(ToolFailure) -> ViewTarget? {
        if stores.contains(where: { $0.views.contains { $0.key.rawValue == handle } }) { return nil }
        for store in stores where selection.choice.fits(store) && (store.connected || reach == .known) {
            if let view = store.views.first(where: { $0.handle == handle }) {
                return ViewTarget(store: store, key: view.key)
            }
        }
        throw .usage(
            "no view has the ID \(handle): IDs are those of one daemon while it runs.\n"
                + "See: rerenderctl stats --columns id,count")
    }

    /// The first view that the verdict names in the selected stores, or else the one that takes most time. Throws status 64 where there
    /// is none.
    ///
    /// Cycles are left out: their first step may be a handler.
    static func costliest(_ selection: SelectionOptions, _ session: Session) async throws -> ViewTarget {
        let query = StatsQuery(.time, limit: 1, process: selection.choice.process)
        let export = try await session.client.export(query)
        for finding in export.verdict?.findings ?? [] where finding.kind != .cycle && finding.kind.isFinding {
            guard let key = finding.view else { continue }
            guard finding.storeNumber != nil else {
                // It is of a process, whichever of its stores has the view.
                let target = try? await find(key.rawValue, selection, session, reach: .known)
                if let target, target.store.pid == finding.pid { return target }
                continue
            }
            let store = export.processes.first { $0.pid == finding.pid && $0.storeNumber == finding.storeNumber }
            guard let store, selection.choice.fits(store) else { continue }
            return ViewTarget(store: store, key: key)
        }
        // What costs most is of no view. Then it is the view that takes most time.
        for store in export.processes where selection.choice.fits(store) {
            if let view = store.views.first { return ViewTarget(store: store, key: view.key) }
        }
        let stores = export.processes.filter(selection.choice.fits)
        let reasons = stores.isEmpty ? Guidance.noStores(off: SwitchState.place) : EmptyText.views(stores)
        let none = "there is no \(StoreWords(stores).noun) to explain yet."
        throw ToolFailure.usage(
            ([none] + reasons + ["See the keys with: rerenderctl stats"]).joined(separator: "\n"))
    }
}

/// Collects the views that a typed key may mean.
///
/// The same key is better than a part of one. Holds what fits and the names of the rest, and nothing else of an export.
struct KeyIndex: Sendable {
    /// The most that an error lists.
    static let listed = 10

    private let wanted: String
    private let reach: ViewReach
    private var store: ProcessStats?
    private var exact: [ViewTarget] = []
    private var partial: [ViewTarget] = []
    private var others: Set<String> = []
    private var ended: Set<String> = []
    private(set) var hasReachable = false
    /// Whether a store in reach has counted an evaluation; one that found no room under the limit is in no view.
    private var hasEvaluated = false

    init(wanted: String, reach: ViewReach = .connected) {
        self.wanted = wanted
        self.reach = reach
    }

    /// The keys that follow belong to this store; those of a store that does not count are skipped.
    mutating func enter(_ store: ProcessStats, counts: Bool) {
        self.store = counts ? store : nil
        guard counts, isReachable(store) else { return }
        hasReachable = true
        hasEvaluated = hasEvaluated || store.evaluations > 0
    }

    /// Adds a key of the store that was entered last.
    mutating func add(_ key: ViewKey) {
        guard let store else { return }
        let target = ViewTarget(store: store, key: key)
        if !isReachable(store) {
            if key.rawValue == wanted { ended.insert(StoreLabels.full(store)) }
        } else if key.rawValue == wanted {
            exact.append(target)
        } else if key.rawValue.contains(wanted) {
            partial.append(target)
        } else {
            others.insert(key.rawValue)
        }
    }

    /// The one view.
    ///
    /// Throws status 64 with a list of the matches, or with similar names.
    func target() throws(ToolFailure) -> ViewTarget {
        let all = exact.isEmpty ? partial : exact
        let live = all.filter(\.store.connected)
        let fitting = live.isEmpty ? all : live
        if fitting.count == 1, let only = fitting.first { return only }
        guard fitting.isEmpty else { throw .usage(ambiguous(fitting)) }
        throw .usage(unknown)
    }

    private func isReachable(_ store: ProcessStats) -> Bool { store.connected || reach == .known }

    private func ambiguous(_ fitting: [ViewTarget]) -> String {
        let labels = StoreLabels(fitting.map(\.store))
        let lines = fitting.prefix(Self.listed).map { "  \($0.key.displayName)  in \(labels.full($0.store))" }
        let rest = fitting.count - lines.count
        let more = rest > 0 ? ["  and \(rest) more: rerenderctl stats --sort key"] : []
        let advice =
            exact.isEmpty
            ? "Use the whole key." : "Choose with --process PID or --store NAME (or NAME#NUMBER, as listed)."
        return (["\"\(Printable.text(wanted))\" matches \(fitting.count) views:"] + lines + more + [advice])
            .joined(separator: "\n")
    }

    private var unknown: String {
        let name = Printable.text(wanted)
        // Before the ended ones: an app that was reset knows its views by what it evaluates next.
        guard !hasReachable || hasEvaluated || !others.isEmpty else {
            return "no view is known because nothing was evaluated since the start or the last reset; "
                + "use the view and try again"
        }
        guard ended.isEmpty else {
            return "\"\(name)\" is only known from ended processes (\(ended.sorted().joined(separator: ", "))), "
                + "which can no longer show it."
        }
        guard hasReachable else {
            let missing =
                reach == .connected
                ? "no process that could show \"\(name)\" is connected"
                : "no process that could have \"\(name)\" is known"
            return "\(missing).\nSee: rerenderctl stats"
        }
        let near = NearName.find(wanted, among: others).map { Printable.text($0) }
        let advice =
            near.isEmpty
            ? "See the keys with: rerenderctl stats --sort key" : "Similar: \(near.joined(separator: ", "))"
        return "no \(reach == .connected ? "connected view" : "view") is called \"\(name)\".\n\(advice)"
    }
}
