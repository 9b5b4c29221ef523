// SPDX-License-Identifier: MIT
// One store of one process as the daemon holds it.

import RerenderModel
import RerenderWire

/// What entries take of the daemon's memory, as estimated. Each store adds what it holds, so that a registry needs no sum of them.
final class MemoryUse {
    var bytes = 0
}

/// A store's state and views. Confined to the registry's event loop.
final class StoreEntry {
    /// Names the store within this daemon's life.
    let serial: UInt32
    var state: StoreState
    /// Views by the app's numbers.
    private(set) var views: [ViewEntry] = []
    /// How many views it has had.
    private var named: UInt32 = 0
    /// Event handlers by the app's numbers.
    private var handlers: [HandlerName] = []
    /// Cycles of this epoch by the app's numbers. Only ``put(_:at:_:)`` and a new epoch change it.
    var cycles: [Cycle] = []
    /// What goes on without input in this epoch, in the same way.
    var work: [IdleWork] = []
    /// What the main loop did in this epoch, if this store tells of it.
    var loop = LoopEntry()
    /// Sum of the views' counts in this epoch.
    private(set) var received: UInt64 = 0
    /// When the latest evaluation of any view in this epoch ended; the beginning of time before the first.
    private var lastRenderedAt = Timestamp(nanosecondsSince1970: 0)
    /// The numbers of the views whose bodies were never seen.
    private var notSeen: Set<UInt32> = []
    /// Hangs of this epoch, as the watchdog saw them.
    private(set) var hangs = StoreHangs()
    /// Hangs of views that the app has yet to name, by their numbers.
    private(set) var hangsOfUnnamed: [UInt32: HangTotals] = [:]
    /// The connection that told of the store last; 0 for none of this daemon's.
    var toldOn: UInt64 = 0
    /// Whether views were refused, so that some evaluations are in no view here.
    var refusedViews = false
    /// Evaluations that the process did not live to report.
    private(set) var lost: UInt64 = 0
    /// When the app said that the store is gone; nil while it lives.
    var endedAt: Timestamp?
    /// The text of the latest writer or chain.
    private var latestDetail = ""
    /// Estimated memory of the names and views.
    private(set) var bytes = 0 { didSet { memory?.bytes += bytes - oldValue } }
    /// Where it counts; nil while no registry has the store.
    var memory: MemoryUse? {
        didSet {
            oldValue?.bytes -= bytes
            memory?.bytes += bytes
        }
    }

    init(serial: UInt32, state: StoreState) {
        self.serial = serial
        self.state = state
        bytes = MemoryLayout<StoreState>.stride + 256 + state.textBytes
    }

    /// Replaces the app's own numbers and settings; the epoch is the one that is current.
    func replaceState(_ new: StoreState) {
        bytes += new.textBytes - state.textBytes
        state = new
    }

    /// Whether its app's connection has taken what the user has set, or that is nothing.
    var isConfigured = false

    var hasEnded: Bool { endedAt != nil }
    var hasHangs: Bool { hangs != StoreHangs() }

    /// Whether the store was there at a time. What is later than `now` is by a clock that has been set back since.
    func lived(at time: Timestamp, now: Timestamp = .now) -> Bool {
        let wasMadeLater = state.startedAt > time && state.startedAt <= now
        let hadEnded = endedAt.map { $0 < time || $0 > now } ?? false
        return !wasMadeLater && !hadEnded
    }

    // MARK: Names

    /// Adds the next view, or renames one; a view of another name starts from nothing.
    func declare(_ view: ViewDeclaration) {
        let index = Int(view.index)
        if index < views.count {
            guard views[index].key != view.key || views[index].file != view.file || views[index].line != view.line
            else { return }
            bytes -= views[index].bytes
            received &-= views[index].totals.count
            notSeen.remove(view.index)
            views[index] = ViewEntry(view)
            number(&views[index])
        } else {
            var record = ViewEntry(view)
            // Views of a file follow each other: share its name instead of holding it a thousand times.
            if let last = views.last, last.file == view.file { record.file = last.file }
            number(&record)
            views.append(record)
        }
        bytes += views[index].bytes
        if isNamed(view.index), let hangs = hangsOfUnnamed.removeValue(forKey: view.index) {
            bytes -= Self.unnamedBytes
            restore(hangs, ofView: view.index)
        }
    }

