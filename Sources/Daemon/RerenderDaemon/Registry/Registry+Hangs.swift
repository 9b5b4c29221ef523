// SPDX-License-Identifier: MIT
// What the watchdog sees, in the registry's names: hangs of processes, with the keys of their views.

import RerenderModel
import RerenderQuery
import RerenderWire

extension Registry {
    /// A report of the watchdog as a hang of a process that is known, or was.
    func hang(_ report: HangReport, of identity: ProcessInstance) -> Hang {
        let process = process(identity)
        var hang = Hang(
            id: report.id, pid: identity.pid, process: process?.name ?? "", startedAt: report.startedAt,
            turn: report.turn)
        hang.durationNanoseconds = report.duration
        hang.open = report.ended == nil
        hang.view = report.view.flatMap { key(of: $0, in: process) }
        hang.attribution = hang.view == nil ? .none : report.attribution
        hang.lastRendered = report.last.flatMap { key(of: $0, in: process) }
        hang.verdict = report.verdict
        hang.waitingOn = report.waitingOn
        hang.shares = report.shares.map {
            Hang.Share(view: key(of: $0.view, in: process) ?? Self.namelessView, nanoseconds: $0.nanoseconds)
        }
        if report.otherNanoseconds > 0 {
            hang.shares.append(
                Hang.Share(view: ViewKey(rawValue: ShareName.otherViews), nanoseconds: report.otherNanoseconds))
        }
        hang.unattributedNanoseconds = report.unattributed
        hang.ended = report.ended
        hang.counts = report.counts
        hang.openedAfterNanoseconds = report.openedAfter
        hang.watchdogLatenessNanoseconds = report.lateness
        return hang
    }

    /// In the place of a view that the app has not told us of.
    private static let namelessView = ViewKey(rawValue: "(a view without a name)")

    /// Whether the app has yet to say what a view in the report is called.
    func hasNamelessView(_ report: HangReport, of identity: ProcessInstance) -> Bool {
        let process = process(identity)
        let views = [report.view, report.last].compactMap(\.self) + report.shares.map(\.view)
        return views.contains { key(of: $0, in: process) == nil }
    }

    /// A view's whole key; what its flight page has of it where the app has not yet said more.
    private func key(of view: FlightView, in process: ProcessEntry?) -> ViewKey? {
        if let store = process?.store(view.storeID), view.index < store.views.count {
            return ViewKey(rawValue: store.views[Int(view.index)].key)
        }
        return view.key.isEmpty ? nil : ViewKey(rawValue: view.key)
    }

    /// What the app is told of a hang that ended.
    func notice(_ report: HangReport, _ hang: Hang) -> HangNotice {
        var notice = HangNotice(
            id: report.id, startedAt: hang.startedAt, durationNanoseconds: report.duration, turn: report.turn)
        if let view = hang.view, let blamed = report.view {
            notice.view = view.rawValue
            notice.viewStoreID = blamed.storeID
            notice.viewIndex = blamed.index
            notice.viewEpoch = blamed.epoch
        }
        notice.lastRendered = hang.lastRendered?.rawValue ?? ""
        notice.attribution = hang.attribution
        notice.verdict = hang.verdict
        notice.waitingOn = hang.waitingOn ?? ""
        notice.shares = hang.shares
        notice.unattributedNanoseconds = hang.unattributedNanoseconds
        return notice
    }

    /// Notes that the next notice was sent to the app, and who in it will count it by what is known of its thresholds.
    func sentNextNotice(to process: ProcessEntry) {
        guard let notice = process.notices.next else { return }
        let stores = latestStores(of: process, madeBefore: .max).filter {
            !$0.hasEnded && $0.length(of: notice) != .short
        }
        let view = stores.contains { $0.length(of: notice) == .hang && $0.blames(notice) }
        process.notices.sentNext(stores: Set(stores.map(\.state.storeID)), view: view)
    }

    /// Counts a hang, or micro-hang, of a program that did not live to count it itself.
    ///
    /// By each store's own thresholds, as the app does. Stores that were made after its end are of the next program.
    func countHangOfDeadProgram(_ notice: HangNotice, of process: ProcessEntry) {
        count(NoticeLedger.Entry(notice: notice), of: process)
    }

    /// Counts what the process was told, or was to be told, and did not live to confirm.
    func settleNotices(of process: ProcessEntry) {
        for entry in process.notices.take() { count(entry, of: process) }
    }

    private func count(_ entry: NoticeLedger.Entry, of process: ProcessEntry) {
        let notice = entry.notice
        let end = notice.startedAt.nanosecondsSince1970.addingReportingOverflow(
            Int64(clamping: notice.durationNanoseconds)
        ).partialValue
        for store in latestStores(of: process, madeBefore: end) {
            let length = store.length(of: notice)
            var hasChanged = false
            if entry.owedBy?.contains(store.state.storeID) ?? true, length != .short {
                store.addHang(nanoseconds: notice.durationNanoseconds, isMicro: length == .microHang)
                hasChanged = true
            }
            if entry.owedBy == nil || entry.isOwedByView, length == .hang, store.blames(notice) {
                store.addHang(nanoseconds: notice.durationNanoseconds, toView: Int(notice.viewIndex))
                hasChanged = true
            }
            if hasChanged { changesOf(store, .disconnected) }
        }
    }

    /// The latest store of each number among those that were there by then.
    private func latestStores(of process: ProcessEntry, madeBefore end: Int64) -> [StoreEntry] {
        var latest: [UInt32: StoreEntry] = [:]
        for store in process.stores where store.state.startedAt.nanosecondsSince1970 <= end {
            latest[store.state.storeID] = store
        }
        return process.stores.filter { latest[$0.state.storeID] === $0 }
    }
}

/// What a turn is by a store's thresholds.
private enum Length {
    case short, microHang, hang
}

extension StoreEntry {
    fileprivate func length(of notice: HangNotice) -> Length {
        let duration = notice.durationNanoseconds
        if duration >= UInt64(state.hangThresholdMilliseconds) &* 1_000_000 { return .hang }
        return duration >= UInt64(state.microHangThresholdMilliseconds) &* 1_000_000 ? .microHang : .short
    }

    /// Whether the blamed view is one of the store's in its current epoch: after a reset it would be a hang that no
    /// evaluation of the epoch can explain.
    fileprivate func blames(_ notice: HangNotice) -> Bool {
        !notice.view.isEmpty && notice.viewStoreID == state.storeID && notice.viewEpoch == state.epoch
            && notice.viewIndex < views.count
    }

    /// Counts a hang for the process, which is dead.
    fileprivate func addHang(nanoseconds: UInt64, isMicro: Bool) {
        if isMicro { state.microHangs &+= 1 } else { state.hangs.add(nanoseconds: nanoseconds) }
    }
}
