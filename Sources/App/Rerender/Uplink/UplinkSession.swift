// SPDX-License-Identifier: MIT
// Keeps what one connection has been told, and writes what it must be told next.

import RerenderModel
import RerenderWire
import Synchronization

/// Turns what changed in the stores into messages; begins anew with every connection, so that everything is sent again.
struct UplinkSession {
    private var stores: [UInt32: StoreProgress] = [:]
    /// The store that the next burst begins with, so that a busy one does not starve the others.
    private var nextStore = 0

    /// Begins a session by saying who calls.
    ///
    /// - Parameter copy: The number that a daemon gave this copy of the library; nil before.
    init(identity: ProcessIdentity, copy: UInt32?, writer: inout WireWriter) {
        let hello = Hello(
            pid: identity.pid, startTicks: identity.startTicks, copy: copy, processName: identity.name)
        AppMessage.hello(hello).write(to: &writer)
    }

    /// Writes what changed, store by store and view by view, until the frames reach `budget` bytes.
    ///
    /// Returns whether something is left. What changes meanwhile is left for the next call, and comes after what was
    /// left before it: every view gets its turn.
    ///
    /// - Parameters:
    ///   - loop: What the process's main loop did; told of by the store with the lowest number.
    ///   - isEnding: Whether the process ends.
    mutating func write(
        _ cores: [StoreCore], to writer: inout WireWriter, budget: Int, loop: LoopLedger = .shared,
        isEnding: Bool = false
    ) -> Bool {
        guard !cores.isEmpty else { return false }
        let wallClock = WallClock()
        let carrier = cores.reduce(UInt32.max) { min($0, $1.id) }
        loop.setCarrier(carrier)
        var isComplete = true
        let first = nextStore % cores.count
        for offset in 0..<cores.count {
            let core = cores[(first + offset) % cores.count]
            // In place: a copy would share its lists, and the one that the hot path gets would be copied on its first use.
            let ledger = core.id == carrier ? loop : nil
            let isWritten = stores[core.id, default: StoreProgress()].write(
                core, to: &writer, budget: budget, wallClock: wallClock, ledger: ledger, isEnding: isEnding)
            if !isWritten, isComplete {
                isComplete = false
                nextStore = (first + offset + 1) % cores.count
            }
        }
        return !isComplete
    }

    /// Says what is left of a store that is gone.
    mutating func end(_ state: StoreState, writer: inout WireWriter) {
        AppMessage.store(state).write(to: &writer)
        end(state.storeID, writer: &writer)
    }

    /// Says that a store is gone; its totals must have been written.
    mutating func end(_ storeID: UInt32, writer: inout WireWriter) {
        stores[storeID] = nil
        AppMessage.storeEnded(storeID: storeID).write(to: &writer)
    }

    /// Whether everything of the store was written.
    func isComplete(_ core: StoreCore) -> Bool {
        stores[core.id]?.isComplete ?? false
    }
}

/// What of one store has been told.
private struct StoreProgress {
    private struct ViewProgress {
        var epoch: UInt32 = 0
        var reasons = 0
        /// Named writers and chains: a reason's number and a slot each.
        var details: Set<UInt16> = []
    }

    private var isNew = true
    /// Whether all handlers that were there at the last burst were declared.
    private var hasHandlers = true
    private var epoch: UInt32 = 0
    private var toldEvaluations: UInt64 = 0
    private var views: [ViewProgress] = []
    /// The cycles that were told of.
    private var cycles: [Cycle] = []
    /// What goes on without input, as it was told of.
    private var work: [IdleWork] = []
    /// What was told of the main loop.
    private var loop: LoopStats?
    /// How many handlers were declared.
    private var handlers = 0
    /// How many views were declared: the first so many, since the daemon takes them in order only.
    private var declared = 0
    private var records: [ViewRecord] = []
    /// Views to send, from `sent` on.
    private var pending: [UInt32] = []
    private var sent = 0
    private var arrivals: [UInt32] = []

    var isComplete: Bool { !isNew && hasHandlers && sent == pending.count }

    /// Writes what changed; false if the budget ended first.
    mutating func write(
        _ core: StoreCore, to writer: inout WireWriter, budget: Int, wallClock: WallClock, ledger: LoopLedger?,
        isEnding: Bool
    ) -> Bool {
        collect(from: core)
        guard core.takeStateMark() || isNew || !hasHandlers || sent < pending.count else { return true }
        isNew = false
        writeState(of: core, to: &writer)
        hasHandlers = declareHandlers(of: core, to: &writer, budget: budget)
        guard hasHandlers else { return false }
        let (newCycles, newWork) = (core.cycles(wallClock), core.idleWork(wallClock))
        write(newCycles, after: cycles, of: core, AppMessage.cycle, to: &writer)
        write(newWork, after: work, of: core, AppMessage.work, to: &writer) { $0.isAsFar(as: $1) }
        (cycles, work) = (newCycles, newWork)
        if let now = ledger?.loop(wallClock, isEnding: isEnding) { write(now, of: core, to: &writer) }
        while sent < pending.count {
            let view = records[Int(pending[sent])]
            while declared <= view.index {
                guard writer.bytes.count < budget else { return false }
                declare(records[declared], of: core, to: &writer)
            }
            guard writer.bytes.count < budget else { return false }
            write(view, of: core, to: &writer, wallClock: wallClock)
            sent += 1
        }
        pending.removeAll(keepingCapacity: true)
        sent = 0
        // Evaluations went on while the views were read: the store's own number must not stay behind theirs.
        if core.state().evaluations != toldEvaluations { writeState(of: core, to: &writer) }
        return true
    }