    /// A view that takes another one's place is another view.
    private func number(_ view: inout ViewEntry) {
        named &+= 1
        view.number = named
    }

    /// Adds the next handler, or renames one; none whose number leaves a gap.
    func declare(_ handler: HandlerDeclaration) {
        bytes += handlers.put(handler.name, at: Int(handler.index), Self.bytes)
    }

    /// Adds the next item of a list, or replaces one; none whose number leaves a gap.
    func put<Item: StoreItem>(_ item: Item, at index: Int, _ items: ReferenceWritableKeyPath<StoreEntry, [Item]>) {
        bytes += self[keyPath: items].put(item, at: index, \.bytes)
    }

    /// Replaces what is known of other threads.
    func receive(_ threads: [ThreadTime]) {
        bytes += LoopEntry.bytes(threads) - LoopEntry.bytes(loop.threads)
        loop.threads = threads
    }

    /// The name of a handler, if the app has told it.
    func handler(_ index: UInt32) -> HandlerName? { index < handlers.count ? handlers[Int(index)] : nil }

    /// What a handler takes in memory.
    static func bytes(_ name: HandlerName) -> Int {
        MemoryLayout<HandlerName>.stride + name.name.utf8.count + (name.view?.utf8.count ?? 0) + 64
    }

    /// The number of a view by its key; nil if the app has told of none.
    func number(ofView key: String) -> UInt32? {
        views.firstIndex { $0.isNamed && $0.key == key }.map { UInt32($0) }
    }

    /// Sets the text of a reason; of none that has no view, or whose number leaves a gap.
    func declare(_ reason: ReasonDeclaration) {
        let view = Int(reason.viewIndex)
        guard view < views.count else { return }
        let index = Int(reason.index)
        if index < views[view].reasons.count {
            if views[view].reasons[index].text != reason.text { forgetDetails(of: reason.index, in: view) }
            bytes -= ViewEntry.bytes(reason: views[view].reasons[index].text)
            views[view].reasons[index].text = reason.text
            views[view].reasons[index].attribution = reason.attribution
        } else if index == views[view].reasons.count {
            views[view].reasons.append(.init(text: reason.text, attribution: reason.attribution))
        } else {
            return
        }
        bytes += ViewEntry.bytes(reason: reason.text)
    }

    /// The number stands for another reason now, whose writers and chains are not known yet.
    private func forgetDetails(of reason: UInt8, in view: Int) {
        bytes -= views[view].details.removeAll(of: reason).reduce(0) { $0 + ViewEntry.bytes(detail: $1.text) }
    }

    /// Sets the text of a reason's writer or chain; of none whose view or reason is not known.
    func declare(_ detail: DetailDeclaration) {
        let view = Int(detail.viewIndex)
        guard view < views.count else { return }
        let isKnown = detail.reason == ViewTotals.otherReason || Int(detail.reason) < views[view].reasons.count
        guard isKnown else { return }
        // Rows have the writer of the row before them: share its name instead of holding it a thousand times.
        if latestDetail != detail.text { latestDetail = detail.text }
        let old = views[view].details.name(detail.reason, detail.slot, latestDetail)
        bytes += ViewEntry.bytes(detail: detail.text) - (old.map { ViewEntry.bytes(detail: $0) } ?? 0)
    }

    // MARK: Numbers

