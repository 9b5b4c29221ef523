// SPDX-License-Identifier: MIT
// One process as the daemon holds it, over all its connections.

import NIOCore
import RerenderModel
import RerenderWire

/// A process and its stores; where a process has several copies of the library, one of those. Confined to the
/// registry's event loop.
final class ProcessEntry {
    let identity: ProcessInstance
    var name: String
    /// Its flight page, while the daemon holds it.
    var page: OpenPage? {
        didSet {
            pageIdentity = page?.identity ?? pageIdentity
            if page != nil { lacksPage = false }
        }
    }
    /// An earlier daemon held its page, or this one let go of it: if it ends like this, what it had not sent is not known.
    var lacksPage = false
    /// Tells its page from all others, also after the daemon that held it.
    var pageIdentity: FileIdentity?
    /// The connection that it uses now.
    var connection: AppConnection?
    /// Stores in the order in which they were first heard of.
    var stores: [StoreEntry] = []
    /// It said that it sent everything. What the page has beside, other threads counted after that.
    var saidGoodbye = false
    /// Up to where its hangs are counted: there the next daemon goes on.
    var progress: WatchCheckpoint?
    /// Counts that its app may not have heard of: of views, each with its store's, or of stores alone.
    var staleCounts: Set<ViewReference> = []
    /// A file does not have all of it.
    var isUnsaved = false
    /// How many threads of each name it had when its main loop was first told of; nil before.
    var firstThreads: [String: UInt64]?
    /// When its threads may be read again.
    var threadsDueAt = NIODeadline.uptimeNanoseconds(0)
    /// Whether they were just read.
    var areThreadsRead: Bool { threadsDueAt > .now() }
    /// When its end was noticed; nil while it lives.
    var endedAt: NIODeadline?

    init(identity: ProcessInstance, name: String) {
        self.identity = identity
        self.name = name
    }

    var viewCount: Int { stores.reduce(0) { $0 + $1.views.count } }
    /// Estimated memory, beside its stores.
    var bytes: Int { 512 + name.utf8.count }

    /// The store of that number that the app uses now: the latest, since numbers may return after an `exec`.
    func store(_ storeID: UInt32) -> StoreEntry? {
        stores.last { $0.state.storeID == storeID }
    }

    /// The store of that number of the program that made it then.
    func store(_ storeID: UInt32, startedAt: Timestamp) -> StoreEntry? {
        stores.last { $0.state.storeID == storeID && $0.state.startedAt == startedAt }
    }
}

/// One app's connection: what the registry needs to know of it.
final class AppConnection {
    let serial: UInt64
    /// The process's number as the kernel gave it.
    let pid: Int32
    /// Who it is; nil before the hello.
    var process: ProcessEntry?
    /// The flight page that came with its first bytes.
    var page: OpenPage?
    /// The store that was told of last: of the latest totals, it is nearly always that of the next.
    var latestStore: StoreEntry?

    init(serial: UInt64, pid: Int32) {
        self.serial = serial
        self.pid = pid
    }
}

// The main loop of one process as the daemon holds it.

/// What an app told of its main loop in an epoch.
struct LoopEntry {
    /// A loop that turns tells more often than its figures would be wrong by.
    private static let silence: Int64 = 2_000_000_000

    /// Nil before the app told of its loop: then the others are not shown.
    private(set) var totals: LoopTotals?
    private var toldAt = NIODeadline.uptimeNanoseconds(0)
    /// When the process ended or its connection did; nil while it tells.
    private var endedAt: Timestamp?
    /// By the app's numbers. Only its store changes these three, and counts what they take.
    var rows: [LoopRow] = []
    var facts: [WidgetFact] = []
    var threads: [ThreadTime] = []
    /// What threads had run when a reset began this epoch; nil where that was not read.
    var threadsBefore: [ThreadTime]?
    /// Hangs by the source or handler that they were in, as the watchdog saw them.
    var hangs: [SourceHangs] = []
    /// Estimated memory of the three lists.
    var bytes: Int { rows.bytes + facts.bytes + Self.bytes(threads) }

    /// Whether the app tells of its loop now.
    var isTold: Bool { totals != nil && endedAt == nil }

    /// Takes in what the loop did in all.
    mutating func receive(_ totals: LoopTotals, now: NIODeadline = .now()) {
        (self.totals, toldAt, endedAt) = (totals, now, nil)
    }

    /// Notes that the app tells nothing more. A loop that slept until then was counted until then.
    mutating func end(now: NIODeadline = .now(), at time: Timestamp = .now) {
        guard totals != nil, endedAt == nil else { return }
        let counted = counted(isAlive: true, now: now)
        totals?.counted = counted
        endedAt = time
    }

