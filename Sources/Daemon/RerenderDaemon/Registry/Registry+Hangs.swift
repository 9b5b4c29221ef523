// SPDX-License-Identifier: MIT
// Gives the hangs that the watchdog sees the names of their views, lists them, and counts them.

import RerenderModel
import RerenderWire

extension Registry {
    /// A store that counted a hang, the number of its view that is blamed, and what its app is to hear: nil where the
    /// program has ended, or has the store no more.
    typealias HangCount = (store: StoreEntry, view: UInt32?, notice: HangNotice?)

    // MARK: Names

    /// A hang with the names of its process, which is known or was, and of its views.
    func named(_ seen: SeenHang, of identity: ProcessInstance) -> Hang {
        let process = process(identity)
        var hang = seen.hang
        (hang.pid, hang.process) = (identity.pid, process?.name ?? "")
        hang.shares = seen.views.shares.map { share in
            let (view, handler, _) = name(share.view, in: process)
            return Hang.Share(
                view: view ?? handler.map(ViewKey.init(rawValue:)) ?? Self.namelessView, handler: handler,
                phase: share.view.phase, store: store(of: share.view, in: process), nanoseconds: share.nanoseconds)
        }
        if let blamed = seen.blamed {
            let (view, handler, _) = name(blamed, in: process)
            // A view that is blamed and has no name is shown all the same.
            hang.view = handler == nil ? view ?? Self.namelessView : view
            (hang.handler, hang.phase, hang.viewStore) = (handler, blamed.phase, store(of: blamed, in: process))
        }
        if seen.views.otherNanoseconds > 0 {
            hang.shares.append(.init(view: .otherViews, phase: nil, nanoseconds: seen.views.otherNanoseconds))
        }
        // A handler is no view whose body ran.
        if let crossing = seen.views.inBody, crossing.handler == nil {
            hang.viewAtThreshold = name(crossing, in: process).view ?? Self.namelessView
            hang.viewAtThresholdStore = store(of: crossing, in: process)
        }
        if let last = seen.views.last, let view = name(last, in: process).view {
            (hang.lastRendered, hang.lastRenderedStore) = (view, store(of: last, in: process))
        }
        // Of the looks that the app has told of up to now. A micro-hang has none.
        if hang.id != 0, let listed = hangs.hang(hang.id) { (hang.source, hang.call) = (listed.source, listed.call) }
        return hang
    }

    /// In the place of a view that the app has not named.
    private static let namelessView = ViewKey(rawValue: "(a view without a name)")
    private static let namelessHandler = HandlerName(view: nil, name: "(a handler without a name)")

    /// Whether the app has yet to say what a view in the hang is called: the page may have the beginning of a key.
    func hasNamelessView(_ seen: SeenHang, of identity: ProcessInstance) -> Bool {
        let process = process(identity)
        let views = [seen.views.inBody, seen.views.last].compactMap(\.self) + seen.views.shares.map(\.view)
        return views.contains { !name($0, in: process).isWhole }
    }

    /// What a view, or an event handler and its view, is called: by the app, or else by what the flight page has of it.
    /// And whether that is the whole name.
    private func name(
        _ view: FlightView, in process: ProcessEntry?
    ) -> (view: ViewKey?, handler: String?, isWhole: Bool) {
        let store = process?.store(view.storeID)
        if let number = view.handler {
            let (told, ofPage) = (store?.handler(number), HandlerName(pageText: view.key))
            let name = told ?? ofPage ?? Self.namelessHandler
            // The hang counts for its view, which may be evaluated for the first time in it.
            let isViewKnown = name.view.map { store?.number(ofView: $0) != nil } ?? true
            let isWhole = (told != nil || ofPage?.isCut == false) && isViewKnown
            return (name.view.map(ViewKey.init(rawValue:)), name.name, isWhole)
        }
        if view.isUnlisted { return (.otherViews, nil, true) }
        if let store, store.isNamed(view.index) {
            return (ViewKey(rawValue: store.views[Int(view.index)].key), nil, true)
        }
        if view.key.isEmpty { return (nil, nil, false) }
        // A page cuts between characters of at most four bytes.
        let isWhole = view.key.utf8.count <= LoopLayout.keyBytes - 4
        return (ViewKey(rawValue: view.key + (isWhole ? "" : "…")), nil, isWhole)
    }

    /// A view's store, if the app has told of it.
    private func store(of view: FlightView, in process: ProcessEntry?) -> Hang.Store? {
        guard !view.isUnlisted, let store = process?.store(view.storeID) else { return nil }
        return Hang.Store(number: view.storeID, name: store.state.name)
    }