    private mutating func collect(from core: StoreCore) {
        core.swapDirtyViews(with: &arrivals)
        // After the list, so that every view in it is among the records.
        if isNew || arrivals.contains(where: { $0 >= records.count }) { records = core.allViews }
        if isNew {
            pending = records.map(\.index)
        } else {
            pending.removeFirst(sent)
            sent = 0
            pending.append(contentsOf: arrivals)
        }
        arrivals.removeAll(keepingCapacity: true)
        while views.count < records.count { views.append(ViewProgress()) }
    }

    private mutating func writeState(of core: StoreCore, to writer: inout WireWriter) {
        let state = core.state()
        // The daemon forgets them with their epoch.
        if state.epoch != epoch { (cycles, work, loop) = ([], [], nil) }
        epoch = state.epoch
        toldEvaluations = state.evaluations
        AppMessage.store(state).write(to: &writer)
    }

    /// Writes those items that are new, or not the same as what was told.
    private func write<Item: StoreItem>(
        _ items: [Item], after told: [Item], of core: StoreCore, _ message: (ItemMessage<Item>) -> AppMessage,
        to writer: inout WireWriter, isSame: (Item, Item) -> Bool = { $0 == $1 }
    ) {
        for (index, item) in items.prefix(Int(Item.most)).enumerated()
        where index >= told.count || !isSame(item, told[index]) {
            message(ItemMessage(storeID: core.id, epoch: epoch, index: UInt8(index), item: item)).write(to: &writer)
        }
    }

    /// Writes what the main loop did since.
    private mutating func write(_ now: LoopStats, of core: StoreCore, to writer: inout WireWriter) {
        let (storeID, told) = (core.id, loop)
        if now.totals != told?.totals {
            AppMessage.loop(LoopMessage(storeID: storeID, epoch: epoch, totals: now.totals)).write(to: &writer)
        }
        write(now.rows, after: told?.rows ?? [], of: core, AppMessage.row, to: &writer)
        write(now.facts, after: told?.facts ?? [], of: core, AppMessage.fact, to: &writer)
        if !now.threads.isEmpty, now.threads != told?.threads {
            AppMessage.threads(ThreadsMessage(storeID: storeID, epoch: epoch, threads: now.threads))
                .write(to: &writer)
        }
        loop = now
    }

    /// Names the handlers that are new; false if the budget ended first.
    private mutating func declareHandlers(of core: StoreCore, to writer: inout WireWriter, budget: Int) -> Bool {
        for handler in core.handlers(from: handlers) {
            guard writer.bytes.count < budget else { return false }
            let declaration = HandlerDeclaration(storeID: core.id, index: handler.index, name: handler.name)
            AppMessage.handler(declaration).write(to: &writer)
            handlers += 1
        }
        return true
    }

    private mutating func declare(_ view: ViewRecord, of core: StoreCore, to writer: inout WireWriter) {
        let declaration = ViewDeclaration(
            storeID: core.id, index: view.index, key: view.key.rawValue, file: view.file, line: view.line)
        AppMessage.view(declaration).write(to: &writer)
        declared += 1
    }

    private mutating func write(
        _ view: ViewRecord, of core: StoreCore, to writer: inout WireWriter, wallClock: WallClock
    ) {
        var (message, reasons) = core.takeTotals(of: view, wallClock: wallClock)
        let totals = message.totals
        // A reset came in between: the daemon must hear of the epoch before it gets totals of it.
        if totals.epoch != epoch { writeState(of: core, to: &writer) }
        // Not evaluated in this epoch, nor missed: there is nothing to show, here as in the app's own export.
        guard totals.count > 0 || totals.commits > 0 || totals.isNotSeen else { return }
        let index = Int(view.index)
        if views[index].epoch != totals.epoch {
            views[index].epoch = totals.epoch
            views[index].reasons = 0
            views[index].details.removeAll(keepingCapacity: true)
        }
        for number in views[index].reasons..<max(reasons.count, views[index].reasons) {
            AppMessage.reason(
                ReasonDeclaration(
                    storeID: core.id, viewIndex: view.index, index: UInt8(number), text: reasons[number].text,
                    attribution: reasons[number].attribution)
            ).write(to: &writer)
        }
        views[index].reasons = reasons.count
        for (number, reason) in reasons.enumerated() where reason.count > 0 {
            let details = reason.details.named()
            declare(details, ofReason: number, of: view, core, to: &writer)
            message.details += details.counts.map {
                DetailCount(reason: UInt8(number), slot: $0.slot, count: $0.count)
            }
        }
        AppMessage.totals(message).write(to: &writer)
    }