    /// For how long the loop was counted. One that sleeps tells nothing, and its time goes on while the process lives.
    func counted(isAlive: Bool, now: NIODeadline = .now()) -> UInt64 {
        let (told, since) = (totals?.counted ?? 0, (now - toldAt).nanoseconds)
        return isAlive && since >= Self.silence ? told.clampedSum(UInt64(since)) : told
    }

    /// What threads take in memory.
    static func bytes(_ threads: [ThreadTime]) -> Int {
        threads.reduce(0) { $0 + MemoryLayout<ThreadTime>.stride + $1.name.utf8.count }
    }

    /// The loop as the export shows it.
    func stats(isAlive: Bool, now: NIODeadline = .now()) -> LoopStats? {
        guard var totals else { return nil }
        totals.counted = counted(isAlive: isAlive, now: now)
        var stats = LoopStats(totals, rows: rows, facts: facts, threads: threads)
        stats.endedAt = endedAt
        return stats
    }
}

extension Array {
    /// Adds the next element, or replaces one; none whose number leaves a gap. Returns by how much they grew, by a measure.
    mutating func put(_ value: Element, at index: Int, _ bytes: (Element) -> Int) -> Int {
        guard index < count else {
            guard index == count else { return 0 }
            append(value)
            return bytes(value)
        }
        defer { self[index] = value }
        return bytes(value) - bytes(self[index])
    }
}

// The ends of connections and processes: what stays, what is lost, and when it is forgotten.

extension Registry {
    /// Notes that a connection ended. Its process may live on; ``processEnded(_:page:now:)`` notes its end.
    func disconnected(_ connection: AppConnection) {
        guard let process = connection.process, process.connection === connection else { return }
        process.connection = nil
        connection.process = nil
        for store in process.stores where !store.hasEnded {
            store.loop.end()
            changesOf(store, .disconnected)
        }
        forgetDisconnected()
    }

    /// Processes without a connection that are not known to have ended.
    var disconnectedProcesses: [ProcessEntry] {
        processes.filter { $0.connection == nil && $0.endedAt == nil }
    }

    /// Notes that a store is gone.
    func end(_ store: StoreEntry, of process: ProcessEntry) {
        guard !store.hasEnded else { return }
        store.endedAt = .now
        changesOf(store, .disconnected)
        if store.hasHangs { onStoresChanged(process, [store]) }
    }

    /// Notes that a process ended, and counts what it had not sent, by its flight page if that could be read.
    func processEnded(_ process: ProcessEntry, page: FlightPage?, now: NIODeadline) {
        guard process.endedAt == nil else { return }
        process.connection?.process = nil
        process.connection = nil
        process.endedAt = now
        for store in process.stores {
            let isLatest = process.store(store.state.storeID) === store
            store.loop.end(now: now)
            store.settle(with: isLatest ? page?.stores.first { $0.storeID == store.state.storeID } : nil)
            changesOf(store, .disconnected)
        }
        for slot in page?.stores ?? [] where process.store(slot.storeID) == nil {
            guard process.stores.count < WireLimits.storesPerProcess else { break }
            append(unconnectedStore(slot), to: process)
        }
        onProcessEnded(process)
    }

    private func unconnectedStore(_ slot: FlightPage.Store) -> StoreEntry {
        var state = StoreState(
            storeID: slot.storeID, name: slot.name,
            startedAt: Timestamp(nanosecondsSince1970: slot.startedAtNanoseconds))
        state.epoch = slot.epoch
        let store = makeStore(state)
        store.settle(with: slot)
        return store
    }

    /// Forgets processes that ended before `now - keep`, and the oldest ones beyond `maxEnded`.
    ///
    /// Returns when to call it next; nil if no ended process is left.
    func expire(keep: TimeAmount, maxEnded: Int, now: NIODeadline) -> NIODeadline? {
        let ended = processes.filter { $0.endedAt != nil }.sorted { ($0.endedAt ?? now) < ($1.endedAt ?? now) }
        var kept = ended.count
        for process in ended {
            let endedAt = process.endedAt ?? now
            if now - endedAt >= keep {
                forget(process)
                kept -= 1
            } else if kept > maxEnded {
                forget(process)
                drops.endedProcesses &+= 1
                kept -= 1
            } else {
                return endedAt + keep
            }
        }
        return nil
    }

    private func forgetDisconnected() {
        let disconnected = disconnectedProcesses
        for process in disconnected.dropLast(limits.disconnectedProcesses) {
            forget(process)
            drops.endedProcesses &+= 1
        }
    }
}