    /// Whether the app has yet to tell of its stores: it has just connected.
    func waitsForStores(_ identity: ProcessInstance) -> Bool {
        guard let process = process(identity), process.connection != nil else { return false }
        return process.stores.allSatisfy(\.hasEnded)
    }

    // MARK: The list

    /// Takes in what is known of a hang; false if it was heard of before under another number. `isNews`: it began or
    /// ended.
    @discardableResult
    func put(_ hang: Hang, of process: ProcessInstance, isNews: Bool) -> Bool {
        guard hangs.put(hang, of: process) else { return false }
        guard changes != nil, let listed = hangs.hang(hang.id) else { return true }
        if isNews || hangs.isDue(hang.id, now: .now) { changes?.hangs.append(listed.id) }
        return true
    }

    func removeHang(_ id: UInt64) {
        guard let hang = hangs.hang(id), hangs.remove(id) else { return }
        changes?.droppedHangs.append(.init(id: hang.id, pid: hang.pid))
    }

    func endOpenHangs(of process: ProcessInstance, _ ending: HangEnding) {
        let ended = hangs.endOpen(of: process, ending)
        changes?.hangs += ended
    }

    func noteTrace(_ trace: String, ofHang id: UInt64) {
        if hangs.note(trace: trace, of: id) { changes?.hangs.append(id) }
    }

    // MARK: Counts

    /// Counts a hang or micro-hang that ended, by each store's own thresholds; returns the stores that counted it.
    ///
    /// A store counts the hangs at whose end it was there. `isOver`: the program that hung runs no more.
    ///
    /// What is listed is a hang of the stores with the least threshold, and what is not is no store's: the app's page
    /// decided by the thresholds of that time, and the registry may know older or newer ones.
    func count(_ hang: Hang, blamed: FlightView?, of process: ProcessEntry, isOver: Bool) -> [HangCount] {
        let stores = process.stores.filter { $0.lived(at: hang.seenUntil) }
        let least = HangThresholds.shortest(of: stores.map(\.state.thresholds))?.hangMilliseconds
        return stores.compactMap { store -> HangCount? in
            let isListedHere = hang.id != 0 && store.state.hangThresholdMilliseconds == least
            let isMicroHang: Bool
            switch isListedHere ? TurnLength.hang : store.state.thresholds.length(of: hang) {
            case .short: return nil
            case .microHang: isMicroHang = true
            case .hang: isMicroHang = hang.id == 0
            }
            // A guess is no view's count.
            let number = hang.guess ? nil : blamed.flatMap(store.viewNumber)
            let view = isMicroHang ? nil : number
            store.count(hang, isMicroHang: isMicroHang)
            if isMicroHang || store.isMicroHangWithoutWait(hang), let number {
                store.countMicroHang(of: hang, view: number)
            }
            let isTold = !isOver && !store.hasEnded
            changesOf(store, isTold ? .store : .disconnected)
            if let view { add(hang, toView: view, of: store) }
            return (store, view, isTold ? store.notice(view, of: hang, isMicroHang: isMicroHang) : nil)
        }
    }

    private func add(_ hang: Hang, toView view: UInt32, of store: StoreEntry) {
        var hangs = store.hangs(ofView: view)
        hangs.add(hang)
        restore(hangs, ofView: view, in: store)
        if store.isNamed(view) { noteChange(ofView: Int(view), in: store) }
    }
}

extension StoreEntry {
    /// What the app is to hear of the store's counts, and of those of one of its views: at a hang, or without one.
    func notice(_ view: UInt32?, of hang: Hang = .blank, isMicroHang: Bool = false) -> HangNotice {
        HangNotice(
            storeID: state.storeID, epoch: state.epoch, hang: hang, isMicroHang: isMicroHang, counts: hangs,
            blamed: view.map { .init(index: $0, hangs: hangs(ofView: $0)) })
    }

    /// The number of a blamed view, if it is one of the store's in its current epoch: after a reset it would be a hang
    /// that no evaluation of the epoch can explain.
    ///
    /// A hang in a handler is one of the view that the handler is of.
    fileprivate func viewNumber(of view: FlightView) -> UInt32? {
        guard view.storeID == state.storeID, view.epoch == state.epoch else { return nil }
        guard let handler = view.handler else { return view.index }
        let name = self.handler(handler) ?? HandlerName(pageText: view.key)
        return name?.view.flatMap(number(ofView:))
    }
}