    /// Takes in a view's totals; the epoch is the store's and the view exists.
    func take(
        _ fields: ViewTotals, _ rest: TotalsRest, reasons reader: inout WireReader
    ) throws(WireError) {
        let index = Int(fields.index)
        received = received &- views[index].totals.count &+ fields.count
        if fields.count > 0 { lastRenderedAt = max(lastRenderedAt, fields.lastRenderedAt) }
        if fields.isNotSeen { notSeen.insert(fields.index) } else if !notSeen.isEmpty { notSeen.remove(fields.index) }
        try views[index].take(fields, rest, reasons: &reader)
    }

    /// Notes that the view changed; true if it was not noted before.
    func list(_ index: Int) -> Bool {
        guard !views[index].isListed else { return false }
        views[index].isListed = true
        return true
    }

    func count(_ hang: Hang, isMicroHang: Bool) {
        guard !isMicroHang else { return hangs.addMicro(hang) }
        hangs.add(hang)
        loop.hangs.add(hang)
        if isMicroHangWithoutWait(hang) { hangs.hangs.addMicro(nanoseconds: hang.nanosecondsOfApp) }
    }

    /// Whether it is a hang only because its thread had no processor for most of it, and what is left is a micro-hang. It is that on a machine
    /// with nothing else to do.
    func isMicroHangWithoutWait(_ hang: Hang) -> Bool {
        hang.verdict == .starved && !hang.isExcused
            && state.thresholds.length(of: hang, lasting: hang.nanosecondsOfApp) != .short
    }

    /// Counts what a view took of a micro-hang. A view without a name is not shown for that alone.
    func countMicroHang(of hang: Hang, view index: UInt32) {
        guard isNamed(index), let share = hang.share, hang.durationNanoseconds > 0 else { return }
        // Its part of the wait for a processor is not counted, as none of the store's is.
        let part = Double(share) * Double(hang.nanosecondsOfApp) / Double(hang.durationNanoseconds)
        views[Int(index)].hangs.addMicro(nanoseconds: UInt64(part))
    }

    /// The hangs of a view, which the app may have yet to name: its first evaluation may be the one that hung.
    func hangs(ofView index: UInt32) -> HangTotals {
        isNamed(index) ? views[Int(index)].hangs : hangsOfUnnamed[index] ?? HangTotals()
    }

    /// The numbers of the views that were blamed for hangs.
    var viewsWithHangs: [UInt32] {
        views.indices.filter { views[$0].hangs.count > 0 }.map { UInt32($0) } + hangsOfUnnamed.keys
    }

    /// What names a view for as long as the daemon runs.
    func handle(ofView index: Int) -> String { "v\(serial).\(views[index].number)" }

    /// Whether the view's name is known; a daemon after a crash knows the names of views with hangs only.
    func isNamed(_ index: UInt32) -> Bool { index < views.count && views[Int(index)].isNamed }

    /// What the hangs of a view without a name take in memory, for the budget.
    static let unnamedBytes = 2 * MemoryLayout<(UInt32, HangTotals)>.stride

    /// Takes over what an earlier daemon counted in the epoch.
    func restore(_ hangs: StoreHangs) {
        self.hangs = hangs
    }

    /// Sets the hangs of a view.
    func restore(_ hangs: HangTotals, ofView index: UInt32) {
        guard isNamed(index) else {
            let isKnown = hangsOfUnnamed[index] != nil
            guard isKnown || hangsOfUnnamed.count < WireLimits.keysPerProcess else { return }
            hangsOfUnnamed[index] = hangs
            bytes += isKnown ? 0 : Self.unnamedBytes
            return
        }
        views[Int(index)].hangs = hangs
        show(Int(index))
    }

    /// A view that hung is shown: it may have hung in its first evaluation.
    private func show(_ index: Int) {
        views[index].totals.epoch = state.epoch
        views[index].isReported = true
    }

    func unlist(_ index: Int) {
        if index < views.count { views[index].isListed = false }
    }

