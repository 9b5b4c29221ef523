// SPDX-License-Identifier: MIT
// Which views an export shows, line by line, and the text of long answers, made while it is read.

import RerenderModel
import RerenderWire

/// The views of an export by their numbers: four bytes for each, however slowly the export is read.
struct ExportPlan {
    /// All but the processes.
    let export: StatsExport
    /// The stores by their serial numbers, oldest first, each with the numbers of its views in their order.
    let stores: [(serial: UInt32, views: [UInt32])]
    /// Whether views have their handles.
    var hasHandles = false

    /// How many stores and views it has.
    var elements: Int { stores.reduce(stores.count) { $0 + $1.views.count } }
}

/// The lines of an export; each store and each view is as it is when its turn comes.
struct ExportLines {
    /// The store was forgotten after some of its views: what was said of it cannot be taken back.
    struct Forgotten: Error {}

    private let registry: Registry
    private let plan: ExportPlan
    private var hasBegun = false
    private var store = 0
    /// The place of the store's next view; nil before the store itself.
    private var view: Int?

    init(_ plan: ExportPlan, of registry: Registry) {
        (self.plan, self.registry) = (plan, registry)
    }

    /// The next line; nil behind the last.
    mutating func next() throws(Forgotten) -> ExportLine? {
        guard hasBegun else {
            hasBegun = true
            return ExportLine(export: plan.export)
        }
        while store < plan.stores.count {
            let (serial, views) = plan.stores[store]
            let known = registry.storesBySerial[serial]
            if let place = view, place < views.count {
                guard let entry = known?.store else { throw Forgotten() }
                view = place + 1
                let index = Int(views[place])
                // After a reset it has nothing to show.
                guard index < entry.views.count, entry.views[index].isReported else { continue }
                var stats = entry.views[index].stats
                if plan.hasHandles { stats.handle = entry.handle(ofView: index) }
                return ExportLine(view: stats)
            } else if view == nil, let known {
                view = 0
                return ExportLine(process: known.store.stats(of: known.process))
            } else {
                (store, view) = (store + 1, nil)
            }
        }
        return nil
    }
}

extension Registry {
    /// Finds the views that a query asks for, and judges all of the stores, whichever views are listed.
    func plan(_ query: StatsQuery, now: Timestamp = .now) -> ExportPlan {
        let chosen = stores(of: query.process).compactMap { storesBySerial[$0] }
        let verdict = Self.verdict(of: chosen, now: now)
        let (views, matching) = ViewRanking(query, chosen, verdict).views()
        var export = StatsExport(generatedAt: now, processes: [], verdict: verdict)
        if query.limit != nil { export.matchingViews = matching }
        let stores = zip(chosen, views).map { ($0.store.serial, $1) }
        return ExportPlan(export: export, stores: stores, hasHandles: query.hasHandles)
    }

    /// How many stores and views an answer has at most. Looks at no view.
    func mostElements(of query: StatsQuery) -> Int {
        let chosen = processes.filter { $0.matches(query.process) }
        let views = chosen.reduce(0) { $0 + $1.viewCount }
        return chosen.reduce(min(views, query.limit ?? views)) { $0 + $1.stores.count }
    }

    /// The export as a value.
    func export(_ query: StatsQuery, now: Timestamp = .now) -> StatsExport {
        let plan = plan(query, now: now)
        var (lines, export) = (ExportLines(plan, of: self), plan.export)
        while let line = try? lines.next() { export.add(line) }
        return export
    }

    private static func verdict(
        of stores: [(process: ProcessEntry, store: StoreEntry)], now: Timestamp
    ) -> Verdict? {
        var builder = VerdictBuilder(now: now)
        for (process, store) in stores {
            let (stats, views) = (store.stats(of: process), store.views)
            builder.begin(stats)
            for index in views.indices where views[index].isReported && views[index].hasCosts(in: stats.kind) {
                builder.add(views[index].costs)
            }
        }
        for missing in builder.missingPlaces {
            let views = stores.lazy.filter { $0.process.identity.pid == missing.pid }.flatMap { $0.store.views }
            guard
                let view = views.first(where: { $0.isReported && $0.key == missing.view.rawValue && !$0.file.isEmpty })
            else { continue }
            builder.setPlace(of: missing.view, in: missing.pid, file: view.file, line: view.line)
        }
        return builder.verdict
    }

    /// Stores without their views, each as it is when its turn comes. One that was forgotten before is left out.
    func stats(of stores: [UInt32]) -> some Sequence<ProcessStats> {
        stores.lazy.compactMap { self.storesBySerial[$0] }.map { $0.store.stats(of: $0.process) }
    }

