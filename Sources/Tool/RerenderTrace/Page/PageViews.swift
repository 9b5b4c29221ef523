// SPDX-License-Identifier: MIT
// The views of a page: the report's, in the order of their waste, and where the timeline's lanes are among them.

internal import RerenderModel

/// Gives views and processes their places on the page.
struct PageViews {
    /// A view of a store, whose name another one of its process may have.
    private struct ID: Hashable {
        let pid: Int32
        let store: StoreNumber
        let key: String
    }

    private struct Key: Hashable {
        let pid: Int32
        let key: String
    }

    private(set) var views: [ReportPage.View] = []
    private(set) var processes: [ReportPage.Process] = []
    private var processPlaces: [Int32: Int] = [:]
    private var byID: [ID: Int] = [:]
    private var byKey: [Key: Int] = [:]

    init(_ report: TraceReport) {
        let missing = Dictionary(grouping: report.missing, by: \.place).mapValues { views in
            Dictionary(views.map { ($0.key, $0.before &+ $0.between) }, uniquingKeysWith: &+)
        }
        let stores = report.export.processes
        for store in stores { enter(pid: store.pid, name: store.name) }
        let all = stores.indices.flatMap { store in stores[store].views.map { (store: store, stats: $0) } }
        for (store, stats) in all.sorted(by: { Self.isBefore($0.stats, $1.stats) }) {
            let (pid, key) = (stores[store].pid, stats.key.rawValue)
            var view = ReportPage.View(key: stats.key.displayName, process: place(ofProcess: pid))
            view.take(stats)
            view.missing = missing[store]?[stats.key] ?? 0
            if byKey[Key(pid: pid, key: key)] == nil { byKey[Key(pid: pid, key: key)] = views.count }
            byID[ID(pid: pid, store: report.storeNumbers[store], key: key)] = views.count
            views.append(view)
        }
    }

    /// Most wasted time first, then most time, then by name.
    private static func isBefore(_ left: Stats, _ right: Stats) -> Bool {
        if left.wasted.nanoseconds != right.wasted.nanoseconds {
            return left.wasted.nanoseconds > right.wasted.nanoseconds
        }
        if left.body.totalNanoseconds != right.body.totalNanoseconds {
            return left.body.totalNanoseconds > right.body.totalNanoseconds
        }
        return left.key < right.key
    }

    private mutating func enter(pid: Int32, name: String) {
        guard processPlaces[pid] == nil else { return }
        processPlaces[pid] = processes.count
        processes.append(ReportPage.Process(pid: pid, name: Printable.text(name)))
    }

    /// A process's place; one that the report has no views of is entered.
    mutating func place(ofProcess pid: Int32) -> Int {
        enter(pid: pid, name: "")
        return processPlaces[pid] ?? 0
    }

    /// The place of the view of that key, in whichever store; entered without numbers if the report has none.
    mutating func place(of key: String, pid: Int32) -> Int {
        if let known = byKey[Key(pid: pid, key: key)] { return known }
        views.append(ReportPage.View(key: Printable.text(key), process: place(ofProcess: pid)))
        byKey[Key(pid: pid, key: key)] = views.count - 1
        return views.count - 1
    }

    /// The places of a timeline's lanes. One whose counts were reset since is entered without numbers.
    mutating func places(of lanes: [PageViewID], _ histograms: [PageHistogram], _ texts: TraceTexts) -> [UInt32] {
        var places = [UInt32](repeating: 0, count: lanes.count)
        for (lane, id) in lanes.enumerated() {
            let key = texts[id.key]
            var place = byID[ID(pid: id.pid, store: id.store, key: key)]
            if place == nil {
                views.append(ReportPage.View(key: Printable.text(key), process: self.place(ofProcess: id.pid)))
                place = views.count - 1
            }
            guard let place else { continue }
            places[lane] = UInt32(place)
            views[place].histogram = histograms[lane]
        }
        return places
    }
}

extension ReportPage.View {
    /// Takes the report's numbers.
    fileprivate mutating func take(_ stats: Stats) {
        file = Printable.text(stats.file)
        line = stats.line
        count = stats.count
        wasted = stats.wasted.count
        wastedNanoseconds = stats.wasted.nanoseconds
        averageNanoseconds = stats.body.averageNanoseconds
        p50Nanoseconds = stats.body.p50Nanoseconds
        p95Nanoseconds = stats.body.p95Nanoseconds
        maxNanoseconds = stats.body.maxNanoseconds
        totalNanoseconds = stats.body.totalNanoseconds
        hangs = stats.hangs.count
        reasons = stats.reasons.map { reason in
            ReportPage.Reason(
                reason: Printable.text(reason.reason), count: reason.count,
                attribution: reason.attribution?.rawValue ?? "", writers: reason.writers.map(ReportPage.Writer.init),
                chains: reason.chains.map {
                    ReportPage.Chain(chain: Printable.text($0.chain), count: $0.count)
                })
        }
    }
}

extension ReportPage.Writer {
    /// Takes a writer of the report.
    init(_ count: WriterCount) {
        self.init(writer: Printable.text(count.writer), count: count.count)
    }
}