    /// Begins an epoch: everything is zero and the names stay.
    func begin(epoch: UInt32) {
        state.epoch = epoch
        state.evaluations = 0
        state.dropped = 0
        state.frames = FrameTotals()
        hangs = StoreHangs()
        bytes -= hangsOfUnnamed.count * Self.unnamedBytes
        hangsOfUnnamed = [:]
        notSeen = []
        bytes -= cycles.bytes + work.bytes + loop.bytes
        (cycles, work, loop) = ([], [], LoopEntry())
        received = 0
        lost = 0
        lastRenderedAt = Timestamp(nanosecondsSince1970: 0)
        for index in views.indices { views[index].clear() }
    }

    /// What it takes in memory as the export shows it, without views, as estimated.
    var shownBytes: Int {
        MemoryLayout<ProcessStats>.stride + 1_024 + state.textBytes + cycles.bytes + work.bytes + loop.bytes
            + loop.hangs.count * (MemoryLayout<SourceHangs>.stride + 512)
    }

    // MARK: What the process did not live to report

    /// Closes the account with what the process had counted: the flight page's number, where there is one.
    ///
    /// An epoch on the page that is newer than ours means that the store was reset and we never heard of it: what we
    /// hold is void, and all that was counted since is lost. An older one means that the page is not to be believed.
    func settle(with page: FlightPage.Store?) {
        if let page, page.epoch >= state.epoch {
            if page.epoch > state.epoch { begin(epoch: page.epoch) }
            state.evaluations = max(state.evaluations, page.evaluations)
        }
        let known = received.clampedSum(state.dropped)
        lost = state.evaluations > known ? state.evaluations - known : 0
    }

    /// The process lives after all: nothing of it is lost.
    func reopen() {
        lost = 0
    }

    /// Takes over what was settled in an earlier life of the daemon.
    func restore(lost: UInt64) {
        self.lost = lost
    }

    /// Evaluations that are in no view: the app's own drops, and those of the views that we refused.
    private var dropped: UInt64 {
        let known = received.clampedSum(state.dropped).clampedSum(lost)
        guard refusedViews, state.evaluations > known else { return state.dropped }
        return state.dropped.clampedSum(state.evaluations - known)
    }

    /// Whether the process is connected and uses the store.
    func isConnected(in process: ProcessEntry) -> Bool { process.connection != nil && !hasEnded }

    /// The store as the export shows it, without views.
    func stats(of process: ProcessEntry) -> ProcessStats {
        var stats = ProcessStats(state, hangs: hangs, pid: process.identity.pid, name: process.name)
        stats.connected = isConnected(in: process)
        stats.lastRenderedAt = lastRenderedAt.nanosecondsSince1970 > 0 ? lastRenderedAt : nil
        stats.dropped = dropped
        stats.lost = lost
        stats.cycles = cycles.isEmpty ? nil : cycles
        stats.idleWork = work.isEmpty ? nil : work
        stats.loop = loop.stats(isAlive: stats.connected)
        stats.hangsOfSources = loop.hangs.isEmpty ? nil : loop.hangs
        stats.notSeenViews = NotSeenViews(notSeen.lazy.map { [views] in ViewKey(rawValue: views[Int($0)].key) })
        let known = received.clampedSum(stats.dropped).clampedSum(lost)
        // The store's own number has what is on its way: while a program tells more, the sum is that of its views.
        stats.evaluations = stats.connected ? known : max(state.evaluations, known)
        return stats
    }
}

extension StoreItem {
    /// What it takes in memory, as estimated.
    var bytes: Int {
        texts.reduce(MemoryLayout<Self>.stride) { $0 + MemoryLayout<String?>.stride + ($1?.utf8.count ?? 0) }
    }
}

extension Array where Element: StoreItem {
    /// What all of them take.
    var bytes: Int { reduce(0) { $0 + $1.bytes } }
}

extension StoreState {
    /// What its texts take.
    fileprivate var textBytes: Int { gaps.reduce(name.utf8.count) { $0 + $1.utf8.count + MemoryLayout<String>.stride } }
}