    /// The serial numbers of the stores of the processes that fit a pid or a name, oldest first; all without one. Only those
    /// that are wanted.
    func stores(
        of selection: String?, where isWanted: (StoreEntry, ProcessEntry) -> Bool = { _, _ in true }
    ) -> [UInt32] {
        var keys: [(startedAt: Int64, pid: Int32, serial: UInt32)] = []
        for process in processes where process.matches(selection) {
            for store in process.stores where isWanted(store, process) {
                keys.append((store.state.startedAt.nanosecondsSince1970, process.identity.pid, store.serial))
            }
        }
        return keys.sorted { $0 < $1 }.map(\.serial)
    }
}

extension ProcessEntry {
    /// Whether a pid or a name means this process; nil means every one.
    func matches(_ selection: String?) -> Bool {
        guard let selection else { return true }
        return selection.isSame(as: name) || selection.isSame(as: "\(identity.pid)")
    }
}

extension ViewEntry {
    /// Whether there is anything to judge; most views have nothing.
    fileprivate func hasCosts(in kind: StoreKind?) -> Bool {
        if kind != .widgets, totals.layoutNanoseconds > 0 { return true }
        return hangs.count > 0 || hangs.microNanoseconds > 0 || totals.waste.nanoseconds > 0
            || totals.waste.unjudged > 0
    }

    /// What the verdict looks at.
    fileprivate var costs: ViewCosts {
        let chains = details.records.lazy.filter { $0.count > 0 && DetailSlot.chains.contains($0.slot) }.map {
            ChainCount(chain: $0.text, count: $0.count)
        }
        return ViewCosts(
            totals, hangs: hangs, key: ViewKey(rawValue: key), file: file, line: line,
            root: totals.waste.nanoseconds > 0 ? CauseRoot(chains) : nil)
    }
}

/// Makes a text piece by piece, as fast as its client reads. Confined to the event loop.
final class AnswerText {
    /// JSON lines, or one document.
    let isLines: Bool
    /// How many elements it has at most, each of some kilobytes.
    let elements: Int
    private(set) var hasBegun = false
    private(set) var isDone = false
    private let next: () throws -> [UInt8]?

    /// - Parameter next: The text of the next element; nil behind the last. Throws where the rest cannot be told.
    private init(elements: Int, isLines: Bool, next: @escaping () throws -> [UInt8]?) {
        (self.elements, self.isLines, self.next) = (elements, isLines, next)
    }

    /// An export as it is while it is read.
    convenience init(_ plan: ExportPlan, of registry: Registry, isLines: Bool) {
        self.init(elements: plan.elements, isLines: isLines, of: registry) { plan }
    }

    /// An export whose plan is made for the first piece. Until then it costs nothing: a client may want the headers alone, or get no place.
    ///
    /// - Parameter elements: How many stores and views there are at most.
    convenience init(elements: Int, isLines: Bool, of registry: Registry, plan: @escaping () -> ExportPlan) {
        var (known, writer): (ExportLines?, ExportWriter) = (nil, ExportWriter())
        self.init(elements: elements, isLines: isLines) {
            var lines = known ?? ExportLines(plan(), of: registry)
            let line = try lines.next()
            known = lines
            guard let line else { return writer.end() }
            return try isLines ? JSONLine.text(line) : writer.add(line)
        }
    }

    /// A document with one list, whose elements are made when their turn comes.
    ///
    /// - Parameter count: How many there are at most.
    convenience init<Elements: Sequence>(
        _ document: some Encodable, list: String, count: Int, _ elements: Elements
    ) where Elements.Element: Encodable {
        var (text, left): (ListText?, Elements.Iterator) = (nil, elements.makeIterator())
        self.init(elements: count, isLines: false) {
            guard text != nil else {
                text = try ListText(document, list: list)
                return text?.beginning
            }
            if let element = left.next() { return try text?.add(element) }
            return text?.end()
        }
    }

    /// The next bytes, about `size` of them; the last where ``isDone`` is true afterwards.
    func piece(size: Int) throws -> [UInt8] {
        hasBegun = true
        var bytes: [UInt8] = []
        while bytes.count < size {
            guard let more = try next() else {
                isDone = true
                // So that a shell's prompt begins on a line of its own.
                if !isLines { bytes.append(UInt8(ascii: "\n")) }
                break
            }
            bytes += more
        }
        return bytes
    }
}
