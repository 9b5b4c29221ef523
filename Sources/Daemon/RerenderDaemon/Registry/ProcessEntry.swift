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