    /// Names the writers and chains that the daemon was not told of; each keeps its slot.
    private mutating func declare(
        _ details: NamedReasonDetails, ofReason number: Int, of view: ViewRecord, _ core: StoreCore,
        to writer: inout WireWriter
    ) {
        for (slot, text) in details.texts
        where views[Int(view.index)].details.insert(UInt16(number) << 8 | UInt16(slot)).inserted {
            AppMessage.detail(
                DetailDeclaration(
                    storeID: core.id, viewIndex: view.index, reason: UInt8(number), slot: slot, text: text)
            ).write(to: &writer)
        }
    }
}

// What the daemon says to a process, and the answers.

extension UplinkThread {
    /// Reads what the daemon sent, and does it; false where the connection is over.
    mutating func receive() -> Bool {
        var messages: [DaemonMessage] = []
        let isAlive = socket?.receive { messages.append($0) } ?? false
        for message in messages { obey(message) }
        return isAlive
    }

    private mutating func obey(_ message: DaemonMessage) {
        switch message {
        case .welcome(_, let copy):
            (wasWelcomed, self.copy) = (true, copy)
        case .refusal:
            drop()
            // Another daemon, of our version, may take the place of this one.
            notice.watch()
            schedule.refused(at: MonotonicClock.now)
        case .configure(let request, let storeID, let settings):
            answer(request, each: storeID) { core in
                core.apply(settings)
                return 1
            }
        case .reset(let request, let storeID):
            answer(request, each: storeID) { core in
                core.reset()
                return 1
            }
        case .pulse(let request, let storeID, let key):
            show(.pulse(ViewKey(rawValue: key)), request, storeID)
        case .overlay(let request, let storeID, let overlay, let isOn):
            show(ScreenRequest(overlay, isOn: isOn), request, storeID)
        case .hangEnded(let notice):
            hangEnded(notice)
        case .hangCounts(let notice):
            uplink.stores.all.live.first { $0.id == notice.storeID }?.take(notice)
        case .sampleStack(let hang, let turn):
            sampleStack(hang: hang, turn: turn)
        case .lookForLoops:
            _ = mainLoop.lookForLoops()
        case .watchTurn(let turn):
            exitWatch.begin(turn: turn, at: MonotonicClock.now)
        }
    }

    private mutating func hangEnded(_ notice: HangNotice) {
        guard let core = uplink.stores.all.live.first(where: { $0.id == notice.storeID }) else { return }
        core.take(notice)
        guard !notice.isMicroHang else { return }
        var hang = notice.hang
        // In another pid namespace, the daemon knows the process by another number.
        hang.pid = uplink.context.identity.pid
        core.hangHandler.closure?(hang)
    }

    /// Takes a stack for the daemon, if a store wants it and the turn lasts. The daemon waits for the answer, which may be that nothing is known.
    private mutating func sampleStack(hang: UInt64, turn: UInt64) {
        stacks.follow(uplink.stores.hangStacks.load(ordering: .relaxed))
        guard !isExiting, samples.count < StoreLimits.waitingStacks else { return }
        samples.append(stacks.sample(of: mainLoop.record, hang: hang, turn: turn))
        schedule.hurry(at: MonotonicClock.now)
    }

    /// Asks the stores' bridges; the answer is complete when the last of them has said what it shows, perhaps on another thread.
    private func show(_ wanted: ScreenRequest, _ request: UInt32, _ storeID: UInt32?) {
        // An overlay is of the process, however many bridges show it.
        let most: UInt32 = if case .pulse = wanted { .max } else { 1 }
        let reply = ScreenReply { [uplink, connections] sum in
            uplink.finish(
                CommandResult(
                    request: request, reached: min(sum.reached, most), answered: sum.answered, shown: sum.shown,
                    instances: sum.instances),
                connection: connections)
        }
        for core in uplink.stores.all.live where storeID == nil || core.id == storeID { core.take(wanted, reply) }
    }

    /// Sends the answers that bridges have completed.
    mutating func takeFinished() {
        let finished = uplink.takeFinished(connection: connections)
        guard !finished.isEmpty, session != nil else { return }
        replies += finished
        schedule.hurry(at: MonotonicClock.now)
    }

    /// Carries a command out and answers in a burst of its own, after what it changed.
    private mutating func answer(_ request: UInt32, each storeID: UInt32?, _ action: (StoreCore) -> UInt32) {
        let cores = uplink.stores.all.live.filter { storeID == nil || $0.id == storeID }
        let reached = cores.reduce(into: UInt32(0)) { $0 += action($1) }
        replies.append(CommandResult(request: request, reached: reached))
        schedule.hurry(at: MonotonicClock.now)
    }
}
