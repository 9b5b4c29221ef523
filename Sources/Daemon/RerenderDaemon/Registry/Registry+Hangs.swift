// SPDX-License-Identifier: MIT
// What the watchdog sees, in the registry's names: hangs of processes, with the keys of their views.

import RerenderModel
import RerenderQuery
import RerenderWire

/// A hang that a store counted, and what its app is told of it.
struct CountedHang {
    let store: StoreEntry
    let notice: HangNotice
    /// Whether there is somebody to tell: the program runs and has the store.
    let isTold: Bool
}

/// Names a store's counts of hangs, and those of one of its views, within this daemon's life.
struct CountsReference: Hashable {
    let store: UInt32
    let view: UInt32?
}

extension Registry {
    /// A report of the watchdog as a hang of a process that is known, or was.
    func hang(_ report: HangReport, of identity: ProcessInstance) -> Hang {
        let process = process(identity)
        var hang = Hang(
            id: report.id, pid: identity.pid, process: process?.name ?? "", startedAt: report.startedAt,
            turn: report.turn)
        hang.durationNanoseconds = report.duration
        hang.mayHaveBegunEarlierNanoseconds = report.slack
        hang.mayHaveEndedLaterNanoseconds = report.endSlack
        hang.open = report.ended == nil
        // One that is blamed and has no name is not nobody.
        let name = { (view: FlightView) in self.key(of: view, in: process) ?? Self.namelessView }
        hang.attribution = report.attribution
        if let handler = report.view.flatMap({ self.handler($0, in: process) }) {
            (hang.view, hang.handler) = (handler.view.map(ViewKey.init(rawValue:)), handler.name)
        } else {
            hang.view = report.view.map(name)
        }
        hang.phase = report.view?.phase
        // A handler is no view whose body ran.
        let crossing = report.atThreshold.flatMap { $0.handler == nil ? $0 : nil }
        hang.viewAtThreshold = crossing.map(name)
        hang.lastRendered = report.last.flatMap { key(of: $0, in: process) }
        hang.viewStore = store(of: report.view, in: process)
        hang.viewAtThresholdStore = store(of: crossing, in: process)
        hang.lastRenderedStore = hang.lastRendered == nil ? nil : store(of: report.last, in: process)
        (hang.guess, hang.starvedNanoseconds) = (report.isGuess, report.starved)
        (hang.verdict, hang.stoppedNanoseconds) = (report.verdict, report.stopped)
        hang.waitingOn = report.waitingOn
        hang.shares = report.shares.map { share in
            let handler = handler(share.view, in: process)
            return Hang.Share(
                view: handler.map { ViewKey(rawValue: $0.view ?? $0.name) } ?? name(share.view), handler: handler?.name,
                phase: share.view.phase, store: store(of: share.view, in: process), nanoseconds: share.nanoseconds)
        }
        if report.otherNanoseconds > 0 {
            hang.shares.append(Hang.Share(view: .otherViews, phase: nil, nanoseconds: report.otherNanoseconds))
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
    private static let namelessHandler = HandlerName(view: nil, name: "(a handler without a name)")

    /// Whether the app has yet to say what a view in the report is called: the page may have the beginning of a key.
    func hasNamelessView(_ report: HangReport, of identity: ProcessInstance) -> Bool {
        let process = process(identity)
        let views = [report.view, report.atThreshold, report.last].compactMap(\.self) + report.shares.map(\.view)
        return views.contains { view in
            if let handler = view.handler {
                let store = process?.store(view.storeID)
                let ofPage = HandlerName(pageText: view.key)
                guard let name = store?.handler(handler) ?? (ofPage?.isCut == false ? ofPage : nil) else { return true }
                // The hang counts for that view, which may be evaluated for the first time in it.
                return name.view.map { store?.number(ofView: $0) == nil } ?? false
            }
            let isWhole = view.isUnlisted || process?.store(view.storeID)?.isNamed(view.index) == true
            return !isWhole && (view.key.isEmpty || !self.isWhole(view.key))
        }
    }

    /// Whether a page's key is certainly not cut: a page cuts between characters of at most four bytes.
    private func isWhole(_ key: String) -> Bool { key.utf8.count <= LoopLayout.keyBytes - 4 }

    /// A view's whole key; what its flight page has of it where the app has not yet said more.
    private func key(of view: FlightView, in process: ProcessEntry?) -> ViewKey? {
        if view.isUnlisted { return .otherViews }
        if let store = process?.store(view.storeID), store.isNamed(view.index) {
            return ViewKey(rawValue: store.views[Int(view.index)].key)
        }
        return view.key.isEmpty ? nil : ViewKey(rawValue: view.key + (isWhole(view.key) ? "" : "…"))
    }

    /// A handler's whole name; what its flight page has of it where the app has not yet said more. Nil for a view.
    private func handler(_ view: FlightView, in process: ProcessEntry?) -> HandlerName? {
        guard let number = view.handler else { return nil }
        return process?.store(view.storeID)?.handler(number) ?? HandlerName(pageText: view.key) ?? Self.namelessHandler
    }

    /// A view's store, if the app has told of it.
    private func store(of view: FlightView?, in process: ProcessEntry?) -> Hang.Store? {
        guard let view, !view.isUnlisted, let store = process?.store(view.storeID) else { return nil }
        return Hang.Store(number: view.storeID, name: store.state.name)
    }

    /// Whether the app has yet to tell of its stores: it has just connected.
    func waitsForStores(_ identity: ProcessInstance) -> Bool {
        guard let process = process(identity), process.connection != nil else { return false }
        return process.stores.allSatisfy(\.hasEnded)
    }

    /// Counts a hang, or micro-hang, that ended, by each store's own thresholds; returns what the app is to be told.
    ///
    /// A store counts the hangs at whose end it was there. `isOver`: the program that hung runs no more.
    ///
    /// What is listed is a hang of the stores with the least threshold, and what is not is no store's: the app's page decided by
    /// the thresholds of that time, and the registry may know older or newer ones.
    func count(_ hang: Hang, blamed: FlightView?, of process: ProcessEntry, isOver: Bool) -> [CountedHang] {
        let end = hang.startedAt.nanosecondsSince1970.addingReportingOverflow(Int64(clamping: hang.durationNanoseconds))
        let stores = process.stores.filter { $0.lived(at: Timestamp(nanosecondsSince1970: end.partialValue)) }
        let least = stores.map(\.state.hangThresholdMilliseconds).min()
        return stores.compactMap { store in
            let isLeast = store.state.hangThresholdMilliseconds == least
            let length = length(of: hang, in: store.state, isLeast: isLeast)
            // A guess is no view's count.
            return count(hang, length, blamed: hang.guess ? nil : blamed, in: store, isOver: isOver)
        }
    }

    private func length(of hang: Hang, in state: StoreState, isLeast: Bool) -> TurnLength {
        let isListed = hang.id != 0
        if isListed, isLeast { return .hang }
        let length = state.length(
            nanoseconds: hang.durationNanoseconds.saturatingSum(hang.mayHaveBegunEarlierNanoseconds))
        return !isListed && length == .hang ? .microHang : length
    }

    /// What an app is to be told of counts without a hang; nil if the store is forgotten.
    func notice(of counts: CountsReference) -> HangNotice? {
        guard let store = storesBySerial[counts.store]?.store else { return nil }
        var notice = HangNotice.blank
        (notice.storeID, notice.epoch, notice.counts) = (store.state.storeID, store.state.epoch, store.hangs)
        notice.blamed = counts.view.map { .init(index: $0, hangs: store.hangs(ofView: $0)) }
        return notice
    }

    private func count(
        _ hang: Hang, _ length: TurnLength, blamed: FlightView?, in store: StoreEntry, isOver: Bool
    ) -> CountedHang? {
        guard length != .short else { return nil }
        let view = length == .hang ? blamed.flatMap(store.viewNumber) : nil
        store.count(hang, isMicroHang: length == .microHang)
        let isTold = !isOver && !store.hasEnded
        changesOf(store, isTold ? .store : .disconnected)
        var notice = HangNotice(
            storeID: store.state.storeID, epoch: store.state.epoch, hang: hang, isMicroHang: length == .microHang,
            counts: store.hangs)
        if let view {
            var ofView = store.hangs(ofView: view)
            ofView.add(
                nanoseconds: hang.durationNanoseconds, starvedNanoseconds: hang.starvedNanoseconds,
                isStarved: hang.verdict == .starved)
            restore(ofView, ofView: view, in: store)
            if store.isNamed(view) { noteChange(ofView: Int(view), in: store) }
            notice.blamed = .init(index: view, hangs: store.hangs(ofView: view))
        }
        return CountedHang(store: store, notice: notice, isTold: isTold)
    }
}

/// What a turn of the main loop is for a store.
enum TurnLength {
    case short, microHang, hang
}

extension StoreState {
    /// A hang is one also where its threshold is the shorter of the two.
    func length(nanoseconds: UInt64) -> TurnLength {
        if nanoseconds >= UInt64(hangThresholdMilliseconds) &* 1_000_000 { return .hang }
        return nanoseconds >= UInt64(microHangThresholdMilliseconds) &* 1_000_000 ? .microHang : .short
    }
}

extension StoreEntry {
    /// The number of a blamed view, if it is one of the store's in its current epoch: after a reset it would be a hang that
    /// no evaluation of the epoch can explain.
    ///
    /// A hang in a handler is one of the view that the handler is of.
    fileprivate func viewNumber(of view: FlightView) -> UInt32? {
        guard view.storeID == state.storeID, view.epoch == state.epoch else { return nil }
        guard let handler = view.handler else { return view.index }
        let name = self.handler(handler) ?? HandlerName(pageText: view.key)
        return name?.view.flatMap(number(ofView:))
    }
}
